/*
 * The reference: the scheme as it stands, in one array, row by row, on the light cone of a patch.
 * Before the last phase it needs one more point on every side, before the one before that two, and
 * so on up to the boundary: every value computed here is right. The plainest code of the family; do
 * not tune it.
 */
#include <string.h>

#include "stencil.h"

#include "../common/widest.h"

/* Columns i0 .. i1 of rows j0 .. j1. */
struct box {
    size_t i0, i1, j0, j1;
};

/* The patch and `by` points more on every side, within least .. most. */
static struct box around(const struct patch *patch, size_t by, size_t least, size_t most)
{
    const size_t i1 = patch->i0 + patch->width - 1, j1 = patch->j0 + patch->height - 1;
    return (struct box){
        patch->i0 > least + by ? patch->i0 - by : least, i1 + by < most ? i1 + by : most,
        patch->j0 > least + by ? patch->j0 - by : least, j1 + by < most ? j1 + by : most};
}

struct cone {
    struct memory memory;
    const struct parabolic *p;
    struct box all; /* what is kept, boundary included */
    size_t pitch;
    real *u, *next; /* [rows][pitch]; next of jacobi alone */
    struct lines lines;
};

static size_t place(const struct cone *c, size_t i, size_t j)
{
    return (j - c->all.j0) * c->pitch + (i - c->all.i0);
}

static bool is_large(const struct box *box)
{
    return (box->i1 - box->i0) * (box->j1 - box->j0) > 20000;
}

static void start(struct cone *c)
{
#pragma omp parallel for schedule(static) if (is_large(&c->all))
    for (size_t j = c->all.j0; j <= c->all.j1; j++)
        for (size_t i = c->all.i0; i <= c->all.i1; i++)
            c->u[place(c, i, j)] = (real)parabolic_initial(c->p, i, j);
}

/* Corners are never read. */
static void set_boundary(const struct cone *c, const step *s)
{
    const size_t last = c->p->n + 1;
    for (size_t j = c->all.j0; j <= c->all.j1; j++) {
        if (c->all.i0 == 0)
            c->u[place(c, 0, j)] = s->s[j % 2] * c->lines.west[j];
        if (c->all.i1 == last)
            c->u[place(c, last, j)] = s->s[(last + j) % 2] * c->lines.east[j];
    }
    for (size_t i = c->all.i0; i <= c->all.i1; i++) {
        if (c->all.j0 == 0)
            c->u[place(c, i, 0)] = s->s[i % 2] * c->lines.south[i];
        if (c->all.j1 == last)
            c->u[place(c, i, last)] = s->s[(i + last) % 2] * c->lines.north[i];
    }
}

/* Every `stride`th point of a row from i0 on; one colour in place reads the other alone. */
INLINE void update_points(const struct cone *c, const stencil *of, int model, size_t stride,
                          size_t j, size_t i0, size_t i1)
{
    const struct row row = row_of(model, of, j, c->lines.sine, c->lines.cosine);
    const real *const sine = c->lines.sine, *const cosine = c->lines.cosine;
    const ptrdiff_t pitch = (ptrdiff_t)c->pitch;
    const real *const from = c->u + place(c, i0, j);
    real *const to = c->next + place(c, i0, j);
#pragma omp simd
    for (size_t k = 0; k <= i1 - i0; k += stride) {
        const real *const u = from + k;
        to[k] = updated(model, of, &row, i0 + k, model == 3 ? sine[i0 + k] : 0,
                        model == 3 ? cosine[i0 + k] : 0, u[0], u[1], u[-1], u[pitch], u[-pitch]);
    }
}

#define UPDATE_ROW(model)                                                                          \
    WIDEST static void update_row_##model(const struct cone *c, const stencil *of, bool both,      \
                                          size_t j, size_t i0, size_t i1)                          \
    {                                                                                              \
        if (both)                                                                                  \
            update_points(c, of, model, 1, j, i0, i1);                                             \
        else                                                                                       \
            update_points(c, of, model, 2, j, i0, i1);                                             \
    }
UPDATE_ROW(1)
UPDATE_ROW(2)
UPDATE_ROW(3)
UPDATE_ROW(4)

static void update(const struct cone *c, const struct box *box, const step *s, int phase)
{
    static void (*const update_row[])(const struct cone *c, const stencil *of, bool both, size_t j,
                                      size_t i0, size_t i1) = {NULL, update_row_1, update_row_2,
                                                               update_row_3, update_row_4};
#pragma omp parallel for schedule(static) if (is_large(box))
    for (size_t j = box->j0; j <= box->j1; j++) {
        const bool own = s->both || (box->i0 + j) % 2 == (size_t)s->colour[phase];
        const size_t i0 = box->i0 + (own ? 0 : 1);
        if (i0 <= box->i1)
            update_row[c->p->model](c, &s->stencil[phase], s->both, j, i0, box->i1);
    }
}

static void cut(const struct cone *c, const struct patch *patch, real *out)
{
    for (size_t j = 0; j < patch->height; j++)
        memcpy(out + j * patch->width, c->u + place(c, patch->i0, patch->j0 + j),
               patch->width * sizeof *out);
}

static void solve(struct cone *c, const struct patch *patch, real *out)
{
    const struct parabolic *p = c->p;
    const size_t records = parabolic_records(p);
    size_t reach = records * (p->scheme == JACOBI ? 1 : 2); /* phases to come */
    start(c);
    for (size_t record = 0; record < records; record++) {
        step s;
        P(parabolic_step)(p, record, &s);
        set_boundary(c, &s);
        for (int phase = 0; phase < s.phases; phase++) {
            const struct box box = around(patch, --reach, 1, p->n);
            update(c, &box, &s, phase);
        }
        if (s.both) {
            real *const old = c->u;
            c->u = c->next;
            c->next = old;
        }
        if (record + 1 == p->snapshot) {
            cut(c, patch, out);
            out += patch->width * patch->height;
        }
    }
    cut(c, patch, out);
}

enum status P(parabolic_reference)(const struct parabolic *p, const struct patch *patch, real *out)
{
    const size_t reach = parabolic_records(p) * (p->scheme == JACOBI ? 1 : 2);
    struct cone *const c = owner_new(sizeof *c);
    if (c == NULL)
        return ERR_MEMORY;
    c->p = p;
    c->all = around(patch, reach, 0, p->n + 1);
    c->pitch = c->all.i1 - c->all.i0 + 1;
    const size_t bytes = (c->all.j1 - c->all.j0 + 1) * c->pitch * sizeof *c->u;
    c->u = take(&c->memory, bytes);
    c->next = p->scheme == JACOBI ? take(&c->memory, bytes) : c->u;
    P(parabolic_lines)(p, &c->memory, &c->lines);
    const enum status status = c->memory.status;
    if (status == OK)
        solve(c, patch, out);
    give_back(c);
    return status;
}
