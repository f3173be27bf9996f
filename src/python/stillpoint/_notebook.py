"""What a notebook shows: the verdict, a table, and the spectrum as a picture. There is no script in it."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Iterable, Sequence

import numpy as np

if TYPE_CHECKING:
    from ._model import Equilibrium, Model
    from ._modes import Comparison, Modes, Spectrum
    from ._system import LinearSystem

_MOST_ROWS = 40
_STABLE = ("asymptotically stable", "stable (conservative)")


def _headline(verdict: str, reason: str, words: str = "") -> str:
    sign = "✓" if verdict in _STABLE else "✕"
    return f"<p><b>{sign} {escape(words or verdict)}</b> — {escape(reason)}</p>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _one_of_each_pair(spectrum: Spectrum) -> np.ndarray:
    finite = np.isfinite(spectrum.s)
    return np.flatnonzero(finite & (spectrum.s.imag >= 0))


def _mode_table(spectrum: Spectrum) -> str:
    chosen = _one_of_each_pair(spectrum)
    rows = [
        [
            str(number + 1),
            f"{spectrum.frequency[i]:.6g}",
            f"{spectrum.damping[i]:.2%}",
            f"{spectrum.s[i].real:.6g}",
            f"{spectrum.s[i].imag:.6g}",
            f"{spectrum.error[i]:.0e}",
            spectrum.descriptions[i] if spectrum.descriptions else "",
        ]
        for number, i in enumerate(chosen[:_MOST_ROWS])
    ]
    more = f"<p>and {len(chosen) - _MOST_ROWS} more</p>" if len(chosen) > _MOST_ROWS else ""
    return _table(["mode", "Hz", "damping", "Re s", "Im s", "± error", "what moves"], rows) + more


def spectrum_svg(s: np.ndarray, width: int = 320, height: int = 240) -> str:
    """The eigenvalues in the complex plane; those on the right of the axis are red."""
    s = s[np.isfinite(s)]
    if s.size == 0:
        return ""
    margin = 14
    reach = max(float(np.abs(s).max()), 1e-300)
    least = min(float(s.real.min()), 0.0)
    most = max(float(s.real.max()), 0.0)
    if most - least < 0.1 * reach:  # nearly imaginary: the axis stands in the middle
        least, most = least - 0.1 * reach, most + 0.1 * reach
    top = max(float(np.abs(s.imag).max()), 0.1 * reach)

    def x(real: float) -> float:
        return margin + (real - least) / (most - least) * (width - 2 * margin)

    def y(imaginary: float) -> float:
        return margin + (top - imaginary) / (2 * top) * (height - 2 * margin)

    def dot(value: complex) -> str:
        colour = "#c33" if value.real > 1e-9 * reach else "#06c"
        return f'<circle cx="{x(value.real):.1f}" cy="{y(value.imag):.1f}" r="3.5" fill="{colour}"/>'

    axes = (
        f'<path d="M{x(0):.1f} 4V{height - 4}M4 {y(0):.1f}H{width - 4}" stroke="#888" fill="none"/>'
        f'<text x="{x(0) + 4:.1f}" y="12" font-size="10" fill="#555">Im s {top:.3g} rad/s</text>'
        f'<text x="{width - 4}" y="{y(0) - 4:.1f}" font-size="10" fill="#555" text-anchor="end">Re s</text>'
    )
    dots = "".join(dot(complex(value)) for value in s[:2000])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="eigenvalues in the complex plane" '
        f'style="background:#fff">{axes}{dots}</svg>'
    )


def modes_html(modes: Modes) -> str:
    """Verdict, table and spectrum."""
    if not modes.computed:
        return f"<p><b>✕ no modes</b> — {escape(modes.why_not)}</p>"
    proof = "" if modes.certified else f"<p><b>not certified</b>: {escape('; '.join(modes.reasons))}</p>"
    return _headline(modes.verdict, modes.reason, modes.in_words) + proof + _mode_table(modes) + spectrum_svg(modes.s)


def comparison_html(comparison: Comparison) -> str:
    """Verdict, and a row for each method."""
    rows = [
        [
            one.method,
            str(len(one)) if one.computed else one.why_not,
            one.solver if one.computed else "",
            f"{one.difference:.1e}" if one.difference == one.difference else "",
            {True: "within error bounds", False: "BEYOND error bounds", None: ""}[one.within_error_bounds],
        ]
        for one in comparison.methods
    ]
    head = ["method", "eigenvalues", "solver", "largest difference from mcs", ""]
    return _headline(comparison.verdict, comparison.reason, comparison.in_words) + _table(head, rows)


def equilibrium_html(rest: Equilibrium) -> str:
    """Verdict and coordinates."""
    if not rest.at_rest:
        return f"<p><b>✕ {escape(rest.status)}</b> — {escape(rest.message)}</p>"
    rows = [[name, f"{value:.9g}"] for name, value in zip(rest.coordinates[:_MOST_ROWS], rest.q)]
    more = f"<p>and {len(rest.q) - _MOST_ROWS} more</p>" if len(rest.q) > _MOST_ROWS else ""
    return _headline(rest.verdict, f"by {rest.verdict_basis}") + _table(["coordinate", "value"], rows) + more


def model_html(model: Model) -> str:
    """Name, size and parameters."""
    rows = [[name, f"{value:.9g}"] for name, value in model.parameters.items()]
    return f"<p><b>{escape(repr(model)[1:-1])}</b></p>" + (_table(["parameter", "value"], rows) if rows else "")


def system_html(system: LinearSystem) -> str:
    """Name, size and matrices."""
    letters = ("M", "C", "K", "J", "F", "G", "Hq", "Hv", "Ha", "Hl", "Hu")
    sizes = [(letter, getattr(system, letter)) for letter in letters]
    rows = [[letter, f"{A.shape[0]} × {A.shape[1]}", str(A.nnz)] for letter, A in sizes if min(A.shape) > 0]
    return f"<p><b>{escape(repr(system)[1:-1])}</b></p>" + _table(["matrix", "size", "entries"], rows)
