"""Plants, responses, motions and studies: the same numbers as the command line, and arrays beside them."""
import json
import math
import pickle
import sys
import types

import numpy as np
import pytest
import scipy.signal
import stillpoint as sp
from conftest import exact, interrupted_after


def test_a_plant_is_the_file_of_the_tool(tool, tmp_path):
    lin = sp.read_model("cases/cart_pole").linearize("nearest")
    tool("export", "cases/cart_pole", "--rest", "nearest", "-o", tmp_path / "plant.json")
    theirs = json.loads((tmp_path / "plant.json").read_text())
    ours = lin.plant().to_dict()
    for key in theirs:
        if key not in ("origin", "Origin", "command", "date"):
            assert ours[key] == theirs[key] or "poles" in key or "origin" in key.lower(), key


def test_a_plant_has_the_response_of_its_system():
    lin = sp.read_model("cases/actuated_four_bar").linearize()
    omega = np.geomspace(0.1, 30, 20)
    whole = lin.response(omega).H
    forms = [{"form": form} for form in ("state-space", "modal", "second-order", "descriptor")]
    for options in [*forms, {"method": "ucs", "corrected": True}]:
        plant = lin.plant(**options)
        assert np.abs(plant.response(omega)[:, : whole.shape[1]] - whole).max() < 1e-6 * np.abs(whole).max(), options


def test_a_reduced_plant_keeps_its_bound():
    lin = sp.read_model("cases/flexible_double_pendulum").linearize()
    names = [lin.coordinates[0]]
    small = lin.plant(inputs=names, outputs=names, reduce="modal", order=4)
    assert len(small.states) <= 4 < small.full_order and small.response_error is not None


def test_to_scipy_and_to_control(monkeypatch):
    plant = sp.read_model("cases/cart_pole").linearize("nearest").plant(outputs=["angle"])
    system = plant.to_scipy()
    omega = np.array([0.5, 3.0])
    _, H = scipy.signal.freqresp(system, omega)
    assert np.allclose(H, plant.response(omega)[0, 0], rtol=1e-10)
    with pytest.raises(sp.Error, match="python-control"):
        monkeypatch.setitem(sys.modules, "control", None)
        plant.to_control()
    control, called = types.ModuleType("control"), {}

    def ss(A, B, C, D, **words):
        called.update(words, A=A)
        return "a StateSpace"

    control.ss = ss
    monkeypatch.setitem(sys.modules, "control", control)
    assert plant.to_control() == "a StateSpace"
    assert called["A"] is plant.A and called["outputs"] == ["angle"] and called["inputs"] == ["u"]
    assert called["states"] == plant.states and called["name"] == "cart_pole"


def test_plants_are_written_and_pickled(tmp_path):
    plant = sp.read_model("cases/cart_pole").linearize("nearest").plant()
    plant.write(tmp_path / "plant.npz")
    assert np.array_equal(np.load(tmp_path / "plant.npz")["A"], plant.A)
    again = pickle.loads(pickle.dumps(plant))
    assert np.array_equal(again.A, plant.A) and again.to_dict() == plant.to_dict()
    with pytest.raises(sp.Error, match="was not kept"):
        again.write(tmp_path / "other.npz")


@pytest.mark.parametrize(
    "options, text",
    [
        ({"form": "states"}, "form='states': one of state-space"),
        ({"form": "descriptor", "method": "mcs"}, "is not made by method='mcs'"),
        ({"order": 3}, "order belongs to reduce"),
        ({"keep": "gramian"}, "keep belongs to reduce='modal'"),
        ({"reduce": "balanced", "form": "modal"}, "leave out form and method"),
        ({"corrected": True}, "corrected belongs to method='ucs'"),
        ({"inputs": ["cart.z"]}, "cart."),
        ({"ordr": 3}, "did you mean 'order'"),
    ],
)
def test_mistakes_about_plants(options, text):
    lin = sp.read_model("cases/cart_pole").linearize("nearest")
    with pytest.raises(sp.Error) as caught:
        lin.plant(**options)
    assert text in str(caught.value)


