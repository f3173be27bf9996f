"""Modes by one method, and by three beside each other."""
from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

from ._core import ComparisonReport, ModesReport
from ._loads import EffectiveMasses
from ._result import Result

if TYPE_CHECKING:
    from ._system import LinearSystem


class Mode(NamedTuple):
    """One line of the table of modes."""

    s: complex
    frequency: float
    damping: float
    error: float
    description: str


class Spectrum:
    """Eigenvalues with their evidence, each array in the order of |s|; of a pair the one with Im s > 0 comes first.

    `s` (rad/s), `frequency` |Im s|/2π (Hz), `damping` −Re s/|s|, `error` a bound on |s − exact|, `residual`,
    `condition`, `kind` ("true", "spurious", "undecided"), `descriptions` of what moves; `expected` and `found` count
    the eigenvalues, and `certified` says whether it is proved that none is missing; if not, `reasons` say why.
    """

    s: np.ndarray
    frequency: np.ndarray
    damping: np.ndarray
    error: np.ndarray
    residual: np.ndarray
    condition: np.ndarray
    kind: list[str]
    descriptions: list[str]
    method: str
    solver: str
    certified: bool
    reasons: list[str]
    expected: int
    found: int
    at_zero: int
    region: str

    def _take(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts)

    def __len__(self) -> int:
        return len(self.s)

    def __getitem__(self, index: int) -> Mode:
        return Mode(
            complex(self.s[index]),
            float(self.frequency[index]),
            float(self.damping[index]),
            float(self.error[index]),
            self.descriptions[index] if self.descriptions else "",
        )

    @property
    def lowest(self) -> Optional[float]:
        """The lowest frequency that is not zero (Hz); None if there is none."""
        moving = self.frequency[np.isfinite(self.frequency) & (self.frequency > 0)]
        return float(moving.min()) if moving.size else None


class BranchSpectrum(Spectrum):
    """The spectrum of one branch of the motions from a singular configuration."""

    name: str
    verdict: str
    reason: str

    def __init__(self, facts: dict[str, Any]) -> None:
        self._take(facts)

    def __repr__(self) -> str:
        return f"<BranchSpectrum {self.name!r}: {self.verdict}; {len(self)} eigenvalues>"


class Modes(Spectrum, Result):
    """The modes of a linear system by one method, and the verdict on its stability.

    >>> modes = read_model("cases/four_bar", set={"N": 5}).modes()
    >>> modes.verdict, modes.certified, len(modes.s)
    ('stable (conservative)', True, 2)
    >>> print(f"{modes.frequency[0]:.4f} Hz")
    0.2460 Hz
    """

    name: str
    verdict: str
    in_words: str
    reason: str
    unstable: int
    seconds: float
    computed: bool
    why_not: str
    warnings: list[str]
    branches: list[BranchSpectrum]
    effective_masses: Optional[EffectiveMasses]

    def __init__(self, handle: ModesReport, system: LinearSystem) -> None:
        Result.__init__(self, handle)
        facts = handle.facts()
        facts["branches"] = [BranchSpectrum(branch) for branch in facts["branches"]]
        self._take(facts)
        self.name = system.name
        self.effective_masses = None if handle.masses is None else EffectiveMasses(handle.masses, self.name)
        self._system: Optional[LinearSystem] = system

    @cached_property
    def shape(self) -> np.ndarray:
        """Right vectors, one column for each eigenvalue, the largest entry 1; rows in the order of `coordinates`."""
        self._require_handle("the shapes")
        return np.asarray(self._handle.shapes())

    @cached_property
    def left(self) -> np.ndarray:
        """Left vectors, with yᴴ (2sM + C) x = 1."""
        self._require_handle("the left vectors")
        return np.asarray(self._handle.left())

    @cached_property
    def coordinates(self) -> list[str]:
        """The names of the rows of `shape`."""
        assert self._system is not None
        return self._system.coordinates

    @property
    def is_stable(self) -> bool:
        """Whether the verdict is that of a stable equilibrium."""
        return self.verdict in ("asymptotically stable", "stable (conservative)")

    def to_json(self, shapes: bool = False, all_coordinates: bool = False) -> str:
        """The JSON of `stillpoint modes --json`, with --shapes and --all-coordinates if these are asked for."""
        if not shapes and not all_coordinates:
            return super().to_json()
        self._require_handle("the JSON with shapes or all coordinates")
        return str(self._handle.json(shapes, all_coordinates))

    def to_dict(self, shapes: bool = False, all_coordinates: bool = False) -> dict[str, Any]:
        """The same as a dictionary."""
        import json

        return dict(json.loads(self.to_json(shapes, all_coordinates)))

    def _json(self) -> str:
        return str(self._handle.json(False, False))

    def _complete(self) -> None:
        if self._handle is not None:
            _ = self.shape, self.left, self.coordinates

    def __getstate__(self) -> dict[str, Any]:
        return {**Result.__getstate__(self), "_system": None}

    def __repr__(self) -> str:
        if not self.computed:
            return f"<Modes of {self.name}: none, {self.why_not}>"
        lowest = f", lowest {self.lowest:.4g} Hz" if self.lowest is not None else ""
        proof = "certified" if self.certified else "NOT CERTIFIED: " + "; ".join(self.reasons)
        return f"<Modes of {self.name}: {self.in_words}; {len(self)} eigenvalues{lowest}; {proof}>"

    def _repr_html_(self) -> str:
        from ._notebook import modes_html

        return modes_html(self)


