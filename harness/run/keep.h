/*
 * The verb keep; it returns the exit status.
 */
#pragma once

/* Of a finished run: packs its samples and sees to its checksums. From then on `run` never writes
 * to the folder. */
int keep_folder(const char *name);
