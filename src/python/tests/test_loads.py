"""Loads of practice: effective masses, rotating unbalance and random loads, as the command line has them and in closed
form, and what each refuses."""
import json
import pickle

import numpy as np
import pytest
import stillpoint as sp
from conftest import exact

ROTOR = "cases/jeffcott_rotor"
SHAKEN = "cases/base_excited"


def lines_of(text):
    """Text without what a clock measured."""
    return [line for line in text.splitlines() if "method" not in line]


@pytest.mark.parametrize(
    "case, words, options",
    [
        (ROTOR, [], {}),
        ("cases/cantilever", ["--count", "6", "--about", "0,2"], {"count": 6, "about": (0, 2)}),
        ("cases/cantilever", ["--band", "0,10", "--about", "centre"], {"band": (0, 10), "about": "centre"}),
        ("cases/four_bar_spatial", ["--about", "1,2,3"], {"about": (1, 2, 3)}),
    ],
)
def test_effective_masses_are_those_of_the_tool(case, words, options, tool):
    modes = sp.read_model(case).modes(effective_masses=True, **options)
    words = ["modes", case, "--effective-masses", *words]
    assert exact(modes.to_json()) == exact(tool(*words, "--json"))
    assert lines_of(str(modes)) == lines_of(tool(*words, "--quiet"))
    masses = modes.effective_masses
    assert masses.to_dict() == modes.to_dict()["effective_masses"]
    assert np.array_equal(masses.sum, masses.mass.sum(axis=0)) or np.allclose(masses.sum, masses.mass.sum(axis=0))
    assert np.allclose(masses.total, masses.moving + masses.held)
    again = pickle.loads(pickle.dumps(modes))
    assert np.array_equal(again.effective_masses.mass, masses.mass) and again.to_json() == modes.to_json()


def test_modes_alone_have_no_effective_masses():
    modes = sp.read_model(ROTOR).modes()
    assert modes.effective_masses is None and "effective_masses" not in modes.to_dict()


def test_a_mass_on_a_spring_moves_with_all_of_its_mass():
    model = sp.model_from_text(
        "stillpoint: 1\nmechanism:\n- point: P\n  at: [1, 0]\n  mass: 3\n"
        "- marker: O\n  on: ground\n  at: [0, 0]\n- marker: Q\n  on: ground\n  at: [1, 1]\n"
        "- spring: k\n  between: [O, P]\n  stiffness: 12\n  free_length: 1\n"
        "- spring: l\n  between: [Q, P]\n  stiffness: 48\n  free_length: 1\n"
    )
    masses = model.modes(effective_masses=True).effective_masses
    assert masses.directions == ["x", "y", "rz"] and masses.certified and masses.all_modes
    assert np.allclose(masses.mass[:, :2], [[3, 0], [0, 3]]) and np.allclose(masses.s, [2j, 4j])
    assert np.allclose(masses.total[:2], 3) and np.allclose(masses.held[:2], 0)


UNBALANCE = ["--unbalance", "fx,fy=2e-4", "--unbalance", "fx,fy=1e-4:90", "--orbit", "disc.x,disc.y"]
UNBALANCES = [("fx", "fy", 2e-4), ("fx", "fy", 1e-4, 90)]


def test_unbalance_is_that_of_the_tool(tool):
    lin = sp.read_model(ROTOR).linearize()
    whirl = lin.unbalance(UNBALANCES, ["disc.x"], orbits=[("disc.x", "disc.y")], band=(10, 100))
    theirs = tool("response", ROTOR, *UNBALANCE, "--output", "disc.x", "--from", "10", "--to", "100", "--json")
    assert exact(whirl.to_json()) == exact(theirs)
    assert whirl.outputs[0] == "disc.x" and "response to unbalance" in whirl.to_svg()
    single = lin.unbalance(("fx", "fy", 2e-4), ["disc.x"], omega=[100.0])
    assert single.to_json() == lin.unbalance([("fx", "fy", 2e-4, 0)], ["disc.x"], omega=100.0).to_json()


@pytest.mark.parametrize("points", [None, 7])
def test_a_rotor_is_linearized_at_each_speed(points, tool):
    model = sp.read_model(ROTOR, set={"kc": -3e4})
    whirl = model.unbalance(UNBALANCES, ["disc.x"], speed_parameter="Omega", band=(60, 90), points=points)
    words = ["--set", "kc=-3e4", "--speed-parameter", "Omega", *UNBALANCE[:4], "--from", "60", "--to", "90"]
    words += ["--points", str(points)] if points else []
    theirs = tool("response", ROTOR, *words, "--output", "disc.x", "--json")
    assert exact(whirl.to_json()) == exact(theirs)
    # Where the model does not depend on its speed, both ways agree, to rounding.
    plain = sp.read_model(ROTOR)
    omega = np.linspace(150, 250, 5)
    at_each = plain.unbalance(UNBALANCES, ["disc.x"], speed_parameter="Omega", omega=omega)
    assert np.allclose(at_each.H, plain.unbalance(UNBALANCES, ["disc.x"], omega=omega).H, rtol=1e-9)


