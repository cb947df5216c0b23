#!/usr/bin/env python3
"""check_schema.py PACELINE SOURCE: every document of SOURCE satisfies `paceline schema`, and for each keyword of the schema there is a document
that is refused because of it."""
import copy, glob, json, os, subprocess, sys, tempfile

try:
    from jsonschema import Draft7Validator
except ImportError:
    sys.exit("python3-jsonschema is missing: scripts/setup --for-tests installs it")

ANNOTATIONS = {"$schema", "title", "description", "default", "definitions"}
GOOD = {
    "paceline": 1, "algorithm": {"id": "esync", "params": {"local_lr": 0.1}}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
    "groups": [["w0", "w1"]], "edges": [["w0", "w1", {"every": 2}]], "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}],
    "stop": {"rounds": 5}}
PLAIN = dict(GOOD, algorithm={"id": "esync"})  # no parameters: those of all methods are asked for where "if" has lost its condition
SEARCH = {"base": GOOD, "search": {"over": {"/batch_size": {"from": 1, "to": 8, "scale": "log", "integer": True}}, "goal": "accuracy_best", "budget": {"runs": 3}, "halving": {"first": 2}}}
SUITE = {"base": GOOD, "vary": {"/seed": [1, 2], "rates": [{"name": "fast", "set": {"/batch_size": 3}}]}}


def changed(document, pointer, value):
    document = copy.deepcopy(document)
    at = document
    *way, last = [int(k) if k.isdigit() else k for k in pointer.split(" ")]
    for key in way:
        at = at.setdefault(key, {}) if isinstance(at, dict) else at[key]
    at[last] = value
    return document


# keyword: a document that the schema without this keyword accepts
REFUSED = {
    "$ref": changed(GOOD, "colour", "red"),
    "additionalProperties": changed(GOOD, "optimizer colour", "red"),
    "allOf": changed(GOOD, "algorithm params colour", "red"),
    "const": changed(PLAIN, "paceline", 2),
    "else": {"paceline": 1},
    "enum": changed(GOOD, "nodes 0 role", "boss"),
    "exclusiveMaximum": changed(GOOD, "optimizer momentum", 1),
    "exclusiveMinimum": changed(GOOD, "stop seconds", 0),
    "if": changed(GOOD, "partition params", {"k": 3}),
    "items": changed(GOOD, "tags", [1]),
    "maxItems": changed(GOOD, "edges 0", ["w0", "w1", {"every": 2}, 3]),
    "maximum": changed(GOOD, "nodes 1 emulate slowdown", 1e300),
    "minItems": changed(GOOD, "groups 0", []),
    "minProperties": changed(GOOD, "stop", {}),
    "minimum": changed(GOOD, "batch_size", 0),
    "pattern": changed(GOOD, "nodes 0 id", "../x"),
    "patternProperties": changed(SUITE, "vary /seed", 3),
    "properties": changed(GOOD, "wire format", 16),
    "required": changed(SUITE, "vary rates 0", {"name": "fast"}),
    "then": changed(SUITE, "colour", "red"),
    "type": changed(GOOD, "notes", []),
}


def without(schema, keyword):
    """The schema with every occurrence of the keyword taken out; names of properties are no keywords."""
    def strip(node, named):
        if isinstance(node, list):
            return [strip(item, False) for item in node]
        if not isinstance(node, dict):
            return node
        kept = {}
        for key, value in node.items():
            if not named and key == keyword:
                continue
            kept[key] = value if not named and key in ("enum", "const", "default", "required") else strip(value, not named and key in ("properties", "patternProperties", "definitions"))
        return kept
    stripped = strip(schema, False)
    if keyword in ("properties", "patternProperties"):  # what they name is not refused as unknown then
        stripped = without(stripped, "additionalProperties")
    return stripped


def keywords(node, named=False):
    if isinstance(node, list):
        return set().union(*[keywords(item) for item in node])
    if not isinstance(node, dict):
        return set()
    found = set() if named else set(node)
    for key, value in node.items():
        if named or key not in ("enum", "const", "default", "required"):
            found |= keywords(value, not named and key in ("properties", "patternProperties", "definitions"))
    return found


def main(program, source):
    problems = []
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, HOME=home, XDG_CACHE_HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home)
        schema = json.loads(subprocess.run([program, "schema"], env=env, check=True, capture_output=True, text=True).stdout)
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    paths = sorted(glob.glob(source + "/experiments/*.json") + glob.glob(source + "/resources/presets/*.json"))
    if len(paths) < 20:
        problems.append(f"only {len(paths)} documents below {source}")
    for path in paths:
        document = json.load(open(path))
        for held in (document, dict(document, **{"$schema": "paceline.schema.json"})):
            problems += [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(held)]
    for name, document in (("a run", GOOD), ("a suite", SUITE), ("a search", SEARCH)):
        problems += [f"{name}: {error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    emitted = keywords(schema) - ANNOTATIONS
    problems += [f"keyword {keyword} has no document that it refuses" for keyword in sorted(emitted - set(REFUSED))]
    problems += [f"keyword {keyword} is not in the schema" for keyword in sorted(set(REFUSED) - emitted)]
    for keyword, document in REFUSED.items():
        if validator.is_valid(document):
            problems.append(f"{keyword}: its document is accepted")
        elif not Draft7Validator(without(schema, keyword)).is_valid(document):
            problems.append(f"{keyword}: its document is refused without it too")
    for problem in problems:
        print(problem)
    print(f"{len(paths)} documents, {len(REFUSED)} keywords, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
