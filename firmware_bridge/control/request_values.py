"""A request as it came over a socket, and how its values are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from firmware_bridge.people.guard import Session

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
