"""Is what the program prints valid? By results/reprise.schema.json, read by the small validator here,
and by the module jsonschema too where it is there; the two must agree.
check_json.py FILE...      each is one JSON text that the schema allows
check_json.py --planted FILE   changes such a text in every way below, and wants each change refused
check_json.py --words FOLDER   the schema's words are those of the program's sources
"""
import copy
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "results/reprise.schema.json").read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
SAID = {"$schema", "$defs", "title", "description"}


def is_type(value, name):
    if name in ("number", "integer"):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and (name == "number" or value == int(value))
    return isinstance(value, TYPES[name])


def same(a, b):
    """As JSON has it, where 1 is not true."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def faults(value, schema, at="$"):
    """Of a value, by the keywords that our schema uses; another one is an error of ours."""
    out = []
    number = is_type(value, "number")
    for word, rule in schema.items():
        if word == "$ref":
            out += faults(value, SCHEMA["$defs"][rule.removeprefix("#/$defs/")], at)
        elif word == "oneOf":
            tried = [faults(value, one, at) for one in rule]
            if sum(not one for one in tried) != 1:
                out.append(f"{at}: not one of {len(rule)}; the nearest: {min(tried, key=len)}")
        elif word == "const" and not same(value, rule):
            out.append(f"{at}: {value!r} is not {rule!r}")
        elif word == "enum" and not any(same(value, one) for one in rule):
            out.append(f"{at}: {value!r} is not one of {rule}")
        elif word == "type":
            names = rule if isinstance(rule, list) else [rule]
            if not any(is_type(value, name) for name in names):
                out.append(f"{at}: {value!r} is no {names}")
        elif word == "minimum" and number and not value >= rule:
            out.append(f"{at}: {value} is below {rule}")
        elif word == "exclusiveMinimum" and number and not value > rule:
            out.append(f"{at}: {value} is not above {rule}")
        elif word == "required" and isinstance(value, dict):
            out += [f"{at}: without {name}" for name in rule if name not in value]
        elif word == "additionalProperties" and isinstance(value, dict):
            assert rule is False
            out += [f"{at}: has {name}" for name in value if name not in schema["properties"]]
        elif word == "properties" and isinstance(value, dict):
            for name in value.keys() & rule.keys():
                out += faults(value[name], rule[name], f"{at}.{name}")
        elif word == "items" and isinstance(value, list):
            for i, one in enumerate(value):
                out += faults(one, rule, f"{at}[{i}]")
        elif word == "minItems" and isinstance(value, list) and len(value) < rule:
            out.append(f"{at}: fewer than {rule}")
        elif word == "maxItems" and isinstance(value, list) and len(value) > rule:
            out.append(f"{at}: more than {rule}")
        else:
            assert word in SAID | {"const", "enum", "minimum", "exclusiveMinimum", "required",
                                   "additionalProperties", "properties", "items", "minItems",
                                   "maxItems"}, f"this validator does not know {word}"
    return out


def judged(value):
    """Faults, as both validators find them."""
    ours = faults(value, SCHEMA)
    if jsonschema is not None:
        theirs = [error.message for error in
                  jsonschema.Draft202012Validator(SCHEMA).iter_errors(value)]
        assert bool(ours) == bool(theirs), f"ours: {ours}; jsonschema's: {theirs}"
    return ours


def no_constant(word):
    raise ValueError(f"{word} is no JSON")


def no_doubles(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"a field twice: {names}")
    return dict(pairs)


def parsed(path):
    text = pathlib.Path(path).read_bytes().decode("utf-8")  # strict
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_doubles)


def planted(value):
    """(what, a copy with a fault)"""
    def changed(change):
        other = copy.deepcopy(value)
        change(other)
        return other
    yield "another schema", changed(lambda v: v.update(schema="reprise/0"))
    yield "another verb", changed(lambda v: v.update(verb="solve"))
    yield "an exit status that is none", changed(lambda v: v.update(exit_status=True))
    yield "a field more", changed(lambda v: v.update(other=1))
    yield "no object", [value]
    for name in value:
        yield f"without {name}", changed(lambda v, name=name: v.pop(name))
    for name in value["rows"][0]:
        yield f"a row without {name}", changed(lambda v, name=name: v["rows"][0].pop(name))
        yield f"{name} is a list", changed(
            lambda v, name=name: v["rows"][0].update({name: [[]]}))
    yield "a row with a field more", changed(lambda v: v["rows"][0].update(other=None))
    if "interval" in value["rows"][0]:
        for bad in ([1], [1, 2, 3], ["1", "2"], [None, 2]):
            yield f"an interval {bad}", changed(
                lambda v, bad=bad: v["rows"][0].update(interval=bad))
    if "verdict" in value["rows"][0]:
        yield "a verdict that is none", changed(lambda v: v["rows"][0].update(verdict="GOOD"))


def words_of(source, array):
    text = (ROOT / source).read_text(encoding="utf-8")
    return re.findall(r'"([^"]*)"', re.search(array + r"\[[^]]*\] = {(.*?)};", text, re.S)[1])


if sys.argv[1] == "--words":
    for name, source, array in (("finding", "harness/compare/compare.c", "finding_names"),
                                ("verdict_on_cell", "harness/verdict/cells.c", "verdict_names"),
                                ("hold", "harness/verdict/claims.c", "hold_names")):
        there, here = words_of(source, array), SCHEMA["$defs"][name]["enum"]
        if sorted(there) != sorted(here):
            sys.exit(f"{source} has {there}, the schema {here}")
elif sys.argv[1] == "--planted":
    good = parsed(sys.argv[2])
    passed = [what for what, bad in planted(good) if not judged(bad)]
    if good["verb"] == "compare":  # where newest: finds no BASE there is no more than that
        needed = {f"without {name}" for name in SCHEMA["$defs"]["compare"]["required"]}
        passed = [what for what in passed if what in needed or not what.startswith("without ")]
    if judged(good) or passed:
        sys.exit(f"good: {judged(good)}; these pass: {passed}")
else:
    for file in sys.argv[1:]:
        wrong = judged(parsed(file))
        if wrong:
            sys.exit(f"{file}: {wrong[:4]}")
