/*
 * Texts that last as long as the program, one copy of each: two of them are equal if and only if
 * their pointers are. Names, paths, words of tables and keys are such, so that none is ever cut.
 */
#pragma once

const char *intern(const char *text);
/* The same, of what printf would print. */
const char *internf(const char *format, ...) __attribute__((format(printf, 1, 2)));
