"""The examples of docstrings run as they stand."""
import doctest
import importlib
import pkgutil

import pytest
import stillpoint as sp

NAMES = ["stillpoint"] + ["stillpoint." + one.name for one in pkgutil.iter_modules(sp.__path__) if one.name != "_core"]


@pytest.mark.parametrize("name", NAMES)
def test_examples_of(name):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=False)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags)
    for test in finder.find(module, name, globs={**vars(sp), "sp": sp}):
        runner.run(test)
    assert runner.failures == 0


def test_every_public_class_and_function_has_an_example():
    without = [
        name
        for name in sp.__all__
        if callable(getattr(sp, name))
        and name not in ("Error", "most_threads", "set_most_threads")
        and ">>>" not in (getattr(sp, name).__doc__ or "")
    ]
    # These come as parts of results, whose examples show them.
    assert set(without) <= {
        *("BranchPoint", "BranchSpectrum", "CriticalPoint", "Event", "MethodSpectrum", "Mode", "Spectrum", "Target"),
        *("Boundary", "ExplanationBlock"),
    }, without
