"""Models, their equilibria, and what is found from them."""
from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

import json

import numpy as np

from . import _core
from ._modes import Comparison, Modes
from ._motion import Motion, motion_request
from ._progress import shown
from ._result import Result
from ._studies import (
    CriticalPoints,
    EquilibriumBranch,
    Sensitivity,
    Sweep,
    Targets,
    Verification,
    interval_of,
    names_of,
    one_of,
    values_of,
)
from ._system import LinearSystem


def _pairs(values: Optional[Mapping[str, float]]) -> list[tuple[str, float]]:
    return [(str(name), float(value)) for name, value in (values or {}).items()]


class Equilibrium(Result):
    """An equilibrium with its evidence, or how far the search came: `status`, `message`.

    `q` are the coordinates, in the order of `coordinates`; a single one is `rest["phi"]`. `multipliers` and `u` belong
    to it. `verdict` says whether it is stable, and `unstable_directions` counts those of the energy.

    >>> rest = read_model("cases/four_bar", set={"N": 5}).equilibrium()
    >>> rest.at_rest, rest.verdict, round(rest["phi"], 6)
    (True, 'stable (conservative)', 1.892204)
    """

    q: np.ndarray
    multipliers: np.ndarray
    u: np.ndarray
    status: str
    message: str
    verdict: str
    verdict_basis: str
    unstable_directions: int
    neutral_directions: int
    force_residual: float
    constraint_residual: float
    dof: int
    family: int
    trim: list[tuple[str, float]]
    preload: list[tuple[str, float]]
    warnings: list[str]
    name: str

    def __init__(self, handle: _core.Rest) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.numbers())
        self.name = handle.name

    @cached_property
    def coordinates(self) -> list[str]:
        """The names of the coordinates."""
        return list(self._handle.coordinate_names())

    @property
    def at_rest(self) -> bool:
        """Whether it is an equilibrium."""
        return self.status == "at rest"

    def __getitem__(self, name: str) -> float:
        if name not in self.coordinates:
            _core.refuse_name("coordinate", name, self.coordinates)
        return float(self.q[self.coordinates.index(name)])

    def _json(self) -> str:
        return str(self._handle.json(False))

    def _complete(self) -> None:
        _ = self.coordinates

    def __repr__(self) -> str:
        if not self.at_rest:
            return f"<Equilibrium of {self.name}: {self.status.upper()}: {self.message}>"
        return f"<Equilibrium of {self.name}: {self.verdict}; residual {self.force_residual:.1e}>"

    def _repr_html_(self) -> str:
        from ._notebook import equilibrium_html

        return equilibrium_html(self)


class Check(Result):
    """What is in a model, and what looks wrong in it.

    >>> read_model("cases/four_bar").check().warnings
    []
    """

    @property
    def warnings(self) -> list[str]:
        """One line for each thing that looks wrong."""
        return list(self.to_dict()["warnings"])

    def _json(self) -> str:
        return str(self._handle.check_json())

    def _text(self) -> str:
        return str(self._handle.check_text())

    def __repr__(self) -> str:
        return f"<Check: {len(self.warnings)} warnings>"


