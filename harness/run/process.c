/*
 * Worker processes: started by fork and exec, asked over pipes, ended when they do not answer.
 */
#include "run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/intern.h"
#include "machine/timing.h"
#include "run/status.h"

volatile sig_atomic_t interrupts;

void worker_stop(struct worker *worker, bool at_once)
{
    if (worker->pid <= 0)
        return;
    close(worker->to); /* end of input: a worker that is alive leaves */
    if (at_once)
        kill(worker->pid, SIGKILL); /* it may hang, and it holds nothing of worth */
    for (int i = 0; i < 200; i++) {
        if (waitpid(worker->pid, NULL, WNOHANG) == worker->pid)
            worker->pid = 0;
        if (worker->pid == 0)
            break;
        usleep(i < 20 ? 500 : 10000);
    }
    if (worker->pid > 0) {
        kill(worker->pid, SIGKILL);
        waitpid(worker->pid, NULL, 0);
    }
    close(worker->from);
    worker->pid = 0;
}

enum status worker_start(struct worker *worker, const char *program, const char *argument,
                         const char *limits, const char *log)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return because(ERR_IO, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return because(ERR_IO, "cannot make a pipe: %s", strerror(errno));
    }
    const pid_t pid = fork();
    if (pid == 0) {
        const int errors = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0644);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        if (errors >= 0)
            dup2(errors, STDERR_FILENO);
        execl(program != NULL ? program : "/proc/self/exe", "reprise", "worker", argument, limits,
              (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    if (pid < 0) {
        close(in[1]);
        close(out[0]);
        return because(ERR_IO, "cannot start a worker: %s", strerror(errno));
    }
    *worker = (struct worker){.pid = pid, .to = in[1], .from = out[0]};
    return OK;
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
        const int ready = poll(&poll_fd, 1, (int)fmin(1000 * left + 1, 1000));
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
    return waited && WIFSIGNALED(state)
               ? state_note(JOB_CRASHED, internf("SIG%s", sigabbrev_np(WTERMSIG(state))))
               : state_note(JOB_FAILED, internf("the worker left with status %d; see log/",
                                                waited ? WEXITSTATUS(state) : -1));
}

enum status run_facts(const char *program, struct facts *facts)
{
    struct worker worker;
    struct text rows = {0}, all = {0};
    struct csv *csv = NULL;
    *facts = (struct facts){0};
    enum status status = worker_start(&worker, program, "--facts", NULL, "/dev/null");
    if (status != OK)
        return status;
    const enum answer answer = worker_read(&worker, &rows, 60);
    worker_stop(&worker, answer != ANSWERED);
    text_add(&all, "%s%s", facts_header, rows.data);
    if (answer != ANSWERED)
        status = because(ERR_DEVICE, "a worker could not tell what this machine is");
    else
        status = csv_parse(all.data, "the worker's facts", &csv);
    if (status == OK)
        status = facts_read(csv, "what a worker tells", facts);
    csv_free(csv);
    text_free(&all);
    text_free(&rows);
    return status;
}
