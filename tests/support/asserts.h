/*
 * What tests and their helpers include: assert_...() of cmocka, which needs others before it, and
 * what nearly all of them use of the C library.
 */
#ifndef TNAV_TESTS_ASSERTS_H
#define TNAV_TESTS_ASSERTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
