"""Every mistake is a stillpoint.Error, with the text of the library and the place in the file."""
import numpy as np
import pytest
import stillpoint as sp
from conftest import ROOT

CORPUS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "corpus").glob("*/*.yaml"))


def test_an_error_is_a_value_error_with_its_place():
    with pytest.raises(sp.Error, match="did you mean 'mass'") as caught:
        sp.model_from_text("stillpoint: 1\nmechanism:\n  - body: a\n    at: 0, 0\n    masss: 1\n", file="mine")
    assert isinstance(caught.value, ValueError)
    assert (caught.value.file, caught.value.line) == ("mine", 5)
    assert str(caught.value).startswith("mine:5:")


@pytest.mark.parametrize("path", CORPUS)
def test_texts_of_the_corpus_arrive_unchanged(path, tool):
    import subprocess

    from conftest import BUILD

    said = subprocess.run([BUILD / "stillpoint", "check", path], capture_output=True, text=True, cwd=ROOT).stderr
    try:
        sp.read_model(path)
    except sp.Error as error:
        # The command line breaks long lines and puts "error: " in front.
        assert " ".join(str(error).split()) in " ".join(said.split())
    else:
        assert f"error: {path}:" not in said


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda: sp.read_model("nowhere"), "nowhere"),
        (lambda: sp.read_model("cases/four_bar", set={"n": 3}), "there is no parameter 'n'"),
        (lambda: sp.read_model("cases/four_bar").equilibrium(rest="steady"), "rest='steady': one of stable, nearest"),
        (lambda: sp.read_model("cases/four_bar").equilibrium(at={"fi": 1}), "'fi'"),
        (lambda: sp.read_model("cases/four_bar").equilibrium(trim=["u"]), "there is no input 'u'"),
        (lambda: sp.read_model("cases/four_bar").equilibrium()["fi"], "there is no coordinate 'fi'"),
        (lambda: sp.read_model("cases/four_bar").modes(method="msc"), "method='msc': one of mcs, rcs, ucs is meant"),
        (lambda: sp.read_model("cases/four_bar").modes(engin="qz"), "did you mean 'engine'"),
        (lambda: sp.read_model("cases/four_bar").modes(engine="fast"), "engine='fast': one of auto, dense"),
        (lambda: sp.read_model("cases/four_bar").modes(basis="cq"), "basis='cq'"),
        (lambda: sp.read_model("cases/four_bar").modes(independent=["fi"]), "independent: there is no coordinate"),
        (lambda: sp.read_model("cases/four_bar").modes(basis="svd", independent=["phi"]), "names the coordinates of a"),
        (lambda: sp.read_model("cases/four_bar").modes(basis="svd", engine="sparse"), "a sparse engine needs none"),
        (lambda: sp.read_model("cases/four_bar").modes(band=(3, 1)), "the first below the second"),
        (lambda: sp.read_model("cases/four_bar").modes(near=complex("nan")), "a finite point"),
        (lambda: sp.read_model("cases/four_bar").modes(count=0), "count=0: this must be 1 or more"),
        (lambda: sp.read_model("cases/four_bar").modes(band=(0, 1), unstable=True), "exclude each other"),
        (lambda: sp.read_model("cases/four_bar").modes(count=3, all=True), "count and all exclude each other"),
        (lambda: sp.LinearSystem(M=[[1.0]], K=[[1.0, 2.0]]), "K"),
        (lambda: sp.LinearSystem(M=[[np.nan]], K=[[1.0]]), "M"),
        (lambda: sp.LinearSystem(M=[[1j]], K=[[1.0]]), "M is complex"),
        (lambda: sp.LinearSystem(M=[["a"]], K=[[1.0]]), "M is no matrix of numbers"),
        (lambda: sp.LinearSystem(M=[[1.0]], K=[[1.0]], coordinates=["a", "b"]), "2 coordinate names are given"),
        (lambda: sp.read_linear_system("cases/four_bar"), "four_bar"),
    ],
)
def test_each_mistake_has_a_text(wrong, text):
    with pytest.raises(sp.Error) as caught:
        wrong()
    assert text in str(caught.value)


def test_what_the_numerics_do_not_reach_is_a_result_with_a_status():
    rest = sp.read_model("cases/four_bar").equilibrium(rest="check", at={"phi": 0.3})
    assert not rest.at_rest and rest.status == "not at rest" and "residual" in rest.message
    assert "NOT AT REST" in repr(rest)
    with pytest.raises(sp.Error, match="residual"):
        sp.read_model("cases/four_bar").linearize(rest)


def test_modes_that_are_not_certified_say_why():
    modes = sp.read_model("cases/n_pendulum", set={"N": 20000}).modes(count=20, time_limit=1e-9)
    assert not modes.certified and modes.reasons and "NOT CERTIFIED" in repr(modes)
