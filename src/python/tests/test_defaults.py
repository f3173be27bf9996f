"""Defaults have one home: the signatures take theirs from the library, and the command line says the same."""
import inspect
import re
import subprocess

import pytest
import stillpoint as sp
from conftest import BUILD
from stillpoint import _core

# The verb and its option, the function in Python and its parameter, and the name under which the library has the value.
SHARED = [
    ("equilibrium", "--precision", sp.Model.equilibrium, "precision", "precision"),
    ("equilibrium", "--starts", sp.Model.equilibria, "starts", "starts"),
    ("equilibrium", "--seed", sp.Model.equilibria, "seed", "seed"),
    ("verify", "--count", sp.Model.verify, "count", "verified_modes"),
    ("verify", "--amplitude", sp.Model.verify, "amplitude", "verified_amplitude"),
    ("sensitivity", "--count", sp.Model.sensitivity, "count", "sensitive_modes"),
    ("sensitivity", "--rows", sp.Sensitivity.to_text, "rows", "listed_parameters"),
    ("sensitivity", "--rows", sp.ResponseSensitivity.to_text, "rows", "listed_parameters"),
    ("sweep", "--count", sp.Model.sweep, "count", "swept_modes"),
    ("critical", "--over", sp.Model.critical, "points", "points_of_interval"),
    ("follow", "--points", sp.Model.follow, "points", "points_of_path"),
    ("follow", "--step", sp.Model.follow, "step", "step_of_path"),
    ("scene", "--modes", sp.Model.scene, "modes", "drawn_modes"),
    ("scene", "--modes", sp.LinearSystem.scene, "modes", "drawn_modes"),
    ("scene", "--amplitude", sp.LinearSystem.scene, "amplitude", "drawn_amplitude"),
    ("sparsity", "--memory", sp.LinearSystem.sparsity, "memory", "gigabytes"),
    ("motion", "--method", sp.Model.motion, "method", "motion_method"),
    ("motion", "--stabilize", sp.Model.motion, "stabilize", "stabilization"),
    ("motion", "--form", sp.Model.motion, "form", "dynamic_form"),
    ("motion", "--pseudoinverse", sp.Model.motion, "pseudoinverse", "pseudoinverse"),
    ("motion", "--start", sp.Model.motion, "start", "motion_start"),
    ("modes", "--method", sp.LinearSystem.modes, "method", "method"),
    ("equilibrium", "--rest", sp.Model.equilibrium, "rest", "rest"),
]


def stated(verb, option):
    """The default that the help states: "(default: 10)", or "[10]" behind the option."""
    text = subprocess.run([BUILD / "stillpoint", verb, "--help"], capture_output=True, text=True).stdout
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if re.match(rf"\s+(-\w,)?{option}\b", line))
    end = next((i for i in range(start + 1, len(lines)) if re.match(r"\s{2,4}-|\S|$", lines[i])), len(lines))
    entry = " ".join(line.strip() for line in lines[start:end])
    found = re.search(r"\(default: ([^\s;)]+)", entry) or re.search(r"\[([^\s\]]+)\]", entry)
    return found.group(1) if found else None


@pytest.mark.parametrize("verb, option, function, parameter, home", SHARED)
def test_a_default_is_that_of_the_library_and_of_the_command_line(verb, option, function, parameter, home):
    default = inspect.signature(function).parameters[parameter].default
    assert default == _core.usual[home]
    said = stated(verb, option)
    if said is None:
        return  # the help tells it in words, or not at all; the command line takes it from the library, too
    try:
        assert float(said) == float(default)
    except ValueError:
        assert said == default


def test_the_help_states_the_numbers_that_people_ask_for():
    told = {(verb, option) for verb, option, *_ in SHARED if stated(verb, option) is not None}
    counts = {("verify", "--count"), ("sensitivity", "--count"), ("sensitivity", "--rows"), ("sweep", "--count"), ("critical", "--over")}
    assert told >= counts | {("follow", "--points"), ("follow", "--step"), ("scene", "--modes"), ("scene", "--amplitude")}


def test_the_usual_values_are_all_in_use():
    used = {home for *_, home in SHARED}
    assert set(_core.usual) - used <= {"page_modes", "zeros"}  # these are options without a signature


def test_no_signature_repeats_a_value():
    """A number or a word in a signature would be a second home; what is not in the library is off, or zero."""
    for owner in (sp.Model, sp.LinearSystem):
        for name, function in inspect.getmembers(owner, inspect.isfunction):
            source = inspect.getsource(function).split('"""')[0]
            values = re.findall(r"= ([0-9][0-9.e+-]*|\"\w+\")[,)\n]", source)
            assert set(values) <= {"0", '"linear"', '"controller"', '"system"'}, (owner.__name__, name, values)