class Model:
    """A mechanism, as `read_model`, `model_from_text` or a `ModelBuilder` makes it; it never changes.

    >>> model = read_model("cases/four_bar", set={"N": 5})
    >>> model
    <Model four_bar: 13 coordinates, 12 constraints, 0 inputs, 0 outputs>
    >>> model.parameters["N"], model.coordinates[-1]
    (5.0, 'phi')
    """

    def __init__(self, handle: _core.Model) -> None:
        self._handle = handle

    @property
    def name(self) -> str:
        """As the file says."""
        return self._handle.name

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        return dict(self._handle.parameters)

    @cached_property
    def coordinates(self) -> list[str]:
        """The names of the coordinates."""
        return self._handle.coordinate_names()

    @cached_property
    def constraints(self) -> list[str]:
        """The names of the constraint equations."""
        return self._handle.constraint_names()

    @cached_property
    def inputs(self) -> list[str]:
        """The names of the inputs."""
        return self._handle.input_names()

    @cached_property
    def outputs(self) -> list[str]:
        """The names of the components of outputs."""
        return self._handle.output_names()

    def at(self, **parameters: float) -> Model:
        """The model with other values of parameters. Its file is not read again, which makes loops fast.

        >>> model = read_model("cases/four_bar", set={"N": 5})
        >>> [round(model.at(k=k).modes().frequency[0], 4) for k in (25, 100)]
        [0.246, 0.7878]
        """
        return Model(self._handle.at(_pairs(parameters)))

    def check(self) -> Check:
        """What is in the model, and what looks wrong in it."""
        return Check(self._handle)

    def equilibrium(
        self,
        rest: str = "stable",
        *,
        at: Optional[Mapping[str, float]] = None,
        trim: bool | Sequence[str] = False,
        preload: Sequence[str] = (),
        rank: Optional[int] = None,
        precision: float = 1e-5,
    ) -> Equilibrium:
        """The equilibrium from the guess of the model, with other values `at` for coordinates and inputs.

        `rest` is "stable", "nearest" (what Newton's method reaches) or "check" (the guess is tested). `trim` holds the
        guess by inputs, all or those named, `preload` by the free lengths of springs.

        >>> model = read_model("cases/cart_pole")
        >>> model.equilibrium(rest="nearest", at={"pole.phi": 3.1}).verdict
        'unstable'
        """
        inputs = None if trim is False else [] if trim is True else [str(name) for name in trim]
        with shown() as show:
            return Equilibrium(
                _core.find_equilibrium(self._handle, rest, _pairs(at), inputs, list(preload), rank, precision, show)
            )

    def equilibria(
        self, *, at: Optional[Mapping[str, float]] = None, starts: int = 200, seed: int = 1, precision: float = 1e-5
    ) -> list[Equilibrium]:
        """All different equilibria that are found from seeded random starts, the stable ones first.

        >>> [rest.verdict for rest in read_model("cases/von_mises_truss").equilibria(starts=20)][:1]
        ['stable (conservative)']
        """
        with shown() as show:
            found = _core.find_equilibria(self._handle, _pairs(at), starts, seed, precision, show)
        return [Equilibrium(one) for one in found]

    def linearize(
        self, rest: Equilibrium | str = "stable", *, off_equilibrium: bool = False, **options: Any
    ) -> LinearSystem:
        """The linear system at an equilibrium, or at the one that is found with the options of `equilibrium`.

        Raises Error, with the residual, if it is not at rest, unless `off_equilibrium` says that this is meant.

        >>> read_model("cases/four_bar", set={"N": 5}).linearize().K.shape
        (13, 13)
        """
        if isinstance(rest, str):
            rest = self.equilibrium(rest, **options)
        elif options:
            _core.refuse_options(list(options))
        rest._require_handle("the state of the mechanism")
        with shown() as show:
            return LinearSystem._of(_core.linearize(rest._handle, off_equilibrium, show))

    def modes(self, method: str = "mcs", count: Optional[int] = None, **options: Any) -> Modes:
        """The modes at the equilibrium: `linearize().modes(...)`."""
        return self.linearize().modes(method, count, **options)

    def compare(self, **options: Any) -> Comparison:
        """Three methods side by side at the equilibrium: `linearize().compare(...)`."""
        return self.linearize().compare(**options)

    def motion(
        self,
        until: float,
        *,
        every: Optional[float] = None,
        start: str | Equilibrium | Motion = "guess",
        at: Optional[Mapping[str, float]] = None,
        rate: Optional[Mapping[str, float]] = None,
        inputs: Optional[Mapping[str, Any]] = None,
        perturb: Optional[tuple[int, float]] = None,
        stop: Optional[Mapping[str, float]] = None,
        method: str = "auto",
        tolerance: Optional[float] = None,
        stabilize: str = "projection",
        form: str = "augmented",
        all_coordinates: bool = False,
        reactions: bool = False,
        linear: bool = False,
        identify: bool = False,
    ) -> Motion:
        """The motion until a time (s), from `start`: "guess", "equilibrium", an Equilibrium, or another Motion.

        `inputs={"motor": "2*sin(3*t)"}` are expressions of the time, or tables (times, values); `rate` are rates at
        the start, `perturb=(mode, amplitude)` starts on a mode about the equilibrium, `stop={"x": 1}` ends the motion
        where an output or coordinate has this value. The other options mean what they mean on the command line.

        >>> model = read_model("cases/cart_pole")
        >>> pushed = model.motion(2, start="equilibrium", at={"pole.phi": 0}, inputs={"u": "sin(3*t)"})
        >>> pushed.status, pushed["position"].shape
        ('done', (201,))
        """
        options = {
            "every": every,
            "at": _pairs(at),
            "rate": _pairs(rate),
            "stop": _pairs(stop),
            "method": method,
            "tolerance": tolerance,
            "stabilize": stabilize,
            "form": form,
            "all_coordinates": all_coordinates,
            "reactions": reactions,
            "linear": linear,
            "identify": identify,
        }
        request = motion_request(until, inputs, perturb, options)
        if start == "equilibrium":
            start = self.equilibrium(at=at)
        if perturb is not None and not isinstance(start, Equilibrium):
            raise _core.Error("perturb needs start='equilibrium': modes are those about an equilibrium")
        with shown() as show:
            if isinstance(start, Equilibrium):
                start._require_handle("the state of the mechanism")
                return Motion(_core.motion_from_rest(start._handle, request, show))
            if isinstance(start, Motion):
                start._require_handle("the state at the end")
                return Motion(_core.motion_continued(self._handle, start._handle, request, show))
            if start != "guess":
                raise _core.Error(
                    f"start={start!r}: a motion starts at 'guess', at 'equilibrium', or where another ended"
                )
            return Motion(_core.motion_from_guess(self._handle, request, show))

    def verify(
        self,
        rest: Equilibrium | str = "stable",
        *,
        count: int = 3,
        all: bool = False,
        amplitude: float = 1e-3,
        **options: Any,
    ) -> Verification:
        """The truth test: the mechanism moves on each of the lowest modes, and shows the eigenvalue."""
        if isinstance(rest, str):
            rest = self.equilibrium(rest, **options)
        rest._require_handle("the state of the mechanism")
        with shown() as show:
            return Verification(_core.verify(rest._handle, None if all else count, amplitude, show))

    def sensitivity(
        self,
        parameters: Sequence[str] | str = (),
        *,
        count: int = 3,
        mode: Optional[int] = None,
        at: Optional[Mapping[str, float]] = None,
    ) -> Sensitivity:
        """Which parameters move the modes, and by how much.

        `parameters` are those of the model, inputs as "input:NAME", and numbers of elements as "NAME.FIELD"; without
        any all parameters that do not count things. `mode` chooses one, counted from 1.
        """
        with shown() as show:
            return Sensitivity(
                _core.sensitivity(self._handle, names_of(parameters), count, mode, _pairs(at), show)
            )

    def sweep(
        self,
        over: Mapping[str, Any],
        *,
        count: int = 10,
        spacing: str = "linear",
        at: Optional[Mapping[str, float]] = None,
    ) -> Sweep:
        """Modes and stability over a parameter: `over={"k": values}`, which ascend. `spacing` is that of pictures."""
        name, values = values_of(over)
        with shown() as show:
            return Sweep(_core.sweep(self._handle, name, values, count, spacing, _pairs(at), show))

    def critical(
        self,
        over: Mapping[str, Any],
        *,
        points: int = 41,
        target: Optional[Mapping[str, float]] = None,
        mode: int = 0,
        at: Optional[Mapping[str, float]] = None,
    ) -> CriticalPoints | Targets:
        """The values in an interval, `over={"P": (0, 3)}`, at which stability changes.

        With `target={"frequency": hertz}` or `{"damping": ratio}` those at which a mode has this, if `mode` is not 0
        only that one, counted from 1.
        """
        name, start, end = interval_of(over)
        with shown() as show:
            if target is None:
                return CriticalPoints(_core.critical(self._handle, name, start, end, points, _pairs(at), show))
            quantity, value = one_of(target)
            return Targets(
                _core.targets(
                    self._handle, name, start, end, quantity, float(value), mode, points, _pairs(at), show
                )
            )

    def follow(
        self,
        over: Mapping[str, Any],
        *,
        start: Optional[float] = None,
        downwards: bool = False,
        points: int = 400,
        step: float = 0.05,
        branches: bool = False,
        at: Optional[Mapping[str, float]] = None,
    ) -> EquilibriumBranch:
        """Equilibria over a parameter, `over={"k": (-5, 25)}`, through folds."""
        name, first, last = interval_of(over)
        begin = float(start) if start is not None else last if downwards else first
        if not first <= begin <= last:
            raise _core.Error(f"start={begin:g} is not between {first:g} and {last:g}")
        with shown() as show:
            return EquilibriumBranch(
                _core.follow(
                    self._handle, name, first, last, begin, downwards, points, step, branches, _pairs(at), show
                )
            )

    def __repr__(self) -> str:
        n, m, inputs, outputs = self._handle.size
        return f"<Model {self.name}: {n} coordinates, {m} constraints, {inputs} inputs, {outputs} outputs>"

    def _repr_html_(self) -> str:
        from ._notebook import model_html

        return model_html(self)


