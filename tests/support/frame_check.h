/*
 * The check of all cells of a frame, for memterm_watch(). A fault fails the test.
 */
#ifndef TNAV_TESTS_FRAME_CHECK_H
#define TNAV_TESTS_FRAME_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/draw/canvas.h"

void	frame_check(const struct canvas *c);
bool	frame_printable(int32_t cp);	/* may stand on a screen, as a base or a mark */

#endif
