/*
 * Worker processes: of a program of their own, started by fork and exec, asked over pipes, ended
 * when they do not answer.
 */
#include "run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core.h"
#include "base/intern.h"
#include "build_facts.h"
#include "machine/ranks.h"
#include "machine/threads.h"
#include "machine/timing.h"
#include "run/status.h"

volatile sig_atomic_t interrupts;

/* --- signals --- */

/* Unless that would wait, as on a pipe that nobody reads. */
static void say(const char *sentence)
{
    struct pollfd to = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&to, 1, 0) == 1)
        (void)!write(STDERR_FILENO, sentence, strlen(sentence));
}

static void on_late(int number)
{
    (void)number;
    say("reprise: stopped before all was written; go on with --resume\n");
    _exit(130);
}

/* Whatever the program does then, it is gone within a second: workers end with it. */
static void on_interrupt(int number)
{
    const bool was_ending = interrupts > 1;
    const struct itimerval soon = {.it_value.tv_usec = 800000};
    interrupts += number == SIGTERM ? 2 : 1;
    if (interrupts == 1)
        say("reprise: ends after this job; once more ends at once\n");
    else if (!was_ending)
        setitimer(ITIMER_REAL, &soon, NULL);
}

void catch_signals(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt}, before;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        if (sigaction(caught[i], NULL, &before) == 0 &&
            (caught[i] != SIGHUP || before.sa_handler != SIG_IGN)) /* nohup */
            sigaction(caught[i], &action, NULL);
    action.sa_handler = on_late;
    sigaction(SIGALRM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* --- the program that computes --- */

/* Only the program without them has it (machine/absent.c). */
extern const char no_libraries[] __attribute__((weak));

/* Interned: NAME-worker, beside this program, which is NAME, as in a build, or where a program is
 * kept that nobody starts by hand, as when it was installed; or this program, if it is that one. A
 * link to it is followed. */
static const char *worker_program(void)
{
    static const char *found; /* once: a build in the middle of a run takes the name away */
    char name[4096] = "";
    if (found != NULL)
        return found;
    (void)!readlink("/proc/self/exe", name, sizeof name - 1);
    if (no_libraries == NULL)
        return found = intern(name);
    const char *const slash = strrchr(name, '/');
    const int folder = slash != NULL ? (int)(slash - name) + 1 : 0;
    const char *const beside = internf("%s-worker", name);
    const char *const installed =
        internf("%.*s%s%s-worker", folder, name, REPRISE_WORKER_FOLDER, name + folder);
    found = access(beside, F_OK) != 0 && access(installed, F_OK) == 0 ? installed : beside;
    return found;
}

/* What the program that computes finds as it is loaded: where its threads run; and memory in large
 * pages, where the system lets a program ask for them, unless the user has said something else.
 * Where that is in the environment already, OpenMP has bound this program to one place as it was
 * loaded, and what it starts would have no other. */
static void prepare(void)
{
    threads_release();
    threads_bind();
    setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
}

/* Opened once: a build in the middle of a run changes nothing. */
static enum status open_worker_program(int *program)
{
    static int opened = -1;
    if (opened < 0)
        opened = open(worker_program(), O_RDONLY | O_CLOEXEC);
    *program = opened;
    return opened >= 0 ? OK
                       : because(ERR_IO, "cannot open %s, a part of this program: %s; copy both",
                                 worker_program(), strerror(errno));
}

/* Returns if that failed. A script is read after it began, so it stays open. */
static void become(int program, char *const argv[])
{
    if (fcntl(program, F_SETFD, 0) == 0)
        fexecve(program, argv, environ);
}

enum status become_worker_program(char *const argv[])
{
    int program;
    enum status status = no_libraries != NULL ? open_worker_program(&program) : OK;
    if (status != OK || no_libraries == NULL)
        return status;
    prepare();
    become(program, argv);
    return because(ERR_IO, "cannot start %s: %s", worker_program(), strerror(errno));
}

/* --- workers --- */

static bool ends_within(pid_t pid, double seconds)
{
    const double begin = now();
    for (int i = 0; waitpid(pid, NULL, WNOHANG) != pid; i++) {
        if (now() - begin > (interrupts > 1 ? fmin(seconds, 0.3) : seconds))
            return false;
        usleep(i < 20 ? 500 : 10000);
    }
    return true;
}

void worker_stop(struct worker *worker, bool at_once)
{
    if (worker->pid <= 0)
        return;
    close(worker->to); /* end of input: a worker that is alive leaves */
    if (at_once || !ends_within(worker->pid, 2)) {
        kill(worker->pid, SIGKILL);         /* it may hang, and it holds nothing of worth */
        (void)ends_within(worker->pid, 10); /* unless a driver holds it, who knows how long */
    }
    close(worker->from);
    worker->pid = 0;
}

bool worker_leave(struct worker *worker)
{
    const double begin = now(), patience = 5;
    int state = 0;
    pid_t got;
    close(worker->to);
    while ((got = waitpid(worker->pid, &state, WNOHANG)) == 0 && now() - begin < patience)
        usleep(1000);
    close(worker->from);
    worker->pid = 0;
    return got > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

enum { MOST_WORDS = 64 };

static const char usual_launcher[] = "mpirun -n {ranks}";

/* The words of a launcher, or of the usual one, and how many they are. */
static int launcher_words(const char *launcher, int ranks, char **words)
{
    int count = 0;
    char *rest = strdup(launcher != NULL ? launcher : usual_launcher);
    for (char *word; (word = strsep(&rest, " ")) != NULL && count < MOST_WORDS - 7;)
        if (word[0] != '\0') {
            char *const number = strstr(word, "{ranks}");
            words[count++] = number == NULL
                                 ? word
                                 : (char *)internf("%.*s%d%s", (int)(number - word), word, ranks,
                                                   number + strlen("{ranks}"));
        }
    return count;
}

/* The first word, as a shell would look for it. */
static bool is_on_path(const char *wanted)
{
    const char *path = getenv("PATH");
    bool there = strchr(wanted, '/') != NULL && access(wanted, X_OK) == 0;
    while (path != NULL && *path != '\0' && !there) {
        const int part = (int)strcspn(path, ":");
        there = access(internf("%.*s/%s", part, path, wanted), X_OK) == 0;
        path += part + (path[part] == ':');
    }
    return there;
}

/* Why no ranks can be started here; or null. */
static const char *launcher_lacking(const char *launcher)
{
    const char *const words = launcher != NULL ? launcher : usual_launcher;
    const char *const program = internf("%.*s", (int)strcspn(words, " "), words);
    return ranks_missing() != NULL ? ranks_missing()
           : is_on_path(program)
               ? NULL
               : internf("'%s' is not on the path; install MPI (Debian: openmpi-bin), or name what "
                         "starts processes by --launcher",
                         program);
}

const char *ranks_lacking(const struct job *job, bool named, const char *launcher,
                          const struct facts *facts)
{
    const int ranks = ranks_of(job->variant, &job->at);
    const double cards = fact_number(facts, "gpu_cards");
    const bool several = ran_on_gpu(facts) && cards > 1;
    if (job->variant->ranks && !named && !several)
        return "there are not several cards here to compare; name the exhibit to run it";
    const char *const lacking = ranks == 1 ? NULL : launcher_lacking(launcher);
    if (ranks == 1 || lacking != NULL)
        return lacking;
    return launcher == NULL && ranks > cards
               ? internf("%d cards are needed, and %.0f can be used here", ranks, cards)
               : NULL;
}

/* What the launchers of MPI find: more ranks than cores are as welcome as a superuser, and each
 * rank's threads are its own business. */
static void prepare_launcher(void)
{
    static const char *const settings[][2] = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                              {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                              {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                              {"OMPI_MCA_hwloc_base_binding_policy", "none"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 0);
}

enum status become_ranks(char *const argv[], int ranks, const char *launcher)
{
    const char *const lacking = launcher_lacking(launcher);
    size_t given = 0;
    if (lacking != NULL)
        return because(SKIPPED, "%s", lacking);
    while (argv[given] != NULL)
        given++;
    char **const words = calloc(MOST_WORDS + given + 1, sizeof *words);
    if (words == NULL)
        return because(ERR_MEMORY, "there is no memory for a command");
    const int count = launcher_words(launcher, ranks, words);
    const char *const own[] = {worker_program(), AS_RANKS, internf("%d", ranks)};
    memcpy(words + count, own, sizeof own);
    memcpy(words + count + sizeof own / sizeof *own, argv + 1, given * sizeof *argv); /* the null */
    prepare_launcher();
    threads_release();
    execvp(words[0], words);
    return because(ERR_IO, "cannot start %s: %s", words[0], strerror(errno));
}

/* Interned: what CUDA_VISIBLE_DEVICES says of the card, that it has by number or by name; unset, it
 * is the number. */
static const char *card_seen(const char *visible, int number)
{
    if (visible == NULL)
        return internf("%d", number);
    for (int i = 0; i < number; i++)
        visible += strcspn(visible, ",") + (visible[strcspn(visible, ",")] != '\0');
    return internf("%.*s", (int)strcspn(visible, ","), visible);
}

static void show_card(int number)
{
    setenv("CUDA_VISIBLE_DEVICES", card_seen(getenv("CUDA_VISIBLE_DEVICES"), number), 1);
}

/* In the child. */
static void exec_worker(const struct start *how, int own)
{
    char *words[MOST_WORDS] = {"reprise", "worker", (char *)how->argument, (char *)how->limits,
                               NULL};
    const char *program = how->program;
    if (how->ranks > 0) {
        const char *const rest[] = {program != NULL ? program : worker_program(),
                                    "worker",
                                    how->argument,
                                    how->limits != NULL ? how->limits : "",
                                    internf("%d", how->ranks),
                                    how->commit,
                                    NULL};
        memcpy(words + launcher_words(how->launcher, how->ranks, words), rest, sizeof rest);
        prepare_launcher();
        program = words[0];
    }
    if (how->card > 0)
        show_card(how->card - 1);
    if (how->program == NULL && how->ranks == 0)
        prepare();
    else /* another program binds its threads itself */
        threads_release();
    if (how->ranks > 0) /* a launcher is on the path, and a program is where its name says */
        execvp(program, words);
    else if (program != NULL)
        execv(program, words);
    else
        become(own, words);
    dprintf(STDERR_FILENO, "cannot start %s: %s\n", program != NULL ? program : "the worker",
            strerror(errno));
    _exit(127);
}

/* Its standard error goes to `errors`, or where ours goes if that is negative. */
static enum status start(struct worker *worker, const struct start *how, int errors)
{
    int in[2], out[2], own = -1;
    const pid_t parent = getpid();
    const enum status status = how->program == NULL ? open_worker_program(&own) : OK;
    if (status != OK)
        return status;
    if (pipe2(in, O_CLOEXEC) != 0)
        return because(ERR_IO, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return because(ERR_IO, "cannot make a pipe: %s", strerror(errno));
    }
    const pid_t pid = fork();
    if (pid == 0) {
        /* No worker outlives its parent, not even one that hangs as it loads its libraries. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
            _exit(127);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        if (errors >= 0)
            dup2(errors, STDERR_FILENO);
        exec_worker(how, own);
    }
    close(in[0]);
    close(out[1]);
    if (pid < 0) {
        close(in[1]);
        close(out[0]);
        return because(ERR_IO, "cannot start a worker: %s", strerror(errno));
    }
    *worker = (struct worker){.pid = pid,
                              .to = in[1],
                              .from = out[0],
                              .ranks = how->ranks > 0 ? how->ranks : 1,
                              .joining = how->ranks > 0};
    return OK;
}

enum status worker_start(struct worker *worker, const struct start *how, const char *log)
{
    /* A pipe that nobody reads is refused and not waited for. */
    const int errors =
        open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    const enum status status = start(worker, how, errors);
    if (errors >= 0)
        close(errors);
    return status;
}

/* Rows until the empty line that ends a group. */
static enum answer worker_read(struct worker *worker, struct text *rows, double deadline)
{
    const double end = now() + deadline;
    rows->length = 0;
    text_add(rows, "%s", "");
    while (true) {
        struct pollfd poll_fd = {.fd = worker->from, .events = POLLIN};
        const double left = end - now();
        if (interrupts > 1)
            return INTERRUPTED;
        if (!(left > 0))
            return TIMED_OUT;
        const int ready = poll(&poll_fd, 1, (int)fmin(1000 * left + 1, 250));
        if (ready <= 0)
            continue;
        char buffer[65536];
        const ssize_t got = read(worker->from, buffer, sizeof buffer - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return DIED;
        buffer[got] = '\0';
        text_add(rows, "%s", buffer);
        if (rows->length >= 2 && strcmp(rows->data + rows->length - 2, "\n\n") == 0) {
            rows->data[--rows->length] = '\0';
            return ANSWERED;
        }
    }
}

enum answer worker_join(struct worker *worker, double deadline)
{
    struct text said = {0};
    const enum answer answer = worker->joining ? worker_read(worker, &said, deadline) : ANSWERED;
    worker->joining = false;
    text_free(&said);
    return answer;
}

enum answer worker_ask(struct worker *worker, const char *line, struct text *rows, double deadline)
{
    const size_t length = strlen(line);
    if (write(worker->to, line, length) != (ssize_t)length)
        return DIED;
    return worker_read(worker, rows, deadline);
}

const char *worker_death(struct worker *worker)
{
    int state = 0;
    close(worker->to);
    close(worker->from);
    pid_t got;
    do
        got = waitpid(worker->pid, &state, 0);
    while (got < 0 && errno == EINTR);
    const bool waited = got == worker->pid;
    worker->pid = 0;
    /* A launcher leaves with 128 and the signal by which one of its processes died. */
    const int left = waited && WIFEXITED(state) && worker->ranks > 1 ? WEXITSTATUS(state) - 128 : 0;
    const int signal_ = waited && WIFSIGNALED(state) ? WTERMSIG(state) : left;
    return signal_ > 0 && sigabbrev_np(signal_) != NULL
               ? state_note(JOB_CRASHED, internf("SIG%s", sigabbrev_np(signal_)))
               : state_note(JOB_FAILED, internf("the worker left with status %d; see log/",
                                                waited ? WEXITSTATUS(state) : -1));
}

/* Why a worker told nothing: what it said itself, as the loader does, or how it ended. */
static enum status untold(struct worker *worker, enum answer answer, int said)
{
    char line[256] = "";
    struct rlimit memory;
    if (answer != DIED)
        worker_stop(worker, true);
    if (answer == INTERRUPTED)
        return because(ERR_DEVICE, "a worker was asked what this machine is, and a signal came");
    if (answer == TIMED_OUT)
        return because(ERR_DEVICE, "a worker did not tell within a minute what this machine is");
    const char *const death = worker_death(worker);
    if (pread(said, line, sizeof line - 1, 0) > 0)
        line[strcspn(line, "\n")] = '\0';
    const bool limited = getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
    return because(ERR_DEVICE, "a worker could not tell what this machine is: %s%s",
                   line[0] != '\0' ? line : death,
                   limited ? internf("; `ulimit -v` leaves each process %.0f MiB of memory, and a "
                                     "worker needs more",
                                     (double)memory.rlim_cur / 0x1p20)
                           : "");
}

/* Only one of the two files may have been copied or built. */
static enum status same_build(const struct facts *facts)
{
    const char *const commit = facts_get(facts, "commit");
    return strncmp(built_commit, commit, strlen(commit)) == 0
               ? OK
               : because(ERR_ARGS,
                         "the program that computes is of commit %s and this one of %s; build or "
                         "copy both",
                         commit, built_commit);
}

enum status run_facts(const char *program, struct facts *facts)
{
    struct worker worker;
    struct text rows = {0}, all = {0};
    struct csv *csv = NULL;
    const int said = memfd_create("said", MFD_CLOEXEC);
    *facts = (struct facts){0};
    enum status status = start(&worker, &(struct start){program, "--facts"}, said);
    if (status == OK) {
        const enum answer answer = worker_read(&worker, &rows, 60);
        if (answer == ANSWERED)
            worker_stop(&worker, false);
        else
            status = untold(&worker, answer, said);
    }
    close(said);
    text_add(&all, "%s%s", facts_header, rows.length > 0 ? rows.data : "");
    if (status == OK)
        status = csv_parse(all.data, "the worker's facts", &csv);
    if (status == OK)
        status = facts_read(csv, "what a worker tells", facts);
    if (status == OK && program == NULL)
        status = same_build(facts);
    csv_free(csv);
    text_free(&all);
    text_free(&rows);
    return status;
}

enum status choose_card(int number)
{
    struct facts facts;
    if (no_libraries == NULL)
        return OK;
    const enum status status = run_facts(NULL, &facts);
    if (status != OK)
        return status;
    if (!fact_is(&facts, "device", "cuda"))
        return number == 0
                   ? OK
                   : because(ERR_ARGS, "--device=%d: the device of this build is '%s', which is 0",
                             number, facts_get(&facts, "device"));
    if (!ran_on_gpu(&facts))
        return because(ERR_ARGS, "--device=%d: %s", number, facts_get(&facts, "gpu_why_not"));
    const int cards = (int)fact_number(&facts, "gpu_cards");
    if (number >= cards)
        return because(ERR_ARGS, "--device=%d: CUDA can use %d card%s here, 0%s", number, cards,
                       cards == 1 ? "" : "s", cards == 1 ? "" : internf(" to %d", cards - 1));
    show_card(number);
    return OK;
}
