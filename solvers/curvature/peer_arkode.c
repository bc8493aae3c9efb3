/*
 * arkode: what a user of SUNDIALS would do: ARKODE's explicit steps (ERKStep) with its own control
 * of their lengths, on all cores. The right-hand side is one pass through the bands (bands.h), as
 * in omp-rkc. The error of a step is the largest in the interior, as in the paper, and not a mean
 * over the nodes: SUNDIALS asks the vector for its norm.
 *
 * Of the library's pairs that of Bogacki and Shampine needs fewest right-hand sides, by ARKODE
 * 6.4.1 and in double, mean-curvature flow N = 64 and 256, Willmore flow N = 16 and 24: 70, 1012,
 * 424, 5902; Zonneveld's 180, 1592, 663, 8928; Cash and Karp's 141, 1409, 377, 7061; Fehlberg's
 * 158, 1397, 428, 7344; Dormand and Prince's 159, 1599, 441, 8031; Merson's by our control 205,
 * 1305, 295, 7055. Merson's own cannot be taken: before 6.7.0 the library believes of every pair
 * whose last stage is at the step's end that it is the next one's first stage, which of Merson's it
 * is not.
 */
#define RECIPE_D /* what distributions have of SUNDIALS is in double precision */
#include "bands.h"

#ifdef HAVE_ARKODE

#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_openmp.h>
#include <string.h>

#include "rkc.h"

#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_COMM_NULL NULL
#endif
#if SUNDIALS_VERSION_MAJOR < 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR < 1)
#define ARKodeEvolve             ERKStepEvolve
#define ARKodeFree               ERKStepFree
#define ARKodeGetLastStep        ERKStepGetLastStep
#define ARKodeGetNumErrTestFails ERKStepGetNumErrTestFails
#define ARKodeSStolerances       ERKStepSStolerances
#define ARKodeSetInitStep        ERKStepSetInitStep
#define ARKodeSetMaxErrTestFails ERKStepSetMaxErrTestFails
#define ARKodeSetStopTime        ERKStepSetStopTime
#define ARKodeSetUserData        ERKStepSetUserData
#endif

struct peer {
    struct memory memory;
    const struct curvature *in;
    struct bands bands;
    size_t nodes, pitch;
    double *kept, *rational, *x, *y;
    SUNContext context;
    N_Vector u, next; /* at t = 0, and where the steps are */
    void *arkode;
    double begin, latest; /* of the step under way, and the time of the last right-hand side */
    double evaluations;
    long listed;
    struct tally tally;
};

/* --- what the library asks for --- */

struct side {
    struct pass pass; /* first: its rows are asked for by it */
    const double *u;
};

static void argument(const struct pass *pass, size_t i, double *row)
{
    const struct side *const side = (const struct side *)pass;
    memcpy(row, side->u + i * pass->bands->pitch, pass->bands->pitch * sizeof *row);
}

static void list(struct peer *o, double length)
{
    if (o->listed < MOST_LISTED)
        o->tally.taken[o->listed] = length;
    o->listed++;
}

/* Of the boundary it is 0: what stands there, the pass closes itself. Stages go on in time: where
 * the next one does not, an attempt was rejected. */
static int right_side(sunrealtype t, N_Vector u, N_Vector to, void *data)
{
    struct peer *const o = data;
    const struct curvature *const p = o->in;
    const size_t pitch = o->pitch;
    double *const out = N_VGetArrayPointer(to);
    const struct side side = {.pass = {.bands = &o->bands,
                                       .m = moment_at(p->amplitude, t),
                                       .x = o->x,
                                       .y = o->y,
                                       .still = N_VGetArrayPointer(u),
                                       .argument = argument},
                              .u = N_VGetArrayPointer(u)};
    if (t < o->latest)
        list(o, o->begin - o->latest);
    o->latest = t;
    o->evaluations++;
#pragma omp parallel for schedule(static, 1) num_threads(o->bands.count)
    for (int b = 0; b < o->bands.count; b++)
        for (size_t i = o->bands.each[b].first; i < o->bands.each[b].last; i++) {
            double *const row = out + i * pitch;
            band_side_d(&side.pass, &o->bands.each[b], i, row);
            if (p->forced)
                band_force_d(&side.pass, o->rational + i * pitch, row);
            row[0] = row[p->n2] = 0;
        }
    memset(out, 0, pitch * sizeof *out);
    memset(out + p->n1 * pitch, 0, pitch * sizeof *out);
    return 0;
}

