/*
 * An answer as a figure. What is larger than a page can show is thinned so that nothing which
 * stands out is lost: of a stretch of a curve its least and its largest value are drawn, of a block
 * of a grid the value that is farthest from the block's mean.
 */
#include "run/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core.h"
#include "base/gnuplot.h"
#include "base/intern.h"

enum { MOST_POINTS = 4000, MOST_LINES = 400 }; /* of a curve; of a grid, in each direction */

static const struct ending { /* how such a file ends that is whole */
    const char *name, *terminal, *last;
} endings[] = {
    {".svg", "svg", "</svg>"}, {".png", "pngcairo", "IEND"}, {".pdf", "pdfcairo", "%%EOF"}};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const struct ending *ending_of(const char *path)
{
    const char *const dot = strrchr(path, '.'), *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;
    for (int i = 0; i < ENDINGS && dot > name; i++)
        if (strcmp(dot, endings[i].name) == 0)
            return &endings[i];
    return NULL;
}

enum status plot_check(const char *path)
{
    const char *known = "";
    for (int i = 0; i < ENDINGS; i++)
        known = internf("%s%s%s", known,
                        i == 0            ? ""
                        : i + 1 < ENDINGS ? ", "
                                          : " or ",
                        endings[i].name);
    return ending_of(path) != NULL
               ? OK
               : because(ERR_ARGS, "--plot %s: a figure's name ends in %s", path, known);
}

/* --- the data --- */

/* gnuplot cannot tell how long an axis is whose ends are farther apart than doubles reach. */
static bool can_draw(double value)
{
    return fabs(value) <= 1e300;
}

static double place(const struct places *of, double index, size_t count)
{
    return count < 2 ? of->first : of->first + (of->last - of->first) * index / (double)(count - 1);
}

static void put_value(struct plot *plot, double value)
{
    if (can_draw(value)) {
        plot->least = fmin(plot->least, value);
        plot->most = fmax(plot->most, value);
        text_add(&plot->data, " %.9g\n", value);
    } else
        text_add(&plot->data, " NaN\n"); /* a gap */
}

/* A row of one panel, which is all there is to its instance. */
struct series {
    struct plot *plot;
    const struct instance *in;
    const struct solution *got;
    size_t row, next; /* points up to there are put */
};

static double value_in(const struct series *s, size_t i)
{
    return s->plot->picture.at(s->in, s->got, 0, s->row, i);
}

static void put_point(struct series *s, size_t i)
{
    const struct places *const x = &s->plot->picture.x;
    if (i < s->next)
        return;
    text_add(&s->plot->data, "%.9g", place(x, (double)i, x->count));
    put_value(s->plot, value_in(s, i));
    s->next = i + 1;
}

/* The least and the largest of a stretch, in their order. */
static void put_stretch(struct series *s, size_t begin, size_t end)
{
    double least = INFINITY, most = -INFINITY;
    size_t low = begin, high = begin;
    for (size_t i = begin; i < end; i++) {
        const double value = value_in(s, i);
        if (!can_draw(value)) {
            s->plot->lost++;
            continue;
        }
        if (value < least) {
            least = value;
            low = i;
        }
        if (value > most) {
            most = value;
            high = i;
        }
    }
    put_point(s, low < high ? low : high);
    put_point(s, low < high ? high : low);
}

static void take_curve(struct series *s)
{
    const size_t count = s->plot->picture.x.count;
    const size_t stretches = s->plot->columns < count ? s->plot->columns / 2 : count;
    s->next = 0;
    put_point(s, 0);
    for (size_t k = 0; k < stretches; k++)
        put_stretch(s, k * count / stretches, (k + 1) * count / stretches);
    put_point(s, count - 1);
    text_add(&s->plot->data, "\n\n");
}

/* A part of a grid, which becomes one value. */
struct block {
    size_t row, rows, column, columns; /* begin and end */
};

