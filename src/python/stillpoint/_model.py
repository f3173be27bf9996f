"""Models, their equilibria, and what is found from them."""
from __future__ import annotations

from functools import cached_property
from json import loads
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Sequence

import numpy as np

from . import _core
from ._modes import Comparison, Modes
from ._motion import Motion, motion_request
from ._plant import Plant, Response, range_request
from ._progress import shown
from ._inspections import Controllability, Explanation, Page, Scene, Sparsity, Zeros
from ._loads import orbits_of, unbalances_of
from ._rest import in_words, number, pairs, rest_request
from ._result import Result
from ._studies import (
    CriticalPoints,
    EquilibriumBranch,
    ResponseSensitivity,
    Sensitivity,
    StabilityMap,
    Sweep,
    Targets,
    Verification,
    interval_of,
    names_of,
    one_of,
    responses_of,
    spacing_of,
    values_of,
)
from ._system import LinearSystem


_usual = _core.usual
# Options of `report` that are those of `linearize`; all but the last two are those of `equilibrium`, too.
_OF_EQUILIBRIUM = ("guess", "trim", "preload", "rank", "precision")
_OF_LINEARIZATION = (*_OF_EQUILIBRIUM, "off_equilibrium", "open")


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

    def to_json(self, all_coordinates: bool = False) -> str:
        """The JSON of `stillpoint equilibrium --json`, with --all-coordinates if these are asked for."""
        if not all_coordinates:
            return super().to_json()
        self._require_handle("the JSON with all coordinates")
        return str(self._handle.json(True))

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


