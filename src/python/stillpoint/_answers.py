"""Answers for control beside the frequency response: in time, and of loops."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._result import Result, place_of_pair


class _Figures(Result):
    """A result with a dictionary of figures for each pair, all inputs of the first output first."""

    name: str
    inputs: list[str]
    outputs: list[str]
    figures: list[dict[str, Any]]
    warnings: list[str]

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)
        self.__dict__.update(handle.facts())

    def pair(self, output: str, input: str) -> dict[str, Any]:
        """The figures of one output and one input."""
        row, column = place_of_pair(self.outputs, self.inputs, output, input)
        return self.figures[row * len(self.inputs) + column]

    def to_csv(self) -> str:
        """The curves as a table."""
        self._require_handle("the table of the curves")
        return str(self._handle.csv())

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of {self.name}: {', '.join(self.inputs)} → {', '.join(self.outputs)}>"
        )


class TimeResponse(_Figures):
    """The answer in time to a step or an impulse: `y`, outputs × inputs × times, at `times` (s).

    `figures` has rise and settling time, overshoot and `behaviour` of each pair.

    >>> lin = LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.4]])
    >>> step = lin.step(["q[1]"], ["q[1]"], until=10)
    >>> step.figures[0]["behaviour"], round(step.figures[0]["final_value"], 9)
    ('settles', 0.25)
    """

    times: np.ndarray
    y: np.ndarray
    error: float

    def __init__(self, handle: _core.TimeResponseReport) -> None:
        super().__init__(handle)

    def to_svg(self) -> str:
        """A panel for each pair."""
        self._require_handle("the picture")
        return str(self._handle.svg())


class Loops(_Figures):
    """Each pair as an open loop of negative feedback: `figures` with its margins, bandwidth and unstable poles.

    >>> lin = LinearSystem(M=[[1.0]], K=[[4.0]], C=[[0.4]])
    >>> lin.loops(["q[1]"], ["q[1]"]).figures[0]["closed_unstable"]
    0
    """

    omega: np.ndarray

    def __init__(self, handle: _core.LoopsReport) -> None:
        super().__init__(handle)

    def to_text(self, as_loops: bool = True, hertz: bool = True) -> str:
        """The tables of the figures: of the loops, or of the responses as they are, with bandwidth and peak."""
        self._require_handle("the tables")
        return str(self._handle.text(as_loops, hertz))

    def _text(self) -> str:
        return self.to_text()

    def to_svg(self, plot: str = "nyquist", hertz: bool = True) -> str:
        """A Nyquist plot, or with "nichols" a Nichols chart."""
        self._require_handle("the picture")
        return str(self._handle.svg(plot, hertz))
