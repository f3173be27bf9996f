"""Plants in discrete time and closed loops beside closed forms, and what `export` refuses."""
import json
import sys
import types

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import stillpoint as sp
from conftest import exact


def oscillator(k=4.0, c=0.4):
    return sp.LinearSystem(M=[[1.0]], C=[[c]], K=[[k]], F=[[1.0]], Hq=[[1.0]], coordinates=["x"], inputs=["u"], outputs=["y"])


def test_zoh_is_the_matrix_exponential():
    plant, sampled = oscillator().plant(), oscillator().plant(sample_time=0.1)
    step = scipy.linalg.expm(0.1 * np.block([[plant.A, plant.B], [np.zeros((1, 3))]]))
    assert np.allclose(sampled.A, step[:2, :2], rtol=0, atol=1e-14)
    assert np.allclose(sampled.B, step[:2, 2:], rtol=0, atol=1e-14)
    assert (sampled.sample_time, sampled.sampled_by, plant.sample_time) == (0.1, "zoh", None)
    assert "every 0.1 s by zoh" in repr(sampled)


@pytest.mark.parametrize("word, scipys", [("zoh", "zoh"), ("foh", "foh"), ("tustin", "bilinear")])
def test_each_hold_has_the_response_that_scipy_finds(word, scipys):
    omega = np.array([0.3, 2.0, 11.0])
    sampled = oscillator().plant(sample_time=0.05, discretise=word)
    theirs = scipy.signal.cont2discrete((*oscillator().plant()._explicit(),), 0.05, method=scipys)
    _, H = scipy.signal.dfreqresp(scipy.signal.dlti(*theirs[:4], dt=0.05), omega * 0.05)
    assert np.allclose(sampled.response(omega)[0, 0], H, rtol=1e-9)
    _, ours = scipy.signal.dfreqresp(sampled.to_scipy(), omega * 0.05)
    assert np.allclose(ours, H, rtol=1e-9) and sampled.to_scipy().dt == 0.05


def test_a_delay_turns_the_phase():
    omega = np.array([0.5, 2.5])
    plain, late = (oscillator().plant(sample_time=0.1, **more) for more in ({}, {"delay": {"u": 0.3}}))
    assert np.allclose(late.response(omega), plain.response(omega) * np.exp(-0.3j * omega), rtol=1e-12)


def test_to_control_has_the_sample_time(monkeypatch):
    control, called = types.ModuleType("control"), []
    control.ss = lambda *matrices, **words: called.append((matrices, words)) or "a StateSpace"
    monkeypatch.setitem(sys.modules, "control", control)
    assert oscillator().plant().to_control() == "a StateSpace"
    assert oscillator().plant(sample_time=0.02, discretise="tustin").to_control() == "a StateSpace"
    (continuous, _), (discrete, words) = called
    assert len(continuous) == 4 and len(discrete) == 5 and discrete[4] == 0.02 and words["inputs"] == ["u"]


@pytest.mark.parametrize("words, options", [
    (["--sample-time", "0.01"], {"sample_time": 0.01}),
    (["--sample-time", "0.01", "--discretise", "tustin"], {"sample_time": 0.01, "discretise": "tustin"}),
    (["--sample-time", "0.01", "--delay", "u=0.02"], {"sample_time": 0.01, "delay": {"u": 0.02}}),
    (["--form", "descriptor"], {"form": "descriptor"}),
    (["--form", "second-order"], {"form": "second-order"}),
    (["--form", "modal"], {"form": "modal"}),
    (["--method", "ucs", "--corrected"], {"method": "ucs", "corrected": True}),
    (["--method", "ucs", "--alpha", "1e6"], {"method": "ucs", "alpha": 1e6}),
    (["--reduce", "krylov", "--order", "2"], {"reduce": "krylov", "order": 2}),
    (["--reduce", "modal", "--order", "2", "--keep", "participation"], {"reduce": "modal", "order": 2, "keep": "participation"}),
    (["--basis", "svd"], {"basis": "svd"}),
])  # fmt: skip
def test_options_of_export_mean_the_same(words, options, tool, tmp_path):
    case = ["cases/cart_pole", "--set", "g=-9.81", "--input", "u", "--output", "position,angle"]  # a crane: stable
    tool("export", *case, *words, "-o", tmp_path / "theirs.json")
    lin = sp.read_model("cases/cart_pole", set={"g": -9.81}).linearize()
    lin.export(tmp_path / "ours.json", ["u"], ["position", "angle"], **options)
    ours, theirs = (exact((tmp_path / f"{who}.json").read_text()) for who in ("ours", "theirs"))
    ours.pop("origin"), theirs.pop("origin")
    assert len(ours.pop("notes")) == len(theirs.pop("notes"))  # which name options as each writes them
    assert ours == theirs


def flat_four_bar():
    settings = {"k": 0, "gx": 9.81, "gy": 0, "phi_guess": 0}
    return sp.read_model("cases/four_bar", set=settings).linearize()


