"""Results of studies over parameters, and of the truth test."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _core
from ._core import Error
from ._result import Result


def one_of(over: Mapping[str, Any]) -> tuple[str, Any]:
    """The name and the values of `over={name: values}`."""
    if not isinstance(over, Mapping) or len(over) != 1:
        raise Error("over: one name with its values is meant, such as over={'k': (1, 100)}")
    return next((str(name), values) for name, values in over.items())


def interval_of(over: Mapping[str, Any]) -> tuple[str, float, float]:
    """The name and the ends of `over={name: (from, to)}`."""
    name, ends = one_of(over)
    try:
        start, end = (float(one) for one in ends)
    except (TypeError, ValueError):
        raise Error(f"over: the ends of an interval are meant, such as over={{{name!r}: (0, 3)}}") from None
    if not start < end:
        raise Error(f"over={{{name!r}: ({start:g}, {end:g})}}: the first end must be below the second")
    return name, start, end


def values_of(over: Mapping[str, Any]) -> tuple[str, list[float]]:
    """The name and the ascending values of `over={name: values}`."""
    name, values = one_of(over)
    try:
        numbers = np.asarray(values, dtype=float).ravel()
    except (TypeError, ValueError):
        raise Error(f"over: values of {name!r} are meant, such as np.linspace(1, 100, 50)") from None
    if numbers.size == 0 or not (np.diff(numbers) > 0).all():
        raise Error(f"over: the values of {name!r} must ascend, and there must be one or more")
    return name, [float(one) for one in numbers]


class Sensitivity(Result):
    """How equilibrium and modes change with parameters.

    Rows belong to `parameters`, columns to the modes `s`: `rates` ds/dp, `frequency_rates` (Hz) and `damping_rates`;
    `frozen` are rates with the equilibrium held where it is. `equilibrium_rates` are those of the coordinates, a column
    for each. A parameter without rates says why in `refused`.

    >>> found = read_model("cases/four_bar").sensitivity(["k", "m"], count=1)
    >>> found.parameters, found.frequency_rates.round(5).tolist()
    (['k', 'm'], [[-0.01274], [0.31839]])
    """

    name: str
    parameters: list[str]
    values: np.ndarray
    refused: list[str]
    s: np.ndarray
    rates: np.ndarray
    frozen: np.ndarray
    frequency_rates: np.ndarray
    damping_rates: np.ndarray
    equilibrium_rates: np.ndarray
    warnings: list[str]

    def __init__(self, handle: _core.SensitivityReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def to_text(self, rows: int = _core.usual["listed_parameters"], equilibrium: bool = False) -> str:
        """The table of the command line, with so many parameters for each mode, and with how far the coordinates move."""
        self._require_handle("the table")
        return str(self._handle.text(rows, equilibrium))

    def _text(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Sensitivity of {self.name}: {len(self.s)} modes, {', '.join(self.parameters)}>"


class ResponseSensitivity(Result):
    """How numbers of a frequency response change with parameters.

    Columns belong to the pairs `inputs`, `outputs` at `omega` (rad/s; 0: the DC gain), which have the values `H`; rows to
    `parameters`: `rates` dH/dp with bounds `errors`, and those of the magnitude in dB, `decibel_rates`, and of the phase
    in degrees, `phase_rates`. A parameter without rates says why in `refused`.

    >>> model = read_model("cases/four_bar")
    >>> found = model.sensitivity("k", response=[("phi", "phi", 0.5)], dc_gain=[("phi", "phi")])
    >>> found
    <ResponseSensitivity of four_bar: phi → phi at 0 Hz, phi → phi at 0.5 Hz; k>
    >>> found.rates.shape
    (1, 2)
    """

    name: str
    parameters: list[str]
    values: np.ndarray
    refused: list[str]
    inputs: list[str]
    outputs: list[str]
    omega: np.ndarray
    H: np.ndarray
    rates: np.ndarray
    errors: np.ndarray
    decibel_rates: np.ndarray
    phase_rates: np.ndarray

    def __init__(self, handle: _core.ResponseSensitivityReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def to_text(self, rows: int = _core.usual["listed_parameters"]) -> str:
        """The table of the command line, with so many parameters for each response."""
        self._require_handle("the table")
        return str(self._handle.text(rows))

    def _text(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        pairs = ", ".join(
            f"{input} → {output} at {omega / (2 * np.pi):.6g} Hz"
            for input, output, omega in zip(self.inputs, self.outputs, self.omega)
        )
        return f"<ResponseSensitivity of {self.name}: {pairs}; {', '.join(self.parameters)}>"


class Event(NamedTuple):
    """What happens between the points of a sweep."""

    kind: str
    parameter: float
    error: float
    s: complex
    branches: list[int]
    gap: float
    destabilizes: bool


class Sweep(Result):
    """Modes over one parameter: `s` has a row for each branch of eigenvalues that is followed, a column for each of
    `values`, and is NaN where a branch does not exist.

    `verdicts` and `q` belong to the points; `events` lie between them. `is_partial` and `ended` say whether and why
    the study ended early.

    >>> import numpy as np
    >>> sweep = read_model("cases/ziegler_column").sweep(over={"P": np.linspace(0, 3, 13)})
    >>> sweep
    <Sweep of ziegler_column over P: 13 points, 2 branches; flutter at 2.08579>
    """

    name: str
    parameter: str
    unit: str
    values: np.ndarray
    s: np.ndarray
    q: np.ndarray
    verdicts: list[str]
    certified: list[bool]
    events: list[Event]
    uncertain: list[tuple[float, float]]
    is_partial: bool
    ended: str

    def __init__(self, handle: _core.SweepReport) -> None:
        super().__init__(handle)
        facts = handle.facts()
        facts["events"] = [Event(**event) for event in facts["events"]]
        self.__dict__.update(facts)

    @property
    def frequency(self) -> np.ndarray:
        """|Im s|/2π (Hz)."""
        return np.asarray(np.abs(self.s.imag) / (2 * np.pi))

    @property
    def damping(self) -> np.ndarray:
        """−Re s/|s|."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(-self.s.real / np.abs(self.s))

    def to_csv(self) -> str:
        """A line for each point."""
        self._require_handle("the table")
        return str(self._handle.csv())

    def to_npz(self) -> bytes:
        """Arrays for NumPy, as the command line writes them."""
        self._require_handle("the file of arrays")
        return bytes(self._handle.npz())

    def to_svg(self, locus: bool = False) -> str:
        """A picture of frequencies and real parts, or of the eigenvalues in the complex plane."""
        self._require_handle("the picture")
        return str(self._handle.svg(locus))

    def __repr__(self) -> str:
        events = ", ".join(f"{event.kind} at {event.parameter:.6g}" for event in self.events[:4])
        more = f", {len(self.events) - 4} more" if len(self.events) > 4 else ""
        early = f"; ENDED EARLY: {self.ended}" if self.is_partial else ""
        return (
            f"<Sweep of {self.name} over {self.parameter}: {len(self.values)} points, {len(self.s)} branches; "
            f"{events or 'no events'}{more}{early}>"
        )

    def _repr_html_(self) -> str:
        return self.to_svg() if self._handle is not None else super()._repr_html_()


