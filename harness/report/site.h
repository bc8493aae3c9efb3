/*
 * The verb site; it returns the exit status.
 */
#pragma once

/* A static site over runs, each named as a folder, or by a folder above it, into the folder `out`,
 * which is new, empty, or a site that this wrote before. */
int site_of(const char *const *words, int count, const char *out);
