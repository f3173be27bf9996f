"""Linear systems: M δq̈ + C δq̇ + K δq + Jᵀ δλ = F δu, J δq = G δu, with named outputs."""
from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

import numpy as np
import scipy.sparse

from . import _core
from ._answers import Loops, TimeResponse
from ._core import Error
from ._inspections import Controllability, Explanation, Page, Scene, Sparsity, Zeros
from ._loads import RandomResponse, about_of, coherence_of, densities_of, orbits_of, unbalances_of
from ._modes import Comparison, Modes
from ._plant import Plant, Response, SingularValues, range_request
from ._progress import shown

_MATRICES = ("M", "C", "K", "J", "F", "G", "Hq", "Hv", "Ha", "Hl", "Hu")


def _columns(name: str, matrix: Any) -> scipy.sparse.csc_matrix:
    """Any matrix as compressed columns of doubles."""
    if np.iscomplexobj(matrix.data if scipy.sparse.issparse(matrix) else matrix):
        raise Error(f"{name} is complex: the matrices of a linear system are real")
    try:
        found = scipy.sparse.csc_matrix(matrix, dtype=float)
    except (TypeError, ValueError) as reason:
        raise Error(f"{name} is no matrix of numbers: {reason}") from None
    if not found.has_canonical_format:
        found = found.copy()
        found.sum_duplicates()
    return found


