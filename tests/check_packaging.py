"""What is written for others to install by, held against what it names: CITATION.cff, the recipe for
Spack, the file for a container.
check_packaging.py SOURCE_FOLDER, prints what is wrong; without Spack and a builder of containers.
"""
import ast
import pathlib
import re
import subprocess
import sys
import types

try:
    import yaml
except ImportError:
    yaml = None

root = pathlib.Path(sys.argv[1]).resolve()
version = re.search(r"version: '([^']*)'", (root / "meson.build").read_text()).group(1)
options = dict(re.findall(r"^option\('(\w+)', type: '(\w+)'",
                          (root / "meson_options.txt").read_text(), re.M))
recipe = root / "packaging/spack/spack_repo/reprise/packages/reprise/package.py"
faults = []


def want(good, sentence):
    if not good:
        faults.append(sentence)


def check_citation():
    text = (root / "CITATION.cff").read_text(encoding="utf-8")
    want(f"\nversion: {version}\n" in text, f"CITATION.cff is not of version {version}")
    want(f"To become {version}." in (root / "CHANGELOG.md").read_text() or
         f"## [{version}]" in (root / "CHANGELOG.md").read_text(), f"no {version} in CHANGELOG.md")
    if yaml is None:
        return
    found = yaml.safe_load(text)
    # What the format's schema 1.2.0 requires.
    for key, kind in (("cff-version", str), ("message", str), ("title", str), ("authors", list)):
        want(isinstance(found.get(key), kind), f"CITATION.cff: {key}")
    want(found["cff-version"] == "1.2.0" and found["type"] == "software", "CITATION.cff: its kind")
    for one in [found] + found["references"]:
        want(one.get("title") and one.get("authors") and one.get("type"), f"CITATION.cff: {one}")
        for author in one["authors"]:
            want(set(author) in ({"name"}, {"given-names", "family-names"}),
                 f"CITATION.cff: {author}")
    want(all(isinstance(one["year"], int) for one in found["references"]), "CITATION.cff: a year")


class Spec:
    """As much of a concrete spec of Spack's as the recipe asks."""

    def __init__(self, *on, archs=("none",)):
        self.on = set(on)
        self.variants = {"cuda_arch": types.SimpleNamespace(value=archs)}

    def satisfies(self, wanted):
        return set(wanted.lstrip("+").split("+")) <= self.on

    def __getitem__(self, name):
        return types.SimpleNamespace(prefix=types.SimpleNamespace(lib=f"/{name}/lib"))


def run_recipe():
    """The class, and the directives that it was made of, by stand-ins for what Spack has."""
    said = []

    def module(name, **has):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(has)

    def directive(name):
        return lambda *words, **more: said.append((name, words, more))

    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems", "spack"):
        module(name)
    module("spack_repo.builtin.build_systems.cuda", CudaPackage=type(
        "CudaPackage", (), {"cuda_arch_values": ("70", "75", "80", "90a", "100f")}))
    module("spack_repo.builtin.build_systems.meson", MesonPackage=type("MesonPackage", (), {}))
    module("spack.package", **{name: directive(name) for name in (
        "license", "version", "variant", "depends_on", "conflicts")})
    text = recipe.read_text(encoding="utf-8")
    ast.parse(text)
    names = {"__file__": str(recipe), "__name__": "package"}
    exec(compile(text, str(recipe), "exec"), names)  # pylint: disable=exec-used
    return names["Reprise"], said


def check_spack():
    made, said = run_recipe()
    of_variant = [words[0] for name, words, _ in said if name == "variant"]
    want(of_variant == ["mpi", "openblas", "sundials", "docs"], f"Spack: variants {of_variant}")
    for name, words, more in said:
        for wanted in re.findall(r"[+](\w+)", more.get("when", "")):
            want(wanted in of_variant + ["cuda"], f"Spack: {name} {words} when +{wanted}")
    needed = re.search(r"meson_version: '>=([\d.]+)'", (root / "meson.build").read_text()).group(1)
    want(any(words == (f"meson@{needed}:",) for _, words, _ in said), f"Spack: meson@{needed}:")
    conflicts = [words[0] for name, words, _ in said if name == "conflicts"]
    want(conflicts == ["cuda_arch=70"], f"Spack: conflicts {conflicts}")
    source = next(more["git"] for name, _, more in said if name == "version")
    want(source == root.as_uri(), f"Spack: the sources are {source}")
    for spec, expected in (
            (Spec(), "-Dpeers=disabled -Dsundials=disabled -Dmpi=disabled -Ddocs=disabled -Ddevice=emulated"),
            (Spec("cuda", "openblas", "sundials"),
             "-Dpeers=enabled -Dsundials=enabled -Dmpi=disabled -Ddocs=disabled -Ddevice=cuda -Dgpu_arch=all-major"),
            (Spec("cuda", "mpi", "docs", archs=("80", "90")),
             "-Dpeers=disabled -Dsundials=disabled -Dmpi=enabled -Ddocs=enabled -Ddevice=cuda -Dgpu_arch=80,90")):
        package = made()
        package.spec = spec
        got = package.meson_args()
        want(" ".join(got) == expected, f"Spack: {got}")
        for one in got:
            want(one[2:].split("=")[0] in options, f"Spack: Meson has no option {one}")
        paths = []
        package.setup_run_environment(types.SimpleNamespace(
            prepend_path=lambda name, path, to=paths: to.append((name, path))))
        want(bool(paths) == spec.satisfies("+cuda+mpi"), f"Spack: {paths}")


def check_container():
    text = (root / "packaging/Containerfile").read_text(encoding="utf-8")
    lines = [line for line in text.replace("\\\n", " ").split("\n") if line and line[0] != "#"]
    words = [line.split()[0] for line in lines]
    want(set(words) <= {"ARG", "FROM", "RUN", "COPY", "WORKDIR", "ENV", "ENTRYPOINT"},
         f"Containerfile: {words}")
    want(text.count("\nFROM ") == 2 and words[-1] == "ENTRYPOINT", "Containerfile: its stages")
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile.reproduce").read_text(), re.M))
    variables = set(re.findall(r"^([A-Z_]+) =", (root / "Makefile.reproduce").read_text(), re.M))
    for line in lines:
        if not line.startswith("RUN"):
            continue
        subprocess.run(["sh", "-n"], input=line[4:].encode(), check=True)
        for word in line.split()[2:] if line.startswith("RUN make ") else []:
            name = word.split("=")[0]
            want(word in targets or name in variables | {"DESTDIR"}, f"Containerfile: make {word}")


def letters(text):
    return "".join(re.findall("[A-Za-z0-9]", text))


def check_man_page():
    """It says of each exit status what README.md does."""
    page = (root / "packaging/reprise.h2m").read_text(encoding="utf-8")
    section = page.split("[exit status]")[1].split("\n[")[0]
    said = letters(re.sub(r"^\.[A-Z]+ ?", "", section, flags=re.M))
    table = (root / "README.md").read_text(encoding="utf-8").split("## Exit status")[1].split("##")[0]
    rows = re.findall(r"^\| ([0-9]+) \| (.*) \|$", table, re.M)
    want(len(rows) > 4, "README.md: no table of exit statuses")
    for status, meaning in rows:
        want(letters(status + meaning) in said, f"reprise.h2m: exit status {status}: {meaning}")


check_man_page()
check_citation()
check_spack()
check_container()
print("\n".join(faults))
sys.exit(bool(faults))