class MethodSpectrum(Spectrum):
    """The spectrum by one of three methods, with its largest difference from that of MCS (rad/s)."""

    computed: bool
    why_not: str
    difference: float
    within_error_bounds: Optional[bool]

    def __init__(self, facts: dict[str, Any]) -> None:
        self._take(facts)

    def __repr__(self) -> str:
        if not self.computed:
            return f"<MethodSpectrum {self.method}: none, {self.why_not}>"
        return f"<MethodSpectrum {self.method}: {len(self)} eigenvalues by {self.solver}>"


class Comparison(Result):
    """Three methods side by side: minimal coordinates, multipliers, penalty.

    >>> table = compare(read_model("cases/four_bar", set={"N": 5}).linearize())
    >>> [(method.method, method.within_error_bounds) for method in table.methods]
    [('mcs', None), ('rcs', True), ('ucs', True)]
    """

    verdict: str
    in_words: str
    reason: str
    certified: bool
    warnings: list[str]
    methods: list[MethodSpectrum]

    def __init__(self, handle: ComparisonReport, name: str) -> None:
        super().__init__(handle)
        facts = handle.facts()
        facts["methods"] = [MethodSpectrum(method) for method in facts["methods"]]
        self.__dict__.update(facts)
        self.name = name

    def __getitem__(self, method: str) -> MethodSpectrum:
        return next(one for one in self.methods if one.method == method)

    def to_json(self, shapes: bool = False, all_coordinates: bool = False) -> str:
        """The JSON of `stillpoint compare --json`, with --shapes and --all-coordinates if these are asked for."""
        if not shapes and not all_coordinates:
            return super().to_json()
        self._require_handle("the JSON with shapes or all coordinates")
        return str(self._handle.json(shapes, all_coordinates))

    def _json(self) -> str:
        return str(self._handle.json(False, False))

    def __repr__(self) -> str:
        found = ", ".join(f"{one.method} {len(one)}" if one.computed else f"{one.method} none" for one in self.methods)
        proof = "certified" if self.certified else "NOT CERTIFIED"
        return f"<Comparison of {self.name}: {self.in_words}; eigenvalues: {found}; {proof}>"

    def _repr_html_(self) -> str:
        from ._notebook import comparison_html

        return comparison_html(self)