class LinearSystem:
    """A linear system from matrices of any origin, dense or sparse; what is missing is zero.

    `M`, `C`, `K` (n × n), `J` (constraints × n), `F`, `G` (inputs) and the outputs `Hq`, `Hv`, `Ha`, `Hl`, `Hu` are
    `scipy.sparse.csc_matrix` on the memory of the library: nothing is copied, and they cannot be written.

    >>> import numpy as np
    >>> lin = LinearSystem(M=np.diag([1.0, 2.0]), K=[[3, -1], [-1, 1]], coordinates=["a", "b"])
    >>> lin.coordinates, lin.dof
    (['a', 'b'], 2)
    >>> lin.modes().frequency.round(4)
    array([0.0892, 0.0892, 0.2841, 0.2841])
    """

    def __init__(
        self,
        M: Any = None,
        K: Any = None,
        C: Any = None,
        J: Any = None,
        F: Any = None,
        G: Any = None,
        Hq: Any = None,
        Hv: Any = None,
        Ha: Any = None,
        Hl: Any = None,
        Hu: Any = None,
        *,
        name: str = "system",
        coordinates: Optional[Sequence[str]] = None,
        constraints: Optional[Sequence[str]] = None,
        inputs: Optional[Sequence[str]] = None,
        outputs: Optional[Sequence[str]] = None,
        coordinate_units: Optional[Sequence[str]] = None,
        input_units: Optional[Sequence[str]] = None,
        output_units: Optional[Sequence[str]] = None,
        rank: Optional[int] = None,
    ) -> None:
        given = dict(zip(_MATRICES, (M, C, K, J, F, G, Hq, Hv, Ha, Hl, Hu)))
        matrices = {key: _columns(key, value) for key, value in given.items() if value is not None}
        words = {
            "coordinate_names": (coordinates, "M", 0),
            "constraint_names": (constraints, "J", 0),
            "input_names": (inputs, "F", 1),
            "output_names": (outputs, "Hq", 0),
            "coordinate_units": (coordinate_units, "M", 0),
            "input_units": (input_units, "F", 1),
            "output_units": (output_units, "Hq", 0),
        }
        lists: dict[str, list[str]] = {}
        for book, (names, letter, axis) in words.items():
            if names is None:
                continue
            size = matrices[letter].shape[axis] if letter in matrices else 0
            if len(names) != size:
                side = ("rows", "columns")[axis]
                raise Error(f"{len(names)} {book.replace('_', ' ')} are given, but {letter} has {size} {side}")
            lists[book] = [str(one) for one in names]
        self._handle: _core.System = _core.linear_system(name, matrices, lists, rank)

    @classmethod
    def _of(cls, handle: _core.System) -> LinearSystem:
        system = cls.__new__(cls)
        system._handle = handle
        return system

    # ----- Names and sizes

    @property
    def name(self) -> str:
        """That of the model."""
        return self._handle.name

    @cached_property
    def coordinates(self) -> list[str]:
        """The names of the coordinates, in the order of the rows of M."""
        return self._handle.words("coordinate_names")

    @cached_property
    def constraints(self) -> list[str]:
        """The names of the constraint equations, in the order of the rows of J."""
        return self._handle.words("constraint_names")

    @cached_property
    def inputs(self) -> list[str]:
        """The names of the inputs, in the order of the columns of F."""
        return self._handle.words("input_names")

    @cached_property
    def outputs(self) -> list[str]:
        """The names of the outputs, in the order of the rows of Hq."""
        return self._handle.words("output_names")

    @cached_property
    def units(self) -> dict[str, list[str]]:
        """Units of `coordinates`, `inputs` and `outputs`; empty where they are not known."""
        return {kind + "s": self._handle.words(kind + "_units") for kind in ("coordinate", "input", "output")}

    @property
    def size(self) -> tuple[int, int, int, int]:
        """The numbers of coordinates, constraints, inputs and outputs."""
        return self._handle.size

    @property
    def rank(self) -> int:
        """The rank of J."""
        return self._handle.rank

    @property
    def dof(self) -> int:
        """Degrees of freedom: coordinates less the rank of J."""
        return self.size[0] - self.rank

    @property
    def is_singular(self) -> bool:
        """Whether the rank of J drops in this configuration only, so that motions branch."""
        return self._handle.is_singular

    @property
    def equilibrium(self) -> Any:
        """The equilibrium at which the model was linearized; None if there is no model."""
        from ._model import Equilibrium

        rest = self._handle.rest()
        return None if rest is None else Equilibrium(rest)

    # ----- Matrices

    def _matrix(self, name: str) -> scipy.sparse.csc_matrix:
        data, indices, starts, shape = self._handle.matrix(name)
        made = scipy.sparse.csc_matrix((data, indices, starts), shape=shape, copy=False)
        made.has_sorted_indices = True  # so that SciPy does not try to sort what it cannot write
        made.has_canonical_format = True
        return made

    @cached_property
    def M(self) -> scipy.sparse.csc_matrix:
        """Mass, n × n."""
        return self._matrix("M")

    @cached_property
    def C(self) -> scipy.sparse.csc_matrix:
        """Damping and gyroscopic terms, n × n."""
        return self._matrix("C")

    @cached_property
    def K(self) -> scipy.sparse.csc_matrix:
        """Stiffness, with that of the constraint forces, n × n."""
        return self._matrix("K")

    @cached_property
    def J(self) -> scipy.sparse.csc_matrix:
        """Jacobian of the constraints, m × n."""
        return self._matrix("J")

    @cached_property
    def F(self) -> scipy.sparse.csc_matrix:
        """Forces of unit inputs, n × inputs."""
        return self._matrix("F")

    @cached_property
    def G(self) -> scipy.sparse.csc_matrix:
        """Prescribed motions by unit inputs, m × inputs."""
        return self._matrix("G")

    @cached_property
    def Hq(self) -> scipy.sparse.csc_matrix:
        """Outputs by displacements, outputs × n."""
        return self._matrix("Hq")

    @cached_property
    def Hv(self) -> scipy.sparse.csc_matrix:
        """Outputs by rates, outputs × n."""
        return self._matrix("Hv")

    @cached_property
    def Ha(self) -> scipy.sparse.csc_matrix:
        """Outputs by accelerations, outputs × n."""
        return self._matrix("Ha")

    @cached_property
    def Hl(self) -> scipy.sparse.csc_matrix:
        """Outputs by multipliers, outputs × m."""
        return self._matrix("Hl")

    @cached_property
    def Hu(self) -> scipy.sparse.csc_matrix:
        """Outputs by inputs, outputs × inputs."""
        return self._matrix("Hu")

    @cached_property
    def operating_point(self) -> dict[str, np.ndarray]:
        """`q`, `multipliers`, `u` and `y` where the system was linearized; empty arrays where that is not known."""
        return self._handle.operating_point()

    # ----- Analyses

    def modes(
        self,
        method: str = _core.usual["method"],
        count: Optional[int] = None,
        *,
        effective_masses: bool = False,
        about: None | str | Sequence[float] = None,
        **options: Any,
    ) -> Modes:
        """Natural frequencies, damping, shapes and stability.

        `method` is "mcs", "rcs" or "ucs". Without an option small systems give all eigenvalues, others the 20 lowest;
        `count`, `band=(from, to)` in Hz, `near=complex` in rad/s, `unstable=True`, `all=True` ask for others, and
        `least_damped` keeps some of them. `engine`, `uncounted`, `time_limit` (s), `basis`, `independent`, `alpha`,
        `xi`, `omega` and `spurious` mean what they mean on the command line.

        `effective_masses` finds how much mass each undamped mode takes along when the base moves, for rotations `about`
        the origin, a point (m), or "centre", the centre of mass; they are the `effective_masses` of the result.

        >>> lin = read_model("cases/n_pendulum", set={"N": 50}).linearize()
        >>> lin.modes(count=3).frequency.round(3)[::2]
        array([0.084, 0.194, 0.304])
        """
        _core.require_mode_options(options)
        if about is not None and not effective_masses:
            raise Error("about belongs to effective_masses=True")
        asked = {"count": count, **options}
        with shown() as show:
            return Modes(
                _core.find_modes(self._handle, method, asked, effective_masses, about_of(about), show), self
            )

    def compare(self, **options: Any) -> Comparison:
        """Three methods side by side; options as of `modes`."""
        _core.require_mode_options(options)
        with shown() as show:
            return Comparison(_core.compare(self._handle, options, show), self.name)

    def plant(self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), **options: Any) -> Plant:
        """A plant for control design from the inputs to the outputs; without names from all to all.

        A coordinate as an input is a force on it, and as an output its motion. `form` is "state-space", "modal",
        "second-order" or "descriptor"; `reduce` is "balanced", "modal", "craig-bampton" or "krylov", to `order`
        states, or "minimal", which leaves out what no input moves or no output shows; `sample_time` (s) makes it
        discrete, by `discretise` "zoh", "foh" or "tustin", and `delay={"u": seconds}` delays inputs. `method`,
        `tolerance`, `keep`, `boundary`, `match` (Hz), `minimum_norm`, `corrected`, `basis`, `independent`, `alpha`,
        `xi` and `omega` mean what they mean on the command line.

        >>> lin = read_model("cases/flexible_double_pendulum").linearize()
        >>> tip = [lin.coordinates[-1]]
        >>> lin.plant(inputs=tip, outputs=tip, reduce="modal", order=6).A.shape
        (6, 6)
        """
        _core.require_plant_options(options)
        with shown() as show:
            return Plant(_core.plant(self._handle, list(inputs), list(outputs), options, show))

    def export(
        self,
        path: str | Path,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        singular: bool = False,
        uncertified: bool = False,
        anyway: bool = False,
        **options: Any,
    ) -> Plant:
        """Writes a plant as `stillpoint export` does: .mat, .npz, .json, .mo, or a folder with a slash at its end.

        Raises Error if the configuration is singular, if the poles are not certified, or if a reduction changes the
        response by more than 100 %, unless the option of that name says that this is meant; the file tells. Other
        options are those of `plant`.

        >>> lin = read_model("cases/cart_pole").linearize("nearest")
        >>> lin.export("/tmp/plant.json", ["u"], ["angle"])
        <Plant cart_pole: state-space by mcs, 4 states; u → angle>
        >>> lin.export("/tmp/plant.tex", ["u"], ["angle"])
        Traceback (most recent call last):
        stillpoint.Error: /tmp/plant.tex: ...
        """
        plant = self.plant(inputs, outputs, **options)
        allowed = {"off_equilibrium": True, "singular": singular, "uncertified": uncertified, "anyway": anyway}
        for option, reason in plant.objections:
            if not allowed[option]:
                raise Error(
                    f"not exported: {reason}; {option}=True exports nevertheless, and records this in the file"
                )
        plant.write(path)
        return plant

    def response(
        self,
        omega: Any = None,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        band: tuple[Optional[float], Optional[float]] = (None, None),
        points: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> Response:
        """The frequency response of the whole sparse system at `omega` (rad/s).

        Without `omega` it is that of the command line: over `band=(from, to)` in Hz, by default a decade around the
        lowest modes, at `points` in equal ratios, or else at 400 and more near resonances.

        >>> lin = read_model("cases/drive_train").linearize()
        >>> lin.response(inputs=["motor"], outputs=["shaft"], band=(0.1, 100), points=50).H.shape
        (1, 1, 50)
        """
        asked = range_request(omega, band, points)
        with shown() as show:
            return Response(_core.response(self._handle, list(inputs), list(outputs), minimum_norm, asked, show))

    def singular_values(
        self,
        omega: Any = None,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        band: tuple[Optional[float], Optional[float]] = (None, None),
        points: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> SingularValues:
        """The singular values of the responses of all pairs together; options as of `response`.

        >>> lin = LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.4]])
        >>> lin.singular_values([2.0], ["q[1]"], ["q[1]"]).values
        array([[1.25]])
        """
        asked = range_request(omega, band, points)
        with shown() as show:
            return SingularValues(
                _core.singular_values(self._handle, list(inputs), list(outputs), minimum_norm, asked, show)
            )

    def unbalance(
        self,
        unbalances: Sequence[tuple[Any, ...]],
        outputs: Sequence[str] = (),
        *,
        orbits: Sequence[Sequence[str]] = (),
        omega: Any = None,
        band: tuple[Optional[float], Optional[float]] = (None, None),
        points: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> Response:
        """The amplitudes that rotating unbalance causes, over the speed of the rotor, `omega` or a `band`.

        An unbalance is `(first, second, amount)`, or with a fourth number its angle in degrees: `amount` m e (kg m) on two
        inputs or coordinates, from the first of which the rotor turns to the second. `orbits` are pairs of outputs, of
        which the forward and backward amplitudes follow. `Model.unbalance` linearizes at each speed.

        >>> lin = read_model("cases/jeffcott_rotor").linearize()
        >>> whirl = lin.unbalance([("fx", "fy", 2e-4)], ["disc.x"], orbits=[("disc.x", "disc.y")], omega=[1e4])
        >>> whirl.outputs
        ['disc.x', 'disc.y', 'forward(disc.x,disc.y)', 'backward(disc.x,disc.y)']
        >>> abs(whirl.H[:, 0, 0]).round(7).tolist()  # far above the critical speed m e / m
        [2e-05, 2e-05, 2e-05, 0.0]
        """
        asked = range_request(omega, band, points)
        what = unbalances_of(unbalances), orbits_of(orbits), list(outputs)
        with shown() as show:
            return Response(_core.unbalance(self._handle, *what, minimum_norm, asked, show))

    def psd(
        self,
        densities: Mapping[str, Any],
        outputs: Sequence[str] = (),
        *,
        coherence: Optional[Mapping[tuple[str, str], float]] = None,
        omega: Any = None,
        band: tuple[Optional[float], Optional[float]] = (None, None),
        points: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> RandomResponse:
        """Spectral densities and RMS values of outputs for random inputs.

        A density, one-sided and per Hz, is a number (white noise), `(value, from, to)` in a band (Hz), a table
        `(frequencies, values)`, or the name of a file of one. "base''" is the acceleration of the input "base".
        `coherence={("a", "b"): 0.5}` is that of two inputs; otherwise they are uncorrelated. `omega`, `band` and
        `points` choose where densities are shown.

        >>> lin = read_model("cases/base_excited").linearize()
        >>> lin.psd({"base''": (0.1, 1, 50)}, ["felt.y"])
        <RandomResponse of base_excited to base: RMS of felt.y ...>
        """
        asked = range_request(omega, band, points)
        what = densities_of(densities), coherence_of(coherence), list(outputs)
        with shown() as show:
            return RandomResponse(_core.random_response(self._handle, *what, minimum_norm, asked, show))

    def step(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        until: Optional[float] = None,
        points: Optional[int] = None,
        order: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> TimeResponse:
        """The answers to a unit step at each input, `until` a time in s; large systems need the `order` of a reduction.

        >>> LinearSystem(M=[[1.0]], K=[[4.0]]).step(["q[1]"], ["q[1]"], until=1, points=5).y.shape
        (1, 1, 5)
        """
        return self._in_time("step", inputs, outputs, until, points, order, minimum_norm)

    def impulse(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        until: Optional[float] = None,
        points: Optional[int] = None,
        order: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> TimeResponse:
        """The answers to a unit impulse at each input; options as of `step`.

        >>> LinearSystem(M=[[1.0]], K=[[4.0]]).impulse(["q[1]"], ["q[1]"], until=1, points=5).y.shape
        (1, 1, 5)
        """
        return self._in_time("impulse", inputs, outputs, until, points, order, minimum_norm)

    def _in_time(
        self,
        kind: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        until: Optional[float],
        points: Optional[int],
        order: Optional[int],
        minimum_norm: bool,
    ) -> TimeResponse:
        names = list(inputs), list(outputs)
        with shown() as show:
            return TimeResponse(
                _core.time_response(self._handle, kind, *names, until, points, order, minimum_norm, show)
            )

    def loops(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        band: tuple[Optional[float], Optional[float]] = (None, None),
        minimum_norm: bool = False,
    ) -> Loops:
        """Margins of each pair as an open loop of negative feedback, over `band=(from, to)` in Hz.

        >>> LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.4]]).loops(["q[1]"], ["q[1]"]).figures[0]["open_unstable"]
        0
        """
        from_, to = (None if hertz is None else hertz * (2 * np.pi) for hertz in band)
        with shown() as show:
            return Loops(_core.loops(self._handle, list(inputs), list(outputs), from_, to, minimum_norm, show))

    def zeros(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        near: Optional[complex] = None,
        count: Optional[int] = None,
        minimum_norm: bool = False,
    ) -> Zeros:
        """The zeros from inputs to outputs; of large systems those nearest to `near` (rad/s).

        >>> import numpy as np
        >>> lin = LinearSystem(M=np.eye(2), K=[[5.0, -1.0], [-1.0, 2.0]], coordinates=["a", "b"])
        >>> lin.zeros(["a"], ["a"]).s.imag.round(6)  # the other mass absorbs the vibration: s² = −2
        array([ 1.414214, -1.414214])
        """
        with shown() as show:
            return Zeros(_core.zeros(self._handle, list(inputs), list(outputs), near, count, minimum_norm, show))

    def controllability(
        self,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        *,
        count: Optional[int] = None,
        band: Optional[tuple[float, float]] = None,
        near: Optional[complex] = None,
        minimum_norm: bool = False,
    ) -> Controllability:
        """Which inputs move each mode, and which outputs show it: of small systems all modes, or those that `count`,
        `band=(from, to)` in Hz or `near` (rad/s) asks for.

        >>> import numpy as np
        >>> lin = LinearSystem(M=np.eye(2), K=[[2.0, -1.0], [-1.0, 2.0]], coordinates=["a", "b"])
        >>> reach = lin.with_spring("a", stiffness=1).controllability(["a"], ["b"])
        >>> sum(reach.unmoved), sum(reach.unshown)
        (0, 0)
        """
        which = {"count": count, "band": band, "near": near}
        asked = {name: one for name, one in which.items() if one is not None}
        with shown() as show:
            return Controllability(
                _core.controllability(self._handle, list(inputs), list(outputs), asked, minimum_norm, show)
            )

    def sparsity(
        self, *, memory: float = _core.usual["gigabytes"], metis: bool = False, spy: Optional[str | Path] = None
    ) -> Sparsity:
        """How sparse the matrices of each method are, and which method suits the system.

        Matrices beyond `memory` (GB) are predicted; `metis` finds its order beyond 200 000 rows, too; `spy` is a folder
        for pictures.

        >>> import numpy as np
        >>> LinearSystem(M=np.eye(3), K=np.eye(3)).sparsity().dof
        3
        """
        with shown() as show:
            report = _core.sparsity(self._handle, float(memory), metis, spy is not None, show)
        return Sparsity(report, report.write_spy(str(spy)) if spy is not None else [])

    def explain(self, *topic: str | int) -> Explanation:
        """Why the results are what they are, as `Model.explain`, which also knows the parameters of the model.

        >>> LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.1]]).explain("verdict").blocks[0].topic
        'verdict'
        """
        with shown() as show:
            words = [str(one) for one in topic]
            return Explanation(_core.explain_system(self._handle, words, self.name or "MODEL", show))

    def scene(
        self, *, modes: int = _core.usual["drawn_modes"], amplitude: float = _core.usual["drawn_amplitude"]
    ) -> Scene:
        """The geometry of the mechanism, and how it moves in its lowest modes, by `amplitude` relative to the picture.

        >>> read_model("cases/four_bar").linearize().scene(modes=1)
        <Scene of four_bar: 2 frames, 5 elements, 1 motions>
        """
        with shown() as show:
            return Scene(_core.scene(self._handle, modes, amplitude, show))

    def report(self, path: Optional[str | Path] = None, **options: Any) -> Page:
        """One HTML page with the evidence; `path` writes it.

        `modes` move, by `amplitude` relative to the picture, unless `no_motion`; `inputs`, `outputs`, `minimum_norm`
        and `frequencies=(from, to)` in Hz choose responses. Other options are those of `compare`.

        >>> LinearSystem(M=[[1.0]], K=[[4.0]]).report().html[:15]
        '<!doctype html>'
        """
        return self._page(path, options, {}, None, {})

    def _page(
        self,
        path: Optional[str | Path],
        options: Mapping[str, Any],
        more: Mapping[str, Any],
        model: Optional[_core.Model],
        rest: Mapping[str, Any],
    ) -> Page:
        of_page = ("modes", "amplitude", "no_motion", "inputs", "outputs", "minimum_norm", "frequencies")
        analysis = {key: value for key, value in options.items() if key not in of_page}
        _core.require_mode_options(analysis)
        page = {key: value for key, value in {**options, **more}.items() if key not in analysis}
        with shown() as show:
            made = Page(_core.report(self._handle, model, analysis, page, dict(rest), show), self.name)
        if path is not None:
            made.write(path)
        return made

    # ----- Changes: each makes a new system

    def with_spring(self, first: str, second: Optional[str] = None, *, stiffness: float) -> LinearSystem:
        """The system with a spring between two coordinates, or between one and the ground.

        >>> lin = LinearSystem(M=[[1.0]], K=[[1.0]], coordinates=["x"])
        >>> lin.with_spring("x", stiffness=3).modes().s
        array([0.+2.j, 0.-2.j])
        """
        return self._with_member(_difference(first, second), stiffness=stiffness)

    def with_damper(self, first: str, second: Optional[str] = None, *, damping: float) -> LinearSystem:
        """The system with a damper between two coordinates, or between one and the ground."""
        return self._with_member(_difference(first, second), damping=damping)

    def with_mass(self, coordinate: str, *, mass: float) -> LinearSystem:
        """The system with a mass, or a moment of inertia, that moves with a coordinate."""
        return self._with_member(_difference(coordinate, None), mass=mass)

    def _with_member(
        self, motion: list[tuple[str, float]], *, mass: float = 0, damping: float = 0, stiffness: float = 0
    ) -> LinearSystem:
        made = _core.with_member(self._handle, motion, float(mass), float(damping), float(stiffness))
        return LinearSystem._of(made)

    def with_constraints(self, *combinations: Mapping[str, float]) -> LinearSystem:
        """The system in which linear combinations of coordinates stay zero, `{"a": 1, "b": -1}`: a moves as b does.

        >>> import numpy as np
        >>> lin = LinearSystem(M=np.eye(2), K=np.diag([1.0, 7.0]), coordinates=["a", "b"])
        >>> lin.with_constraints({"a": 1, "b": -1}).modes().s
        array([0.+2.j, 0.-2.j])
        """
        rows = [[(str(name), float(factor)) for name, factor in one.items()] for one in combinations]
        return LinearSystem._of(_core.with_constraints(self._handle, rows))

    def close_loop(
        self,
        D: Any = None,
        *,
        measured: Sequence[str],
        driven: Sequence[str],
        A: Any = None,
        B: Any = None,
        C: Any = None,
        name: str = "controller",
    ) -> LinearSystem:
        """The system with a controller in the loop, ξ̇ = A ξ + B y, u = C ξ + D y; gains alone have only D.

        It measures outputs, coordinates, or rates of coordinates ("x'"), and drives inputs, or forces on coordinates.
        The feedback is positive: an LQR gain K enters as D = −K. Its states are coordinates "controller.x[1]", ...

        >>> lin = LinearSystem(M=[[1.0]], K=[[0.0]], F=[[1.0]], coordinates=["x"], inputs=["u"])
        >>> lin.close_loop([[-4.0, -4.0]], measured=["x", "x'"], driven=["u"]).modes().s.round(6)
        array([-2.+0.j, -2.+0.j])
        """
        a, b, c, d = (_core_matrix(one) for one in (A, B, C, D))
        return LinearSystem._of(_core.close_loop(self._handle, a, b, c, d, list(measured), list(driven), name))

    # ----- Files and pickles

    def write(self, folder: str | Path) -> None:
        """Writes the matrices as a folder of Matrix Market files, with names in model.json."""
        self._handle.write(str(folder))

    def __reduce__(self) -> tuple[Any, ...]:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            self.write(folder)
            files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
        return _from_files, (files,)

    def __repr__(self) -> str:
        n, m, inputs, outputs = self.size
        singular = ", singular configuration" if self.is_singular else ""
        return (
            f"<LinearSystem {self.name}: {self.dof} degrees of freedom{singular}; {n} coordinates, {m} constraints, "
            f"{inputs} inputs, {outputs} outputs>"
        )

    def _repr_html_(self) -> str:
        from ._notebook import system_html

        return system_html(self)


def _difference(first: str, second: Optional[str]) -> list[tuple[str, float]]:
    return [(first, 1.0)] if second is None else [(first, 1.0), (second, -1.0)]


def _core_matrix(matrix: Any) -> np.ndarray:
    if matrix is None:
        return np.zeros((0, 0))
    if scipy.sparse.issparse(matrix):
        matrix = matrix.toarray()
    try:
        made: np.ndarray = np.atleast_2d(np.asarray(matrix, dtype=float))
    except (TypeError, ValueError) as reason:
        raise Error(f"a matrix of numbers is meant: {reason}") from None
    return made


def couple(
    first: LinearSystem,
    second: LinearSystem,
    joined: Mapping[str, str] | Sequence[Mapping[str, float]],
    *,
    prefixes: tuple[str, str] = ("", ""),
) -> LinearSystem:
    """Two systems coupled at named coordinates (substructuring).

    `joined={"a": "b"}` lets coordinate a of the first move as b of the second does; a list of combinations
    `[{"left.a": 1, "right.b": -2}]` couples in any way. Where names occur twice, prefixes stand before them.

    >>> left = LinearSystem(M=[[1.0]], K=[[3.0]], coordinates=["a"])
    >>> right = LinearSystem(M=[[1.0]], K=[[5.0]], coordinates=["b"])
    >>> couple(left, right, {"a": "b"}).modes().s
    array([0.+2.j, 0.-2.j])
    """
    both = LinearSystem._of(_core.side_by_side(first._handle, second._handle, *prefixes))
    if isinstance(joined, Mapping):
        joined = [{prefixes[0] + a: 1.0, prefixes[1] + b: -1.0} for a, b in joined.items()]
    return both.with_constraints(*joined)


def _from_files(files: dict[str, bytes]) -> LinearSystem:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        return read_linear_system(folder)


def read_linear_system(folder: str | Path, *, rank: Optional[int] = None) -> LinearSystem:
    """Reads a folder of matrices, M.mtx and K.mtx at least.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     LinearSystem(M=[[2.0]], K=[[8.0]]).write(folder)
    ...     read_linear_system(folder).modes().s
    array([0.+2.j, 0.-2.j])
    """
    return LinearSystem._of(_core.read_linear_system(str(folder), rank))


def compare(system: LinearSystem, **options: Any) -> Comparison:
    """Three methods side by side; options as of `LinearSystem.modes`.

    >>> compare(LinearSystem(M=[[1.0]], K=[[4.0]])).certified
    True
    """
    return system.compare(**options)
