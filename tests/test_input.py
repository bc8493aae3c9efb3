"""Data of one's own: every input of every family from files of every form, the answers held against
solutions that are computed here, by other code than the program's. Then bad files, each refused in one
sentence; and figures of such answers, of which a reader of SVG says what they show.
test_input.py PROGRAM, from anywhere; prints TAP.
"""
import ast
import base64
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from xml.etree import ElementTree

try:
    import numpy
except ImportError:
    numpy = None

PROGRAM = os.path.abspath(sys.argv[1])
DRAW = random.Random(26)
NO_GPU = "no GPU that CUDA can use"
points = failures = 0


def point(name, good, why=""):
    global points, failures
    points += 1
    print(f"{'ok' if good else 'not ok'} {points} - {name}", flush=True)
    if not good:
        failures += 1
        print(f"not ok {points} - {name}: {why}", file=sys.stderr)
    return good


def skip(name, why):
    global points
    points += 1
    print(f"ok {points} - {name} # SKIP {why}", flush=True)
    return False


def solve(what, variant, settings, inputs, *more):
    """The finished process; the answer, if there is one, goes into the file `answer`."""
    if os.path.exists("answer"):
        os.remove("answer")
    words = [PROGRAM, "solve", what, "--variant", variant, "--dump", "answer", *more]
    for name, value in settings.items():
        words += ["--set", f"{name}={value}"]
    for name, path in inputs.items():
        words += ["--input", f"{name}={path}"]
    return subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive"})


def answer(time=None):
    """Values of a dump in its order; of several times those of one."""
    with open("answer", encoding="ascii") as file:
        lines = [line.split(",") for line in file.read().split("\n")[1:] if line]
    return [float(line[-1]) for line in lines if time is None or float(line[0]) == time]


def flat(rows):
    return [x for row in rows for x in row]


def holds(name, process, right, bound, time=None):
    """Whether the program was content, and its answer within `bound` of the largest right value."""
    if process.returncode == 1 and NO_GPU in process.stderr:
        return skip(name, NO_GPU)
    if process.returncode != 0:
        return point(name, False, process.stderr.strip())
    got = answer(time)
    off = [abs(a - b) for a, b in zip(got, right)]
    most = max(map(abs, right)) or 1
    good = len(got) == len(right) and all(x <= bound * most for x in off)
    return point(name, good, f"{len(got)} values of {len(right)}, {max(off) / most:.3g} off")


# --- files of every form; rows[i][j], or a list ---

def write_lines(path, rows):
    with open(path, "w", encoding="ascii") as file:
        for x in flat(rows) if isinstance(rows[0], list) else rows:
            file.write(f"{x!r}\n")


def write_rows(path, rows, between=","):
    with open(path, "w", encoding="ascii") as file:
        for row in rows:
            file.write(between.join(repr(x) for x in row) + "\n")


def npy(values, shape, kind="<f8", fortran=False, version=1, header=None, magic=b"\x93NUMPY"):
    """Bytes of a .npy file, by its description and not by the module that invented it."""
    text = header or (f"{{'descr': '{kind}', 'fortran_order': {fortran}, "
                      f"'shape': {shape!r}, }}")
    length = struct.pack("<H" if version == 1 else "<I", len(text) + 1)
    of_kind = {"<f8": "<d", "<f4": "<f", ">f8": ">d", "<i8": "<q"}[kind]
    return (magic + bytes([version, 0]) + length + text.encode() + b"\n" +
            b"".join(struct.pack(of_kind, int(x) if kind == "<i8" else x) for x in values))


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def turned(rows):
    return [list(column) for column in zip(*rows)]


def forms(name, rows):
    """Files with the same values, exactly or in float32: path and whether it is the latter."""
    plane = isinstance(rows[0], list)
    values = flat(rows) if plane else rows
    shape = (len(rows), len(rows[0])) if plane else (len(rows),)
    write_lines(f"{name}.txt", rows)
    write(f"{name}.npy", npy(values, shape))
    write(f"{name}-single.npy", npy(values, shape, "<f4", version=2))
    files = [f"{name}.txt", f"{name}.npy", f"{name}-single.npy"]
    if plane:
        write_rows(f"{name}.csv", rows)
        write_rows(f"{name}-blanks.txt", rows, " ")
        write(f"{name}-turned.npy", npy(flat(turned(rows)), shape, fortran=True))
        files += [f"{name}.csv", f"{name}-blanks.txt", f"{name}-turned.npy"]
    return files


def rounded(x):
    """As float32 has it; of rows too."""
    return [rounded(y) for y in x] if isinstance(x, list) else struct.unpack("<f", struct.pack("<f", x))[0]


def drawn(*shape):
    return [drawn(*shape[1:]) if len(shape) > 1 else DRAW.uniform(-1, 1) for _ in range(shape[0])]