class Equilibria(list[Equilibrium]):
    """Several equilibria, the stable ones first: a list with the text and the JSON of `stillpoint equilibrium
    --equilibria`.

    >>> found = read_model("cases/von_mises_truss").equilibria(starts=20)
    >>> found[0].verdict, found.to_dict()["schema"]
    ('stable (conservative)', 'stillpoint.equilibrium/1')
    """

    def __init__(self, rests: Iterable[Equilibrium] = (), json: str = "", text: str = "") -> None:
        super().__init__(rests)
        self._json, self._text = json, text

    def to_json(self) -> str:
        """The JSON of the command line."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary."""
        return dict(loads(self._json))

    def __str__(self) -> str:
        return self._text


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

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, self._handle.source()

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
        return Model(self._handle.at(pairs(parameters)))

    def check(self, *, assemble: Optional[str | Path] = None) -> Check:
        """What is in the model, and what looks wrong in it.

        `assemble` writes the configuration in which the constraints are satisfied into a file for `guess`.

        >>> read_model("cases/four_bar", set={"N": 5}).check()
        <Check: 0 warnings>
        """
        if assemble is not None:
            text, _ = self._handle.assembled()
            Path(assemble).write_text(text, encoding="utf-8")
        return Check(self._handle)

    def equilibrium(
        self,
        rest: str = _usual["rest"],
        *,
        at: Optional[Mapping[str, float]] = None,
        guess: None | Mapping[str, float] | str | Path = None,
        trim: bool | Sequence[str] = False,
        preload: Sequence[str] = (),
        rank: Optional[int] = None,
        precision: float = _usual["precision"],
    ) -> Equilibrium:
        """The equilibrium from the guess of the model, with other values `at` for coordinates and inputs.

        `rest` is "stable", "nearest" (what Newton's method reaches) or "check" (the guess is tested). `guess` is
        where the search begins, values by name or a file of them; those of `at` are held while the constraints are
        closed. `trim` holds the guess by inputs, all or those named, `preload` by the free lengths of springs.

        >>> model = read_model("cases/cart_pole")
        >>> model.equilibrium(rest="nearest", at={"pole.phi": 3.1}).verdict
        'unstable'
        """
        options = {"at": at, "guess": guess, "trim": trim, "preload": preload, "rank": rank, "precision": precision}
        asked = rest_request(rest, options)
        with shown() as show:
            return Equilibrium(_core.find_equilibrium(self._handle, asked, show))

    def equilibria(
        self,
        *,
        at: Optional[Mapping[str, float]] = None,
        guess: None | Mapping[str, float] | str | Path = None,
        starts: int = _usual["starts"],
        seed: int = _usual["seed"],
        preload: Sequence[str] = (),
        rank: Optional[int] = None,
        precision: float = _usual["precision"],
        each: bool = False,
        all_coordinates: bool = False,
    ) -> Equilibria:
        """All different equilibria that are found from seeded random starts, the stable ones first. `each` is about
        their text only: it lists every member of a family; `all_coordinates` about their JSON.

        >>> [rest.verdict for rest in read_model("cases/von_mises_truss").equilibria(starts=20)][:1]
        ['stable (conservative)']
        """
        asked = rest_request(
            _usual["rest"], {"at": at, "guess": guess, "preload": preload, "rank": rank, "precision": precision}
        )
        with shown() as show:
            found = _core.find_equilibria(self._handle, asked, starts, seed, show)
        return Equilibria((Equilibrium(one) for one in found.rests), found.json(all_coordinates), found.text(each))

    def linearize(
        self,
        rest: Equilibrium | str = _usual["rest"],
        *,
        off_equilibrium: bool = False,
        open: Sequence[str] | str = (),
        broken: Sequence[str] | str = (),
        **options: Any,
    ) -> LinearSystem:
        """The linear system at an equilibrium, or at the one that is found with the options of `equilibrium`.

        Raises Error, with the residual, if it is not at rest, unless `off_equilibrium` says that this is meant.
        Controllers that `open` names are left out; loops of those in `broken` are broken at the error, so that the
        transfer function from "NAME.error" to "NAME.feedback" is that of the open loop, as `response --open NAME` has it.

        >>> model = read_model("cases/controlled_cart_pole")
        >>> model.linearize("nearest", broken="balance").loops(["balance.error"], ["balance.feedback"]).figures[0]["closed_unstable"]
        0

        >>> read_model("cases/four_bar", set={"N": 5}).linearize().K.shape
        (13, 13)
        """
        if isinstance(rest, str):
            rest = self.equilibrium(rest, **options)
        elif options:
            _core.refuse_options(list(options))
        rest._require_handle("the state of the mechanism")
        with shown() as show:
            return LinearSystem._of(
                _core.linearize(rest._handle, off_equilibrium, names_of(open), names_of(broken), show)
            )

    # ----- At the stable equilibrium; another one is linearized first: linearize(rest).modes(...)

    def modes(self, method: str = _usual["method"], count: Optional[int] = None, **options: Any) -> Modes:
        """The modes at the equilibrium: `linearize().modes(...)`.

        >>> read_model("cases/four_bar").modes().verdict
        'stable (conservative)'
        """
        return self.linearize().modes(method, count, **options)

    def compare(self, **options: Any) -> Comparison:
        """Three methods side by side at the equilibrium: `linearize().compare(...)`.

        >>> read_model("cases/four_bar").compare().certified
        True
        """
        return self.linearize().compare(**options)

    def response(
        self, omega: Any = None, inputs: Sequence[str] = (), outputs: Sequence[str] = (), **options: Any
    ) -> Response:
        """The frequency response at the equilibrium: `linearize().response(...)`. A linear system has its other kinds:
        `step`, `impulse`, `loops`, `singular_values`, `unbalance` and `psd`.

        >>> read_model("cases/drive_train").response([1.0], ["motor"], ["shaft"]).H.shape
        (1, 1, 1)
        """
        return self.linearize().response(omega, inputs, outputs, **options)

    def export(
        self, path: str | Path, inputs: Sequence[str] = (), outputs: Sequence[str] = (), **options: Any
    ) -> Plant:
        """Writes a plant at the equilibrium: `linearize().export(...)`.

        >>> read_model("cases/drive_train").export("/tmp/plant.json", ["motor"], ["load_speed"]).states
        ['rotor.phi', 'load.phi', "rotor.phi'", "load.phi'"]
        """
        return self.linearize().export(path, inputs, outputs, **options)

    def zeros(self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), **options: Any) -> Zeros:
        """The zeros from inputs to outputs at the equilibrium: `linearize().zeros(...)`.

        >>> read_model("cases/drive_train").zeros(["motor"], ["load_speed"]).certified
        True
        """
        return self.linearize().zeros(inputs, outputs, **options)

    def controllability(
        self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), **options: Any
    ) -> Controllability:
        """Which inputs move each mode, and which outputs show it: `linearize().controllability(...)`.

        >>> read_model("cases/drive_train").controllability(["motor"], ["load_speed"]).undecided
        [False, False]
        """
        return self.linearize().controllability(inputs, outputs, **options)

    def unbalance(
        self,
        unbalances: Sequence[tuple[Any, ...]],
        outputs: Sequence[str] = (),
        *,
        speed_parameter: Optional[str] = None,
        orbits: Sequence[Sequence[str]] = (),
        omega: Any = None,
        band: tuple[Optional[float], Optional[float]] = (None, None),
        points: Optional[int] = None,
        minimum_norm: bool = False,
        rest: str = _usual["rest"],
        **options: Any,
    ) -> Response:
        """The amplitudes that rotating unbalance causes: `LinearSystem.unbalance`, at the equilibrium that the options of
        `equilibrium` find. If a parameter of the model is the speed (rad/s), the model is linearized at each speed.

        >>> rotor = read_model("cases/jeffcott_rotor", set={"kc": -3e4})
        >>> rotor.unbalance([("fx", "fy", 2e-4)], ["disc.x"], speed_parameter="Omega", band=(10, 100), points=3).H.shape
        (1, 1, 3)
        """
        if speed_parameter is None:
            return self.linearize(rest, **options).unbalance(
                unbalances, outputs, orbits=orbits, omega=omega, band=band, points=points, minimum_norm=minimum_norm
            )
        what = unbalances_of(unbalances), orbits_of(orbits), list(outputs)
        speeds, asked = range_request(omega, band, points), rest_request(rest, options)
        with shown() as show:
            return Response(
                _core.unbalance_at_speeds(self._handle, speed_parameter, asked, *what, minimum_norm, speeds, show)
            )

    def sparsity(self, **options: Any) -> Sparsity:
        """Which method suits the model: `linearize().sparsity(...)`.

        >>> read_model("cases/four_bar").sparsity().dof
        1
        """
        return self.linearize().sparsity(**options)

    def scene(
        self,
        rest: Equilibrium | str = _usual["rest"],
        *,
        modes: int = _usual["drawn_modes"],
        amplitude: float = _usual["drawn_amplitude"],
        **options: Any,
    ) -> Scene:
        """The geometry at an equilibrium, and the motions of its lowest modes: `linearize(rest).scene(...)`.

        >>> read_model("cases/four_bar").scene(modes=1).to_dict()["schema"]
        'stillpoint.scene/1'
        """
        return self.linearize(rest, **options).scene(modes=modes, amplitude=amplitude)

    def explain(self, *topic: str | int, rest: str = _usual["rest"], **options: Any) -> Explanation:
        """Why the results are what they are; without a topic the few things worth knowing.

        Topics are "redundancy", "singular", "spurious" (with a method and a number), "verdict", "undecided", "method",
        "mode" (with a number) and "warnings"; other options are those of `equilibrium`.

        >>> read_model("cases/governor").explain("mode", 2)
        <Explanation of governor: mode>
        """
        asked = rest_request(rest, options)
        words = self._in_words() + in_words(rest, options)
        with shown() as show:
            return Explanation(_core.explain_model(self._handle, [str(one) for one in topic], words, asked, show))

    def _in_words(self) -> str:
        _, _, words, settings, _ = self._handle.source()
        return str(words) + "".join(f" --set {name}={number(value)}" for name, value in settings)

    def report(
        self,
        path: Optional[str | Path] = None,
        *,
        rest: str = _usual["rest"],
        at: Optional[Mapping[str, float]] = None,
        over: Optional[Mapping[str, Any]] = None,
        spacing: str = "linear",
        motion: Optional[float] = None,
        equilibria: bool = False,
        **options: Any,
    ) -> Page:
        """One HTML page that shows the mechanism, its modes moving, and the evidence; `path` writes it.

        `motion` plays the motion from the guess for so many seconds, and `over={"k": values}` shows the eigenvalues
        over a parameter, at that `spacing`; `equilibria` shows others, which are searched for from random starts. Other
        options are those of `equilibrium`, `linearize` and `LinearSystem.report`.

        >>> page = read_model("cases/four_bar").report(over={"k": (20, 40)}, motion=1)
        >>> page.certified, len(page.html) > 50_000
        (True, True)
        """
        asked: dict[str, Any] = {"motion": motion, "equilibria": equilibria}
        if over is not None:
            asked["over"], asked["values"] = values_of(over)
            asked["spacing"] = spacing
        found = {name: options.pop(name) for name in list(options) if name in _OF_LINEARIZATION}
        begin = rest_request(rest, {"at": at, **{name: found[name] for name in _OF_EQUILIBRIUM if name in found}})
        return self.linearize(rest, at=at, **found)._page(path, options, asked, self._handle, begin)

    def motion(
        self,
        until: float,
        *,
        every: Optional[float] = None,
        start: str | Path | Equilibrium | Motion = _usual["motion_start"],
        at: Optional[Mapping[str, float]] = None,
        rate: Optional[Mapping[str, float]] = None,
        inputs: Optional[Mapping[str, Any]] = None,
        perturb: Optional[tuple[int, float]] = None,
        stop: Optional[Mapping[str, float]] = None,
        method: str = _usual["motion_method"],
        tolerance: Optional[float] = None,
        stabilize: str = _usual["stabilization"],
        form: str = _usual["dynamic_form"],
        pseudoinverse: str = _usual["pseudoinverse"],
        all_coordinates: bool = False,
        reactions: bool = False,
        linear: bool = False,
        identify: bool = False,
        rest: str = _usual["rest"],
        **search: Any,
    ) -> Motion:
        """The motion until a time (s), from `start`: "guess", "equilibrium", an Equilibrium, or the end of another Motion,
        or of the one in a file "....json".

        `inputs={"motor": "2*sin(3*t)"}` are expressions of the time, or tables (times, values); `rate` are rates at
        the start, `perturb=(mode, amplitude)` starts on a mode about the equilibrium, `stop={"x": 1}` ends the motion
        where an output or coordinate has this value. `rest` and others are the options of `equilibrium`, for the guess or
        the equilibrium. The rest mean what they mean on the command line.

        >>> model = read_model("cases/cart_pole")
        >>> pushed = model.motion(2, start="equilibrium", at={"pole.phi": 0}, inputs={"u": "sin(3*t)"})
        >>> pushed.status, pushed["position"].shape
        ('done', (201,))
        """
        options = {
            "every": every,
            "rate": pairs(rate),
            "stop": pairs(stop),
            "method": method,
            "tolerance": tolerance,
            "stabilize": stabilize,
            "form": form,
            "pseudoinverse": pseudoinverse,
            "all_coordinates": all_coordinates,
            "reactions": reactions,
            "linear": linear,
            "identify": identify,
        }
        request = motion_request(until, inputs, perturb, options)
        if start == "equilibrium":
            start = self.equilibrium(rest, at=at, **search)
        elif isinstance(start, Equilibrium) and (at is not None or search):
            _core.refuse_options([*(["at"] if at is not None else []), *search])
        elif (isinstance(start, (Motion, Path)) or str(start).endswith(".json")) and {"guess", "trim"} & set(search):
            raise _core.Error("start: another motion is given, whose end needs no guess and no trim; at changes values")
        begin = rest_request(rest, {"at": at, **search})
        if perturb is not None and not isinstance(start, Equilibrium):
            raise _core.Error("perturb needs start='equilibrium': modes are those about an equilibrium")
        with shown() as show:
            if isinstance(start, Equilibrium):
                start._require_handle("the state of the mechanism")
                return Motion(_core.motion_from_rest(start._handle, request, show))
            if isinstance(start, Motion):
                start._require_handle("the state at the end")
                return Motion(_core.motion_continued(self._handle, start._handle, request, begin, show))
            if isinstance(start, Path) or start.endswith(".json"):
                return Motion(_core.motion_from_file(self._handle, str(start), request, begin, show))
            if start != "guess":
                raise _core.Error(
                    f"start={start!r}: a motion starts at 'guess', at 'equilibrium', or where another ended, which may be "
                    "in a file that ends in .json"
                )
            return Motion(_core.motion_from_guess(self._handle, request, begin, show))

    def verify(
        self,
        rest: Equilibrium | str = _usual["rest"],
        *,
        count: int = _usual["verified_modes"],
        all: bool = False,
        amplitude: float = _usual["verified_amplitude"],
        **options: Any,
    ) -> Verification:
        """The truth test: the mechanism moves on each of the lowest modes, and shows the eigenvalue.

        >>> read_model("cases/four_bar").verify(count=1).agrees
        True
        """
        if isinstance(rest, str):
            rest = self.equilibrium(rest, **options)
        rest._require_handle("the state of the mechanism")
        with shown() as show:
            return Verification(_core.verify(rest._handle, None if all else count, amplitude, show))

    # ----- Studies over parameters; other options are those of `equilibrium`

    def sensitivity(
        self,
        parameters: Sequence[str] | str = (),
        *,
        count: int = _usual["sensitive_modes"],
        mode: Optional[int] = None,
        response: Sequence[tuple[str, str, float]] = (),
        dc_gain: Sequence[tuple[str, str]] = (),
        rest: str = _usual["rest"],
        **options: Any,
    ) -> Sensitivity | ResponseSensitivity:
        """Which parameters move the modes, and by how much.

        `parameters` are those of the model, inputs as "input:NAME", and numbers of elements as "NAME.FIELD"; without
        any all parameters that do not count things. `mode` chooses one, counted from 1.

        With `response=[(input, output, hertz)]` or `dc_gain=[(input, output)]`: what parameters do to these numbers of
        the frequency response, instead.

        >>> read_model("cases/four_bar").sensitivity("k", count=1).parameters
        ['k']
        """
        asked, names = rest_request(rest, options), names_of(parameters)
        numbers = responses_of(response, dc_gain)
        with shown() as show:
            if not numbers:
                return Sensitivity(_core.sensitivity(self._handle, names, count, mode, asked, show))
            if mode is not None:
                raise _core.Error("mode and response or dc_gain exclude each other")
            return ResponseSensitivity(_core.response_sensitivity(self._handle, names, numbers, asked, show))

    def sweep(
        self,
        over: Mapping[str, Any],
        *,
        count: int = _usual["swept_modes"],
        spacing: str | Sequence[str] = "linear",
        rest: str = _usual["rest"],
        **options: Any,
    ) -> Sweep | StabilityMap:
        """Modes and stability over a parameter: `over={"k": values}`, which ascend; `spacing` is that of pictures.

        With two parameters, `over={"P": ..., "b": ...}`, where it is stable over both.

        >>> read_model("cases/four_bar").sweep(over={"k": [15, 20, 25]}).verdicts[-1]
        'stable (conservative)'
        """
        asked = rest_request(rest, options)
        if isinstance(over, Mapping) and len(over) == 2:
            (first, first_values), (second, second_values) = (values_of({name: over[name]}) for name in over)
            with shown() as show:
                return StabilityMap(
                    _core.stability_map(
                        self._handle, first, first_values, second, second_values, spacing_of(spacing, 2), asked, show
                    )
                )
        name, values = values_of(over)
        with shown() as show:
            return Sweep(_core.sweep(self._handle, name, values, count, spacing_of(spacing, 1)[0], asked, show))

    def critical(
        self,
        over: Mapping[str, Any],
        *,
        points: int = _usual["points_of_interval"],
        target: Optional[Mapping[str, float]] = None,
        mode: int = 0,
        parameters: Sequence[str] | str = (),
        rest: str = _usual["rest"],
        **options: Any,
    ) -> CriticalPoints | Targets:
        """The values in an interval, `over={"P": (0, 3)}`, at which stability changes; `parameters` are others, of
        which the JSON tells by how much they move these values.

        With `target={"frequency": hertz}` or `{"damping": ratio}` those at which a mode has this, if `mode` is not 0
        only that one, counted from 1; `{"order": n}` finds where its frequency is n times the parameter, a speed: the
        critical speeds of a rotor.

        >>> len(read_model("cases/ziegler_column").critical(over={"P": (0, 3)}))
        1
        """
        name, start, end = interval_of(over)
        asked = rest_request(rest, options)
        with shown() as show:
            if target is None:
                others = names_of(parameters)
                return CriticalPoints(_core.critical(self._handle, name, start, end, points, others, asked, show))
            if parameters:
                raise _core.Error("target and parameters exclude each other")
            quantity, value = one_of(target)
            return Targets(
                _core.targets(self._handle, name, start, end, quantity, float(value), mode, points, asked, show)
            )

    def follow(
        self,
        over: Mapping[str, Any],
        *,
        start: Optional[float] = None,
        downwards: bool = False,
        points: int = _usual["points_of_path"],
        step: float = _usual["step_of_path"],
        branches: bool = False,
        rest: str = _usual["rest"],
        **options: Any,
    ) -> EquilibriumBranch:
        """Equilibria over a parameter, `over={"k": (-5, 25)}`, through folds.

        >>> read_model("cases/four_bar").follow(over={"k": (20, 30)}).reached_end
        True
        """
        name, first, last = interval_of(over)
        begin = float(start) if start is not None else last if downwards else first
        if not first <= begin <= last:
            raise _core.Error(f"start={begin:g} is not between {first:g} and {last:g}")
        asked = rest_request(rest, options)
        with shown() as show:
            return EquilibriumBranch(
                _core.follow(
                    self._handle, name, first, last, begin, downwards, points, step, branches, asked, show
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
    return Model(_core.read_model(str(path), pairs(set), controllers))


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
    return Model(_core.model_from_text(text, file, "MODEL", pairs(set), controllers))


def _made_again(text: str, file: str, words: str, settings: list[tuple[str, float]], controllers: bool) -> Model:
    """From a pickle: the text and the parameters are in it, and files that the text names are read again."""
    return Model(_core.model_from_text(text, file, words, settings, controllers))
