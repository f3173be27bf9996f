"""Zeros, sparsity, explanations, scenes and pages: what they refuse, and what they write."""
import json

import numpy as np
import pytest
import stillpoint as sp


def two_masses():
    return sp.LinearSystem(M=np.eye(2), K=[[5.0, -1.0], [-1.0, 2.0]], coordinates=["a", "b"])


@pytest.mark.parametrize("wrong, text", [
    (lambda: two_masses().zeros(["a"], ["c"]), "'c'"),
    (lambda: two_masses().zeros(), "inputs=['a']"),
    (lambda: two_masses().zeros(["a"], ["a"], count=3), "count belongs to near"),
    (lambda: two_masses().zeros(["a"], ["a"], near=1j, count=0), "count=0: this must be 1 or more"),
    (lambda: two_masses().sparsity(memory=0), "memory=0: this must be above zero"),
    (lambda: two_masses().explain("verdicts"), "there is no topic 'verdicts' (did you mean 'verdict'?)"),
    (lambda: two_masses().explain("spurious", "mcs"), "'mcs' is no method with spurious eigenvalues"),
    (lambda: two_masses().explain("mode", 0), "'0' is not the number of a mode"),
    (lambda: two_masses().explain("method", 1), "'1' is too much"),
    (lambda: two_masses().explain("verdict")["mode"], "there is no topic 'mode'"),
    (lambda: two_masses().scene(), "has no mechanism that could be drawn"),
    (lambda: two_masses().report(motions=True), "there is no option 'motions'"),
    (lambda: two_masses().report(inputs=["a"], outputs=["a"], frequencies=(5, 2)), "the first frequency must be below"),
    (lambda: two_masses().response(inputs=["a"], outputs=["a"], band=(5, 2)), "the first frequency must be below"),
    (lambda: two_masses().response([1.0], ["a"], ["a"], points=3), "omega and band or points exclude each other"),
    (lambda: sp.read_model("cases/four_bar").scene(modes=-1), "modes=-1: 0 to 1000 are meant"),
    (lambda: sp.read_model("cases/four_bar").scene(amplitude=2), "amplitude=2: 0.001 to 1 is meant"),
    (lambda: sp.read_model("cases/four_bar").scene(modes=1).to_gltf(7), "mode=7: the mechanism has 1 modes"),
    (lambda: sp.read_model("cases/four_bar").report(motion=0), "motion=0: this must be above zero"),
    (lambda: sp.read_model("cases/four_bar").report(over={"kk": [1, 2]}), "'kk'"),
    (lambda: sp.read_model("cases/four_bar").sensitivity("k", presision=1), "did you mean 'precision'"),
    (lambda: sp.read_model("cases/four_bar").sweep({"k": [1, 2], "c": [0, 1]}, spacing=["log"]), "2 words are meant"),
    (lambda: sp.read_model("cases/four_bar").sweep({"k": [1, 2], "c": [0, 1]}, spacing="cubic"), "spacing='cubic'"),
    (lambda: sp.read_model("cases/four_bar").sweep({"k": [1, 2], "input:u": [0, 1]}), "the second one must be one of"),
    (lambda: sp.read_model("cases/four_bar").critical({"k": (1, 2)}, target={"damping": 1}, parameters="c"), "exclude"),
    (lambda: sp.read_model("cases/four_bar").motion(1, pseudoinverse="penrose"), "pseudoinverse='penrose': one of svd"),
    (lambda: sp.read_model("cases/controlled_cart_pole").explain(), "has controllers"),
])  # fmt: skip
def test_each_mistake_has_a_text(wrong, text):
    with pytest.raises(sp.Error) as caught:
        wrong()
    assert text in str(caught.value)


def test_a_guess_is_written_and_read(tmp_path):
    model = sp.read_model("cases/four_bar")
    model.check(assemble=tmp_path / "guess")
    assert model.equilibrium(guess=tmp_path / "guess").at_rest
    values = dict(line.split("#")[0].split("=") for line in (tmp_path / "guess").read_text().splitlines() if "=" in line)
    by_name = {name.strip(): float(value) for name, value in values.items()}
    assert np.array_equal(model.equilibrium(guess=by_name).q, model.equilibrium(guess=tmp_path / "guess").q)
    (tmp_path / "wrong").write_text("phi = 1\nphi is 2\n")
    with pytest.raises(sp.Error, match="wrong:2: 'phi is 2' is not NAME = VALUE"):
        model.equilibrium(guess=tmp_path / "wrong")


def test_pictures_and_files(tmp_path):
    report = two_masses().sparsity(spy=tmp_path / "spy")
    assert len(report.pictures) == 7 and all("<svg" in open(path).read() for path in report.pictures)
    scene = sp.read_model("cases/crank_rocker").scene(modes=1)
    scene.write(tmp_path / "crank.gltf", mode=1)
    scene.write(tmp_path / "crank.json")
    assert json.loads((tmp_path / "crank.gltf").read_text())["asset"]["version"] == "2.0"
    assert json.loads((tmp_path / "crank.json").read_text())["schema"] == "stillpoint.scene/1"
    page = two_masses().report(tmp_path / "page.html", inputs=["a"], outputs=["b"])
    assert (tmp_path / "page.html").read_text() == page.html and page.certified
    ziegler = sp.read_model("cases/ziegler_column")
    for study in (ziegler.sweep(over={"P": [0, 1, 2]}), ziegler.sweep(over={"P": [0, 1, 2], "c": [1.0, 1.1]})):
        (tmp_path / "study.npz").write_bytes(study.to_npz())
        assert len(np.load(tmp_path / "study.npz").files) > 2
        assert study.to_csv().count("\n") > 3 and "<svg" in study.to_svg()


def test_a_page_takes_the_options_of_the_equilibrium(tmp_path):
    model = sp.read_model("cases/controlled_cart_pole")
    closed, opened = model.report(rest="nearest"), model.report(rest="nearest", open="all", frequencies=(None, 5))
    assert (closed.verdict, opened.verdict) == ("asymptotically stable", "unstable")
    cart = sp.read_model("cases/cart_pole")
    hanging, upright = (cart.report(rest="nearest", guess={"pole.phi": phi}).verdict for phi in (0.1, 3.1))
    assert hanging != upright == "unstable"


def test_a_map_is_that_of_the_tool(tool):
    from conftest import exact

    words = ["--set", "b2=0.1", "--over", "P=0:3:13", "--over", "b1=0:0.4:3", "--json"]
    model = sp.read_model("cases/ziegler_column", set={"b2": 0.1})
    map_ = model.sweep(over={"P": np.linspace(0, 3, 13), "b1": np.linspace(0, 0.4, 3)})
    assert exact(map_.to_json()) == exact(tool("sweep", "cases/ziegler_column", *words))
    assert map_.boundaries[0].kind == "flutter" and map_.rows[0] == 0


def test_rates_of_critical_values_are_those_of_the_tool(tool):
    from conftest import exact

    words = ["--set", "b1=0.1", "--set", "b2=0.1", "--over", "P=0:3", "--parameters", "l,c", "--json"]
    model = sp.read_model("cases/ziegler_column", set={"b1": 0.1, "b2": 0.1})
    found = model.critical(over={"P": (0, 3)}, parameters=["l", "c"])
    assert exact(found.to_json()) == exact(tool("critical", "cases/ziegler_column", *words))


def test_an_equilibrium_that_does_not_exist_is_explained():
    why = sp.read_model("cases/four_bar").explain(rest="check", at={"phi": 0.3})
    assert why.blocks[0].topic == "refusal" and "--at phi=0.3 --rest check" in why.to_json() + why.blocks[0].more
