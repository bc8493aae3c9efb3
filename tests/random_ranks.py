#!/usr/bin/env python3
"""Problems that nobody chose, on several ranks of the emulated device: each answer has to be right.

random_ranks.py KERNELS [COUNT]; REPRISE_SEED draws others. What a device has room for is drawn, too.
"""
import os
import random
import re
import shutil
import subprocess
import sys

FEW = 10 if "UBSAN_OPTIONS" in os.environ else 30  # sanitizers make all slow
kernels, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else FEW
draw = random.Random(int(os.environ.get("REPRISE_SEED", "1")))


def size(least, most):
    return round(least * (most / least) ** draw.random())


def power(least, most):
    return f"{10 ** draw.uniform(least, most):.3g}"


def bvp(_):
    return "bvp/" + draw.choice(["p1", "p2", "stored"]), "A2-limit-ranks", {"n": size(2, 300000)}


def recurrence(_):
    m = draw.randint(1, 16)
    f = draw.choice(["impulse", "one", "index", "ternary", "reciprocal", "random"])
    a = ",".join(f"{1.2 * (2 * draw.random() - 1) / m:.3g}" for _ in range(m))
    case, settings = draw.choice([("alternating", {"m": m}), ("damped", {"m": m, "f": f}),
                                  ("prefix", {"f": f}), ("user", {"a": a, "f": f})])
    return "recurrence/" + case, "limit-ranks", {"n": size(m + 1, 200000), **settings}


def parabolic(ranks):
    settings = {"N": size(20 * ranks, 90 * ranks), "steps": size(2, 90), "lambda": round(draw.uniform(0.05, 0.25), 3)}
    if draw.random() < 0.3:
        settings["snapshot"] = draw.randint(1, settings["steps"] - 1) / settings["steps"]
    return "parabolic/model" + draw.choice("1234"), "GPU-limit-ranks", settings


def waveform(ranks):
    case = draw.choice(["heat1d", "heat1d", "heat2d", "control"])
    kind = draw.choice(["dense", "blocked"]) if case == "heat1d" else "dense"
    d = size(16 * ranks, 700) if kind == "dense" else size(100 * ranks, 6000)
    return "waveform/" + case, f"wr-*-gpu-{kind}-ranks", {
        "d": max(2, int(d ** 0.5)) ** 2 if case == "heat2d" else d, "N": draw.randint(3, 60),
        "T": power(-1, 0.3), "nmax": draw.randint(1, 30), "tol": power(-9, -2), "expect": "any",
        "y0": draw.choice(["e_d", "e_1", "ones", "sin", "random"]),
        "method": draw.choice(["implicit-euler", "explicit-euler", "trapezoidal", "bdf2",
                               "adams-moulton2", "adams-bashforth2"]),
        "storage": "dense" if kind == "dense" else "sparse",
        "skew": draw.choice([0, 0, round(draw.uniform(-0.5, 0.5), 2)]),
        "record": draw.choice(["each", "last"])}


def curvature(ranks):
    flow, figure = draw.choice(["mcf", "willmore"]), draw.random() < 0.4
    slow = 0 if flow == "mcf" else 3
    least, most = 10 * ranks + 1, 150 if flow == "mcf" else 100
    settings = {"N": size(least, most), "eps": power(-8, -3), "attempts": draw.randint(1, 40),
                "boundary": draw.choice(["dirichlet", "neumann"])}
    if draw.random() < 0.4:
        settings["N2"] = size(least, most)
    if draw.random() < 0.2:
        settings.update(control="fixed", tau0=power(-5 - slow, -4.5 - slow))
    if not figure:
        settings.update(T=power(-4 - slow / 2, -1 - slow / 2), snapshots=draw.randint(1, 9))
    return f"curvature/{flow}" + ("-figure" if figure else ""), "gpu-ranks", settings


def judged(ranks, case, variant, settings, device):
    """What went wrong, or an empty text; and whether there was an answer: ranks can be too many."""
    command = ["mpirun", "-n", str(ranks), kernels, case, variant, f"ranks={ranks}"]
    command += [f"{name}={value}" for name, value in settings.items()]
    there = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
             "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "1",
             "ASAN_OPTIONS": "detect_leaks=0", **device}  # MPI keeps some memory
    try:
        done = subprocess.run(command, env={**os.environ, **there}, capture_output=True, text=True,
                              timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return f"{device} {' '.join(command)}: no answer within 600 s", False
    good = done.returncode == 0 and "ok 1 " in done.stdout and "not ok" not in done.stdout
    said = "" if good else f"{device} {' '.join(command)}\n{done.stdout}{done.stderr}"
    return said, good and bool(re.search("^ok [^#]*$", done.stdout, re.M))


if shutil.which("mpirun") is None:
    print("1..0 # SKIP no mpirun")
    sys.exit(0)
failed = 0
families = [bvp, recurrence, parabolic, waveform, curvature]
for family in families:
    wrong, answers = [], 0
    for k in range(count // len(families)):
        device = {}
        if draw.random() < 0.7:
            device["REPRISE_EMULATED_BLOCKS"] = str(draw.choice([1, 2, 3, 5, 8, 13, 40]))
        if draw.random() < 0.5 and family is not recurrence:  # which needs nearly all there is
            device["REPRISE_EMULATED_SHARED"] = str(draw.choice([48, 64, 100, 227]))
        ranks = draw.choice([2, 3, 4, 5, 7, 8])
        said, answered = judged(ranks, *family(ranks), device)
        answers += answered
        if said:
            wrong.append(said)
    if 2 * answers < count // len(families):
        wrong.append(f"{answers} answers")
    failed += bool(wrong)
    for said in wrong:
        print("# " + said.strip().replace("\n", "\n# "))
    print(f"# {answers} answers")
    print(f"{'not ' if wrong else ''}ok {families.index(family) + 1} - all of {family.__name__} are right")
print(f"1..{len(families)}")
sys.exit(failed > 0)
