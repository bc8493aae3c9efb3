/*
 * The registry of tests/trial.c names the ceilings. The targets measure nothing, and are linked
 * without any solver.
 */
#include "reprise.h"

extern const struct family ceilings_family;
extern const struct paper ceilings_paper;

static const struct problem problems[] = {{.id = NULL}};
static const struct variant variants[] = {{.id = NULL}};
static const struct exhibit exhibits[] = {{.id = NULL}};

const struct family ceilings_family = {
    .id = "ceilings", .title = "none", .problems = problems, .variants = variants};
const struct paper ceilings_paper = {.id = "ceilings", .citation = "none", .exhibits = exhibits};