class Boundary(NamedTuple):
    """A curve over two parameters on which stability changes, at points `first`, `second`."""

    kind: str
    destabilizes: bool
    first: np.ndarray
    second: np.ndarray
    error: np.ndarray


class StabilityMap(Result):
    """Where it is stable over two parameters: `boundaries` are the curves on which that changes.

    >>> import numpy as np
    >>> model = read_model("cases/ziegler_column", set={"b2": 0.1})
    >>> map = model.sweep(over={"P": np.linspace(0, 3, 13), "b1": [0, 0.2, 0.4]})
    >>> map
    <StabilityMap of ziegler_column over P and b1: 1 boundaries by flutter>
    """

    name: str
    first: str
    second: str
    rows: list[float]
    boundaries: list[Boundary]
    is_partial: bool
    ended: str

    def __init__(self, handle: _core.MapReport) -> None:
        super().__init__(handle)
        facts = handle.facts()
        facts["boundaries"] = [Boundary(**boundary) for boundary in facts["boundaries"]]
        self.__dict__.update(facts)

    def to_csv(self) -> str:
        """A line for each point."""
        self._require_handle("the table")
        return str(self._handle.csv())

    def to_npz(self) -> bytes:
        """Arrays for NumPy, as the command line writes them."""
        self._require_handle("the file of arrays")
        return bytes(self._handle.npz())

    def to_svg(self) -> str:
        """Where it is stable, over both parameters."""
        self._require_handle("the picture")
        return str(self._handle.svg())

    def __repr__(self) -> str:
        kinds = sorted({boundary.kind for boundary in self.boundaries})
        early = f"; ENDED EARLY: {self.ended}" if self.is_partial else ""
        return (
            f"<StabilityMap of {self.name} over {self.first} and {self.second}: {len(self.boundaries)} boundaries"
            f"{' by ' + ' and '.join(kinds) if kinds else ''}{early}>"
        )

    def _repr_html_(self) -> str:
        return self.to_svg() if self._handle is not None else super()._repr_html_()


