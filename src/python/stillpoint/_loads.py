"""Loads of practice: effective masses, rotating unbalance, and random inputs with spectral densities."""
from __future__ import annotations

from os import PathLike, fspath
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import _core
from ._core import Error
from ._result import Result


class EffectiveMasses(Result):
    """How much mass each undamped mode takes along when the base moves in one of `directions`.

    Rows of `mass` (kg, kg m²) and of the `participation` factors belong to the modes `s`, columns to the directions;
    `total`, `moving`, `held` by the ground and the `sum` over these modes have an entry for each direction.

    >>> lin = read_model("cases/jeffcott_rotor").linearize()
    >>> masses = lin.modes(effective_masses=True).effective_masses
    >>> masses
    <EffectiveMasses of jeffcott_rotor: 6 modes carry x 100 %, y 100 %, z 100 %, rx 100 %, ry 100 %, rz 100 %; certified>
    >>> masses.mass[:, 0].round(9).tolist()
    [10.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """

    name: str
    directions: list[str]
    units: list[str]
    about: tuple[float, float, float]
    s: np.ndarray
    modal_mass: np.ndarray
    participation: np.ndarray
    mass: np.ndarray
    total: np.ndarray
    moving: np.ndarray
    held: np.ndarray
    sum: np.ndarray
    all_modes: bool
    certified: bool
    warnings: list[str]

    def __init__(self, handle: _core.MassesReport, name: str) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())
        self.name = name

    def __repr__(self) -> str:
        with np.errstate(invalid="ignore", divide="ignore"):
            parts = 100 * self.sum / self.total
        carried = ", ".join(f"{name} {part:.4g} %" for name, part in zip(self.directions, parts))
        proof = "certified" if self.certified else "NOT CERTIFIED"
        return f"<EffectiveMasses of {self.name}: {len(self.s)} modes carry {carried}; {proof}>"


class RandomResponse(Result):
    """The stationary response to random inputs: `rms` of each of `outputs`, with the estimated `error` of the `variance`
    and the `crossing_rate` of the mean (Hz); `psd` has the one-sided cross-spectra per Hz, outputs × outputs ×
    frequencies, at `frequency` (Hz).

    >>> lin = LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.4]], coordinates=["x"])
    >>> shaken = lin.psd({"x": 1.0}, ["x"])
    >>> shaken, shaken.method
    (<RandomResponse of system to x: RMS of x 0.3953>, "Lyapunov's equation")
    """

    name: str
    inputs: list[str]
    outputs: list[str]
    output_units: list[str]
    frequency: np.ndarray
    psd: np.ndarray
    rms: np.ndarray
    variance: np.ndarray
    error: np.ndarray
    crossing_rate: np.ndarray
    band: tuple[float, float]
    method: str
    evaluations: int
    converged: bool
    warnings: list[str]

    def __init__(self, handle: _core.RandomReport) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def to_csv(self) -> str:
        """A line for each frequency, with the density of each output."""
        self._require_handle("the table of the densities")
        return str(self._handle.csv())

    def to_svg(self) -> str:
        """A log-log plot of the density of each output."""
        self._require_handle("the picture")
        return str(self._handle.svg())

    def __repr__(self) -> str:
        found = ", ".join(
            f"{name} {rms:.4g}{' ' + unit if unit else ''}"
            for name, rms, unit in zip(self.outputs, self.rms, self.output_units)
        )
        doubt = "" if self.converged else "; NOT CONVERGED"
        return f"<RandomResponse of {self.name} to {', '.join(self.inputs)}: RMS of {found}{doubt}>"


def about_of(about: None | str | Sequence[float]) -> str | list[float]:
    """The word "centre", or coordinates; none: the origin."""
    return about if isinstance(about, str) else [float(one) for one in about or ()]


def unbalances_of(unbalances: Sequence[tuple[Any, ...]]) -> list[tuple[str, str, float, float]]:
    """(first, second, amount) or (first, second, amount, degrees), one of them or several."""
    each: list[Any] = [unbalances] if unbalances and isinstance(unbalances[0], str) else list(unbalances)
    found = []
    for one in each:
        try:
            first, second, amount, *more = one
            (degrees,) = more or (0.0,)
            found.append((str(first), str(second), float(amount), float(degrees)))
        except (TypeError, ValueError):
            raise Error(
                f"unbalance: {one!r}: (first, second, amount) or (first, second, amount, degrees) is meant, such as "
                "('disc.x', 'disc.y', 1e-4)"
            ) from None
    return found


def orbits_of(orbits: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Pairs of outputs."""
    try:
        return [(str(first), str(second)) for first, second in orbits]
    except (TypeError, ValueError):
        raise Error(f"orbits: {orbits!r}: pairs of outputs are meant, such as [('disc.x', 'disc.y')]") from None


def densities_of(densities: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """For each input a number, (value, from, to) in Hz, a table (frequencies, values), or a file of one."""
    return [(str(name), _density(str(name), what)) for name, what in densities.items()]


def _density(name: str, what: Any) -> Any:
    if isinstance(what, (str, PathLike)):
        return fspath(what)
    try:
        if np.ndim(what) == 0:
            return float(what)
        if len(what) == 3 and all(np.ndim(one) == 0 for one in what):
            return tuple(float(one) for one in what)
        hertz, values = (np.asarray(one, dtype=float).ravel().tolist() for one in what)
        return hertz, values
    except (TypeError, ValueError):
        raise Error(
            f"psd of {name!r}: a number, (value, from, to) in Hz, (frequencies, values) or the name of a file is meant"
        ) from None


def coherence_of(coherence: Optional[Mapping[tuple[str, str], float]]) -> list[tuple[str, str, float]]:
    """Pairs of inputs with their coherence."""
    try:
        return [(str(first), str(second), float(value)) for (first, second), value in (coherence or {}).items()]
    except (TypeError, ValueError):
        raise Error(f"coherence: {coherence!r}: pairs of inputs with a number are meant, such as {{('a', 'b'): 0.5}}") from None
