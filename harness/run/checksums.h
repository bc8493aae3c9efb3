/*
 * checksums.csv: what a run's own files were when it ended, so that damage is seen.
 */
#pragma once
#include "base/record.h"

/* Written last. One of the file's content, compressed or not. */
enum status checksums_write(const char *folder);
/* ERR_IO names the file that is another now; measured.csv may be missing. OK also where there are
 * none: of a run that goes on or was killed, and of one from before there were any. */
enum status checksums_check(const char *folder);
/* measured.csv, made again, is what the run wrote; or nobody knows. */
bool checksums_of_measured(const char *folder, const struct text *measured);
bool checksums_there(const char *folder);
enum status checksums_remove(const char *folder); /* before a file is changed */
/* samples.csv of the folder, or samples.csv.gz if it is kept. */
const char *samples_path(const char *folder);
