/*
 * Text files that the build put into the program: published values and plot scripts.
 */
#pragma once

struct embedded_file { /* the table ends by a row without name */
    const char *name, *text;
};
extern const struct embedded_file embedded_files[];
const char *embedded_text(const char *name); /* null: not in the program */
