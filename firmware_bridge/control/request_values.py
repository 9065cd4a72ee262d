"""A request as it came over a socket, how its values are read, and how a refusal is answered.

1. A refusal, by the rules or by the daemon, is answered twice. ``refused`` has the reason in English. ``refusal`` has
   the key of the reason, the clause, and what fills the gaps of its text, so that a page can say it in any language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from firmware_bridge.people.guard import Session
from firmware_bridge.shown.news_type import News
from firmware_bridge.texts.denials import Ground, Why, deny, refusal_answer

T = TypeVar("T")
Request = dict[str, Any]
Answer = Callable[[dict[str, object]], None]
_TYPES: dict[type, str] = {str: "a text", int: "a whole number", bool: "true or false"}


class RequestError(ValueError):
    """A request that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, where its answer goes, who asks, and what hears news for them."""

    request: Request
    answer: Answer
    session: Session
    watcher: Callable[[News], None]

    def deny(self, ground: Ground, **arguments: object) -> None:
        """Answer that it is refused, and why."""
        self.answer(refusal_answer(deny(ground, **arguments)))


def outcome(refused: Why | None) -> dict[str, object]:
    """The answer to a command: that it was carried out, or why it was refused."""
    return {"ok": True} if refused is None else refusal_answer(refused)


def of(request: Request, key: str, kind: type[T]) -> T:
    """A value of a request, which must be of exactly this type.

    Raises:
        ValueError: it is missing, of another type, or a text that cannot be written.
    """
    if key not in request:
        raise RequestError(f"{key}: is missing")
    value = request[key]
    if type(value) is not kind:
        raise RequestError(f"{key}: expected {_TYPES[kind]}, got {value!r}")
    if isinstance(value, str):
        value.encode()  # half of a character can be written nowhere
    return value
