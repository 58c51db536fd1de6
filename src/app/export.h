/* Rows of the viewer in the formats of `tnav dump`. */
#ifndef APP_EXPORT_H
#define APP_EXPORT_H

#include "tnav/ui/ui.h"

extern const struct ui_export	app_export;

#endif
