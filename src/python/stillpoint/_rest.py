"""What is asked of the search for an equilibrium, as the library takes it."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Mapping, Optional

from . import _core


def pairs(values: Optional[Mapping[str, float]]) -> list[tuple[str, float]]:
    """Names with numbers."""
    return [(str(name), float(value)) for name, value in (values or {}).items()]


def guess_of(guess: None | Mapping[str, float] | str | Path) -> list[tuple[str, float]]:
    """Values by name, or a file with a line NAME = VALUE for each, as `check(assemble=...)` writes it."""
    if guess is None or isinstance(guess, Mapping):
        return pairs(guess)
    found = []
    for number, line in enumerate(Path(guess).read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].strip()
        if not words:
            continue
        name, _, value = words.partition("=")
        try:
            found.append((name.strip(), float(value)))
        except ValueError:
            raise _core.Error(
                f"{guess}:{number}: '{line}' is not NAME = VALUE with a number, such as 'crank.phi = 1.5'"
            ) from None
    return found


def rest_request(rest: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `Model.equilibrium`; the library refuses others."""
    asked: dict[str, Any] = {"rest": rest, **options}
    asked["at"] = pairs(asked.get("at"))
    asked["guess"] = guess_of(asked.get("guess"))
    trim = asked.get("trim", False)
    asked["trim"] = None if trim is False or trim is None else [] if trim is True else [str(name) for name in trim]
    asked["preload"] = [str(name) for name in asked.get("preload") or ()]
    return asked


def in_words(rest: str, options: Mapping[str, Any]) -> str:
    """The same on the command line, as commands that are recommended name it."""
    words = "".join(f" --at {name}={number(value)}" for name, value in pairs(options.get("at")))
    return words + (f" --rest {rest}" if rest != _core.usual["rest"] else "")


def number(value: float) -> str:
    """A number as a person types it, read back exactly."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