def read_model(path: str | Path, *, set: Optional[Mapping[str, float]] = None, controllers: bool = True) -> Model:
    """Reads a model file, or model.yaml in a folder; `set` replaces values of parameters. Controllers of the file close
    their loops on the linear system; `controllers=False` leaves them out.

    >>> read_model("cases/four_bar", set={"n": 3})
    Traceback (most recent call last):
    stillpoint.Error: cases/four_bar/model.yaml: there is no parameter 'n'; there are N, l, m, k, c, l0, gx, gy, phi_guess
    """
    return Model(_core.read_model(str(path), _pairs(set), controllers))


def model_from_text(
    text: str, *, set: Optional[Mapping[str, float]] = None, file: str = "text", controllers: bool = True
) -> Model:
    """Reads a model from text in the language of model files; `file` is its name in messages, `controllers` as in
    `read_model`.

    >>> model = model_from_text('''
    ... stillpoint: 1
    ... mechanism:
    ...   - scalar: x
    ...     value: 0
    ...     mass: 2
    ...   - scalar_spring: spring
    ...     of: x
    ...     stiffness: 8
    ... ''')
    >>> model.modes().s
    array([0.+2.j, 0.-2.j])
    """
    return Model(_core.model_from_text(text, file, _pairs(set), controllers))


