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
from ._answers import Loops, TimeResponse
from ._builder import ModelBuilder
from ._inspections import (
    Controllability,
    Explanation,
    ExplanationBlock,
    Installation,
    Page,
    Scene,
    Sparsity,
    Zeros,
    doctor,
    model_manual,
    model_schema,
    starter_model,
)
from ._loads import EffectiveMasses, RandomResponse
from ._model import Check, Equilibria, Equilibrium, Model, model_from_text, read_model
from ._modes import BranchSpectrum, Comparison, MethodSpectrum, Mode, Modes, Spectrum
from ._motion import Motion
from ._plant import Plant, Response, SingularValues
from ._progress import show_progress
from ._studies import (
    Boundary,
    BranchPoint,
    CriticalPoint,
    CriticalPoints,
    EquilibriumBranch,
    Event,
    ResponseSensitivity,
    Sensitivity,
    StabilityMap,
    Sweep,
    Target,
    Targets,
    Verification,
)
from ._system import LinearSystem, compare, couple, read_linear_system
from ._version import version as __version__

__all__ = [
    "__version__",
    "Boundary",
    "BranchPoint",
    "BranchSpectrum",
    "Check",
    "compare",
    "couple",
    "Comparison",
    "Controllability",
    "CriticalPoint",
    "CriticalPoints",
    "doctor",
    "EffectiveMasses",
    "Equilibria",
    "Equilibrium",
    "EquilibriumBranch",
    "Error",
    "Event",
    "Explanation",
    "ExplanationBlock",
    "Installation",
    "LinearSystem",
    "Loops",
    "MethodSpectrum",
    "Mode",
    "Model",
    "model_from_text",
    "model_manual",
    "model_schema",
    "ModelBuilder",
    "Modes",
    "Motion",
    "Page",
    "most_threads",
    "Plant",
    "RandomResponse",
    "read_linear_system",
    "read_model",
    "Response",
    "ResponseSensitivity",
    "Scene",
    "Sensitivity",
    "set_most_threads",
    "show_progress",
    "SingularValues",
    "Sparsity",
    "Spectrum",
    "StabilityMap",
    "starter_model",
    "Sweep",
    "Target",
    "Targets",
    "TimeResponse",
    "Verification",
    "Zeros",
]

_atexit.register(_end_after_workers)