def test_a_system_without_channels_says_what_to_name():
    lin = sp.LinearSystem(M=[[1.0]], K=[[1.0]])
    with pytest.raises(sp.Error, match=r"inputs=\['q\[1\]'\]"):
        lin.plant()
    with pytest.raises(sp.Error, match=r"outputs=\['q\[1\]'\]"):
        lin.response([1.0], inputs=["q[1]"])


def test_a_response_is_that_of_the_tool(tool):
    words = ["--from", "0.1", "--to", "10", "--points", "7", "--unit", "rad", "--input", "phi", "--output", "phi"]
    theirs = tool("response", "cases/four_bar", "--json", *words)
    omega = json.loads(theirs)["omega_rad_s"]
    response = sp.read_model("cases/four_bar").linearize().response(omega, inputs=["phi"], outputs=["phi"])
    assert exact(response.to_json()) == exact(theirs)
    assert response.pair("phi", "phi").shape == (7,) and "<svg" in response._repr_html_()
    with pytest.raises(sp.Error, match="there is no input 'fi'"):
        response.pair("phi", "fi")


@pytest.mark.parametrize(
    "case, words, options",
    [
        ("double_pendulum", ["--until", "1"], {"until": 1}),
        (
            "four_bar",
            ["--until", "2", "--every", "0.5", "--at", "phi=1.5", "--rate", "phi=-1", "--set", "k=0"],
            {"until": 2, "every": 0.5, "at": {"phi": 1.5}, "rate": {"phi": -1}},
        ),
        (
            "actuated_four_bar",
            ["--until", "1", "--input", "motor=2*sin(3*t)", "--all-coordinates"],
            {"until": 1, "inputs": {"motor": "2*sin(3*t)"}, "all_coordinates": True},
        ),
        (
            "four_bar",
            ["--until", "1", "--start", "equilibrium", "--perturb", "mode=1:0.01", "--identify"],
            {"until": 1, "start": "equilibrium", "perturb": (1, 0.01), "identify": True},
        ),
        (
            "double_pendulum",
            ["--until", "1", "--method", "explicit", "--tolerance", "1e-7", "--stabilize", "none", "--form", "kkt"],
            {"until": 1, "method": "explicit", "tolerance": 1e-7, "stabilize": "none", "form": "kkt"},
        ),
        ("double_pendulum", ["--until", "1", "--method", "sdirk"], {"until": 1, "method": "sdirk"}),
    ],
)
def test_motions_are_those_of_the_tool(case, words, options, tool):
    model = sp.read_model(f"cases/{case}", set={"k": 0} if "k=0" in words else None)
    assert exact(model.motion(**options).to_json()) == exact(tool("motion", f"cases/{case}", "--json", *words))


def test_a_motion_goes_on_where_another_ended():
    model = sp.read_model("cases/double_pendulum")
    first = model.motion(0.5, every=0.1)
    second = model.motion(1, every=0.1, start=first)
    whole = model.motion(1, every=0.1)
    name = (whole.output_names or whole.coordinate_names)[0]
    assert second.times[0] == 0.5 and abs(second[name][-1] - whole[name][-1]) < 1e-8


def test_inputs_may_be_tables_and_motions_may_stop():
    model = sp.read_model("cases/cart_pole")
    times = np.linspace(0, 2, 201)
    table = model.motion(2, at={"pole.phi": 0}, inputs={"u": (times, np.sin(3 * times))})
    law = model.motion(2, at={"pole.phi": 0}, inputs={"u": "sin(3*t)"})
    assert np.abs(table["position"] - law["position"]).max() < 1e-6
    stopped = model.motion(2, at={"pole.phi": 0}, inputs={"u": "10"}, stop={"position": 0.1})
    assert stopped.end_time < 2 and stopped.status == "stopped"