class ModelBuilder:
    """Builds a model entry by entry, in the words of model files; `docs/model-files.md` lists all kinds of entries.

    A name that Python keeps for itself, as `from`, is written with an underscore at its end.

    >>> build = ModelBuilder("pendulum", gravity=(0, -9.81))
    >>> build.add("body", "bob", at=(0, -1), mass=2, inertia=0.1)
    >>> build.add("marker", "top", on="bob", at=(0, 1))
    >>> build.add("revolute", "hinge", between=("ground", "top"))
    >>> build.model().modes().verdict
    'stable (conservative)'
    """

    def __init__(
        self,
        name: str = "model",
        *,
        dimension: Optional[int] = None,
        gravity: Any = None,
        parameters: Optional[Mapping[str, Any]] = None,
        **head: Any,
    ) -> None:
        self._head: dict[str, Any] = {"stillpoint": 1, "name": name}
        for key, value in {"dimension": dimension, "parameters": parameters, "gravity": gravity, **head}.items():
            if value is not None:
                self._head[key.rstrip("_")] = value
        self._entries: list[dict[str, Any]] = []

    def add(self, kind: str, name: Optional[str] = None, **fields: Any) -> None:
        """Adds an entry: `kind` is its keyword, and the fields are those of the manual."""
        self._entries.append({kind: name, **{key.rstrip("_"): value for key, value in fields.items()}})

    def text(self) -> str:
        """The model file, one entry a line."""
        head = [f"{json.dumps(key)}: {_as_field(value)}" for key, value in self._head.items()]
        entries = ",\n".join("  " + _as_field(entry) for entry in self._entries)
        return "{" + ",\n".join([*head, '"mechanism": [\n' + entries + "\n]"]) + "}\n"

    def model(self, *, set: Optional[Mapping[str, float]] = None) -> Model:
        """The model. Raises Error, with the line of `text()`, if an entry is not allowed."""
        return model_from_text(self.text(), set=set, file=str(self._head["name"]))


def _as_field(value: Any) -> str:
    def plain(one: Any) -> Any:
        return one.tolist() if isinstance(one, (np.ndarray, np.generic)) else str(one)

    return json.dumps(value, default=plain, ensure_ascii=False)
