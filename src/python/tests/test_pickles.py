"""Models are pickled by their text and parameters, results by their arrays and their JSON; what cannot be kept says so."""
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import stillpoint as sp
from conftest import CASES, ROOT


def again(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("case", CASES)
def test_a_model_comes_back_as_it_was(case):
    model = sp.read_model(f"cases/{case}")
    copy = again(model)
    assert (copy.name, copy.parameters, copy.coordinates) == (model.name, model.parameters, model.coordinates)
    assert repr(copy) == repr(model) and copy.check().to_json() == model.check().to_json()


def test_a_pickle_has_the_parameters_that_were_set(tmp_path):
    model = sp.read_model("cases/four_bar", set={"N": 5}).at(k=100).at(c=2)
    assert (model.parameters["N"], model.parameters["k"], model.parameters["c"]) == (5, 100, 2)
    assert np.array_equal(again(model).modes().s, model.modes().s)
    # In another process, from another folder, where the file cannot be found.
    (tmp_path / "model.pickle").write_bytes(pickle.dumps(model))
    script = "import pickle; print(pickle.load(open('model.pickle', 'rb')).modes().s[0].imag.hex())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, env=_environment())
    assert done.stdout.strip() == float(model.modes().s[0].imag).hex(), done.stderr


def _environment():
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / one) for one in os.environ["PYTHONPATH"].split(":"))}


def test_models_from_text_from_a_builder_and_with_controllers():
    build = sp.ModelBuilder("mine")
    build.scalar("x", value=0, mass=2)
    build.scalar_spring("spring", of="x", stiffness=8)
    for model in (
        build.model(),
        sp.model_from_text(build.text()),
        sp.read_model("cases/controlled_cart_pole"),
        sp.read_model("cases/controlled_cart_pole", controllers=False),
        sp.read_model("cases/controlled_cart_pole").at(kp_angle=130),
    ):
        rest = "nearest" if model.inputs else "stable"
        assert np.array_equal(again(model).linearize(rest).modes().s, model.linearize(rest).modes().s)


def test_parameters_that_were_set_one_after_the_other_all_count():
    base = sp.read_model("cases/four_bar")
    both = sp.read_model("cases/four_bar", set={"k": 100, "c": 2})
    assert np.array_equal(base.at(k=100).at(c=2).modes().s, both.modes().s)
    assert np.array_equal(base.at(k=30).at(k=100, c=2).modes().s, both.modes().s)
    # Studies over another parameter keep them, too.
    over = {"c": [0.0, 1.0, 2.0]}
    assert base.at(k=100).sweep(over=over).to_json() == sp.read_model("cases/four_bar", set={"k": 100}).sweep(over=over).to_json()
    assert base.at(k=100).sensitivity("c").to_json() == sp.read_model("cases/four_bar", set={"k": 100}).sensitivity("c").to_json()


def results():
    model = sp.read_model("cases/cart_pole")
    lin = model.linearize("nearest")
    ziegler = sp.read_model("cases/ziegler_column")
    four_bar = sp.read_model("cases/four_bar")
    yield model.check()
    yield model.equilibrium("nearest")
    yield lin.modes()
    yield lin.compare()
    yield lin.zeros(["u"], ["angle"])
    yield lin.controllability(["u"], ["angle"])
    yield lin.sparsity()
    yield lin.explain("verdict")
    yield model.explain("verdict")
    yield lin.scene(modes=1)
    yield lin.plant(["u"], ["angle"], sample_time=0.01)
    yield lin.response([1.0, 2.0])
    yield lin.singular_values([1.0, 2.0])
    yield sp.read_model("cases/jeffcott_rotor").modes(effective_masses=True).effective_masses
    yield sp.read_model("cases/base_excited").linearize().psd({"base": (1, 1, 9)}, ["felt.y"])
    yield four_bar.sensitivity("k", dc_gain=[("phi", "phi")])
    yield lin.step(["u"], ["angle"], until=0.1)
    yield lin.loops(["u"], ["angle"])
    yield model.motion(0.1)
    yield four_bar.sensitivity("k")
    yield ziegler.sweep(over={"P": [0, 1, 2]})
    yield ziegler.sweep(over={"P": [0, 1, 2], "c": [1.0, 1.1]})
    yield ziegler.critical(over={"P": (0, 3)}, points=5)
    yield four_bar.critical(over={"k": (20, 40)}, target={"frequency": 0.3})
    yield four_bar.follow(over={"k": (20, 30)})
    yield four_bar.verify(count=1)
    yield sp.doctor()


def test_every_result_is_pickled_shown_and_printed():
    seen = set()
    for result in results():
        copy = again(result)
        assert copy.to_json() == result.to_json() and copy.to_dict() == result.to_dict()
        assert str(copy) == str(result) and repr(copy) == repr(result)
        for html in (result._repr_html_(), copy._repr_html_()):
            assert html.strip().startswith("<") and "<script" not in html
        seen.add(type(result).__name__)
    classes = {name for name in sp.__all__ if isinstance(getattr(sp, name), type)}
    parts = {"Spectrum", "MethodSpectrum", "BranchSpectrum", "Mode", "Event", "Boundary", "BranchPoint", "CriticalPoint"}
    others = {"Model", "ModelBuilder", "LinearSystem", "Equilibria", "Page", "Error", "Target", "ExplanationBlock"}
    assert seen == classes - parts - others


def test_equilibria_and_pages_are_pickled():
    found = sp.read_model("cases/von_mises_truss").equilibria(starts=10)
    copy = again(found)
    assert [rest["P.y" if "P.y" in rest.coordinates else rest.coordinates[0]] for rest in copy] and len(copy) == len(found)
    assert copy.to_json() == found.to_json() and str(copy) == str(found)
    page = sp.LinearSystem(M=[[1.0]], K=[[4.0]]).report()
    assert again(page).html == page.html and "srcdoc" in page._repr_html_()


@pytest.mark.parametrize(
    "what",
    [
        lambda: again(sp.read_model("cases/ziegler_column").sweep(over={"P": [0, 1]})).to_svg(),
        lambda: again(sp.read_model("cases/ziegler_column").sweep(over={"P": [0, 1]})).to_npz(),
        lambda: again(sp.read_model("cases/ziegler_column").follow(over={"P": (0, 1)})).to_csv(),
        lambda: again(sp.read_model("cases/four_bar").modes()).to_json(shapes=True),
        lambda: again(sp.read_model("cases/four_bar").motion(0.1)).to_npz(),
        lambda: again(sp.read_model("cases/four_bar").compare()).to_json(shapes=True),
        lambda: again(sp.read_model("cases/four_bar").sensitivity("k")).to_text(rows=1),
        lambda: again(sp.read_model("cases/four_bar").sensitivity("k", dc_gain=[("phi", "phi")])).to_text(rows=1),
        lambda: again(sp.read_model("cases/base_excited").linearize().psd({"base": (1, 1, 9)}, ["felt.y"])).to_svg(),
        lambda: again(sp.read_model("cases/base_excited").linearize().psd({"base": (1, 1, 9)}, ["felt.y"])).to_csv(),
        lambda: again(sp.read_model("cases/cart_pole").linearize("nearest").singular_values([1.0])).to_svg(),
        lambda: again(sp.read_model("cases/four_bar").scene(modes=1)).to_gltf(),
        lambda: sp.read_model("cases/four_bar").linearize(again(sp.read_model("cases/four_bar").equilibrium())),
    ],
)
def test_what_is_not_kept_says_so(what):
    with pytest.raises(sp.Error, match=re.escape("was not kept when this result was pickled")):
        what()