class CriticalPoint(NamedTuple):
    """A value of the parameter at which stability changes, or at which eigenvalues meet."""

    kind: str
    parameter: float
    error: float
    s: complex
    slope: complex
    shape: np.ndarray
    unstable_before: int
    unstable_after: int
    certified: bool
    note: str


class CriticalPoints(Result):
    """The values of a parameter at which stability changes, each with an error bound.

    >>> found = read_model("cases/ziegler_column").critical(over={"P": (0, 3)})
    >>> [(point.kind, round(point.parameter, 6), point.certified) for point in found]
    [('flutter', 2.085786, True)]
    """

    name: str
    parameter: str
    points: list[CriticalPoint]
    is_partial: bool
    is_explained: bool
    ended: str

    def __init__(self, handle: _core.CriticalReport) -> None:
        super().__init__(handle)
        facts = handle.facts()
        facts["points"] = [CriticalPoint(**point) for point in facts["points"]]
        self.__dict__.update(facts)

    def __iter__(self) -> Iterator[CriticalPoint]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        points = ", ".join(f"{one.kind} at {one.parameter:.8g} ± {one.error:.0e}" for one in self.points)
        return f"<CriticalPoints of {self.name} over {self.parameter}: {points or 'none'}>"


class Target(NamedTuple):
    """A value of the parameter at which a mode has what was asked for."""

    parameter: float
    error: float
    mode: int
    s: complex
    slope: complex


class Targets(Result):
    """Where a mode has a frequency or a damping ratio.

    >>> found = read_model("cases/four_bar").critical(over={"k": (20, 40)}, target={"frequency": 0.3}, mode=1)
    >>> len(found)
    1
    """

    name: str
    parameter: str
    points: list[Target]
    is_partial: bool
    ended: str

    def __init__(self, handle: _core.TargetsReport) -> None:
        super().__init__(handle)
        facts = handle.facts()
        facts["points"] = [Target(**point) for point in facts["points"]]
        self.__dict__.update(facts)

    def __iter__(self) -> Iterator[Target]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        points = ", ".join(f"{one.parameter:.8g} ± {one.error:.0e}" for one in self.points)
        return f"<Targets of {self.name} over {self.parameter}: {points or 'none'}>"


class BranchPoint(NamedTuple):
    """A fold, or a point where another branch crosses."""

    kind: str
    parameter: float
    error: float
    length: float
    q: np.ndarray
    direction: np.ndarray


