"""Motion of a mechanism in time."""
from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from . import _core
from ._result import Result


class Motion(Result):
    """A motion: `times`, `outputs` and `coordinates` (a row for each name), energies, and how the motion ended.

    >>> motion = read_model("cases/double_pendulum").motion(until=1, every=0.1)
    >>> motion
    <Motion of double_pendulum: done, 0 to 1 s at 11 times by explicit>
    >>> float(abs(motion.imbalance).max()) < 1e-8
    True
    """

    name: str
    times: np.ndarray
    outputs: np.ndarray
    output_names: list[str]
    coordinates: np.ndarray
    coordinate_names: list[str]
    kinetic: np.ndarray
    potential: np.ndarray
    work: np.ndarray
    imbalance: np.ndarray
    linear: np.ndarray
    status: str
    message: str
    method: str
    end_time: float
    largest_imbalance: float
    position_drift: float
    rate_drift: float
    singular_times: list[float]
    summary: list[str]

    def __init__(self, handle: _core.MotionReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def __getitem__(self, name: str) -> np.ndarray:
        """An output or a coordinate over time, by name."""
        if name in self.output_names:
            return np.asarray(self.outputs[self.output_names.index(name)])
        if name not in self.coordinate_names:
            _core.refuse_name("output or coordinate", name, self.output_names + self.coordinate_names)
        return np.asarray(self.coordinates[self.coordinate_names.index(name)])

    def to_csv(self) -> str:
        """A line for each time."""
        return str(self)

    def to_npz(self) -> bytes:
        """Arrays for NumPy, as the command line writes them."""
        self._require_handle("the file of arrays")
        return bytes(self._handle.npz())

    def to_svg(self) -> str:
        """Plots over time."""
        self._require_handle("the picture")
        return str(self._handle.svg())

    def __repr__(self) -> str:
        start = f"{self.times[0]:g}" if self.times.size else "0"
        why = f" ({self.message})" if self.message else ""
        return (
            f"<Motion of {self.name}: {self.status}{why}, {start} to {self.end_time:g} s at {self.times.size} times "
            f"by {self.method}>"
        )

    def _repr_html_(self) -> str:
        return self.to_svg() if self._handle is not None else super()._repr_html_()


def motion_request(
    until: float,
    inputs: Optional[Mapping[str, Any]],
    perturb: Optional[tuple[int, float]],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The options of a motion as the library takes them: inputs are expressions of t, or tables (times, values)."""
    request: dict[str, Any] = {"until": float(until), "expressions": {}, "tables": {}, "perturb": perturb}
    for name, what in (inputs or {}).items():
        if isinstance(what, str):
            request["expressions"][name] = what
            continue
        try:
            times, values = (np.asarray(one, dtype=float).ravel().tolist() for one in what)
        except (TypeError, ValueError):
            raise _core.Error(
                f"input of {name!r}: an expression of the time is meant, such as '2*sin(3*t)', or (times, values)"
            ) from None
        request["tables"][name] = (times, values)
    request.update({name: value for name, value in options.items() if value is not None})
    return request
