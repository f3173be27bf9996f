"""The JSON of results is that of the command line, digit by digit, less what a clock measures."""
import pytest
import stillpoint as sp
from conftest import CASES, exact


@pytest.mark.parametrize("case", CASES)
def test_equilibrium_of_each_case(case, tool):
    rest = sp.read_model(f"cases/{case}").equilibrium()
    assert exact(rest.to_json()) == exact(tool("equilibrium", f"cases/{case}", "--json"))


@pytest.mark.parametrize("case", CASES)
def test_modes_of_each_case(case, tool):
    modes = sp.read_model(f"cases/{case}").modes()
    assert exact(modes.to_json(shapes=True)) == exact(tool("modes", f"cases/{case}", "--json", "--shapes"))


@pytest.mark.parametrize("case", ["four_bar", "cart_pole", "five_bar_parallelogram", "ziegler_column", "heavy_top"])
def test_comparison(case, tool):
    comparison = sp.read_model(f"cases/{case}").compare()
    ours, theirs = exact(comparison.to_json()), exact(tool("compare", f"cases/{case}", "--json"))
    assert ours == theirs


def test_options_of_a_comparison_mean_the_same(tool):
    comparison = sp.read_model("cases/n_pendulum", set={"N": 120}).compare(count=2)
    theirs = tool("compare", "cases/n_pendulum", "--set", "N=120", "--count", "2", "--shapes", "--all-coordinates", "--json")
    assert exact(comparison.to_json(shapes=True, all_coordinates=True)) == exact(theirs)


def test_texts_list_spurious_eigenvalues_where_they_are_asked_for(tool):
    def timeless(text):
        return [line for line in text.splitlines() if not any(word in line for word in ("method", "time", "µs", "ms"))]

    model = sp.read_model("cases/four_bar")
    for ours, words in (
        (model.compare(spurious=True), ["compare", "cases/four_bar", "--spurious"]),
        (model.modes("ucs", spurious=True), ["modes", "cases/four_bar", "--method", "ucs", "--spurious"]),
    ):
        assert timeless(str(ours)) == timeless(tool(*words))
    assert len(str(model.compare(spurious=True))) > len(str(model.compare()))


def test_equilibria_with_all_coordinates(tool):
    words = ["--equilibria", "--starts", "1", "--all-coordinates", "--json", "--set", "N=120"]
    found = sp.read_model("cases/n_pendulum", set={"N": 120}).equilibria(starts=1, all_coordinates=True)
    assert exact(found.to_json()) == exact(tool("equilibrium", "cases/n_pendulum", *words))


@pytest.mark.parametrize(
    "words, options",
    [
        (["--count", "3"], {"count": 3}),
        (["--band", "0,0.3"], {"band": (0, 0.3)}),
        (["--near", "0,2"], {"near": 2j}),
        (["--unstable"], {"unstable": True}),
        (["--all", "--least-damped", "4"], {"all": True, "least_damped": 4}),
        (["--method", "rcs", "--spurious"], {"method": "rcs", "spurious": True}),
        (["--method", "ucs", "--alpha", "1e6"], {"method": "ucs", "alpha": 1e6}),
        (["--basis", "svd", "--engine", "qz"], {"basis": "svd", "engine": "qz"}),
        (["--count", "2", "--engine", "sparse", "--uncounted"], {"count": 2, "engine": "sparse", "uncounted": True}),
    ],
)
def test_options_of_modes_mean_the_same(words, options, tool):
    modes = sp.read_model("cases/n_pendulum", set={"N": 30}).modes(**options)
    assert exact(modes.to_json()) == exact(tool("modes", "cases/n_pendulum", "--set", "N=30", "--json", *words))


@pytest.mark.parametrize(
    "words, options",
    [
        (["--rest", "nearest", "--at", "phi=1.4"], {"rest": "nearest", "at": {"phi": 1.4}}),
        (["--rest", "check"], {"rest": "check"}),
        (["--rank", "4", "--precision", "1e-4"], {"rank": 4, "precision": 1e-4}),
    ],
)
def test_options_of_the_equilibrium_mean_the_same(words, options, tool):
    rest = sp.read_model("cases/four_bar").equilibrium(**options)
    assert exact(rest.to_json()) == exact(tool("equilibrium", "cases/four_bar", "--json", *words))


def test_trim_holds_the_guess(tool):
    rest = sp.read_model("cases/cart_pole").equilibrium(trim=["u"], at={"pole.phi": 3.141592653589793})
    assert rest.at_rest and rest.trim[0][0] == "u"


def test_check_is_that_of_the_tool(tool):
    assert exact(sp.read_model("cases/governor").check().to_json()) == exact(tool("check", "cases/governor", "--json"))


def test_to_dict_is_the_json_as_a_dictionary(four_bar):
    modes = four_bar.modes()
    assert modes.to_dict()["schema"] == "stillpoint.modes/1"
    assert [complex(*one["s"]) for one in modes.to_dict()["modes"]] == list(modes.s)
