/*
 * The command line: a word a line. What a verb asks of its arguments is tried, and what would start
 * a worker, compute, or write is not: those calls do nothing here.
 */
#include "fuzz.h"

#include <argp.h>
#include <setjmp.h>

#include "machine/facts.h"
#include "report/report.h"
#include "run/process.h"
#include "run/run.h"
#include "run/solve.h"
#include "run/worker.h"

static bool refused;
static jmp_buf refusal;

/* As argp_parse(), but that the program does not end where it refuses. */
static error_t parse_here(const struct argp *argp, int argc, char **argv, unsigned flags, int *end,
                          void *input)
{
    refused = false;
    const error_t error =
        argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT | ARGP_NO_HELP, end, input);
    if (error != 0 || refused)
        longjmp(refusal, 1);
    return error;
}

static int run_nothing(struct run_options *options, const char **folder)
{
    PROMISE(options->rounds >= 1 && options->rounds <= 60);
    PROMISE(options->samples >= 1 && options->samples <= 1000);
    PROMISE(options->budget >= 0 && options->timeout >= 1);
    *folder = "nothing-there";
    return 0;
}

static int solve_nothing(const struct solve_options *options)
{
    PROMISE(options->setting_count <= MAX_PARAMETERS);
    return 0;
}

static enum status no_facts(struct facts *facts)
{
    *facts = (struct facts){0};
    return OK;
}

int reprise_main(int argc, char **argv);
#define main                          reprise_main
#define argp_parse                    parse_here
#define argp_error(...)               (refused = true, argp_error(__VA_ARGS__))
#define argp_usage(...)               (refused = true, argp_usage(__VA_ARGS__))
#define run_plan                      run_nothing
#define solve_one                     solve_nothing
#define run_facts(program, facts)     no_facts(facts)
#define worker_main(argc, argv)       0
#define report_folder(folder, format) 0
#define job_fits(job, device_free)    OK /* asks the system for each job */
#include "main.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 100 };
    static char *scratch;
    char template[] = "/tmp/reprise-fuzz.XXXXXX", name[] = "reprise";
    char *words[MOST + 2] = {name};
    int count = 1;
    if (scratch == NULL) { /* an empty folder, which is there no more */
        PROMISE((scratch = mkdtemp(template)) != NULL && chdir(scratch) == 0);
        PROMISE(rmdir(scratch) == 0);
        scratch = name;
    }
    char *const text = string_of(data, size), *rest = text;
    while (rest != NULL && count <= MOST)
        words[count++] = strsep(&rest, "\n");
    if (setjmp(refusal) == 0) {
        const int status = reprise_main(count, words);
        PROMISE(status >= 0 && status <= 4);
    }
    free(text);
    return 0;
}
