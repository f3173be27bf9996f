"""Each verb of the command line that writes JSON, on the cases: what Python finds is the same, digit by digit, less what a
clock measures. Where the tool refuses a case, Python refuses it, too.

What takes long is compared on a part of the cases, each time the same, so that every verb sees nine of them or more;
STILLPOINT_ALL_CASES=1 compares all verbs on all cases, which takes minutes.
"""
import json
import os
import re
import subprocess

import pytest
import stillpoint as sp
from conftest import BUILD, CASES, ROOT, exact

LONG = 5  # of the verbs that take long each sees every fifth case
# Large models, for which many a verb takes seconds.
LARGE = {"nafems_fv2", "nafems_fv5", "free_beam", "bricard", *(case for case in CASES if case.startswith("flexible_"))}


def run(*words):
    """The JSON of the tool, or None if it refuses; and what it said."""
    done = subprocess.run([BUILD / "stillpoint", *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    return (done.stdout or None), done.stderr


def timeless(text):
    """Sentences of `explain` tell how long a method took."""
    return exact(re.sub(r"[0-9.]+ (µs|ms|s)\b", "(a while)", text))


def varied(model):
    """A parameter with a value that is not zero, and values a little above it."""
    for name in model.sensitivity(count=1).parameters:
        value = model.parameters[name]
        if value != 0:
            return name, [value, value + 0.01 * abs(value), value + 0.02 * abs(value)]
    pytest.skip("no parameter of this case varies")


def text_of(value):
    return repr(float(value))


def channels(model):
    """Its own inputs and outputs, or a coordinate for those that it does not have."""
    name = model.coordinates[0]
    inputs, outputs = ([] if own else [name] for own in (model.inputs, model.outputs))
    words = [word for flag, names in (("--input", inputs), ("--output", outputs)) for one in names for word in (flag, one)]
    return {"inputs": inputs, "outputs": outputs}, words


# ----- Each verb: what it is called with, and the same in Python


def check(model, case):
    return ["--json"], lambda: model.check()


def equilibria(model, case):
    return ["--equilibria", "--starts", "3", "--json"], lambda: model.equilibria(starts=3)


def compare(model, case):
    return ["--json"], lambda: model.compare()


def sensitivity(model, case):
    return ["--count", "2", "--json"], lambda: model.sensitivity(count=2)


def sweep(model, case):
    name, values = varied(model)
    over = f"{name}=" + ",".join(map(text_of, values))
    return ["--over", over, "--count", "3", "--json"], lambda: model.sweep(over={name: values}, count=3)


def critical(model, case):
    name, (first, _, last) = varied(model)
    over = f"{name}={text_of(first)}:{text_of(last)}:3"
    return ["--over", over, "--json"], lambda: model.critical(over={name: (first, last)}, points=3)


def follow(model, case):
    name, (first, _, last) = varied(model)
    over = f"{name}={text_of(first)}:{text_of(last)}"
    return ["--over", over, "--points", "5", "--json"], lambda: model.follow(over={name: (first, last)}, points=5)


def motion(model, case):
    return ["--until", "0.02", "--every", "0.01", "--json"], lambda: model.motion(0.02, every=0.01)


def verify(model, case):
    return ["--count", "1", "--json"], lambda: model.verify(count=1)


def response(model, case):
    named, words = channels(model)
    range_ = ["--from", "0.5", "--to", "2", "--points", "5", "--json"]
    return [*words, *range_], lambda: model.linearize().response(**named, band=(0.5, 2), points=5)


def zeros(model, case):
    named, words = channels(model)
    if len(model.coordinates) > 30:  # all zeros of a large model take long
        return [*words, "--near", "0,2", "--count", "2", "--json"], lambda: model.zeros(**named, near=2j, count=2)
    return [*words, "--json"], lambda: model.zeros(**named)


def controllability(model, case):
    named, words = channels(model)
    if len(model.coordinates) > 30:  # by the vectors of some modes
        return [*words, "--count", "4", "--json"], lambda: model.controllability(**named, count=4)
    return [*words, "--json"], lambda: model.controllability(**named)


def singular_values(model, case):
    named, words = channels(model)
    range_ = ["--from", "0.5", "--to", "2", "--points", "5", "--singular-values", "--json"]
    return [*words, *range_], lambda: model.linearize().singular_values(**named, band=(0.5, 2), points=5)


def effective_masses(model, case):
    words = ["--effective-masses", "--count", "3", "--json"]
    return words, lambda: model.modes(count=3, effective_masses=True)


def response_rates(model, case):
    named, _ = channels(model)
    pair = (named["inputs"] or model.inputs)[0], (named["outputs"] or model.outputs)[0]
    words = ["--response", f"{pair[0]}:{pair[1]}@0.7", "--json"]
    return words, lambda: model.sensitivity(response=[(*pair, 0.7)])


def sparsity(model, case):
    return ["--json"], lambda: model.sparsity()


def explain(model, case):
    if len(model.coordinates) > 60:
        return ["redundancy", "--json"], lambda: model.explain("redundancy")
    return ["--json"], lambda: model.explain()


def scene(model, case):
    return ["--modes", "2", "--json"], lambda: model.scene(modes=2)


SHORT = [check, response, singular_values, zeros, controllability, explain, scene]
VERBS = [
    *(*SHORT, sparsity, equilibria, compare, sensitivity, response_rates, effective_masses),
    *(verify, sweep, critical, follow, motion),
]
# The verb of the command line, where it is called otherwise.
WORDS = {
    equilibria: "equilibrium",
    singular_values: "response",
    effective_masses: "modes",
    response_rates: "sensitivity",
}


def chosen():
    everything = os.environ.get("STILLPOINT_ALL_CASES")
    for number, verb in enumerate(VERBS):
        for place, case in enumerate(CASES):
            is_quick = case not in LARGE and (verb in SHORT or (place + number) % LONG == 0)
            if everything or is_quick or (case in LARGE and verb in (check, response, scene)):
                yield pytest.param(verb, case, id=f"{verb.__name__}-{case}")


@pytest.mark.parametrize("verb, case", chosen())
def test_verb_on_case(verb, case):
    path = f"cases/{case}"
    model = sp.read_model(path)
    try:
        words, call = verb(model, case)
    except sp.Error:  # no rates are known, so that nothing can be varied: the tool must refuse them, too
        verb, words, call = sensitivity, ["--count", "1", "--json"], lambda: model.sensitivity(count=1)
    theirs, said = run(WORDS.get(verb, verb.__name__), path, *words)
    if theirs is None:
        with pytest.raises(sp.Error):
            call()
        return
    ours = call()
    assert timeless(ours.to_json()) == timeless(theirs), said
    assert str(ours).strip() and repr(ours).startswith("<" if verb is not equilibria else "[")


@pytest.mark.parametrize("case", CASES)
def test_an_exported_plant_is_the_file_of_the_tool(case, tmp_path):
    model = sp.read_model(f"cases/{case}")
    named, words = channels(model)
    _, said = run("export", f"cases/{case}", *words, "-o", tmp_path / "theirs.json")
    if not (tmp_path / "theirs.json").exists():
        with pytest.raises(sp.Error):
            model.linearize().export(tmp_path / "ours.json", **named)
        assert not (tmp_path / "ours.json").exists() and said
        return
    model.linearize().export(tmp_path / "ours.json", **named)
    ours, theirs = (json.loads((tmp_path / f"{who}.json").read_text()) for who in ("ours", "theirs"))
    for plant in (ours, theirs):  # who made it, and when
        assert plant.pop("origin")["overrides"] == []
    assert ours == theirs
