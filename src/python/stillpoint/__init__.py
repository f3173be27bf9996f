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
from ._motion import Motion
from ._plant import Plant, Response
from ._progress import show_progress
from ._studies import (
    BranchPoint,
    CriticalPoint,
    CriticalPoints,
    EquilibriumBranch,
    Event,
    Sensitivity,
    Sweep,
    Target,
    Targets,
    Verification,
)
from ._system import LinearSystem, compare, couple, read_linear_system
from ._version import version as __version__

__all__ = [
    "__version__",
    "BranchPoint",
    "BranchSpectrum",
    "Check",
    "compare",
    "couple",
    "Comparison",
    "CriticalPoint",
    "CriticalPoints",
    "Equilibrium",
    "EquilibriumBranch",
    "Error",
    "Event",
    "LinearSystem",
    "MethodSpectrum",
    "Mode",
    "Model",
    "model_from_text",
    "ModelBuilder",
    "Modes",
    "Motion",
    "most_threads",
    "Plant",
    "read_linear_system",
    "read_model",
    "Response",
    "Sensitivity",
    "set_most_threads",
    "show_progress",
    "Spectrum",
    "Sweep",
    "Target",
    "Targets",
    "Verification",
]

_atexit.register(_end_after_workers)
