"""Plants for control design, and frequency responses."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

import numpy as np

from . import _core
from ._core import Error
from ._result import Result, place_of_pair


def _dense(matrix: Any) -> np.ndarray:
    return np.asarray(matrix.toarray())


class Plant(Result):
    """ẋ = A x + B u, y = C x + D u, or another `form`, with names, units, poles and notes on its validity. With a
    `sample_time` it is in discrete time, x[k+1] = A x[k] + B u[k]. `objections` tell what speaks against the plant, each
    with the option of `export` that writes it nevertheless.

    `A`, `B`, `C`, `D` are arrays; of the form "descriptor" they and `E` are sparse, and of "second-order" there are
    `M`, `C`, `K`, `B`, `F`, `G`, `D`. `T` and `S` give all coordinates, δq = T x + S u.

    >>> lin = read_model("cases/cart_pole").linearize("nearest")
    >>> plant = lin.plant(inputs=["u"], outputs=["position", "angle"])
    >>> plant
    <Plant cart_pole: state-space by mcs, 4 states; u → position, angle>
    >>> plant.A.shape, plant.poles.real.max().round(3)
    ((4, 4), 4.646)
    """

    form: str
    name: str
    method: str
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    state_units: list[str]
    input_units: list[str]
    output_units: list[str]
    coordinates: list[str]
    poles: np.ndarray
    pole_errors: np.ndarray
    notes: list[str]
    is_rest: bool
    operating_point: dict[str, np.ndarray]
    sample_time: Optional[float]
    sampled_by: str
    objections: list[tuple[str, str]]
    response_error: Optional[float]
    hankel: Optional[np.ndarray]
    error_bound: Optional[float]
    full_order: Optional[int]
    A: Any
    B: Any
    C: Any
    D: Any
    E: Any = None
    M: Any
    K: Any
    F: Any
    G: Any
    T: Any
    S: Any

    def __init__(self, handle: _core.Plant) -> None:
        super().__init__(handle)
        facts = handle.facts()
        matrices = facts.pop("matrices")
        self.__dict__.update(facts)
        is_sparse = self.form in ("descriptor", "second-order")
        self.__dict__.update({name: one if is_sparse else _dense(one) for name, one in matrices.items()})

    def response(self, omega: Any) -> np.ndarray:
        """H(iω), outputs × inputs × frequencies; ω in rad/s. In discrete time H(exp(iωT))."""
        self._require_handle("the plant of the library")
        return np.asarray(self._handle.response(np.atleast_1d(np.asarray(omega, dtype=float))))

    def _explicit(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if self.form in ("descriptor", "second-order"):
            raise Error(f"this plant has the form '{self.form}': a state space has the form 'state-space' or 'modal'")
        return self.A, self.B, self.C, self.D

    def to_scipy(self) -> Any:
        """A scipy.signal.StateSpace.

        >>> lin = read_model("cases/cart_pole").linearize("nearest")
        >>> lin.plant(outputs=["angle"]).to_scipy().A.shape
        (4, 4)
        """
        from scipy.signal import StateSpace

        return StateSpace(*self._explicit(), **({} if self.sample_time is None else {"dt": self.sample_time}))

    def to_control(self) -> Any:
        """A control.StateSpace with names, of the package python-control, which must be installed. A plant in discrete
        time has its sample time there."""
        matrices = self._explicit()
        try:
            import control
        except ImportError:
            raise Error("the package 'control' (python-control) is not installed; to_scipy() needs none") from None
        sampling = () if self.sample_time is None else (self.sample_time,)
        return control.ss(*matrices, *sampling, states=self.states, inputs=self.inputs, outputs=self.outputs, name=self.name)

    def write(self, path: str | Path) -> None:
        """Writes the plant as .mat, .npz, .json, .mo, or as a folder with a slash at its end, with its objections."""
        self._require_handle("the plant of the library")
        self._handle.write(str(path), [reason for _, reason in self.objections])

    def _text(self) -> str:
        return "\n".join([repr(self)[1:-1], *("note: " + note for note in self.notes)])

    def __repr__(self) -> str:
        sampled = f" every {self.sample_time:g} s by {self.sampled_by}" if self.sample_time is not None else ""
        reduced = f" (of {self.full_order})" if self.full_order is not None else ""
        return (
            f"<Plant {self.name}: {self.form} by {self.method}, {len(self.states)} states{reduced}{sampled}; "
            f"{', '.join(self.inputs)} → {', '.join(self.outputs)}>"
        )


class Response(Result):
    """The frequency response of the whole system: `H`, outputs × inputs × frequencies, at `omega` (rad/s).

    >>> lin = LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.4]])
    >>> lin.response([0.0, 2.0], inputs=["q[1]"], outputs=["q[1]"]).H.round(3)
    array([[[0.25+0.j  , 0.  -1.25j]]])
    """

    omega: np.ndarray
    H: np.ndarray
    backward_error: np.ndarray
    inputs: list[str]
    outputs: list[str]
    warnings: list[str]
    name: str

    def __init__(self, handle: _core.Response) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def pair(self, output: str, input: str) -> np.ndarray:
        """The response of one output to one input."""
        return np.asarray(self.H[place_of_pair(self.outputs, self.inputs, output, input)])

    def to_svg(self, hertz: bool = True) -> str:
        """A Bode plot."""
        self._require_handle("the Bode plot")
        return str(self._handle.svg(hertz))

    def __repr__(self) -> str:
        return (
            f"<Response of {self.name}: {len(self.omega)} frequencies; {', '.join(self.inputs)} → "
            f"{', '.join(self.outputs)}>"
        )

    def _repr_html_(self) -> str:
        return self.to_svg() if self._handle is not None and self.H[..., 0].size <= 10 else super()._repr_html_()


class SingularValues(Result):
    """The singular values of the responses of all pairs together: `values` has a row for each, the largest first, and a
    column for each of `omega` (rad/s).

    >>> import numpy as np
    >>> lin = LinearSystem(M=np.eye(2), K=np.diag([4.0, 9.0]), coordinates=["a", "b"])
    >>> lin.singular_values([0.0], ["a", "b"], ["a", "b"]).values.round(4).tolist()
    [[0.25], [0.1111]]
    """

    omega: np.ndarray
    values: np.ndarray
    inputs: list[str]
    outputs: list[str]
    warnings: list[str]
    name: str

    def __init__(self, handle: _core.SingularValuesReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def to_svg(self, hertz: bool = True) -> str:
        """The curves over the frequency."""
        self._require_handle("the picture")
        return str(self._handle.svg(hertz))

    def __repr__(self) -> str:
        return (
            f"<SingularValues of {self.name}: {len(self.values)} at {len(self.omega)} frequencies; "
            f"{', '.join(self.inputs)} → {', '.join(self.outputs)}>"
        )

    def _repr_html_(self) -> str:
        return self.to_svg() if self._handle is not None else super()._repr_html_()


def range_request(
    omega: Any, band: tuple[Optional[float], Optional[float]], points: Optional[int]
) -> dict[str, Any]:
    """Frequencies in rad/s, or a range in Hz and a number of points, as the library takes them."""
    at = None if omega is None else np.atleast_1d(np.asarray(omega, dtype=float))
    ends = [None if hertz is None else hertz * (2 * np.pi) for hertz in band]
    return {"omega": at, "from": ends[0], "to": ends[1], "points": points}