static double value_of_block(const struct series *s, int panel, const struct block *b)
{
    const struct picture *const p = &s->plot->picture;
    double sum = 0, count = 0, far = -1, value = NAN;
    if (b->rows - b->row == 1 && b->columns - b->column == 1) {
        value = p->at(s->in, s->got, panel, b->row, b->column);
        s->plot->lost += !can_draw(value);
        return value;
    }
    for (size_t j = b->row; j < b->rows; j++)
        for (size_t i = b->column; i < b->columns; i++) {
            const double here = p->at(s->in, s->got, panel, j, i);
            sum += can_draw(here) ? here : 0;
            count += can_draw(here);
            s->plot->lost += !can_draw(here);
        }
    for (size_t j = b->row; j < b->rows; j++)
        for (size_t i = b->column; i < b->columns; i++) {
            const double here = p->at(s->in, s->got, panel, j, i);
            if (can_draw(here) && fabs(here - sum / count) > far) {
                far = fabs(here - sum / count);
                value = here;
            }
        }
    return value;
}

static void take_grid(struct series *s, int panel)
{
    struct plot *const plot = s->plot;
    const struct places *const x = &plot->picture.x, *const y = &plot->picture.y;
    for (size_t j = 0; j < plot->rows; j++) {
        for (size_t i = 0; i < plot->columns; i++) {
            const struct block block = {j * y->count / plot->rows, (j + 1) * y->count / plot->rows,
                                        i * x->count / plot->columns,
                                        (i + 1) * x->count / plot->columns};
            text_add(&plot->data, "%.9g %.9g", place(x, (double)i, plot->columns),
                     place(y, (double)j, plot->rows));
            put_value(plot, value_of_block(s, panel, &block));
        }
        text_add(&plot->data, "\n");
    }
    text_add(&plot->data, "\n");
}

static size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

void plot_take(const struct instance *in, const struct solution *got, struct plot *out)
{
    struct series s = {out, in, got, 0, 0};
    *out = (struct plot){.least = INFINITY, .most = -INFINITY};
    in->at.problem->picture(in, &out->picture);
    const struct picture *const p = &out->picture;
    const size_t lines = p->panels == 1   ? MOST_LINES
                         : p->panels <= 4 ? MOST_LINES / 2
                                          : MOST_LINES / 3;
    const bool grid = p->as != CURVES;
    out->columns = at_most(p->x.count, grid ? lines : MOST_POINTS);
    out->rows = at_most(p->y.count, grid ? lines : MAX_CURVES);
    for (int panel = 0; panel < p->panels && grid; panel++)
        take_grid(&s, panel);
    for (s.row = 0; s.row < out->rows && !grid; s.row++)
        take_curve(&s);
    if (!(out->least <= out->most)) /* none is finite */
        out->least = out->most = 0;
}

void plot_free(struct plot *plot)
{
    text_free(&plot->data);
}

/* --- the script --- */

static void add_places(struct text *t, const char *name, const struct places *of)
{
    script_words(t, internf("%s_name", name), of->name != NULL ? of->name : "");
    text_add(t, "%s_first = %.9g\n%s_last = %.9g\n", name, of->first, name, of->last);
}

/* What the figure does not show, or shows in part. */
static const char *note_of(const struct plot *plot)
{
    const struct picture *const p = &plot->picture;
    const bool curves = p->as == CURVES;
    const char *out = "";
    if (curves && plot->columns < p->x.count)
        out = internf("of %zu values the least and the largest of each of %zu stretches",
                      p->x.count, plot->columns / 2);
    else if (!curves && (plot->columns < p->x.count || plot->rows < p->y.count))
        out = internf("of %zu × %zu values %zu × %zu, each the farthest from its block's mean",
                      p->x.count, p->y.count, plot->columns, plot->rows);
    if (plot->lost > 0)
        out = internf("%s%s%.0f of the values are not finite or beyond 1e300", out,
                      out[0] != '\0' ? "; " : "", plot->lost);
    return out;
}

