/*
 * The verbs report and verdict; they return the exit status.
 */
#pragma once
#include "run/plan.h"

/* What is printed is a summary; `format` "text": the tables before it; "latex": tables/EXHIBIT.tex
 * are written as well. */
int report_folder(const char *folder, const char *format);