@pytest.mark.parametrize(
    "options, text",
    [
        ({"until": -1}, "its end must be later"),
        ({"until": 1, "start": "there"}, "start='there'"),
        ({"until": 1, "perturb": (1, 0.1)}, "perturb needs"),
        ({"until": 1, "inputs": {"w": "1"}}, "there is no input 'w'"),
        ({"until": 1, "inputs": {"u": 3}}, "an expression of the time is meant"),
        ({"until": 1, "inputs": {"u": "sin("}}, "sin("),
        ({"until": 1, "rate": {"pole.fi": 1}}, "there is no coordinate 'pole.fi'"),
        ({"until": 1, "method": "rk4"}, "method='rk4': one of explicit"),
        ({"until": 1, "form": "lagrange"}, "form='lagrange'"),
        ({"until": 1, "stabilize": "hope"}, "stabilize='hope'"),
        ({"until": 1, "every": 0}, "every=0"),
        ({"until": 1, "linear": True}, "linear needs"),
    ],
)
def test_mistakes_about_motions(options, text):
    with pytest.raises(sp.Error) as caught:
        sp.read_model("cases/cart_pole").motion(**options)
    assert text in str(caught.value)


def test_a_motion_begins_at_a_guess_that_is_held_or_not(tool, tmp_path):
    model = sp.read_model("cases/cart_pole")
    (tmp_path / "guess").write_text("pole.phi = 0.4\n")
    words = ["motion", "cases/cart_pole", "--until", "0.1", "--every", "0.05", "--json"]
    ours = model.motion(0.1, every=0.05, guess=tmp_path / "guess")
    assert exact(ours.to_json()) == exact(tool(*words, "--guess", tmp_path / "guess"))
    assert exact(model.motion(0.1, every=0.05, guess={"pole.phi": 0.4}).to_json()) == exact(ours.to_json())
    words = ["motion", "cases/cart_pole", "--until", "0.1", "--start", "equilibrium", "--rest", "nearest", "--json"]
    at_rest = model.motion(0.1, start="equilibrium", rest="nearest", at={"pole.phi": 3.1})
    assert exact(at_rest.to_json()) == exact(tool(*words, "--at", "pole.phi=3.1"))


PRELOADED = """
stillpoint: 1
gravity: [0, -9.81]
mechanism:
  - point: P
    at: [0, -1]
    mass: 2
  - marker: O
    on: ground
    at: [0, 0]
  - spring: hanger
    between: [O, P]
    stiffness: 100
    free_length: 1
    preload: true
"""


def test_preloaded_springs_hold_motions_equilibria_and_pages_as_on_the_command_line(tool, tmp_path):
    (tmp_path / "model.yaml").write_text(PRELOADED)
    path = tmp_path / "model.yaml"
    model = sp.read_model(path)
    moved = model.motion(0.5, every=0.1)
    assert exact(moved.to_json()) == exact(tool("motion", path, "--until", "0.5", "--every", "0.1", "--json"))
    assert np.abs(moved["P.y"] + 1).max() < 1e-9  # it stays where the springs hold it
    pushed = model.motion(0.5, every=0.1, rate={"P.y": 0.3})
    (tmp_path / "pushed.json").write_text(pushed.to_json())
    again = model.motion(1, every=0.1, start=pushed)
    words = ["--until", "1", "--every", "0.1", "--start", tmp_path / "pushed.json", "--json"]
    assert exact(again.to_json()) == exact(tool("motion", path, *words))
    for start in (tmp_path / "pushed.json", str(tmp_path / "pushed.json")):
        assert exact(model.motion(1, every=0.1, start=start).to_json()) == exact(again.to_json())
    whole = model.motion(1, every=0.1, rate={"P.y": 0.3})
    assert np.abs(again["P.y"][-1] - whole["P.y"][-1]) < 1e-8
    found = model.equilibria(starts=3)
    assert exact(found.to_json()) == exact(tool("equilibrium", path, "--equilibria", "--starts", "3", "--json"))
    assert model.report(motion=1).certified