/* The largest weighted value, for the root of the weighted squares' mean. A NaN is no small error.
 */
static sunrealtype largest(N_Vector of, N_Vector weights)
{
    const double *const x = N_VGetArrayPointer(of), *const w = N_VGetArrayPointer(weights);
    const sunindextype count = N_VGetLength(of);
    double most = 0;
    int bad = 0;
#pragma omp parallel for simd schedule(static) num_threads(NV_NUM_THREADS_OMP(of))                 \
    reduction(max                                                                                  \
              : most) reduction(|                                                                  \
                                : bad)
    for (sunindextype at = 0; at < count; at++) {
        const double size = fabs(x[at]) * w[at];
        most = size > most ? size : most;
        bad |= !(size <= DBL_MAX);
    }
    return bad != 0 ? 1e30 : most;
}

/* --- what it gives --- */

static void free_context(void *context)
{
    SUNContext made = context;
    (void)SUNContext_Free(&made);
}

static void free_vector(void *vector)
{
    N_VDestroy(vector);
}

static void free_arkode(void *arkode)
{
    ARKodeFree(&arkode);
}

static N_Vector take_vector(struct peer *o)
{
    const sunindextype count = (sunindextype)o->nodes;
    N_Vector made = own(&o->memory, N_VNew_OpenMP(count, o->bands.count, o->context), free_vector);
    if (made == NULL)
        return NULL;
    (void)N_VEnableFusedOps_OpenMP(made, SUNTRUE);
    made->ops->nvwrmsnorm = largest;
    return made;
}

static bool make(struct peer *o)
{
    const struct curvature *const p = o->in;
    struct memory *const memory = &o->memory;
    SUNContext context = NULL;
    if (SUNContext_Create(SUN_COMM_NULL, &context) != 0)
        return false;
    o->context = own(memory, context, free_context);
    o->u = o->context != NULL ? take_vector(o) : NULL;
    o->next = o->u != NULL ? take_vector(o) : NULL;
    if (o->next == NULL)
        return false;
    N_VConst(0, o->u);
    N_VConst(0, o->next);
    o->arkode = own(memory, ERKStepCreate(right_side, 0, o->u, o->context), free_arkode);
    /* it would write of failures to standard error; whoever runs it says them */
#if SUNDIALS_VERSION_MAJOR < 7
    if (o->arkode != NULL)
        (void)ERKStepSetErrFile(o->arkode, NULL);
#else
    (void)SUNContext_ClearErrHandlers(o->context);
#endif
    return o->arkode != NULL && ARKodeSetUserData(o->arkode, o) == ARK_SUCCESS &&
           ARKodeSStolerances(o->arkode, 0, p->eps) == ARK_SUCCESS &&
           ERKStepSetTableNum(o->arkode, ARKODE_BOGACKI_SHAMPINE_4_2_3) == ARK_SUCCESS;
}

static enum status plan(const struct instance *in, void **state)
{
    const struct curvature *p = in->data;
    const size_t nodes = curvature_nodes(p), tables = DERIVATIVES * (p->n1 + p->n2 + 2);
    struct peer *o = owner_new(sizeof *o);
    if (o == NULL)
        return ERR_MEMORY;
    o->in = p;
    o->nodes = nodes;
    o->pitch = p->n2 + 1;
    o->x = take(&o->memory, tables * sizeof *o->x);
    o->rational = take_touched(&o->memory, RATIONAL(p->flow) * nodes * sizeof *o->rational);
    o->kept = take_touched(&o->memory, curvature_fields(p) * nodes * sizeof *o->kept);
    bands_make_d(&o->memory, p, &o->bands);
    if (o->memory.status == OK && p->fixed)
        o->memory.status = because(SKIPPED, NO_FIXED_STEPS);
    if (o->memory.status == OK && !make(o) && o->memory.status == OK)
        o->memory.status = because(ERR_MEMORY, "ARKODE makes no solver; there may be no memory");
    if (o->memory.status != OK)
        return planned(o, o->memory.status, state);
    o->y = o->x + DERIVATIVES * (p->n1 + 1);
    curvature_tables_d(p, o->x, o->y);
    curvature_rationals_d(p, o->rational);
    return planned(o, OK, state);
}

