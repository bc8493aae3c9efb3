/*
 * Scripts for gnuplot, and gnuplot itself, which draws in a folder that has them in figures/.
 */
#pragma once
#include <sys/types.h>

#include "base/record.h"

/* NAME = 'WORDS', whatever the words are. */
void script_words(struct text *t, const char *name, const char *words);
/* The script figures/NAME, and from plots/lib/ what it loads, and what that loads. */
enum status write_scripts(const char *folder, const char *name, const char *script);
/* Starts gnuplot NAME TERMINAL FILE, inside the folder. */
pid_t gnuplot_start(const char *folder, const char *name, const char *terminal, const char *file);
/* Waits for it: its exit status, GNUPLOT_MISSING where there is none, or another one that is not 0.
 */
enum { GNUPLOT_MISSING = 127 };
int gnuplot_end(pid_t pid, const char *folder, const char *file);
