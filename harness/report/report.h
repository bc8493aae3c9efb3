/*
 * The verbs report and verdict; they return the exit status.
 */
#pragma once
#include "run/plan.h"

/* `format`: "latex" for tables/EXHIBIT.tex as well; or null. */
int report_folder(const char *folder, const char *format);