def test_a_sweep_is_that_of_the_tool(tool):
    theirs = tool("sweep", "cases/ziegler_column", "--over", "P=0:3:9", "--json")
    sweep = sp.read_model("cases/ziegler_column").sweep(over={"P": np.linspace(0, 3, 9)})
    assert exact(sweep.to_json()) == exact(theirs)
    assert sweep.s.shape == (2, 9) and sweep.events and "<svg" in sweep.to_svg(locus=True)
    again = pickle.loads(pickle.dumps(sweep))
    assert np.array_equal(again.s, sweep.s, equal_nan=True) and again.to_dict() == sweep.to_dict()


def test_critical_points_are_those_of_the_tool(tool):
    theirs = tool("critical", "cases/ziegler_column", "--over", "P=0:3", "--json")
    found = sp.read_model("cases/ziegler_column").critical(over={"P": (0, 3)})
    assert exact(found.to_json()) == exact(theirs)
    # Ziegler's column with the masses 2 and 1: P l / c = 7/2 - sqrt 2.
    assert abs(found.points[0].parameter - (3.5 - math.sqrt(2))) <= max(1e-9, 10 * found.points[0].error)


def test_targets_are_those_of_the_tool(tool):
    words = ["--over", "k=20:40", "--target", "frequency=0.3", "--mode", "1", "--json"]
    found = sp.read_model("cases/four_bar").critical(over={"k": (20, 40)}, target={"frequency": 0.3}, mode=1)
    assert exact(found.to_json()) == exact(tool("critical", "cases/four_bar", *words))


def test_critical_speeds_are_those_of_the_tool(tool):
    words = ["--set", "kc=-3e4", "--over", "Omega=50:600", "--target", "order=1", "--json"]
    rotor = sp.read_model("cases/jeffcott_rotor", set={"kc": -3e4})
    found = rotor.critical(over={"Omega": (50, 600)}, target={"order": 1})
    assert exact(found.to_json()) == exact(tool("critical", "cases/jeffcott_rotor", *words)) and len(found) > 0
    for point in found:  # the mode turns as fast as the rotor
        assert abs(point.s.imag) == pytest.approx(point.parameter, rel=1e-9)
    with pytest.raises(sp.Error, match="order=0: this must be above zero"):
        rotor.critical(over={"Omega": (50, 600)}, target={"order": 0})


def test_a_path_of_equilibria_is_that_of_the_tool(tool):
    theirs = tool("follow", "cases/four_bar", "--over", "k=-5:25", "--start", "25", "--downwards", "--json")
    branch = sp.read_model("cases/four_bar").follow(over={"k": (-5, 25)}, start=25, downwards=True)
    assert exact(branch.to_json()) == exact(theirs)
    assert branch.q.shape[1] == len(branch.values) == len(branch.verdicts)


def test_sensitivities_are_those_of_the_tool(tool):
    theirs = tool("sensitivity", "cases/four_bar", "--parameters", "k,m", "--count", "2", "--json")
    found = sp.read_model("cases/four_bar").sensitivity(["k", "m"], count=2)
    assert exact(found.to_json()) == exact(theirs)
    assert found.rates.shape[0] == 2


def test_the_table_of_sensitivities_may_be_longer_and_tell_of_the_equilibrium(tool):
    found = sp.read_model("cases/four_bar").sensitivity(count=1)
    assert found.to_text() == str(found) == tool("sensitivity", "cases/four_bar", "--count", "1")
    words = ["--count", "1", "--rows", "2", "--equilibrium"]
    assert found.to_text(rows=2, equilibrium=True) == tool("sensitivity", "cases/four_bar", *words)
    model = sp.read_model("cases/four_bar")
    k, step = model.parameters["k"], 1e-3
    difference = (model.at(k=k + step).equilibrium()["phi"] - model.at(k=k - step).equilibrium()["phi"]) / (2 * step)
    rate = found.equilibrium_rates[found.parameters.index("k"), model.coordinates.index("phi")]
    assert rate == pytest.approx(difference, rel=1e-5) and rate != 0


