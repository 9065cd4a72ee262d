"""Where two values of plain data differ, for a person."""

from __future__ import annotations

_LONGEST = 120


def first_difference(kept: object, made: object, where: str = "") -> str:
    """Where two values differ first, and what each of them says; nothing if they are equal."""
    if type(kept) is type(made):
        match kept, made:
            case dict(), dict():
                names = [*kept, *(name for name in made if name not in kept)]
                inner = (_inner(kept, made, name, f"{where}.{name}" if where else str(name)) for name in names)
                return next((difference for difference in inner if difference), "")
            case list(), list() if len(kept) == len(made):
                pairs = enumerate(zip(kept, made, strict=True), start=1)
                inner = (first_difference(one, other, f"{where} {place}") for place, (one, other) in pairs)
                return next((difference for difference in inner if difference), "")
    if kept == made and type(kept) is type(made):
        return ""
    return f"{where}: kept is {_short(kept)}, the events give {_short(made)}"


def _inner(kept: dict[object, object], made: dict[object, object], name: object, where: str) -> str:
    if name not in kept or name not in made:
        return f"{where}: {'not kept' if name not in kept else 'kept, but the events give none'}"
    return first_difference(kept[name], made[name], where)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