def test_random_loads_are_those_of_the_tool(tool, tmp_path):
    lin = sp.read_model(SHAKEN).linearize()
    theirs = tool("response", SHAKEN, "--psd", "base''=constant:0.1:1:50", "--output", "felt.y,suspension", "--json")
    ours = lin.psd({"base''": (0.1, 1, 50)}, ["felt.y", "suspension"])
    assert exact(ours.to_json()) == exact(theirs)
    assert ours.to_csv().count("\n") == len(ours.frequency) + 1 and "<svg" in ours.to_svg()
    assert ours.psd.shape == (2, 2, len(ours.frequency)) and np.allclose(ours.rms**2, ours.variance)
    table = ([1, 5, 50], [0.1, 0.2, 0.01])
    (tmp_path / "density.csv").write_text("".join(f"{hertz},{value}\n" for hertz, value in zip(*table)))
    shown = ["--from", "1", "--to", "20", "--points", "5"]
    theirs = tool("response", SHAKEN, "--psd", f"base''={tmp_path / 'density.csv'}", "--output", "felt.y", *shown, "--json")
    for density in (table, tmp_path / "density.csv", str(tmp_path / "density.csv")):
        assert exact(lin.psd({"base''": density}, ["felt.y"], band=(1, 20), points=5).to_json()) == exact(theirs)


def test_coherent_inputs_are_those_of_the_tool(tool):
    words = ["--psd", "fx=constant:1", "--psd", "fy=constant:2", "--coherence", "fx,fy=0.5", "--output", "disc.x,disc.y"]
    lin = sp.read_model(ROTOR).linearize()
    ours = lin.psd({"fx": 1, "fy": 2}, ["disc.x", "disc.y"], coherence={("fx", "fy"): 0.5})
    assert exact(ours.to_json()) == exact(tool("response", ROTOR, *words, "--json"))
    apart = lin.psd({"fx": 1, "fy": 2}, ["disc.x", "disc.y"])
    assert np.allclose(apart.rms, ours.rms) and not np.allclose(apart.psd[0, 1], ours.psd[0, 1], atol=0)


def test_white_noise_on_a_mass_has_its_closed_form():
    m, c, k = 2.0, 0.3, 8.0
    lin = sp.LinearSystem(M=[[m]], C=[[c]], K=[[k]], coordinates=["x"])
    shaken = lin.psd({"x": 5.0}, ["x"])
    assert shaken.variance[0] == pytest.approx(5.0 / (4 * c * k), rel=1e-12)  # σ² = S / (4 c k), S one-sided per Hz
    assert shaken.crossing_rate[0] == pytest.approx(np.sqrt(k / m) / (2 * np.pi), rel=1e-12)
    peak = lin.psd({"x": 5.0}, ["x"], omega=[2.0])
    assert peak.psd[0, 0, 0].real == pytest.approx(5.0 / (c * 2.0) ** 2, rel=1e-12)
    assert json.loads(peak.to_json())["schema"] == "stillpoint.random/1"


def own():
    return sp.LinearSystem(M=np.eye(2), K=np.diag([4.0, 9.0]), C=0.1 * np.eye(2), coordinates=["a", "b"])


@pytest.mark.parametrize("wrong, text", [
    (lambda: own().modes(effective_masses=True), "was made from matrices, which do not say where its masses are"),
    (lambda: own().modes(about=(0, 1)), "about belongs to effective_masses=True"),
    (lambda: sp.read_model(ROTOR).modes(effective_masses=True, about="center"), "about='center'"),
    (lambda: sp.read_model(ROTOR).modes(effective_masses=True, about=[1]), "about: 1 numbers"),
    (lambda: sp.read_model("cases/ziegler_column").modes(effective_masses=True), "the stiffness is not symmetric"),
    (lambda: own().unbalance([], ["a"], omega=[1]), "needs an unbalance"),
    (lambda: own().unbalance([("a", "b")], ["a"], omega=[1]), "(first, second, amount) or"),
    (lambda: own().unbalance([("a", "a", 1)], ["a"], omega=[1]), "it needs two inputs"),
    (lambda: own().unbalance([("a", "c", 1)], ["a"], omega=[1]), "'c'"),
    (lambda: own().unbalance([("a", "b", 1)], ["a"], omega=[1], points=3), "omega and band or points exclude"),
    (lambda: own().unbalance([("a", "b", 1)], ["a"], orbits=[("a",)], omega=[1]), "pairs of outputs are meant"),
    (lambda: sp.read_model(ROTOR).unbalance(UNBALANCES, ["disc.x"], speed_parameter="omega", omega=[1]), "'omega'"),
    (lambda: own().psd({}, ["a"]), "needs an input with a spectral density"),
    (lambda: own().psd({"a": "no_such_file"}, ["a"]), "no_such_file"),
    (lambda: own().psd({"a": (1, 2)}, ["a"]), "its spectral density needs a frequency and a value in two lines"),
    (lambda: own().psd({"a": [[1, 2], [3, 4], [5, 6]]}, ["a"]), "psd of 'a': a number, (value, from, to)"),
    (lambda: own().psd({"a": -1.0}, ["a"]), "-1"),
    (lambda: own().psd({"a'''": (1, 1, 5)}, ["a"]), "derivative 3 of an input"),
    (lambda: own().psd({"a": 1, "b": 1}, ["a"], coherence={("a", "c"): 1}), "no spectral density is given for 'c'"),
    (lambda: own().psd({"a": 1, "b": 1}, ["a"], coherence={("a", "a"): 1}), "two inputs are meant"),
    (lambda: own().psd({"a": 1, "b": 1}, ["a"], coherence={("a", "b"): 2}), "must be Hermitian"),
    (lambda: own().psd({"a": 1, "b": 1}, ["a"], coherence={"a": 1}), "pairs of inputs with a number are meant"),
    (lambda: own().psd({"a": 1}, ["a"], points=0), "points=0: this must be 1 or more"),
    (lambda: sp.read_model(SHAKEN).linearize().psd({"base": 1.0}), "has no finite velocity"),
])  # fmt: skip
def test_each_mistake_has_a_text(wrong, text):
    with pytest.raises(sp.Error) as caught:
        wrong()
    assert text in str(caught.value)
