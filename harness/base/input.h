/*
 * The one reader of data in files.
 */
#pragma once
#include "reprise.h"

/* read_input() of a file that is told. */
enum status read_file(const struct input *input, const char *path, size_t rows, size_t columns,
                      double *values);