# --- solutions ---

def eliminate(a, b):
    """x of a x = b by Gauss, with pivots."""
    n = len(b)
    a = [row[:] + [y] for row, y in zip(a, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda i, k=k: abs(a[i][k]))
        a[k], a[best] = a[best], a[k]
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(k, n + 1):
                a[i][j] -= factor * a[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return x


def bvp(f):
    """-u'' = f by the matrix of the differences: u'(0) = 0, u(1) = 0."""
    n = len(f)
    a = [[2.0 * (i == j) - (abs(i - j) == 1) for j in range(n)] for i in range(n)]
    a[0][0] = 1.0
    return eliminate(a, [x / n**2 / (2 if i == 0 else 1) for i, x in enumerate(f)])


def recurrence(f, a):
    x = []
    for value in f:
        x.append(value + sum(a[j] * x[-1 - j] for j in range(min(len(a), len(x)))))
    return x


def waveform(matrix, g, y0, h):
    """y' = A y + g by the implicit Euler method; y[i*N + n]."""
    d, y = len(y0), [list(y0)]
    left = [[(i == j) - h * matrix[i][j] for j in range(d)] for i in range(d)]
    for n in range(1, len(g[0])):
        y.append(eliminate(left, [y[-1][i] + h * g[i][n] for i in range(d)]))
    return flat(turned(y))


def parabolic(u0, dt, steps, coloured=False):
    """Model 3, a = 1, on u[j][i] with its boundary: by explicit Euler; or the red points so, and then the
    black ones by the new red ones and their own new value."""
    n = len(u0)
    h = 1 / (n + 1)

    def frame(i, j, t):
        return math.exp(-3 * t) * math.sin(i * h) * math.sin(j * h)

    u = [[u0[j - 1][i - 1] if 0 < i <= n and 0 < j <= n else 0.0 for i in range(n + 2)]
         for j in range(n + 2)]

    def set_frame(t):
        for k in range(n + 2):
            u[0][k], u[n + 1][k] = frame(k, 0, t), frame(k, n + 1, t)
            u[k][0], u[k][n + 1] = frame(0, k, t), frame(n + 1, k, t)

    def beside(i, j):
        """What the neighbours add to u_t; the point itself adds -(4/h^2 + 1) u."""
        x, y = i * h, j * h
        second = (u[j][i + 1] + u[j][i - 1] + u[j + 1][i] + u[j - 1][i]) / h**2
        first = (math.sin(x) * math.cos(y) * (u[j][i + 1] - u[j][i - 1]) -
                 math.cos(x) * math.sin(y) * (u[j + 1][i] - u[j - 1][i])) / (2 * h)
        return second + first

    inside = [(i, j) for j in range(1, n + 1) for i in range(1, n + 1)]
    own = dt * (4 / h**2 + 1)
    for step in range(steps):
        set_frame(step * dt)
        now = {(i, j): (1 - own) * u[j][i] + dt * beside(i, j) for i, j in inside
               if not coloured or (i + j) % 2 == 0}
        for (i, j), value in now.items():
            u[j][i] = value
        if coloured:
            set_frame((step + 1) * dt)
            for i, j in inside:
                if (i + j) % 2 == 1:
                    u[j][i] = (u[j][i] + dt * beside(i, j)) / (1 + own)
    return flat([row[1:-1] for row in u[1:-1]])


def closed(u, boundary):
    """The field with its boundary: what the neighbour inside has, or as it was."""
    if boundary == "neumann":
        inner = [[row[1]] + row[1:-1] + [row[-2]] for row in u[1:-1]]
        return [inner[0][:]] + inner + [inner[-1][:]]
    return u


def faces(u, i, j, h1, h2):
    """(across, along, sign, h) of the four faces of a cell, east, west, north, south."""
    def along_y(i):
        return (u[i][j + 1] + u[i + 1][j + 1] - u[i][j - 1] - u[i + 1][j - 1]) / (4 * h2)

    def along_x(j):
        return (u[i + 1][j] + u[i + 1][j + 1] - u[i - 1][j] - u[i - 1][j + 1]) / (4 * h1)

    return [((u[i + 1][j] - u[i][j]) / h1, along_y(i), 1, h1),
            ((u[i][j] - u[i - 1][j]) / h1, along_y(i - 1), -1, h1),
            ((u[i][j + 1] - u[i][j]) / h2, along_x(j), 1, h2),
            ((u[i][j] - u[i][j - 1]) / h2, along_x(j - 1), -1, h2)]


def mean_curvature(u, i, j, h1, h2):
    """Q div(grad u / Q), Q the mean of the faces'."""
    around = faces(u, i, j, h1, h2)
    q = [math.sqrt(1 + a * a + b * b) for a, b, _, _ in around]
    return sum(q) / 4 * sum(s * a / x / h for x, (a, _, s, h) in zip(q, around))


def speed(u, flow, boundary, h1, h2):
    """u_t inside, 0 on the boundary."""
    u = closed(u, boundary)
    n1, n2 = len(u) - 1, len(u[0]) - 1
    w = [[mean_curvature(u, i, j, h1, h2) if 0 < i < n1 and 0 < j < n2 else 0.0
          for j in range(n2 + 1)] for i in range(n1 + 1)]
    if flow == "mcf":
        return w
    w = closed(w, boundary)
    out = [[0.0] * (n2 + 1) for _ in range(n1 + 1)]
    beside = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    for i in range(1, n1):
        for j in range(1, n2):
            total, around = 0.0, faces(u, i, j, h1, h2)
            q = [math.sqrt(1 + a * a + b * b) for a, b, _, _ in around]
            for x, (a, b, s, h), (wa, wb, _, _), (di, dj) in zip(
                    q, around, faces(w, i, j, h1, h2), beside):
                mean = (w[i][j] + w[i + di][j + dj]) / 2
                # ((I - P) grad w) / Q - w^2 / (2 Q^3) grad u, across the face
                flux = ((1 - a * a / x**2) * wa - a * b / x**2 * wb) / x - mean**2 / (2 * x**3) * a
                total += s * flux / h
            out[i][j] = -sum(q) / 4 * total
    return out


def curvature(u, flow, boundary, end, steps):
    """The classical method of Runge and Kutta, with steps far shorter than needed."""
    h1, h2, tau = 4 / (len(u) - 1), 4 / (len(u[0]) - 1), end / steps

    def moved(by, k):
        return [[x + by * y for x, y in zip(r, s)] for r, s in zip(u, k)]

    for _ in range(steps):
        k1 = speed(u, flow, boundary, h1, h2)
        k2 = speed(moved(tau / 2, k1), flow, boundary, h1, h2)
        k3 = speed(moved(tau / 2, k2), flow, boundary, h1, h2)
        k4 = speed(moved(tau, k3), flow, boundary, h1, h2)
        for k, by in (k1, 6), (k2, 3), (k3, 3), (k4, 6):
            u = moved(tau / by, k)
    return flat(closed(u, boundary))


# --- families ---

def every_form(name, rows, what, variant, settings, right, bound, time=None, others=None):
    """One input in every form; what is right is computed of the values as they are in the file."""
    exact = right(rows)
    for path in forms(name, rows):
        expected = right(rounded(rows)) if "single" in path else exact
        process = solve(what, variant, settings, {name: path, **(others or {})}, "--precision", "double")
        holds(f"{what}: {path}", process, expected, bound, time)


def test_bvp():
    f = drawn(60)
    every_form("f", f, "bvp/stored", "A1D", {"n": 60}, bvp, 1e-13)
    f[0] = 9.0
    write_lines("f.txt", f)
    for variant in "A2D", "A2-limit", "lapack-dptsv":
        holds(f"bvp/p1: {variant}", solve("bvp/p1", variant, {"n": 60}, {"f": "f.txt"}, "--precision", "double"),
              bvp(f), 1e-13)
    # The f of a u that was drawn: its sums are n^2 times as large as u, of which single precision has
    # some digits or none, by the way they are added up.
    n = 3000
    u = drawn(n) + [0.0]
    f = [n * n * ((u[i] - u[abs(i - 1)]) + (u[i] - u[i + 1])) for i in range(n)]
    f[0] = 2.0 * n * n * (u[0] - u[1])
    write_lines("f.txt", f)
    for variant, precision in ("A2S", "single"), ("A2SD", "mixed"):
        process = solve("bvp/stored", variant, {"n": n}, {"f": "f.txt"}, "--precision", precision)
        if process.returncode == 1 and NO_GPU in process.stderr:
            skip(f"bvp: no digit left, {variant}", NO_GPU)
        else:
            point(f"bvp: no digit left, {variant}", process.returncode == 1 and
                  "not fit to print: f cancels so far" in process.stdout, process.stdout + process.stderr)
    for variant, precision, bound in (("A1S", "single", 0.1), ("A2-limit", "single", 0.1), ("A1D", "double", 1e-6),
                                      ("A2D", "double", 1e-6), ("A2-limit", "double", 1e-6)):
        holds(f"bvp: digits left, {variant} {precision}",
              solve("bvp/stored", variant, {"n": n}, {"f": "f.txt"}, "--precision", precision), u[:n], bound)
    write_lines("f.txt", [0.0] * n)
    holds("bvp: nothing to cancel", solve("bvp/stored", "A1S", {"n": n}, {"f": "f.txt"}), [0.0] * n, 1e-6)


def test_recurrence():
    every_form("f", drawn(70), "recurrence/user", "SEQ", {"n": 70, "a": "0.5,-0.25"},
               lambda f: recurrence(f, [0.5, -0.25]), 1e-14)
    f = drawn(70)
    write_lines("f.txt", f)
    for variant in "SEQ-omp", "GPU+CPU", "limit", "limit-graph":
        holds(f"recurrence/user: {variant}",
              solve("recurrence/user", variant, {"n": 70, "a": "0.5,-0.25"}, {"f": "f.txt"}, "--precision", "double"),
              recurrence(f, [0.5, -0.25]), 1e-14)
    holds("recurrence/prefix: f", solve("recurrence/prefix", "SEQ", {"n": 70}, {"f": "f.txt"}, "--precision", "double"),
          recurrence(f, [1.0]), 1e-14)
    holds("recurrence/damped: f",
          solve("recurrence/damped", "SEQ", {"n": 70, "m": 3}, {"f": "f.txt"}, "--precision", "double"),
          recurrence(f, [0.5 / 3, -0.5 / 3, 0.5 / 3]), 1e-14)


def test_waveform():
    d, n, end = 7, 9, 0.8
    matrix, g, y0 = drawn(d, d), drawn(d, n), drawn(d)
    settings = {"d": d, "N": n, "T": end, "tol": 1e-13, "nmax": 500}
    right, files = {"matrix": matrix, "g": g, "y0": y0}, {}
    for name, rows in right.items():
        forms(name, rows)
        files[name] = f"{name}.npy"
    for name, rows in right.items():
        every_form(name, rows, "waveform/user", "wr-jacobi-cpu", settings,
                   lambda x, name=name: waveform(**{**right, name: x}, h=end / (n - 1)), 1e-11,
                   others={k: v for k, v in files.items() if k != name})
    for variant in "wr-picard-cpu", "wr-jacobi-gpu", "wr-jacobi-omp", "wr-jacobi-gpu-dense":
        holds(f"waveform/user: {variant}", solve("waveform/user", variant, settings, files, "--precision", "double"),
              waveform(**right, h=end / (n - 1)), 1e-11)
    y0 = drawn(d)
    write_lines("y0.txt", y0)
    laplace = [[-2.0 * (i == j) + (abs(i - j) == 1) for j in range(d)] for i in range(d)]
    holds("waveform/heat1d: y0", solve("waveform/heat1d", "wr-picard-cpu", settings, {"y0": "y0.txt"},
                                       "--precision", "double"),
          waveform(laplace, [[0.0] * n] * d, y0, end / (n - 1)), 1e-11)


def test_parabolic():
    n, dt, steps = 9, 2e-3, 11
    settings = {"N": n, "dt": dt, "steps": steps, "scheme": "jacobi"}
    every_form("u0", drawn(n, n), "parabolic/model3", "CPU", settings,
               lambda u: parabolic(u, dt, steps), 1e-13)
    u0 = drawn(n, n)
    write_rows("u0.csv", u0)
    settings.update(scheme="ei-rb", ranks=1)
    for variant in ("CPU", "CPU-omp", "GPU", "GPU-RB", "GPU-RBS", "GPU-TB", "GPU-limit", "GPU-limit-fma",
                    "GPU-limit-ranks", "GPU-sweep"):
        holds(f"parabolic/model3: {variant}",
              solve("parabolic/model3", variant, settings, {"u0": "u0.csv"}, "--precision", "double"),
              parabolic(u0, dt, steps, coloured=True), 1e-13)
    # Where a run ended another one begins: a dump is an input.
    settings = {"N": n, "dt": 1e-3, "steps": 8}
    solve("parabolic/model1", "CPU", settings, {}, "--precision", "double")
    whole = answer()
    settings["steps"] = 4
    solve("parabolic/model1", "CPU", settings, {}, "--precision", "double")
    os.rename("answer", "half")
    holds("parabolic/model1: from a dump", solve("parabolic/model1", "GPU-TB", settings, {"u0": "half"},
                                                 "--precision", "double"), whole, 1e-15)


def surface(n1, n2):
    return [[0.3 * math.sin(1.1 * i) + 0.2 * math.cos(0.7 * j + 0.3 * i) for j in range(n2 + 1)]
            for i in range(n1 + 1)]


def test_curvature():
    n1, n2 = 10, 8
    phi0 = surface(n1, n2)
    settings = {"N": n1, "N2": n2, "times": "0.02,0.05", "eps": 1e-11, "boundary": "dirichlet"}
    every_form("phi0", phi0, "curvature/mcf-figure", "cpu1", settings,
               lambda u: curvature(u, "mcf", "dirichlet", 0.05, 60), 1e-8, 0.05)
    for flow, end, steps in ("mcf", 0.05, 60), ("willmore", 0.02, 200):
        for boundary in "dirichlet", "neumann":
            expected = curvature(phi0, flow, boundary, end, steps)
            settings.update(boundary=boundary, times=f"{end / 2},{end}")
            for variant in "cpuN", "gpu", "gpu-coop", "gpu-resident":
                holds(f"curvature/{flow}-figure: {boundary}, {variant}",
                      solve(f"curvature/{flow}-figure", variant, settings, {"phi0": "phi0.csv"},
                            "--precision", "double"), expected, 1e-8, end)
    # Of a dump of several times the last one is the next start.
    settings = {"N": n1, "N2": n2, "times": "0.02,0.05", "eps": 1e-11}
    solve("curvature/mcf-figure", "cpuN", settings, {"phi0": "phi0.csv"}, "--precision", "double")
    os.rename("answer", "half")
    settings["times"] = "0.04"
    holds("curvature/mcf-figure: from a dump",
          solve("curvature/mcf-figure", "cpuN", settings, {"phi0": "half"}, "--precision", "double"),
          curvature(phi0, "mcf", "neumann", 0.09, 100), 1e-8, 0.04)


# --- what is refused ---

def refused(name, status, words, what, settings, inputs):
    variant = {"parabolic": "CPU", "curvature": "cpu1", "bvp": "A1D", "recurrence": "SEQ",
               "waveform": "wr-jacobi-cpu"}[what.split("/")[0]]
    process = solve(what, variant, settings, inputs, "--precision", "double")
    said = process.stderr.rstrip("\n")
    good = process.returncode == status and said.startswith("reprise: ") and "\n" not in said and words in said
    point(f"refused: {name}", good, f"status {process.returncode}, {said}")


def test_refused():
    u0 = {"N": 3}
    grid = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]
    good = npy(flat(grid), (3, 3))
    shape = "'shape': (3, 3)"
    header = "{'descr': '<f8', 'fortran_order': False, " + shape + ", }"
    files = {
        "a line less": ("1\n" * 8, "has 8 values, and u0 needs 3 x 3"),
        "a line more": ("1\n" * 10, "has more than 9 values, and u0 needs 3 x 3"),
        "a short row": ("1,2,3\n1,2\n1,2,3\n", "line 2, has 2 numbers; write one value per line, or rows of 3"),
        "rows of 4": ("1,2,3,4\n" * 3, "line 1, has 4 numbers"),
        "two rows": ("1,2,3\n" * 2, "has 6 values, and u0 needs 3 x 3"),
        "a comma too many": ("1,2,3,\n" * 3, "line 1, is not a number"),
        "no number": ("1,2,3\n1,zwei,3\n1,2,3\n", "line 2, is not a number"),
        "NaN": ("1,2,3\n1,2,3\n1,nan,3\n", "line 3, is not a finite number"),
        "infinity": ("1\n" * 4 + "-inf\n" + "1\n" * 4, "line 5, is not a finite number"),
        "too large": ("1\n" * 8 + "1e999\n", "line 9, is not a finite number"),
        "an empty line": ("1,2,3\n\n1,2,3\n1,2,3\n", "line 2, is empty"),
        "other names": ("i,k,u\n1,1,1\n", "line 1, is not a number"),
        "a dump in another order": ("i,j,u\n1,1,1\n1,2,1\n", "line 3, has an index of 1 where 2 is next"),
        "half a dump": ("i,j,u\n1,1,1\n2,1,1\n3,1,1\n1,2,1\n", "has 4 values, and u0 needs 3 x 3"),
        "a dump without its values": ("i,j,u\n1,1\n", "line 2, has 2 numbers"),
        "an empty file": ("", "has 0 values, and u0 needs 3 x 3"),
        ".npy of another size": (npy(flat(grid), (9, 1)), "is 9 x 1, and u0 needs 3 x 3"),
        ".npy of too few": (npy(flat(grid)[:8], (8,)), "has 8 values, and u0 needs 3 x 3"),
        ".npy of one value": (npy([1.0], ()), "has 1 values, and u0 needs 3 x 3"),
        ".npy of three dimensions": (npy(flat(grid), (3, 3, 1)), "has the shape (3, 3, 1), and u0 needs 3 x 3"),
        ".npy, the other way round": (npy(flat(grid), (3, 3), ">f8"), "values of the type '>f8'; save them as '<f8'"),
        ".npy of integers": (npy(flat(grid), (3, 3), "<i8"), "values of the type '<i8'"),
        ".npy with NaN": (npy(flat(grid)[:5] + [math.nan] * 4, (3, 3)), "value [1, 2], is not a finite number"),
        ".npy with NaN, turned": (npy(flat(grid)[:5] + [math.inf] + flat(grid)[6:], (3, 3), fortran=True),
                                  "value [2, 1], is not a finite number"),
        ".npy, cut off": (good[:-1], "ends before its last value"),
        ".npy, cut off in its header": (good[:30], "ends in its header"),
        ".npy, cut off at once": (good[:6], "ends in its header"),
        ".npy that goes on": (good + b"\0", "goes on behind its last value"),
        ".npy of version 3": (npy(flat(grid), (3, 3), version=3), "of version 3.0; 1.0 and 2.0 can be read"),
        ".npy without an order": (npy(flat(grid), 0, header=header.replace("fortran_order", "order")),
                                  "its header has no order"),
        ".npy without a shape": (npy(flat(grid), 0, header=header.replace("shape", "form")), "u0 needs 3 x 3"),
        ".npy without a type": (npy(flat(grid), 0, header=header.replace("descr", "type")), "save them as '<f8'"),
        ".npy with a long header": (b"\x93NUMPY\2\0" + struct.pack("<I", 1 << 30), "header is too long"),
    }
    for name, (data, words) in files.items():
        write("bad", data.encode() if isinstance(data, str) else data)
        refused(name, 2, words, "parabolic/model1", u0, {"u0": "bad"})
    write("five", b"1\n" * 5)
    five = [("bvp/stored", {"n": 6}, "f", "f needs 6"), ("recurrence/user", {"n": 6}, "f", "f needs 6"),
            ("waveform/user", {"d": 3}, "matrix", "matrix needs 3 x 3"),
            ("waveform/user", {"d": 3, "N": 4}, "g", "g needs 3 x 4"),
            ("waveform/heat1d", {"d": 6}, "y0", "y0 needs 6"),
            ("parabolic/model1", {"N": 3}, "u0", "u0 needs 3 x 3"),
            ("curvature/mcf-figure", {"N": 4, "N2": 3}, "phi0", "phi0 needs 5 x 4")]
    write("third", b"1\n2\n3x\n")
    write_rows("matrix.csv", grid)
    for what, settings, name, words in five:
        others = {"matrix": "matrix.csv"} if name == "g" else {}
        for path, status, said in (("five", 2, f"five has 5 values, and {words}"),
                                   ("third", 2, "third, line 3, is not a number"),
                                   ("none", 1, "cannot read none: No such file")):
            refused(f"{what}: {name} of {path}", status, said, what, settings, {**others, name: path})
    refused("a name that is none", 2, "no input 'x' here; the problem user takes matrix, g, y0",
            "waveform/user", {}, {"x": "five"})
    refused("an input where there is none", 2, "the problem mcf takes none", "curvature/mcf", {}, {"phi0": "five"})
    refused("no matrix", 2, "as in --input matrix=a.txt", "waveform/user", {"d": 3}, {})
    refused("what was a parameter", 2, "'matrix'", "waveform/user", {"d": 3, "matrix": "five"}, {})
    refused("y0 of a file as it was", 2, "a file is --input y0=FILE", "waveform/heat1d", {"d": 5, "y0": "file:five"}, {})
    twice = subprocess.run([PROGRAM, "solve", "bvp/stored", "--variant", "A1D", "--set", "n=5", "--input",
                            "f=five", "--input", "f=five"], capture_output=True, text=True, check=False)
    point("refused: an input twice", twice.returncode == 2 and "f is given twice" in twice.stderr, twice.stderr)
    write("three", b"1\n" * 9)
    write("large", b"1e200\n" * 9)
    process = solve("parabolic/model1", "CPU", {**u0, "steps": 4}, {"u0": "large"}, "--precision", "single")
    point("what is too large for the precision", process.returncode == 1 and "overflow" in process.stderr,
          process.stderr)


# --- figures ---

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def pixels(png):
    """[row][column] -> (red, green, blue), the upper row first, of the PNG that gnuplot makes of a map."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 2)
    at, data = 8, b""
    while at < len(png):
        length, = struct.unpack(">I", png[at:at + 4])
        data += png[at + 8:at + 8 + length] if png[at + 4:at + 8] == b"IDAT" else b""
        at += length + 12
    data, rows, above = zlib.decompress(data), [], bytes(3 * width)
    for j in range(height):
        how, line = data[j * (3 * width + 1)], bytearray(data[j * (3 * width + 1) + 1:(j + 1) * (3 * width + 1)])
        for k in range(3 * width):
            left, up = line[k - 3] if k > 2 else 0, above[k]
            corner = above[k - 3] if k > 2 else 0
            to = left + up - corner
            nearest = min((left, up, corner), key=lambda x, to=to: abs(to - x))
            line[k] = (line[k] + (0, left, up, (left + up) // 2, nearest)[how]) % 256
        rows.append([tuple(line[3 * i:3 * i + 3]) for i in range(width)])
        above = bytes(line)
    return rows


class Figure:
    """What a reader of the SVG finds: its words, its curves, its pictures, and how many facets."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        assert root.tag == SVG + "svg"
        self.words = ["".join(x.itertext()).strip() for x in root.iter(SVG + "text")]
        self.curves = []
        for group in root.iter(SVG + "g"):
            if re.fullmatch(r"gnuplot_plot_\d+", group.get("id", "")):
                lines = [[[float(x) for x in point.split(",")] for point in re.findall(r"-?[\d.]+,-?[\d.]+", line)]
                         for path in group.iter(SVG + "path") for line in path.get("d").split("M")]
                self.curves.append(max(lines, key=len)) # the other one is in the legend
        self.pictures = [pixels(base64.b64decode(x.get(LINK).split(",")[1])) for x in root.iter(SVG + "image")]
        ends = [max(float(point.split(",")[0]) for point in x.get("points").split())
                for x in root.iter(SVG + "polygon")]
        self.facets = sum(x < 0.9 * float(root.get("width")) for x in ends) # and not of the bar of colours


def figure(name, what, variant, settings, inputs, shows):
    """Draws an answer, which is also dumped, and asks shows(figure, values) what is amiss in it: ""."""
    if shutil.which("gnuplot") is None:
        return skip(name, "no gnuplot")
    process = solve(what, variant, settings, inputs, "--precision", "double", "--plot", "drawn.svg")
    if process.returncode != 0 or process.stderr:
        return point(name, False, process.stderr.strip())
    amiss = shows(Figure("drawn.svg"), answer())
    return point(name, amiss == "", amiss)


def lacks(fig, *words):
    """The first of the words that no text of the figure has."""
    return next((f"no '{w}' in {fig.words}" for w in words if not any(w in text for text in fig.words)), "")


def follows(points, values):
    """A curve that has a point for each value, at equal steps, as high as the values are."""
    if len(points) != len(values):
        return f"{len(points)} points of {len(values)} values"
    low, high = values.index(min(values)), values.index(max(values))
    scale = (points[high][1] - points[low][1]) / (values[high] - values[low])
    step = (points[-1][0] - points[0][0]) / (len(values) - 1)
    far = [k for k, (x, y) in enumerate(points) if not scale < 0 < step or
           abs(x - points[0][0] - k * step) > 0.03 or
           abs(y - points[low][1] - scale * (values[k] - values[low])) > 0.03]
    return f"off at {far}" if far else ""


def coloured(picture, values, columns):
    """A map of so many columns, the lowest row first in the values: its largest value has the full colour."""
    if (len(picture[0]), len(picture)) != (columns, len(values) // columns):
        return f"{len(picture[0])} x {len(picture)}"
    k = max(range(len(values)), key=lambda k: abs(values[k]))
    full = (166, 54, 3) if values[k] > 0 else (43, 92, 138)
    found = [(i, j) for j, row in enumerate(reversed(picture)) for i, colour in enumerate(row)
             if all(abs(a - b) <= 2 for a, b in zip(colour, full))]
    return "" if found == [(k % columns, k // columns)] else f"full at {found}, not at {k}"


def test_figures():
    write_lines("f.txt", drawn(60))
    figure("figure: bvp", "bvp/stored", "A1D", {"n": 60}, {"f": "f.txt"}, lambda fig, values:
           lacks(fig, "bvp/stored: f of a file; A1D, double, n = 60", "x", "u", "0.9") or
           follows(fig.curves[0], values))
    settings = {"n": 60, "a": "0.5,-0.25"}
    figure("figure: recurrence", "recurrence/user", "SEQ", settings, {"f": "f.txt"}, lambda fig, values:
           lacks(fig, "recurrence/user: f of a file; SEQ, double, n = 60", "k", "x", "60") or
           follows(fig.curves[0], values))
    d, n = 7, 9
    files = {"matrix": "matrix.csv", "g": "g.csv", "y0": "y0.txt"}
    write_rows("matrix.csv", drawn(d, d))
    write_rows("g.csv", drawn(d, n))
    write_lines("y0.txt", drawn(d))
    settings = {"d": d, "N": n, "T": 0.8, "tol": 1e-9, "nmax": 500}
    figure("figure: waveform, a map", "waveform/user", "wr-jacobi-cpu", settings, files, lambda fig, values:
           lacks(fig, "matrix, g, y0 of a file; wr-jacobi-cpu, double, d = 7", "t", "i", "y", "0.8") or
           coloured(fig.pictures[0], values, n))
    write_lines("y0.txt", drawn(3))
    settings["d"] = 3
    figure("figure: waveform, curves", "waveform/heat1d", "wr-jacobi-cpu", settings, {"y0": "y0.txt"},
           lambda fig, values: lacks(fig, "i = 1", "i = 2", "i = 3", "t", "y", "0.8") or
           (len(fig.curves) != 3 and "not three curves") or
           next((w for i in range(3) if (w := follows(fig.curves[i], values[i * n:(i + 1) * n]))), ""))
    write_lines("y0.txt", drawn(36))
    settings["d"] = 36
    figure("figure: waveform, a plane", "waveform/heat2d", "wr-jacobi-cpu", settings, {"y0": "y0.txt"},
           lambda fig, values: lacks(fig, "t = 0", "t = 0.8", "i", "j", "y") or
           (len(fig.pictures) != 2 and "not two maps") or coloured(fig.pictures[0], values[::n], 6))
    write_rows("u0.csv", drawn(9, 9))
    figure("figure: parabolic", "parabolic/model3", "CPU", {"N": 9, "dt": 2e-3, "steps": 2}, {"u0": "u0.csv"},
           lambda fig, values: lacks(fig, "u0 of a file; CPU, double, N = 9", "t = 0.004", "x", "y", "u", "0.1",
                                     "0.9") or coloured(fig.pictures[0], values, 9))
    write_rows("phi0.csv", surface(10, 8))
    settings = {"N": 10, "N2": 8, "times": "0.02,0.05", "boundary": "dirichlet"}
    figure("figure: curvature", "curvature/mcf-figure", "cpu1", settings, {"phi0": "phi0.csv"}, lambda fig, _:
           lacks(fig, "phi0 of a file; cpu1, double, N = 10", "t = 0", "t = 0.02", "t = 0.05", "x", "y", "φ",
                 "-2", "2") or
           ("" if fig.facets == 3 * 10 * 8 else f"{fig.facets} facets"))
    # What is larger than a page can show keeps what stands out.
    write_lines("f.txt", [1000.0 if i == 54320 else -500.0 if i == 54321 else DRAW.uniform(-1, 1)
                          for i in range(100000)])

    def peaks(fig, _):
        points = fig.curves[0]
        across = points[-1][0] - points[0][0]
        top, foot = min(points, key=lambda p: p[1]), max(points, key=lambda p: p[1])
        good = 3000 < len(points) <= 4002 and foot[0] >= top[0] and \
            abs((top[0] - points[0][0]) / across - 0.5432) < 1e-3 and \
            abs((foot[0] - points[0][0]) / across - 0.5432) < 1e-3
        return lacks(fig, "of 100000 values the least and the largest of each of 2000 stretches") or \
            ("" if good else f"{len(points)} points, {top}, {foot}")

    figure("figure: a long curve", "recurrence/user", "SEQ", {"n": 100000, "a": "0"}, {"f": "f.txt"}, peaks)
    n = 601
    u0 = [[0.0] * n for _ in range(n)]
    u0[451][125] = -1.0
    write_rows("u0.csv", u0)

    def spot(fig, _):
        blue = [(i, j) for j, row in enumerate(reversed(fig.pictures[0])) for i, colour in enumerate(row)
                if colour[2] > colour[0] + 50]
        where = (-(-126 * 400 // n) - 1, -(-452 * 400 // n) - 1) # the block that ends last before it
        return lacks(fig, "of 601 × 601 values 400 × 400") or ("" if blue == [where] else f"{blue}, not {where}")

    figure("figure: a large grid", "parabolic/model1", "CPU", {"N": n, "dt": 1e-9, "steps": 1}, {"u0": "u0.csv"},
           spot)
    for ending, begin in ("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-"):
        for what, variant, settings, inputs in (("bvp/p1", "A1D", {"n": 9}, {}),
                                                ("parabolic/model1", "CPU", {"N": 5, "steps": 2}, {}),
                                                ("curvature/mcf", "cpu1", {"N": 80}, {})):
            name = f"figure: {what}, .{ending}"
            if shutil.which("gnuplot") is None:
                skip(name, "no gnuplot")
                continue
            process = solve(what, variant, settings, inputs, "--precision", "double", "--plot", f"drawn.{ending}")
            with open(f"drawn.{ending}", "rb") as file:
                good = process.returncode == 0 and process.stderr == "" and file.read(len(begin)) == begin
            point(name, good, process.stderr)


def test_numpy():
    """What the module itself writes, where it is installed."""
    if numpy is None:
        print("# no numpy: its files are made here, by their description")
        return
    u0 = numpy.array(drawn(9, 9))
    settings = {"N": 9, "dt": 2e-3, "steps": 5, "scheme": "jacobi"}
    for name, array in ("C", u0), ("Fortran", numpy.asfortranarray(u0)), ("float32", u0.astype("float32")):
        numpy.save("numpy.npy", array)
        holds(f"numpy.save, {name}", solve("parabolic/model3", "CPU", settings, {"u0": "numpy.npy"},
                                           "--precision", "double"),
              parabolic(array.astype(float).tolist(), 2e-3, 5), 1e-13)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        header = npy([1.0], (1,))[10:-8].decode()
        point("the headers made here are Python's", ast.literal_eval(header)["shape"] == (1,), header)
        for test in (test_bvp, test_recurrence, test_waveform, test_parabolic, test_curvature, test_refused,
                     test_figures, test_numpy):
            test()
        os.chdir("/")
    print(f"1..{points}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