static enum status load(void *state)
{
    const struct peer *o = state;
    curvature_initial_d(o->in, N_VGetArrayPointer(o->u));
    return OK;
}

/* --- a run --- */

/* With the boundary that it has at that time. */
static void keep(const struct peer *o, size_t field, double t)
{
    const struct curvature *const p = o->in;
    double *const to = o->kept + field * o->nodes;
    const struct pass pass = {.bands = &o->bands,
                              .m = moment_at(p->amplitude, t),
                              .x = o->x,
                              .y = o->y,
                              .still = N_VGetArrayPointer(o->u)};
    memcpy(to, N_VGetArrayPointer(o->next), o->nodes * sizeof *to);
    for (size_t i = 1; i < p->n1; i++)
        band_close_d(&pass, i, to + i * o->pitch);
    if (p->boundary == NEUMANN) {
        memcpy(to, to + o->pitch, o->pitch * sizeof *to);
        memcpy(to + p->n1 * o->pitch, to + (p->n1 - 1) * o->pitch, o->pitch * sizeof *to);
    }
    band_close_d(&pass, 0, to);
    band_close_d(&pass, p->n1, to + p->n1 * o->pitch);
}

/* One accepted step, and those that were rejected before it; no more of them than the run has
 * attempts left. */
static enum status step(struct peer *o, struct control *c, bool *accepted)
{
    enum { FAILS = 20 };
    const struct curvature *const p = o->in;
    const long done = c->accepted + c->rejected,
               left = p->attempts > 0 ? p->attempts - done : FAILS;
    long before = 0, fails = 0;
    sunrealtype t = c->t, length = 0;
    (void)ARKodeSetMaxErrTestFails(o->arkode, (int)(left < FAILS ? left : FAILS));
    (void)ARKodeSetStopTime(o->arkode, p->times[c->next]);
    (void)ARKodeGetNumErrTestFails(o->arkode, &before);
    o->begin = o->latest = c->t;
    const int flag = ARKodeEvolve(o->arkode, p->times[c->next], o->next, &t, ARK_ONE_STEP);
    (void)ARKodeGetNumErrTestFails(o->arkode, &fails);
    (void)ARKodeGetLastStep(o->arkode, &length);
    c->rejected += fails - before;
    *accepted = flag >= 0;
    list(o, *accepted ? length : o->begin - o->latest);
    if (*accepted) {
        c->step = length;
        c->lands = flag == ARK_TSTOP_RETURN;
        control_move(c, p->times, true);
        c->t = t;
    } else if (flag != ARK_ERR_FAILURE || c->accepted + c->rejected != p->attempts) {
        return curvature_diverged(p, c->t);
    }
    return OK;
}

static enum status run(void *state, struct laps *laps)
{
    struct peer *const o = state;
    const struct curvature *const p = o->in;
    struct control c = control_begin(p->tau0);
    struct kept kept = {false, false, 0};
    enum status status = OK;
    o->listed = 0;
    o->evaluations = 0;
    o->begin = o->latest = 0;
    if (ERKStepReInit(o->arkode, right_side, 0, o->u) != ARK_SUCCESS ||
        ARKodeSetInitStep(o->arkode, p->tau0) != ARK_SUCCESS)
        return because(ERR_MEMORY, "ARKODE does not begin again");
    N_VScale(1, o->u, o->next);
    while (status == OK && !kept.ended) {
        bool accepted = false;
        status = step(o, &c, &accepted);
        kept = control_kept(&c, accepted, p->count, p->attempts, p->probes);
        if (status == OK && kept.first)
            keep(o, 0, c.t);
        if (status == OK && kept.field > 0)
            keep(o, (size_t)kept.field, c.t);
    }
    tally_end(&o->tally, &c, BOGACKI_SHAMPINE, o->evaluations);
    lap(laps, "loop");
    return status;
}

static enum status fetch(void *state, struct solution *out, struct laps *laps)
{
    const struct peer *o = state;
    double *const to = out->values;
    const size_t count = curvature_fields(o->in) * o->nodes;
    memcpy(to, o->kept, count * sizeof *to);
    steps_out(o->in, &o->tally, to + count);
    lap(laps, "back");
    return OK;
}

const struct calls curvature_arkode = {
    .plan = plan, .load = load, .run = run, .fetch = fetch, .destroy = give_back};

#else
extern const int curvature_has_no_arkode; /* a file must have something */
#endif
