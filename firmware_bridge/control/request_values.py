"""A request as it came over a socket, how its values are read, and how a refusal is answered.

1. A refusal is answered as ``refused`` with the reason in English. What the rules refuse has a ``refusal`` too: the key
   of the reason, the clause, and what stands in the gaps of its text, so that a page can say it in any language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from firmware_bridge.people.guard import Session
from firmware_bridge.pump.items import Why
from gamecore.model.events.refusals import Refused
from gamecore.view.report import refusal_report

T = TypeVar("T")
Request = dict[str, Any]
Answer = Callable[[dict[str, object]], None]
_TYPES: dict[type, str] = {str: "a text", int: "a whole number", bool: "true or false"}


class RequestError(ValueError):
    """A request that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, where its answer goes, who asks, and where he hears news."""

    request: Request
    answer: Answer
    session: Session
    watcher: Answer


def outcome(refused: Why | None) -> dict[str, object]:
    """The answer to what was to happen."""
    return {"ok": True} if refused is None else refusal_answer(refused)


def refusal_answer(why: Why) -> dict[str, object]:
    """The answer that something is refused."""
    match why:
        case Refused():
            return {"refused": str(why), "refusal": refusal_report(why)}
        case text:
            return {"refused": text}


def of(request: Request, key: str, kind: type[T]) -> T:
    """A value of a request, which must be of this type."""
    if key not in request:
        raise RequestError(f"{key}: is missing")
    value = request[key]
    if type(value) is not kind:
        raise RequestError(f"{key}: expected {_TYPES[kind]}, got {value!r}")
    if isinstance(value, str):
        value.encode()  # half of a character can be written nowhere
    return value
