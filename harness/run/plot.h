/*
 * solve --plot: an answer as a figure, which gnuplot draws by scripts of plots/lib.
 */
#pragma once
#include "base/record.h"
#include "reprise.h"

struct plot {
    struct picture picture;
    size_t columns, rows; /* that are drawn, and a picture may have more of */
    struct text data;     /* what gnuplot reads */
    double least, most;   /* of what is drawn */
    double lost;          /* values that cannot be drawn, as NaN */
};

/* ERR_ARGS: the name does not end as a figure's. */
enum status plot_check(const char *path);
/* What is to be drawn of the answer: however large that is, some thousand points of a curve, and a
 * grid of some hundred lines. */
void plot_take(const struct instance *in, const struct solution *got, struct plot *out);
/* Into a file, which is whole or not there. `doubt` is said in the figure of an answer that is not
 * good; or "". */
enum status plot_draw(const struct plot *plot, const char *path, const char *where,
                      const char *title, const char *doubt);
void plot_free(struct plot *plot);
