"""Results: what they say of themselves, their pictures, and their pickles."""
import pickle
import re

import numpy as np
import stillpoint as sp


def same(a, b):
    return np.array_equal(a, b, equal_nan=True)


def test_representations_say_the_verdict_first(four_bar):
    assert repr(four_bar.equilibrium()).startswith("<Equilibrium of four_bar: stable")
    assert repr(four_bar.modes()).startswith("<Modes of four_bar: stable (conservative); 2 eigenvalues, lowest 0.")
    assert "mcs 2, rcs 38, ucs 26; certified" in repr(four_bar.compare())
    assert "1 degrees of freedom" in repr(four_bar.linearize())
    assert str(four_bar.modes()).startswith("four_bar")


def test_html_has_verdict_table_and_picture_but_no_script(four_bar):
    for one in (four_bar, four_bar.equilibrium(), four_bar.linearize(), four_bar.modes(), four_bar.compare()):
        html = one._repr_html_()
        assert "<table>" in html and "<script" not in html and "onclick" not in html
    assert "✓" in four_bar.modes()._repr_html_() and "<svg" in four_bar.modes()._repr_html_()
    assert len(re.findall("<circle", four_bar.modes()._repr_html_())) == 2
    assert "✕" in sp.read_model("cases/cart_pole").linearize("nearest").modes()._repr_html_()


def test_html_escapes_names():
    lin = sp.LinearSystem(M=[[1.0]], K=[[4.0]], coordinates=["<b>"], name="<script>")
    assert "<script>" not in lin._repr_html_() and "<b>&lt;" not in lin.modes()._repr_html_()


def test_pickles_of_modes_have_everything(four_bar):
    modes = four_bar.modes()
    again = pickle.loads(pickle.dumps(modes))
    for name in ("s", "frequency", "damping", "error", "residual", "condition", "shape", "left"):
        assert same(getattr(again, name), getattr(modes, name)), name
    assert again.to_dict() == modes.to_dict() and str(again) == str(modes) and repr(again) == repr(modes)
    assert again.coordinates == modes.coordinates and again._repr_html_() == modes._repr_html_()
    assert pickle.loads(pickle.dumps(again)).to_json() == modes.to_json()


def test_pickles_of_equilibria_and_comparisons(four_bar):
    rest, table = four_bar.equilibrium(), four_bar.compare()
    again = pickle.loads(pickle.dumps(rest))
    assert same(again.q, rest.q) and again.to_dict() == rest.to_dict() and again["phi"] == rest["phi"]
    again = pickle.loads(pickle.dumps(table))
    assert again.to_dict() == table.to_dict() and same(again["ucs"].s, table["ucs"].s)


def test_pickles_of_systems_are_exact(four_bar):
    lin = four_bar.linearize()
    again = pickle.loads(pickle.dumps(lin))
    for name in ("M", "C", "K", "J"):
        assert same(getattr(again, name).toarray(), getattr(lin, name).toarray())
    assert again.coordinates == lin.coordinates and again.rank == lin.rank and again.name == lin.name


def test_branches_of_a_singular_configuration():
    modes = sp.read_model("cases/five_bar_parallelogram").modes()
    if modes.branches:
        assert all(branch.verdict and len(branch) for branch in modes.branches)
    assert modes.verdict


def test_a_model_builder_makes_what_the_file_makes():
    build = sp.ModelBuilder(
        "cart_pole",
        parameters={"M": 10, "m": 1, "l": 0.5, "g": 9.81},
        gravity="0, -g",
    )
    u = build.input("u")
    cart = build.body("cart", at=(0, 0), mass="M")
    pole = build.body("pole", at=(0, 0), angle=np.pi, mass="m", centre="0, -l")
    build.prismatic("rail", between=["ground", cart])
    build.revolute("hinge", between=[cart, pole])
    build.force("drive", at=cart, vector=(1, 0), input=u)
    assert "revolute" in dir(build) and "the input that scales it" in (build.force.__doc__ or "")
    mine = build.model().linearize(rest="nearest")
    file = sp.read_model("cases/cart_pole").linearize(rest="nearest")
    assert same(mine.K.toarray(), file.K.toarray()) and same(mine.modes().s, file.modes().s)


def test_a_mistake_in_a_builder_has_its_line():
    import pytest

    build = sp.ModelBuilder("mine", parameters={"m": 1}, gravity=(0, -9.81))
    build.add("body", "a", at=(0, 0), mass=1)
    with pytest.raises(sp.Error, match="did you mean 'mass'"):
        build.add("body", "b", at=(0, 0), masss=1)
    with pytest.raises(sp.Error, match="there is no kind of entry 'bodi'.*'body'"):
        build.add("bodi", "b")
    with pytest.raises(sp.Error, match="there is no part of a model 'gravitation'"):
        sp.ModelBuilder(gravitation=9.81)
    with pytest.raises(AttributeError, match=r"kinds\(\) lists"):
        build.bodi("b")
    build.body("b", at=(0, 0), mass=-1)
    build.body("c", at=(0, 0), mass="m")
    with pytest.raises(sp.Error, match=r"added at .*test_results.py:\d+") as caught:
        build.model()
    assert '"b"' in build.text().splitlines()[caught.value.line - 1]
