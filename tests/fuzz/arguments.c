/*
 * The command line: a word a line. What a verb asks of its arguments is tried, and what would start
 * a worker, compute, or write is not: those calls do nothing here.
 */
#include "fuzz.h"

#include <argp.h>
#include <setjmp.h>
#include <stdarg.h>

#include "report/report.h"
#include "run/process.h"
#include "run/run.h"
#include "run/solve.h"
#include "run/worker.h"

/* main() of harness/main.c, which is compiled once more for this: what it calls of argp is named
 * X_and_go_on there, so that the program does not end where it refuses, and what does nothing here
 * X_nothing. What ends it ends one input. */
int reprise_main(int argc, char **argv);
error_t parse_and_go_on(const struct argp *argp, int argc, char **argv, unsigned flags, int *end,
                        void *input);
void error_and_go_on(const struct argp_state *state, const char *format, ...);
void help_and_go_on(const struct argp_state *state, FILE *stream, unsigned flags);
int run_nothing(struct run_options *options, const char **folder);
int solve_nothing(const struct solve_options *options);
enum status ranks_nothing(const struct solve_options *options, int *ranks);
int report_nothing(const char *folder, const char *format);
enum status become_nothing(char *const *argv);
_Noreturn void exit_and_go_on(int status);
int work_nothing(int argc, char **argv);
enum status collect_nothing(const char *program, struct facts *facts);
enum status fit_nothing(const struct job *job, double device_free);
enum status choose_nothing(int number);
enum status join_nothing(int count);

static bool refused;
static jmp_buf back;

error_t parse_and_go_on(const struct argp *argp, int argc, char **argv, unsigned flags, int *end,
                        void *input)
{
    refused = false;
    const error_t error =
        argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT | ARGP_NO_HELP, end, input);
    if (error != 0 || refused)
        longjmp(back, 1);
    return error;
}

void error_and_go_on(const struct argp_state *state, const char *format, ...)
{
    va_list list;
    (void)state;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    refused = true;
}

void help_and_go_on(const struct argp_state *state, FILE *stream, unsigned flags)
{
    argp_state_help(state, stream, flags);
    refused = true;
}

int run_nothing(struct run_options *options, const char **folder)
{
    PROMISE(options->rounds >= 1 && options->rounds <= 60);
    PROMISE(options->samples >= 1 && options->samples <= 1000);
    PROMISE(options->budget >= 0 && options->timeout >= 1);
    *folder = "nothing-there";
    return 0;
}

int solve_nothing(const struct solve_options *options)
{
    PROMISE(options->setting_count <= MAX_PARAMETERS);
    return 0;
}

/* It would remove what --dump and --plot are to write. */
enum status ranks_nothing(const struct solve_options *options, int *ranks)
{
    (void)options;
    *ranks = 1;
    return OK;
}

int report_nothing(const char *folder, const char *format)
{
    PROMISE(folder != NULL && format != NULL);
    return 0;
}

enum status become_nothing(char *const *argv)
{
    PROMISE(argv[0] != NULL);
    return OK;
}

_Noreturn void exit_and_go_on(int status)
{
    PROMISE(status >= 0 && status <= 4);
    longjmp(back, 1);
}

int work_nothing(int argc, char **argv)
{
    PROMISE(argc > 1 && argv[1] != NULL);
    return 0;
}

enum status collect_nothing(const char *program, struct facts *facts)
{
    PROMISE(program == NULL);
    *facts = (struct facts){0};
    return OK;
}

enum status fit_nothing(const struct job *job, double device_free) /* the system is asked there */
{
    PROMISE(job->path != NULL && !(device_free < 0));
    return OK;
}

enum status choose_nothing(int number)
{
    PROMISE(number >= 0);
    return OK;
}

/* MPI would start, and end the program where there is no launcher. */
enum status join_nothing(int count)
{
    (void)count;
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 100 };
    static bool moved;
    char scratch[] = "/tmp/reprise-fuzz.XXXXXX", name[] = "reprise";
    char *words[MOST + 2] = {name};
    int count = 1;
    if (!moved) /* into an empty folder, which is there no more */
        PROMISE(mkdtemp(scratch) != NULL && chdir(scratch) == 0 && rmdir(scratch) == 0);
    moved = true;
    char *const text = string_of(data, size), *rest = text;
    while (rest != NULL && count <= MOST)
        words[count++] = strsep(&rest, "\n");
    if (setjmp(back) == 0) {
        const int status = reprise_main(count, words);
        PROMISE(status >= 0 && status <= 4);
    }
    free(text);
    return 0;
}
