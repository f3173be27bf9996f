"""Linearization, modal and stability analysis of constrained multibody systems about equilibrium.

>>> model = read_model("cases/four_bar", set={"N": 5})
>>> rest = model.equilibrium()
>>> lin = model.linearize(rest)
>>> modes = lin.modes()
>>> print(modes.verdict, modes.frequency.round(4))
stable (conservative) [0.246 0.246]
"""
import atexit as _atexit

from ._core import Error, most_threads, set_most_threads
from ._core import end_after_workers as _end_after_workers
from ._model import Check, Equilibrium, Model, ModelBuilder, model_from_text, read_model
from ._modes import BranchSpectrum, Comparison, MethodSpectrum, Mode, Modes, Spectrum
from ._progress import show_progress
from ._system import LinearSystem, compare, read_linear_system
from ._version import version as __version__

__all__ = [
    "BranchSpectrum",
    "Check",
    "Comparison",
    "Equilibrium",
    "Error",
    "LinearSystem",
    "MethodSpectrum",
    "Mode",
    "Model",
    "ModelBuilder",
    "Modes",
    "Spectrum",
    "__version__",
    "compare",
    "model_from_text",
    "most_threads",
    "read_linear_system",
    "read_model",
    "set_most_threads",
    "show_progress",
]

_atexit.register(_end_after_workers)