static void add_head(struct text *t, const struct plot *plot, const char *where, const char *title,
                     const char *doubt)
{
    const struct picture *const p = &plot->picture;
    text_add(t, "known = ''\nroles = ''\nvariants = ''\nmachines = ''\nsize = ''\nmeaning = ''\n"
                "unit = ''\n");
    script_words(t, "where", where);
    script_words(t, "title", title);
    script_words(t, "quantity", p->value);
    script_words(t, "note", note_of(plot));
    script_words(t, "doubt", doubt);
    add_places(t, "x", &p->x);
    add_places(t, "y", &p->y);
    text_add(t, "columns = %zu\nrows = %zu\n", plot->columns, plot->rows);
    text_add(t, "least = %.9g\nmost = %.9g\n", plot->least, plot->most);
    text_add(t, "array titles[%d]\n", p->panels);
    for (int i = 0; i < p->panels; i++)
        script_words(t, internf("titles[%d]", i + 1),
                     isnan(p->when[i]) ? "" : internf("t = %.6g", p->when[i]));
}

/* --- the file --- */

/* Whole, or not there; what is no regular file, as a pipe, is written into. */
static enum status put_file(const char *path, const struct text *figure)
{
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode))
        return write_file(path, figure->data, figure->length);
    FILE *const file = fopen(path, "w");
    bool good = file != NULL && fwrite(figure->data, 1, figure->length, file) == figure->length;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    return good ? OK : because(ERR_IO, "cannot write %s: %s", path, strerror(errno));
}

/* A disk that is full cuts off what gnuplot writes, and it says nothing. */
static bool whole(const struct text *figure, const struct ending *ending)
{
    const size_t end = figure->length < 16 ? figure->length : 16;
    return end > 0 && memmem(figure->data + figure->length - end, end, ending->last,
                             strlen(ending->last)) != NULL;
}

static enum status draw_in(const char *folder, const struct ending *ending, struct text *figure)
{
    const char *const file = internf("answer%s", ending->name);
    fflush(stdout);
    const int exit_status =
        gnuplot_end(gnuplot_start(folder, "answer", ending->terminal, file), folder, file);
    if (exit_status == GNUPLOT_MISSING)
        return because(ERR_IO, "not drawn: gnuplot is not installed; it is in the package "
                               "gnuplot-nox of Debian and Ubuntu, gnuplot of others");
    if (exit_status != 0)
        return because(ERR_IO, "not drawn: gnuplot failed, with exit status %d", exit_status);
    const enum status status = text_load(internf("%s/%s", folder, file), figure);
    return status != OK || whole(figure, ending)
               ? status
               : because(ERR_IO, "not drawn: gnuplot's figure is cut off; is %s full?", folder);
}

enum status plot_draw(const struct plot *plot, const char *path, const char *where,
                      const char *title, const char *doubt)
{
    static const char *const kinds[] = {
        [CURVES] = "answer-curves", [MAP] = "answer-map", [SURFACE] = "answer-surface"};
    const char *const temporary = getenv("TMPDIR");
    char *const folder =
        strdup(internf("%s/reprise-XXXXXX", temporary != NULL ? temporary : "/tmp"));
    struct text script = {0}, figure = {0};
    add_head(&script, plot, where, title, doubt);
    text_add(&script, "call \"figures/style.gp\" ARG1 ARG2 ARG3\nload \"figures/%s.gp\"\n",
             kinds[plot->picture.as]);
    enum status status = OK;
    if (mkdtemp(folder) == NULL || mkdir(internf("%s/figures", folder), 0700) != 0)
        status = because(ERR_IO, "cannot write %s: %s", folder, strerror(errno));
    else
        status = write_scripts(folder, "answer.gp", script.data);
    if (status == OK)
        status = write_file(internf("%s/answer.data", folder), plot->data.data, plot->data.length);
    if (status == OK)
        status = draw_in(folder, ending_of(path), &figure);
    if (status == OK)
        status = put_file(path, &figure);
    remove_tree(folder);
    text_free(&figure);
    text_free(&script);
    free(folder);
    return status;
}
