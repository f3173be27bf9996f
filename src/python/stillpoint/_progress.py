"""What long calls show while they last: a line in a terminal, or an output in a notebook that goes away at the end."""
from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

_FIRST, _AGAIN = 0.5, 0.1  # seconds: short work shows nothing, and a line stays long enough to be read

_wanted = True


def show_progress(wanted: bool = True) -> None:
    """Long calls show their progress, or do not.

    >>> show_progress(False)
    >>> show_progress(True)
    """
    global _wanted
    _wanted = wanted


class _Line:
    """Called with the seconds so far and the latest text of the work."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._last = 0.0
        self._is_shown = False

    def __call__(self, seconds: float, text: str) -> None:
        if seconds < _FIRST or (self._is_shown and seconds - self._last < _AGAIN):
            return
        self._write(f"{seconds:.0f} s: {text}")
        self._last, self._is_shown = seconds, True

    def clear(self) -> None:
        if self._is_shown:
            self._write("")


def _write_to_terminal(text: str) -> None:
    sys.stderr.write("\r\033[K" + text)
    sys.stderr.flush()


def _notebook_writer() -> Optional[Callable[[str], None]]:
    """A function that writes into the output of the cell; None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    if type(shell).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import HTML, display

    output: Any = None

    def write(text: str) -> None:
        nonlocal output
        shown = HTML(f"<small>{text}</small>" if text else "")
        if output is None:
            output = display(shown, display_id=True)
        else:
            output.update(shown)

    return write


@contextmanager
def shown() -> Iterator[Optional[_Line]]:
    """The function that shows the progress while the context lasts; None if nobody would see it."""
    writer = _notebook_writer()
    if writer is None and sys.stderr is not None and sys.stderr.isatty():
        writer = _write_to_terminal
    if writer is None or not _wanted:
        yield None
        return
    line = _Line(writer)
    try:
        yield line
    finally:
        line.clear()
