"""Controllers of model files close their loops in Python as they do on the command line."""
import pytest
import stillpoint as sp
from conftest import exact

CASE = "cases/controlled_cart_pole"


def test_modes_are_those_of_the_closed_loop_and_of_the_mechanism_without_controllers(tool):
    closed = sp.read_model(CASE).modes()
    alone = sp.read_model(CASE, controllers=False).modes()
    assert exact(closed.to_json()) == exact(tool("modes", CASE, "--json"))
    assert exact(alone.to_json()) == exact(tool("modes", CASE, "--open", "all", "--json"))
    assert len(closed.s) > len(alone.s)


def test_one_controller_is_left_out(tool):
    model = sp.read_model(CASE)
    ours = model.linearize(open="station").modes()
    assert exact(ours.to_json()) == exact(tool("modes", CASE, "--open", "station", "--json"))
    assert list(model.linearize(open=["all"]).modes().s) == list(sp.read_model(CASE, controllers=False).modes().s)
    assert model.linearize(open=["balance", "station"]).coordinates == model.linearize(open="all").coordinates


@pytest.mark.parametrize("kind, words", [("loops", ["--nyquist"]), ("response", ["--from", "0.1", "--to", "9", "--points", "5"])])
def test_one_loop_is_broken_at_the_error(kind, words, tool):
    lin = sp.read_model(CASE).linearize(broken="balance")
    options = {} if kind == "loops" else {"band": (0.1, 9), "points": 5}
    ours = getattr(lin, kind)(inputs=["balance.error"], outputs=["balance.feedback"], **options)
    theirs = tool("response", CASE, "--open", "balance", "--input", "balance.error", "--output", "balance.feedback", *words, "--json")
    assert exact(ours.to_json()) == exact(theirs)


def test_a_controller_that_does_not_exist_is_refused():
    for options in ({"open": "statoin"}, {"broken": ["statoin"]}, {"open": "station", "broken": "station"}):
        with pytest.raises(sp.Error, match="there is no controller 'stat"):
            sp.read_model(CASE).linearize(**options)


def test_controllers_follow_the_parameters_of_the_model(tool):
    changed = sp.read_model(CASE, set={"kp_angle": 130}).at(kd_angle=25).modes()
    assert exact(changed.to_json()) == exact(
        tool("modes", CASE, "--set", "kp_angle=130", "--set", "kd_angle=25", "--json")
    )


def test_a_text_may_have_controllers():
    with open(f"{CASE}/model.yaml", encoding="utf-8") as file:
        text = file.read()
    from_text = sp.model_from_text(text).modes()
    assert list(from_text.s) == list(sp.read_model(CASE).modes().s)


def test_what_knows_the_mechanism_alone_refuses_controllers():
    model = sp.read_model(CASE)
    for verb in (
        lambda: model.motion(until=0.1, start="guess"),
        lambda: model.sweep({"m": [1.0, 2.0]}),
        lambda: model.sensitivity(),
        lambda: model.verify(),
    ):
        with pytest.raises(sp.Error, match="has controllers, which act on the linearized model"):
            verb()


def test_a_guess_that_no_input_holds_keeps_its_controllers():
    model, tilted = sp.read_model(CASE), {"pole.phi": 1.2}
    assert not model.equilibrium("nearest", at=tilted, trim=["u"]).at_rest
    lin = model.linearize("nearest", at=tilted, trim=["u"], off_equilibrium=True)
    assert "balance.filtered" in lin.coordinates
