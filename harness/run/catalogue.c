/*
 * What the registry has, by id, what an exhibit says of its jobs, and the tables of a paper, of
 * which a missing one is empty.
 */
#include "run/catalogue.h"

#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "base/embedded.h"
#include "base/intern.h"
#include "run/rows.h"

const struct family *find_family(const char *id)
{
    for (int i = 0; families[i] != NULL; i++)
        if (strcmp(families[i]->id, id) == 0)
            return families[i];
    return NULL;
}

const struct problem *find_problem(const struct family *family, const char *id)
{
    for (const struct problem *p = family->problems; p->id != NULL; p++)
        if (strcmp(p->id, id) == 0)
            return p;
    return NULL;
}

const struct variant *find_variant(const struct family *family, const char *id,
                                   const char *precision)
{
    for (const struct variant *v = family->variants; v->id != NULL; v++)
        if (strcmp(v->id, id) == 0 &&
            (precision == NULL || strcmp(precision_name(v->precision), precision) == 0))
            return v;
    return NULL;
}

const struct exhibit *find_exhibit(const char *id, const struct paper **paper)
{
    for (int i = 0; papers[i] != NULL; i++)
        for (const struct exhibit *e = papers[i]->exhibits; e->id != NULL; e++)
            if (strcmp(e->id, id) == 0) {
                if (paper != NULL)
                    *paper = papers[i];
                return e;
            }
    return NULL;
}

const struct exhibit_case *find_case(const struct exhibit *exhibit, const char *id)
{
    for (const struct exhibit_case *c = exhibit->cases; c->id != NULL; c++)
        if (strcmp(c->id, id) == 0)
            return c;
    return NULL;
}

const struct problem *case_problem(const struct family *family, const struct exhibit_case *of)
{
    return find_problem(family, of->problem != NULL ? of->problem : of->id);
}

bool glob_matches(const char *glob, const char *path)
{
    if (fnmatch(glob, path, FNM_EXTMATCH) == 0)
        return true;
    /* `bvp2010-table1` or `bvp2010-table1/p1` selects everything below it. */
    return fnmatch(internf("%s/*", glob), path, FNM_EXTMATCH) == 0;
}

enum status expand_axis(const char *list, long *values, int most, int *count)
{
    char copy[4096];
    if (strlen(list) >= sizeof copy)
        return because(ERR_ARGS, "the list of sizes '%.40s...' is too long", list);
    strcpy(copy, list);
    *count = 0;
    char *rest = NULL;
    for (char *item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        char *inner = NULL, *part[4] = {NULL};
        int parts = 0;
        for (char *p = strtok_r(item, ":", &inner); p && parts < 4; p = strtok_r(NULL, ":", &inner))
            part[parts++] = p;
        double from = 0, to = 0, step = 1;
        bool good = (parts == 1 || parts == 3) && parse_number(part[0], &from);
        to = from;
        if (good && parts == 3)
            good = parse_number(part[1], &to) && parse_number(part[2], &step) && step >= 1;
        good = good && from >= 1 && to >= from && to <= 0x1p53;
        /* 1000.4 would be another size than it says. */
        good = good && from == floor(from) && to == floor(to) && step == floor(step);
        if (!good)
            return because(ERR_ARGS,
                           "'%s' is not a list of sizes; write 2^20,2^24 or 500:4000:500, whole "
                           "numbers from 1 to 2^53",
                           list);
        const long first = (long)from, last = (long)to, stride = (long)fmin(step, 0x1p53);
        for (long n = first; n <= last; n += stride) { /* in doubles 2^53 + 1 is 2^53 */
            if (*count == most)
                return because(ERR_ARGS, "'%s' gives more than %d sizes", list, most);
            bool known = false; /* a size named twice is one job */
            for (int i = 0; i < *count; i++)
                known = known || values[i] == n;
            if (!known)
                values[(*count)++] = n;
        }
    }
    if (*count == 0)
        return because(ERR_ARGS, "the list of sizes is empty");
    return OK;
}

bool uses_device(const struct variant *variant)
{
    return variant->place == DEVICE || variant->place == HYBRID;
}

static const char order_prefix[] = "order_";

enum metric_kind metric_kind(const struct exhibit *exhibit, const char *metric)
{
    const char *const rate = find_family(exhibit->family)->rate;
    return strcmp(metric, "time") == 0                                   ? METRIC_TIME
           : strcmp(metric, "time_per_step") == 0                        ? METRIC_TIME_PER_STEP
           : strcmp(metric, "speedup") == 0                              ? METRIC_SPEEDUP
           : strncmp(metric, order_prefix, sizeof order_prefix - 1) == 0 ? METRIC_ORDER
           : rate != NULL && strcmp(metric, rate) == 0                   ? METRIC_RATE
                                                                         : METRIC_JUDGED;
}