def test_rates_of_responses_are_those_of_the_tool(tool):
    model = sp.read_model("cases/four_bar")
    words = ["--response", "phi:phi@0.5,phi:B[0].x@2", "--dc-gain", "phi:phi", "--parameters", "k,m", "--json"]
    pairs = [("phi", "phi", 0.5), ("phi", "B[0].x", 2)]
    found = model.sensitivity(["k", "m"], response=pairs, dc_gain=[("phi", "phi")])
    assert exact(found.to_json()) == exact(tool("sensitivity", "cases/four_bar", *words))
    assert found.to_text(rows=1).count(" k ") + found.to_text(rows=1).count(" m ") <= 3
    H = found.H[1]
    step = 1e-4
    above, below = (model.at(k=model.parameters["k"] + sign * step).linearize() for sign in (1, -1))
    moved = [lin.response(found.omega[1:2], ["phi"], ["phi"]).H[0, 0, 0] for lin in (above, below)]
    assert found.rates[0, 1] == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=1e-5)
    ratio = found.rates[0, 1] / H
    assert found.decibel_rates[0, 1] == pytest.approx(20 / math.log(10) * ratio.real)
    assert found.phase_rates[0, 1] == pytest.approx(math.degrees(ratio.imag), abs=1e-12)


def test_the_truth_test_is_that_of_the_tool(tool):
    found = sp.read_model("cases/four_bar", set={"N": 5}).verify()
    assert exact(found.to_json()) == exact(tool("verify", "cases/four_bar", "--set", "N=5", "--json"))
    assert found.agrees and "agree with the motion" in repr(found)


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda m: m.sweep(over="k"), "one name with its values"),
        (lambda m: m.sweep(over={"k": [3, 1]}), "must ascend"),
        (lambda m: m.sweep(over={"k": "many"}), "values of 'k' are meant"),
        (lambda m: m.sweep(over={"q": [1, 2]}), "'q'"),
        (lambda m: m.critical(over={"k": 3}), "the ends of an interval"),
        (lambda m: m.critical(over={"k": (3, 1)}), "must be below"),
        (lambda m: m.critical(over={"k": (20, 40)}, target={"speed": 1}), "target='speed'"),
        (lambda m: m.follow(over={"k": (0, 1)}, start=3), "is not between"),
        (lambda m: m.sensitivity(["kk"]), "'kk'"),
        (lambda m: m.sensitivity(["k"], mode=99), "mode=99"),
        (lambda m: m.sensitivity(["k"], mode=1, dc_gain=[("phi", "phi")]), "mode and response or dc_gain exclude"),
        (lambda m: m.sensitivity(["k"], response=[("phi", "phi")]), "(input, output, hertz) is meant"),
        (lambda m: m.sensitivity(["k"], response=[("phi", "phi", 0)]), "the frequency (Hz) must be above zero"),
        (lambda m: m.sensitivity(["k"], dc_gain=["phi"]), "(input, output) is meant, such as ('motor', 'shaft')"),
        (lambda m: m.sensitivity(["k"], dc_gain=[("phi", "fi")]), "'fi'"),
        (lambda m: m.motion(1, start=m.equilibrium(), at={"phi": 1}), "at: an equilibrium is given"),
        (lambda m: m.motion(1, start=m.motion(0.1), guess={"phi": 1}), "start: another motion is given"),
        (lambda m: m.motion(1, gess={"phi": 1}), "did you mean 'guess'"),
        (lambda m: m.motion(1, start="no_such.json"), "no_such.json"),
        (lambda m: m.motion(1, start="no_such.json", trim=True), "start: another motion is given"),
        (lambda m: m.report(over={"k": [1, 2]}, spacing="cubic"), "spacing='cubic'"),
    ],
)
def test_mistakes_about_studies(wrong, text):
    with pytest.raises(sp.Error) as caught:
        wrong(sp.read_model("cases/four_bar"))
    assert text in str(caught.value)


def test_control_c_ends_motions_and_sweeps():
    model = sp.read_model("cases/four_bar", set={"N": 20})
    assert interrupted_after(0.3, lambda: model.motion(1000, every=1000)) < 0.5
    assert interrupted_after(0.3, lambda: model.sweep(over={"k": np.linspace(20, 100, 200_000)})) < 0.5
