"""Who may include whom in harness/, cases/ and solvers/: read from the lines that say #include.
Each file is a point, and a bad one names the include. What a kernels' file may not call is here, too.
Then the same rules on a small made-up tree: good as it is, and with a fault of each kind, which must
be found where it was planted.
test_rooms.py, from anywhere; prints TAP.
"""
import pathlib
import posixpath
import re
import sys

ROOMS = ["base", "machine", "run", "verdict", "compare", "report"]  # none knows a later one
SEARCHED = ["harness", "harness/machine/emulated", "solvers"]  # as the build's -I, in this order
FOR_SOLVERS = ["reprise.h", "machine/async.h", "machine/device.h", "machine/far.h", "machine/facts.h",
               "machine/launch.h", "machine/precision.h", "machine/ranks.h", "machine/threads.h",
               "base/random.h",
               # CUDA's own names, found here where there is no CUDA
               "machine/emulated/cuda_pipeline.h", "machine/emulated/cuda_runtime.h"]
MADE_BY_THE_BUILD = ["absent_names.h", "build_facts.h"]


def rank(path):
    """Height of a file of harness/: one may include its own height and below. None: in no room."""
    parts = path.split("/")[1:]
    if len(parts) > 1:
        return ROOMS.index(parts[0]) if parts[0] in ROOMS else None
    top = ["complete.c", "complete.h", "main.c", "registry.c"]
    return -1 if parts[0] == "reprise.h" else len(ROOMS) if parts[0] in top else None


def family(path):
    """Folder in solvers/; None: for all families."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "solvers" and parts[1] != "common" else None


def includes_of(path, tree):
    """(name as written, file of the tree or None) of each #include of a file."""
    out = []
    for name in re.findall(r"^[ \t]*#[ \t]*include\b[ \t]*(\"[^\"\n]*\"|<[^>\n]*>|.*)", tree[path],
                           re.M):
        folders = [posixpath.dirname(path)] + SEARCHED
        found = (posixpath.normpath(posixpath.join(folder, name[1:-1])) for folder in folders)
        out.append((name, next((file for file in found if file in tree), None)))
    return out


def reached(start, targets):
    """The files that a file includes, and what they include; itself only if there is a circle."""
    out, left = set(), list(targets[start])
    while left:
        file = left.pop()
        if file not in out:
            out.add(file)
            left += targets[file]
    return out


def why_not(path, name, target):
    """Why a file may not have an include; None: it may."""
    room, other = path.split("/")[0], target and target.split("/")[0]
    if target is None:
        ours = name[:1] != "<" and name[1:-1] not in MADE_BY_THE_BUILD
        return "names no file of ours" if ours else None
    if room == "cases" and target != "harness/reprise.h":
        return "a paper knows reprise.h alone"
    if room == "solvers" and other == "harness" and target[len("harness/"):] not in FOR_SOLVERS:
        return "not for solvers"
    if room == "solvers" and family(target) not in (None, family(path)):
        return "another family"
    if other == "cases" or (room == "harness" and other == "solvers"):
        return None if path == "harness/registry.c" else "the program knows no paper and no solver"
    if room == "harness" and not (rank(target) is not None and rank(target) <= rank(path)):
        return "a room above its own"
    return None


def faults(tree):
    """For each bad file of {path: text}, what is wrong with it."""
    includes = {path: includes_of(path, tree) for path in tree}
    targets = {path: [target for _, target in includes[path] if target] for path in tree}
    within = {path: reached(path, targets) for path in tree}
    out = {}
    for path in tree:
        if path.startswith("harness/") and rank(path) is None:
            out[path] = "is in no room"
            continue
        if path.startswith("solvers/") and path.endswith(".cu") and "ranks_collect" in tree[path]:
            out[path] = "brings by its host, and what that may take is measured by ranks_unload()"
        for name, target in includes[path]:
            why = why_not(path, name, target)
            if why is None and target and path in within[target]:
                why = "a circle"
            if why:
                out[path] = f"{out[path]}; " if path in out else ""
                out[path] += f"includes {name}: {why}"
    return out


