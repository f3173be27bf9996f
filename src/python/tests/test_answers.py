"""Answers for control: the JSON of the command line, closed forms of a single mass, and errors."""
import numpy as np
import pytest
import stillpoint as sp
from conftest import exact

CASE = "cases/drive_train"
NAMED = {"inputs": ["motor"], "outputs": ["load_speed"]}
WORDS = ["--input", "motor", "--output", "load_speed", "--json"]


@pytest.mark.parametrize("kind", ["step", "impulse"])
def test_an_answer_in_time_is_that_of_the_tool(kind, tool):
    lin = sp.read_model(CASE).linearize()
    ours = getattr(lin, kind)(**NAMED, until=2.0, points=50)
    theirs = tool("response", CASE, *WORDS, f"--{kind}", "--until", "2", "--points", "50")
    assert exact(ours.to_json()) == exact(theirs)


def test_loops_are_those_of_the_tool(tool):
    ours = sp.read_model(CASE).linearize().loops(**NAMED)
    assert exact(ours.to_json()) == exact(tool("response", CASE, *WORDS, "--nyquist"))
    assert "<svg" in ours.to_svg() and "<svg" in ours.to_svg("nichols")


def test_tables_of_loops_and_of_responses_are_those_of_the_tool(tool):
    loops = sp.read_model(CASE).linearize().loops(**NAMED)
    words = ["response", CASE, *WORDS[:-1], "--figures", "--quiet"]
    assert loops.to_text() == str(loops) == tool(*words, "--nyquist")
    assert loops.to_text(as_loops=False, hertz=False) == tool(*words, "--unit", "rad")


def test_a_single_mass_swings_as_its_closed_form():
    lin = sp.LinearSystem(M=[[2.0]], K=[[8.0]], coordinates=["x"])
    step, impulse = (answer(["x"], ["x"], until=5.0, points=101) for answer in (lin.step, lin.impulse))
    # A matrix exponential of two states is exact but for rounding.
    assert np.allclose(step.y[0, 0], (1 - np.cos(2 * step.times)) / 8, atol=1e-13)
    assert np.allclose(impulse.y[0, 0], np.sin(2 * impulse.times) / 4, atol=1e-13)
    assert step.pair("x", "x")["behaviour"] == "oscillates"


def test_wrong_requests_say_what_is_wrong():
    lin = sp.LinearSystem(M=[[2.0]], K=[[8.0]], coordinates=["x"])
    for call, words in (
        (lambda: lin.step(["x"], ["x"], until=0), "until=0: this must be above zero"),
        (lambda: lin.step(["x"], ["x"], points=0), "points=0: this must be 1 or more"),
        (lambda: lin.step(["y"], ["x"]), "'y'"),
        (lambda: lin.loops(["x"], ["x"], band=(-1, 2)), "band"),
        (lambda: lin.loops(["x"], ["x"]).to_svg("bode"), "plot='bode': one of nyquist, nichols"),
    ):
        with pytest.raises(sp.Error, match=words):
            call()
