"""Where two values of plain data differ, for a person."""

from __future__ import annotations

from collections.abc import Iterator

_LONGEST = 120


def first_difference(kept: object, made: object) -> str:
    """Where two values differ first, and what each of them says; empty if they are equal."""
    return next(differences(kept, made), "")


def differences(kept: object, made: object, where: str = "") -> Iterator[str]:
    """Every place where two values differ, and what each of them says."""
    if type(kept) is type(made):
        match kept, made:
            case dict(), dict():
                for name in [*kept, *(name for name in made if name not in kept)]:
                    yield from _inner(kept, made, name, f"{where}.{name}" if where else str(name))
                return
            case list(), list() if len(kept) == len(made):
                for place, (one, other) in enumerate(zip(kept, made, strict=True), start=1):
                    yield from differences(one, other, f"{where} {place}")
                return
    if kept != made or type(kept) is not type(made):
        yield f"{where}: kept is {_short(kept)}, the events give {_short(made)}"


def _inner(kept: dict[object, object], made: dict[object, object], name: object, where: str) -> Iterator[str]:
    if name in kept and name in made:
        yield from differences(kept[name], made[name], where)
    else:
        yield f"{where}: {'not kept' if name not in kept else 'kept, but the events give none'}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
