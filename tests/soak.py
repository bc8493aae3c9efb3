"""Runs that are killed, interrupted, or out of disk at random moments. Each is then read by verdict
and report, resumed until it is whole, and held against an undisturbed run: the same keys, rows and
rounds, none lost and none double.
soak.py REPRISE-TRIAL [COUNT [SEED]], from anywhere; prints TAP. A case is chosen by its own seed, so
`soak.py REPRISE-TRIAL 1 SEED` tries that one again, though not to the same microsecond.
"""
import collections
import contextlib
import csv
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SELECTIONS = [
    ["trial-good", "--rounds", "3", "--samples", "2"],
    ["trial-steps", "--rounds", "3", "--samples", "2"],  # keeps fields
    ["trial-cases", "trial-digits", "--rounds", "2", "--samples", "1"],  # timed and untimed
    ["trial-hundred", "-a", "n=10:200:10", "--rounds", "2", "--samples", "2"],
    ["trial-digits", "-a", "n=1:50:1"],  # untimed
    ["trial-sleepy", "-a", "n=1,2,3"],  # untimed and slow
]
KINDS = ["parent", "worker", "group", "INT", "TERM", "HUP", "full", "cut"]
SIGNALS = {"parent": signal.SIGKILL, "INT": signal.SIGINT, "TERM": signal.SIGTERM,
           "HUP": signal.SIGHUP}
LONGEST = 60  # seconds that nothing here takes
GONE = 60  # seconds after which whoever was told to end has ended


BROKEN = "Assertion", "Sanitizer", "runtime error"  # words of a program that is


class Finding(Exception):
    """A sentence: what a disturbed run must not do."""