def test_a_singular_configuration_is_exported_only_if_that_is_meant(tmp_path):
    lin, path = flat_four_bar(), tmp_path / "plant.json"
    assert lin.is_singular
    with pytest.raises(sp.Error, match="not exported: the configuration is singular.*singular=True exports nevertheless"):
        lin.export(path, ["phi"], ["phi"])
    assert not path.exists()
    plant = lin.export(path, ["phi"], ["phi"], singular=True)
    assert json.loads(path.read_text())["origin"]["overrides"] == [reason for _, reason in plant.objections]
    assert plant.objections[0][0] == "singular"


@pytest.mark.parametrize("options, text", [
    ({"discretise": "zoh"}, "discretise belongs to sample_time"),
    ({"delay": {"u": 1}}, "delay belongs to sample_time"),
    ({"sample_time": 0}, "sample_time=0: this must be above zero"),
    ({"sample_time": 0.1, "discretise": "euler"}, "discretise='euler': one of zoh, foh, tustin"),
    ({"sample_time": 0.1, "delay": {"u": 0.15}}, "whole number of samples"),
    ({"sample_time": 0.1, "delay": {"w": 0.1}}, "'w'"),
    ({"sample_time": 0.1, "form": "descriptor"}, "state space"),
])  # fmt: skip
def test_mistakes_about_discrete_plants(options, text):
    with pytest.raises(sp.Error) as caught:
        oscillator().plant(**options)
    assert text in str(caught.value)


def test_modelica_is_continuous(tmp_path):
    with pytest.raises(sp.Error, match="written in continuous time"):
        oscillator().export(tmp_path / "plant.mo", sample_time=0.1)


# ----- Closed loops and couplings


def test_a_pd_controller_places_the_poles_of_an_oscillator():
    # ẍ + 0.4 ẋ + 4 x = u, u = −5 x − 5.6 ẋ: s² + 6 s + 9.
    loop = oscillator().close_loop([[-5.0, -5.6]], measured=["x", "x'"], driven=["u"])
    assert np.allclose(loop.modes().s, [-3, -3], atol=1e-6)  # a double pole: √ε


def test_an_integrator_makes_the_characteristic_polynomial():
    # u = ξ, ξ̇ = −2 x: s³ + 0.4 s² + 4 s + 2.
    loop = oscillator().close_loop(measured=["y"], driven=["u"], A=[[0.0]], B=[[-2.0]], C=[[1.0]], D=[[0.0]])
    found = sorted(loop.modes().s, key=lambda s: (s.real, s.imag))
    assert np.allclose(found, sorted(np.roots([1, 0.4, 4, 2]), key=lambda s: (s.real, s.imag)), rtol=1e-10)


def test_two_rods_of_finite_elements_coupled_are_the_whole_rod():
    # A rod fixed at both ends: f = j c / (2 L); n equal lumped masses have ω = 2 √(k/m) sin(jπ/(2(n+1))).
    n, k, m = 9, 100.0, 1.0

    def half(masses, fixed_left):
        K = np.diag(np.full(len(masses), 2 * k)) - k * (np.eye(len(masses), k=1) + np.eye(len(masses), k=-1))
        K[(-1, -1) if fixed_left else (0, 0)] = k
        return sp.LinearSystem(M=np.diag(masses), K=K, coordinates=[f"q{i}" for i in range(len(masses))])

    left, right = half([m] * 4 + [m / 2], True), half([m / 2] + [m] * 4, False)
    whole = sp.couple(left, right, {"q4": "q0"}, prefixes=("left.", "right."))
    exact_omega = 2 * np.sqrt(k / m) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1)))
    assert whole.dof == n and np.allclose(np.sort(whole.modes().s.imag[::2]), exact_omega, rtol=1e-12)


def test_a_lever_couples_by_its_ratio():
    # b = 2 a: (1 + 4·3) ä + (5 + 4·7) a = 0.
    a, b = (sp.LinearSystem(M=[[m]], K=[[k]], coordinates=[n]) for m, k, n in ((1.0, 5.0, "a"), (3.0, 7.0, "b")))
    lever = sp.couple(a, b, [{"a": 2, "b": -1}])
    assert np.allclose(lever.modes().s.imag[0], np.sqrt(33 / 13), rtol=1e-14)


def test_zeros_of_a_loop_are_those_of_the_plant():
    # Feedback moves poles, not zeros: of two masses, force and motion at the first, s² = −k2/m2.
    two = sp.LinearSystem(M=np.diag([1.0, 2.0]), K=[[5.0, -3.0], [-3.0, 3.0]], coordinates=["a", "b"])
    loop = two.close_loop([[-2.0, -1.0]], measured=["a", "a'"], driven=["a"])
    for lin in (two, loop):
        found = lin.zeros(["a"], ["a"])
        assert found.certified and np.allclose(found.s, [1j * np.sqrt(1.5), -1j * np.sqrt(1.5)], atol=1e-10)
        assert len(found) == 2 and found.transmission == [1, 1]