class EquilibriumBranch(Result):
    """A path of equilibria over a parameter, through folds: `values`, `q` (a column for each), `verdicts`, `events`.

    >>> branch = read_model("cases/von_mises_truss").follow(over={"P": (-60, 60)}, start=0)
    >>> [event.kind for event in branch.events]
    ['fold', 'fold']
    """

    name: str
    parameter: str
    unit: str
    values: np.ndarray
    lengths: np.ndarray
    q: np.ndarray
    verdicts: list[str]
    events: list[BranchPoint]
    crossing: list[EquilibriumBranch]
    reached_end: bool
    ended: str

    def __init__(self, handle: Optional[_core.BranchReport], facts: Optional[dict[str, Any]] = None) -> None:
        super().__init__(handle)
        known = facts if facts is not None or handle is None else handle.facts()
        assert known is not None
        known["events"] = [BranchPoint(**event) for event in known["events"]]
        known["crossing"] = [EquilibriumBranch(None, other) for other in known["crossing"]]
        self.__dict__.update(known)
        self._kept = {"json": "{}", "text": ""}

    def to_csv(self) -> str:
        """A line for each point."""
        self._require_handle("the table")
        return str(self._handle.csv())

    def to_svg(self, coordinate: str) -> str:
        """A coordinate over the parameter; unstable parts are dashed."""
        self._require_handle("the picture")
        return str(self._handle.svg(coordinate))

    def __repr__(self) -> str:
        events = ", ".join(f"{event.kind} at {event.parameter:.6g}" for event in self.events)
        early = "" if self.reached_end else f"; ENDED: {self.ended}"
        return (
            f"<EquilibriumBranch of {self.name} over {self.parameter}: {len(self.values)} points; "
            f"{events or 'no events'}{early}>"
        )


class Verification(Result):
    """The truth test: eigenvalues `s` beside those that the motion of the mechanism shows, `from_motion`.

    >>> read_model("cases/four_bar", set={"N": 5}).verify().agrees
    True
    """

    name: str
    s: np.ndarray
    from_motion: np.ndarray
    difference: np.ndarray
    bar: np.ndarray
    is_done: list[bool]
    agree: list[bool]
    notes: list[str]
    branches: list[str]
    agrees: bool
    warnings: list[str]

    def __init__(self, handle: _core.VerificationReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def __repr__(self) -> str:
        done = sum(self.is_done)
        agreeing = sum(one for one, is_done in zip(self.agree, self.is_done) if is_done)
        return f"<Verification of {self.name}: {agreeing} of {done} modes agree with the motion>"


def responses_of(
    response: Sequence[tuple[str, str, float]], dc_gain: Sequence[tuple[str, str]]
) -> list[tuple[str, str, float]]:
    """(input, output, hertz) for each number of a response that is asked for; DC gains come first."""
    found = []
    for name, asked, meant in (
        ("dc_gain", [(*one, 0.0) for one in dc_gain], "(input, output)"),
        ("response", list(response), "(input, output, hertz)"),
    ):
        for one in asked:
            try:
                input, output, hertz = one
                found.append((str(input), str(output), float(hertz)))
            except (TypeError, ValueError):
                raise Error(f"{name}: {one!r}: {meant} is meant, such as ('motor', 'shaft'{', 3' * (name != 'dc_gain')})") from None
            if name == "response" and not found[-1][2] > 0:
                raise Error(f"response: {one!r}: the frequency (Hz) must be above zero; dc_gain asks for that at zero")
    return found


def names_of(parameters: Sequence[str] | str) -> list[str]:
    """A name alone, or several."""
    return [parameters] if isinstance(parameters, str) else [str(one) for one in parameters]


def spacing_of(spacing: str | Sequence[str], count: int) -> list[str]:
    """One word for all parameters, or one for each."""
    words = [spacing] * count if isinstance(spacing, str) else [str(one) for one in spacing]
    if len(words) != count:
        raise Error(f"spacing: {count} {'word is' if count == 1 else 'words are'} meant, 'linear' or 'log'")
    return words