def is_alive(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def children(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        words = []
    return [int(word) for word in words]


def limited(size, action):
    """What a full disk does: a file may not grow beyond the size, and the writer is told, or dies."""
    def limit():
        signal.signal(signal.SIGXFSZ, action)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def start(program, words, folder, preexec=None):
    def begin():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup, that we may run under, ignores
        if preexec:
            preexec()

    with open(folder + ".err", "wb") as err:
        return subprocess.Popen(
            [program, "run", *words, "--size", "smoke", "--out", folder, "--resume"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err,
            start_new_session=True, preexec_fn=begin, restore_signals=False)


def said(folder):
    return pathlib.Path(folder + ".err").read_text(errors="replace").strip()[-400:]


def ended(process, folder, within):
    try:
        status = process.wait(within)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise Finding(f"it had not ended after {within} s: {said(folder)}") from None
    if any(word in pathlib.Path(folder + ".err").read_text(errors="replace") for word in BROKEN):
        raise Finding(f"it is broken: {said(folder)}")
    return status


def disturb(program, words, folder, kind, moment, size):
    """Runs it until something happens to it, and sees that it ends and leaves no worker."""
    actions = {"full": signal.SIG_IGN, "cut": signal.SIG_DFL}
    preexec = limited(size, actions[kind]) if kind in actions else None
    process = start(program, words, folder, preexec)
    workers = []
    if kind not in actions:
        time.sleep(moment)
        workers = children(process.pid)
        if kind == "worker":
            for pid in workers:
                with contextlib.suppress(ProcessLookupError):  # it may just have ended
                    os.kill(pid, signal.SIGKILL)
        elif kind == "group":  # what a terminal does
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(SIGNALS[kind])
    own_end = kind in actions or kind == "worker"
    status = ended(process, folder, LONGEST if own_end else GONE)
    fatal = {"parent": -signal.SIGKILL, "cut": -signal.SIGXFSZ}.get(kind, 0)
    # A signal that comes before they are caught, in the first milliseconds, ends it too.
    early = -SIGNALS.get("INT" if kind == "group" else kind, 0)
    if status < 0 and status not in (fatal, early):
        raise Finding(f"it ended by signal {-status}: {said(folder)}")
    until = time.monotonic() + GONE
    while any(is_alive(pid) for pid in workers):
        if time.monotonic() > until:
            raise Finding("its worker outlives it")
        time.sleep(0.01)
    return status


JOB = ["exhibit", "case", "variant", "precision", "n"]


def lines(path):
    """The whole lines of a file; one that is cut off at the end is none."""
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    return text[:text.rfind("\n") + 1].splitlines()


def rows(path):
    """The keys of the rows: what no measurement decides."""
    out = collections.Counter()
    for row in csv.DictReader(lines(path)):
        names = JOB + ["round", "sample", "metric", "statistic"]
        if row["metric"] != "repeatable":  # a run that took long, as on a busy machine, has none
            out[tuple(row[name] for name in names if name in row)] += 1
    return out


def measured(path):
    """What is measured and must stay, digit for digit: the lines of each round that has its status.
    A job that is retried is left out."""
    whole, group, retried = collections.defaultdict(set), [], set()
    for line, row in zip(lines(path)[1:], csv.DictReader(lines(path))):
        job = tuple(row[name] for name in JOB)
        group.append(line)
        if row["metric"] == "status":
            whole[job].update(group)
            group = []
            if row["note"].startswith(("crashed", "failed")):
                retried.add(job)
    return {line for job, all_lines in whole.items() if job not in retried for line in all_lines}


def readable(program, folder):
    """Whatever was measured is shown by verdict and report; without a whole round of a job they say
    in a sentence that there is none."""
    refused, whole = False, measured(f"{folder}/samples.csv")
    shown = any(not line.startswith("ceilings,") for line in whole)
    for verb in "verdict", "report":
        got = subprocess.run([program, verb, folder], stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=LONGEST, text=True, errors="replace")
        sentences = got.stderr.strip().splitlines()
        if not 0 <= got.returncode <= 4 or any(word in got.stderr for word in BROKEN):
            raise Finding(f"{verb} ended by {got.returncode}: {got.stderr.strip()[-400:]}")
        if got.returncode != 0 and not got.stdout:
            refused = True
            if not sentences:
                raise Finding(f"{verb} gives {got.returncode} and no word")
            if shown:
                raise Finding(f"{verb} does not show what was measured: {sentences[-1]}")
    return refused


def none_gone(folder, kept):
    gone = kept - set(lines(f"{folder}/samples.csv"))
    if gone:
        raise Finding(f"{len(gone)} rows were measured and are gone, as {min(gone)}")


def compare(folder, reference):
    for name in "samples.csv", "measured.csv":
        got, whole = rows(f"{folder}/{name}"), rows(f"{reference}/{name}")
        double = [key for key, count in got.items() if count > 1]
        # How often the ceilings are measured depends on how many workers there were.
        mine = {key for key in got if key[0] != "ceilings"}
        theirs = {key for key in whole if key[0] != "ceilings"}
        for what, keys in ("double", double), ("lost", theirs - mine), ("too many", mine - theirs):
            if keys:
                raise Finding(f"{name}: {len(keys)} rows {what}, as {'/'.join(min(keys))}")
    fields = [sorted(os.listdir(f"{run}/fields")) if os.path.isdir(f"{run}/fields") else []
              for run in (folder, reference)]
    if fields[0] != fields[1]:
        raise Finding(f"fields {fields[0]} instead of {fields[1]}")


class Undisturbed:
    """A whole run of each selection that is asked for, how long it took, and how long its files."""

    def __init__(self, program):
        self.program, self.known = program, {}

    def __getitem__(self, which):
        if which not in self.known:
            folder, begin = f"undisturbed.{which}", time.monotonic()
            status = start(self.program, SELECTIONS[which], folder).wait(LONGEST)
            if status != 0:
                raise Finding(f"an undisturbed run gives {status}: {said(folder)}")
            seconds = time.monotonic() - begin
            self.known[which] = folder, seconds, os.path.getsize(f"{folder}/samples.csv")
        return self.known[which]


def case(program, undisturbed, seed, counts):
    """One run, disturbed one to three times."""
    choose, folder, plan, kept = random.Random(seed), f"run.{seed}", [], set()
    which = choose.randrange(len(SELECTIONS))
    try:
        reference, seconds, length = undisturbed[which]
        for _ in range(choose.randint(1, 3)):
            kind = choose.choice(KINDS)
            moment = choose.uniform(0, 1.1 * seconds)
            size = choose.randrange(int(1.1 * length))
            plan.append(kind)
            status = disturb(program, SELECTIONS[which], folder, kind, moment, size)
            counts[kind, "whole" if status == 0 else "hit"] += 1
            none_gone(folder, kept)
            kept = measured(f"{folder}/samples.csv")
            if os.path.isdir(folder):
                counts["read", readable(program, folder)] += 1
        retry = SELECTIONS[which] + ["--retry", "crashed,failed"]
        for _ in range(2):  # the second finds nothing to do
            status = ended(start(program, retry, folder), folder, LONGEST)
            if status != 0:
                raise Finding(f"--resume gives {status}: {said(folder)}")
        none_gone(folder, kept)
        compare(folder, reference)
        readable(program, folder)
    except (Finding, subprocess.TimeoutExpired) as finding:
        return f"{' '.join(SELECTIONS[which][:1] + plan)}: {finding}"
    shutil.rmtree(folder)
    os.unlink(folder + ".err")
    return None


def main():
    program = os.path.realpath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    first = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**9)
    os.environ.update(OMP_WAIT_POLICY="passive", LC_ALL="C")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    scratch = tempfile.mkdtemp()
    os.chdir(scratch)
    undisturbed, counts, findings = Undisturbed(program), collections.Counter(), 0
    print(f"# seeds {first} to {first + count - 1}", flush=True)
    for i in range(count):
        finding = case(program, undisturbed, first + i, counts)
        findings += finding is not None
        print(f"{'ok' if finding is None else 'not ok'} {i + 1} - seed {first + i}"
              f"{'' if finding is None else ': ' + ' '.join(finding.split())}", flush=True)
    print(f"1..{count}")
    for kind in KINDS:
        print(f"# {kind}: {counts[kind, 'hit']} runs, and {counts[kind, 'whole']} that ended well")
    print(f"# verdict and report read {counts['read', False]} of "
          f"{counts['read', False] + counts['read', True]} folders; the others had no rows yet")
    print(f"# {count - findings} of {count} runs are as if undisturbed")
    if findings > 0:
        print(f"# what is left of the others: {scratch}")
    else:
        shutil.rmtree(scratch)
    return findings > 0


sys.exit(main())