const char *metric_of_order(const char *metric)
{
    return metric + sizeof order_prefix - 1;
}

bool exhibit_is_timed(const struct exhibit *exhibit)
{
    const enum metric_kind kind = metric_kind(exhibit, exhibit->metric);
    return kind == METRIC_TIME || kind == METRIC_TIME_PER_STEP || kind == METRIC_RATE;
}

bool ratio_sides(const char *variant, const char **left, const char **right)
{
    const char *const slash = strchr(variant, '/');
    if (slash == NULL)
        return false;
    *left = internf("%.*s", (int)(slash - variant), variant);
    *right = intern(slash + 1);
    return true;
}

const struct variant *variant_like(const struct family *family, const char *id,
                                   const char *precision)
{
    const struct variant *const same = find_variant(family, id, precision);
    return same != NULL ? same : find_variant(family, id, NULL);
}

const struct reach *left_out(const struct exhibit *exhibit, const char *of, const char *variant,
                             const char *precision, long n)
{
    const char *const job = internf("%s/%s/%s", of, variant, precision);
    for (const struct reach *r = exhibit->up_to; r->jobs != NULL; r++)
        if (fnmatch(r->jobs, job, FNM_EXTMATCH) == 0)
            return n > r->n ? r : NULL;
    return NULL;
}

const struct exhibit *source_exhibit(const struct exhibit *exhibit)
{
    return exhibit->view_of != NULL ? find_exhibit(exhibit->view_of, NULL) : exhibit;
}

const struct exhibit_case *exhibit_cases(const struct exhibit *exhibit)
{
    return exhibit->cases[0].id != NULL ? exhibit->cases : source_exhibit(exhibit)->cases;
}

const char *role_name(enum role role)
{
    static const char *const names[] = {"published", "limit", "peer", "ceiling"};
    return names[role];
}

/* By its id or, unless it is one of several ranks, a glob on it. */
static bool is_meant(const char *name, const struct variant *v)
{
    return strcmp(name, v->id) == 0 || (!v->ranks && fnmatch(name, v->id, 0) == 0);
}

static bool is_named(const struct exhibit *e, const struct variant *v)
{
    bool any = false;
    for (int i = 0; i < MAX_NAMES && e->variants[i] != NULL; i++)
        any = any || (e->variants[i][0] != '@' && is_meant(e->variants[i], v));
    return any;
}

/* "@limit", "@peer"; a variant of several ranks is one of "@ranks" and of no other. */
static bool is_of(const char *name, const struct variant *v)
{
    return strcmp(name, v->ranks ? "@ranks" : internf("@%s", role_name(v->role))) == 0;
}

/* Once, however many precisions it has. */
static void add_id(struct names *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i], id) == 0)
            return;
    names_add(list, id);
}

static void write_out(const struct exhibit *e, struct names *list)
{
    for (int i = 0; i < MAX_NAMES && e->variants[i] != NULL; i++) {
        const char *name = e->variants[i];
        const bool role = name[0] == '@';
        bool any = role; /* that nobody has: it adds none */
        for (const struct variant *v = find_family(e->family)->variants; v->id != NULL; v++)
            if (role ? is_of(name, v) && !is_named(e, v) : is_meant(name, v)) {
                add_id(list, v->id);
                any = true;
            }
        if (!any) /* a view's ratio */
            add_id(list, name);
    }
}

const char *const *exhibit_variants(const struct exhibit *exhibit)
{
    static struct written_out { /* a list for as long as the program runs */
        const struct exhibit *exhibit;
        struct written_out *next;
        struct names names;
    } * made;
    static const char *const none[] = {NULL};
    struct written_out *list = made;
    while (list != NULL && list->exhibit != exhibit)
        list = list->next;
    if (list == NULL) {
        list = calloc(1, sizeof *list);
        if (list == NULL)
            abort(); /* a few bytes */
        *list = (struct written_out){.exhibit = exhibit, .next = made};
        write_out(exhibit, &list->names);
        made = list;
    }
    return list->names.count > 0 ? list->names.list : none;
}

#define TABLE(type_, table_)                                                                       \
    const struct type_ *table_##_of(const struct paper *paper)                                     \
    {                                                                                              \
        static const struct type_ none[1];                                                         \
        return paper->table_ != NULL ? paper->table_ : none;                                       \
    }
TABLE(claim, claims)
TABLE(erratum, errata)
TABLE(closeness, closeness)
TABLE(correction, corrections)

const char *published_of(const struct paper *paper)
{
    const char *text = paper->published != NULL ? embedded_text(paper->published) : NULL;
    return text != NULL ? text : measured_header;
}
