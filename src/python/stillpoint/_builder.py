"""Models that are built entry by entry."""
from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any, Callable, Mapping, Optional

import numpy as np

from . import _core
from ._inspections import model_schema
from ._model import Model
from ._rest import pairs


@cache
def _fields_of_kinds(dimension: int) -> dict[str, dict[str, str]]:
    """The kinds of entries, each with its fields and their descriptions."""
    kinds: dict[str, dict[str, str]] = {}
    for entry in model_schema()["$defs"]["space_entry" if dimension == 3 else "entry"]["oneOf"]:
        fields = {name: str(field.get("description", "")) for name, field in entry["properties"].items()}
        kinds[next(iter(fields))] = fields
    return kinds


@cache
def _fields_of_head() -> list[str]:
    return [name for name in model_schema()["properties"] if name not in ("stillpoint", "mechanism")]


class ModelBuilder:
    """Builds a model entry by entry, in the words of model files; `docs/model-files.md` lists all kinds of entries.

    There is a method for each kind, `kinds()` lists them, and `fields("revolute")` what one takes. Each returns the
    name, so that others can refer to it. A name that Python keeps for itself, as `from`, is written with an underscore
    at its end. Unknown kinds and fields are refused at once; what else is wrong is found by `model`, with the place
    where the entry was added.

    >>> build = ModelBuilder("pendulum", gravity=(0, -9.81), parameters={"l": 1})
    >>> bob = build.body("bob", at="0, -l", mass=2, inertia=0.1)
    >>> top = build.marker("top", on=bob, at="0, l")
    >>> hinge = build.revolute("hinge", between=("ground", top))
    >>> build.model(set={"l": 2}).modes().verdict
    'stable (conservative)'
    >>> build.body("other", at=(0, 0), masss=1)
    Traceback (most recent call last):
    stillpoint.Error: there is no field of 'body' 'masss' (did you mean 'mass'?)
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
            word = key.rstrip("_")
            if word not in _fields_of_head():
                _core.refuse_name("part of a model", word, _fields_of_head())
            if value is not None:
                self._head[word] = value
        self._entries: list[dict[str, Any]] = []
        self._places: list[str] = []

    def kinds(self) -> list[str]:
        """The kinds of entries.

        >>> "prismatic" in ModelBuilder().kinds(), "spherical" in ModelBuilder().kinds()
        (True, False)
        >>> "spherical" in ModelBuilder(dimension=3).kinds()
        True
        """
        return list(_fields_of_kinds(self._head.get("dimension", 2)))

    def fields(self, kind: str) -> dict[str, str]:
        """What an entry of a kind takes, with descriptions.

        >>> ModelBuilder().fields("spring")["stiffness"]
        'stiffness (N/m)'
        """
        kinds = _fields_of_kinds(self._head.get("dimension", 2))
        if kind not in kinds:
            _core.refuse_name("kind of entry", kind, list(kinds))
        return dict(kinds[kind])

    def add(self, kind: str, name: Optional[str] = None, **fields: Any) -> str:
        """Adds an entry, and returns its name: `kind` is its keyword, and the fields are those of the manual.

        >>> ModelBuilder().add("scalar", "x", value=0, mass=1)
        'x'
        """
        return self._add(kind, name, fields)

    def _add(self, kind: str, name: Optional[str], fields: Mapping[str, Any]) -> str:
        known = list(self.fields(kind))
        entry: dict[str, Any] = {kind: name}
        for key, value in fields.items():
            word = key.rstrip("_")
            if word not in known:
                _core.refuse_name(f"field of '{kind}'", word, known)
            entry[word] = value
        self._entries.append(entry)
        caller = sys._getframe(2)
        self._places.append(f"{caller.f_code.co_filename}:{caller.f_lineno}")
        return name or ""

    def __getattr__(self, kind: str) -> Callable[..., str]:
        if kind.startswith("_") or kind.rstrip("_") not in self.kinds():
            raise AttributeError(f"a ModelBuilder has no '{kind}'; kinds() lists the kinds of entries")

        def add_one(name: Optional[str] = None, **fields: Any) -> str:
            return self._add(kind.rstrip("_"), name, fields)

        add_one.__name__ = kind
        add_one.__doc__ = "\n".join(f"{field}: {text}" for field, text in self.fields(kind.rstrip("_")).items())
        return add_one

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.kinds()]

    def parameter(self, name: str, value: Any) -> str:
        """Adds a parameter, a number or an expression of those before it.

        >>> build = ModelBuilder()
        >>> build.parameter("m", 2)
        'm'
        """
        self._head.setdefault("parameters", {})
        self._head["parameters"] = {**self._head["parameters"], name: value}
        return name

    def controller(self, **fields: Any) -> None:
        """Adds a controller, with the fields of `docs/controllers.md`; the first one is its kind, with its name.

        >>> build = ModelBuilder()
        >>> x = build.scalar("x", value=0, mass=1)
        >>> build.controller(gain="hold", from_=x, to=x, value=4)
        >>> build.model().modes().s
        array([0.+2.j, 0.-2.j])
        """
        controllers = self._head.setdefault("controllers", [])
        self._head["controllers"] = [*controllers, {key.rstrip("_"): value for key, value in fields.items()}]

    def text(self) -> str:
        """The model file, one entry a line."""
        return "".join(line + "\n" for line in self._lines())

    def _lines(self) -> list[str]:
        head = [f"{json.dumps(key)}: {_as_field(value)}," for key, value in self._head.items()]
        entries = ["  " + _as_field(entry) for entry in self._entries]
        return ["{" + head[0], *head[1:], '"mechanism": [', *(entry + "," for entry in entries[:-1]), *entries[-1:], "]}"]

    def model(self, *, set: Optional[Mapping[str, float]] = None, controllers: bool = True) -> Model:
        """The model. Raises Error, with the line of `text()` and the place where the entry was added, if an entry is
        not allowed."""
        name = str(self._head["name"])
        try:
            return Model(_core.model_from_text(self.text(), name, "MODEL", pairs(set), controllers))
        except _core.Error as error:
            located = self._located(error)
        raise located

    def _located(self, error: _core.Error) -> _core.Error:
        first = len(self._head) + 2  # the line of the first entry
        if error.line is None or not first <= error.line < first + len(self._entries):
            return error
        located = _core.Error(f"{error} (added at {self._places[error.line - first]})")
        located.file, located.line, located.column = error.file, error.line, error.column
        return located


def _as_field(value: Any) -> str:
    def plain(one: Any) -> Any:
        return one.tolist() if isinstance(one, (np.ndarray, np.generic)) else str(one)

    return json.dumps(value, default=plain, ensure_ascii=False)
