"""Recipes that nobody runs rot. Reads the fenced blocks of a page: YAML as YAML, Python as Python, shell
as bash, also what is shell within YAML; and of each `reprise` command that it has such a verb and such
options.
check_recipes.py PAGE PROGRAM
check_recipes.py --reframe PAGE PROGRAM ARGUMENT...   what its ReFrame check makes of the JSON of
    compare ARGUMENT..., by stand-ins for what it takes from ReFrame
"""
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import types

try:
    import yaml
except ImportError:
    yaml = None


def blocks(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.M | re.S)


def check_shell(text):
    subprocess.run(["bash", "-n"], input=text.encode(), check=True)


def shells_in(value):
    """The commands of a CI's YAML: `run` of GitHub, `script` of GitLab."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name in ("run", "script"):
                yield from [one] if isinstance(one, str) else one
            else:
                yield from shells_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from shells_in(one)


def check_commands(text, program):
    """Of each `reprise VERB ...`, to the end of the line."""
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True,
                               check=True).stdout
    count = 0
    for verb, rest in re.findall(r"(?<![\w-])reprise (\w+)([^\n]*)", text):
        assert re.search(rf"^ *(Usage|or): +reprise .*\b{verb}\b", help_text, re.M), f"verb {verb}"
        for option in re.findall(r"(?<=\s)--[\w-]+", rest):
            assert f"{option}=" in help_text or f"{option} " in help_text, f"{verb} {option}"
        # a job that is run again finds the folder that it left
        assert verb != "run" or "--out" not in rest or "--resume" in rest, f"run{rest}"
        count += 1
    return count


def check_page(page, program):
    kinds = set()
    for kind, text in blocks(page):
        kinds.add(kind)
        if kind == "python":
            ast.parse(text)
        elif kind == "yaml" and yaml is not None:
            for shell in shells_in(yaml.safe_load(text)):
                check_shell(shell)
        elif kind == "sh":
            check_shell(text)
    assert kinds == {"yaml", "sh", "python"}, kinds
    assert sum(check_commands(text, program) for _, text in blocks(page)) >= 8


def decorator(*_):
    return lambda function: function


def check_reframe(page, program, arguments):
    sanity = types.ModuleType("reframe.utility.sanity")
    sanity.assert_eq = lambda a, b, message: a == b
    sanity.make_performance_function = lambda function, unit, *rest: (function(*rest), unit)
    reframe = types.ModuleType("reframe")
    reframe.simple_test = lambda test: test
    reframe.RunOnlyRegressionTest = object
    utility = types.ModuleType("reframe.utility")
    reframe.utility, utility.sanity = utility, sanity
    sys.modules |= {"reframe": reframe, "reframe.utility": utility,
                    "reframe.utility.sanity": sanity}
    (text,) = [text for kind, text in blocks(page) if kind == "python"]
    names = {"sanity_function": lambda function: function, "run_before": decorator}
    exec(compile(text, page, "exec"), names)
    with tempfile.TemporaryDirectory() as stage:
        with open(os.path.join(stage, "compare.json"), "w+b") as file:
            command = [program, "compare", *arguments, "--format", "json"]
            status = subprocess.run(command, stdout=file, check=False).returncode
            file.seek(0)
            rows = json.load(file)["rows"]
        test = names["Track"]()
        test.stagedir = stage
        assert test.nothing_is_worse() == (status == 0)
        test.take_times()
        timed = {row["job"]: row for row in rows if row["new"] is not None}
        assert timed and test.perf_variables == {job: (row["new"], "s")
                                                 for job, row in timed.items()}
        assert test.reference["*"] == {job: (row["base"], None, None, "s")
                                       for job, row in timed.items()}
    return status


if sys.argv[1] == "--reframe":
    sys.exit(check_reframe(sys.argv[2], sys.argv[3], sys.argv[4:]))
check_page(sys.argv[1], sys.argv[2])