GOOD = {
    "harness/reprise.h": "#include <stdio.h>\n",
    "harness/registry.c": '#include "reprise.h"\n#include "bvp/bvp.h"\n',
    "harness/main.c": '#include "report/report.h"\n',
    "harness/base/core.h": '#pragma once\n#include "reprise.h"\n',
    "harness/base/random.h": "",
    "harness/machine/device.h": '#include "reprise.h"\n',
    "harness/machine/facts.c": '#include "base/core.h"\n#include "build_facts.h"\n',
    "harness/machine/launch.h": "#include <cuda_runtime.h>\n",
    "harness/machine/emulated/cuda_runtime.h": "",
    "harness/run/plan.h": '#include "machine/device.h"\n',
    "harness/verdict/verdict.h": '#include "run/plan.h"\n',
    "harness/compare/side.h": '#include "verdict/verdict.h"\n',
    "harness/report/report.h": '#  include "compare/side.h"\n',
    "cases/paper.c": '#include "reprise.h"\n',
    "solvers/order.h": "#include <stddef.h>\n",
    "solvers/common/widest.h": '#include "order.h"\n',
    "solvers/bvp/bvp.h": '#include "reprise.h"\n#include "../order.h"\n',
    "solvers/bvp/a.cu": '#include "bvp.h"\n#include "machine/launch.h"\n#include "base/random.h"\n',
    "solvers/heat/heat.h": '#include "common/widest.h"\n',
}
# (file, an include more, the files that are bad for it, why)
PLANTED = [
    ("harness/base/core.h", '"machine/launch.h"', [], "a room above its own"),
    ("harness/machine/facts.c", '"run/plan.h"', [], "a room above its own"),
    ("harness/run/plan.h", "<verdict/verdict.h>", ["harness/verdict/verdict.h"], "a room above"),
    ("harness/verdict/verdict.h", '"../report/report.h"',
     ["harness/compare/side.h", "harness/report/report.h"], "a room above its own"),
    ("harness/compare/side.h", '"report/report.h"', ["harness/report/report.h"], "a room above"),
    ("harness/reprise.h", '"base/random.h"', [], "a room above its own"),
    ("harness/base/random.h", '"core.h"', [], None),
    ("harness/base/random.h", '"random.h"', [], "a circle"),
    ("solvers/order.h", '"common/widest.h"', ["solvers/common/widest.h"], "a circle"),
    ("cases/paper.c", '"base/core.h"', [], "a paper knows reprise.h alone"),
    ("cases/paper.c", '"bvp/bvp.h"', [], "a paper knows reprise.h alone"),
    ("cases/paper.c", "<cuda_runtime.h>", [], "a paper knows reprise.h alone"),
    ("solvers/heat/heat.h", '"bvp/bvp.h"', [], "another family"),
    ("solvers/heat/heat.h", '"../bvp/bvp.h"', [], "another family"),
    ("solvers/common/widest.h", '"bvp/bvp.h"', [], "another family"),
    ("solvers/bvp/bvp.h", '"base/core.h"', [], "not for solvers"),
    ("solvers/bvp/a.cu", "<run/plan.h>", [], "not for solvers"),
    ("solvers/bvp/a.cu", '"../../cases/paper.c"', [], "the program knows no paper and no solver"),
    ("harness/main.c", '"bvp/bvp.h"', [], "the program knows no paper and no solver"),
    ("harness/machine/facts.c", '"../../cases/paper.c"', [], "the program knows no paper"),
    ("harness/attic/old.h", '"reprise.h"', [], "is in no room"),
    ("harness/old.h", '"reprise.h"', [], "is in no room"),
    ("harness/run/plan.h", '"plann.h"', [], "names no file of ours"),
    ("harness/run/plan.h", "NAME", [], "names no file of ours"),
]

points = []  # (good, name)
root = pathlib.Path(__file__).resolve().parent.parent
sources = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
           for folder in ("harness", "cases", "solvers") for file in (root / folder).rglob("*")
           if file.suffix in (".c", ".h", ".cu", ".cpp")}
bad = faults(sources)
for path in sorted(sources):
    points.append((path not in bad, f"{path} {bad.get(path, '')}".rstrip()))
for path in ("harness/base/record.h", "cases/bvp2010.c", "solvers/bvp/bvp.h"):
    points.append(("harness/reprise.h" in [target for _, target in includes_of(path, sources)],
                   f"the include of reprise.h in {path} is seen"))

points.append((faults(GOOD) == {}, "a good tree is good"))
for path, name, others, why in PLANTED:
    got = faults({**GOOD, path: f"{GOOD.get(path, '')}#include {name}\n"})
    expected = {path, *others} if why else set()
    points.append((set(got) == expected and (not why or why in got[path]),
                   f"planted: {path} includes {name}: {why or 'good'}"))

by_host = faults({**GOOD, "solvers/heat/host.c": "ranks_collect(", "solvers/heat/b.cu": "ranks_collect("})
points.append((set(by_host) == {"solvers/heat/b.cu"}, "planted: kernels whose answer comes by its host"))

for number, (good, name) in enumerate(points, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    if not good:
        print(f"not ok {number} - {name}", file=sys.stderr)
print(f"1..{len(points)}")
sys.exit(not all(good for good, _ in points))
