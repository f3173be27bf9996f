"""What all results have in common: the JSON and the text of the command line, and pickling."""
from __future__ import annotations

import json
from html import escape
from typing import Any

from . import _core
from ._core import Error


def place_of_pair(outputs: list[str], inputs: list[str], output: str, input: str) -> tuple[int, int]:
    """The numbers of an output and an input. Raises Error for a name that is not there."""
    for kind, name, known in (("output", output, outputs), ("input", input, inputs)):
        if name not in known:
            _core.refuse_name(kind, name, known)
    return outputs.index(output), inputs.index(input)


class Result:
    """A result keeps its numbers as attributes, and what made them for `to_json` and `str`."""

    _handle: Any
    _kept: dict[str, str]

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def _json(self) -> str:
        return str(self._handle.json())

    def _text(self) -> str:
        return str(self._handle.text())

    def to_json(self) -> str:
        """The JSON that the command line prints with --json; `docs` describes its keys."""
        return self._json() if self._handle is not None else self._kept["json"]

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary."""
        return dict(json.loads(self.to_json()))

    def __str__(self) -> str:
        return self._text() if self._handle is not None else self._kept["text"]

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _require_handle(self, what: str) -> None:
        if self._handle is None:
            raise Error(f"{what} was not kept when this result was pickled: ask the original for it")

    def _complete(self) -> None:
        """Computes what is computed on demand, before the result is pickled."""

    def __getstate__(self) -> dict[str, Any]:
        self._complete()
        state = {name: value for name, value in self.__dict__.items() if name != "_handle"}
        state["_kept"] = {"json": self.to_json(), "text": str(self)}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._handle = None
