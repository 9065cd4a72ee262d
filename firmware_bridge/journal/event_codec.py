"""Events as text for the journal and the wire, and back.

1. An event is ``{"is": "CardDrawn", "card": "KD", ...}``: its class, and the fields that differ from their defaults, in
   the order of the class. The same event gives the same bytes.
2. A card is its notation, a place too; one that a device names and the notation cannot is its box, hand and slot as
   numbers. An amount is cents. All of it is ASCII, so that any text can be written down.
3. `decode` takes what `encode` gave. Anything else is a `CodecError` that says what is wrong.
4. `of_row` gives the event that a row of the journal holds, whichever edition wrote it, so that what was accepted then
   is accepted now. Edition 1 took a person's word that cards lie as ruled, and most reports, whatever the sensors saw:
   `of_row` marks these events as `told`. It kept a card that was lifted as a row of another kind, and joined it with
   the card that arrived before the table heard of either.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from types import NoneType
from typing import Any, get_args, get_type_hints

from firmware_bridge.journal import schema
from gamecore.model.cards import Card, CardError, card
from gamecore.model.events.events import Call, Event, Reconstructed
from gamecore.model.places import DISCARD, Place, PlaceError, place

_KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
_write = json.JSONEncoder(separators=(",", ":")).encode
_MOST_SAID = 99  # the highest hand and slot that a place has in deal notation


class CodecError(ValueError):
    """A text that is no event."""


def _a(kind: type) -> Callable[[Any], Any]:
    """Reads a value that is of this type and no other."""

    def read(value: Any) -> Any:
        if type(value) is not kind:
            message = f"expected {kind.__name__}, got {value!r}"
            raise TypeError(message)
        return value

    return read


def _several(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Reads a list of what `read` reads."""
    return lambda value: tuple(read(item) for item in _a(list)(value))


def _place(value: Any) -> Place:
    if not isinstance(value, list):
        return place(value)
    box, hand, slot = map(_a(int), value)
    if box < DISCARD.box or min(hand, slot) < 0:
        message = f"{value} is no place"
        raise PlaceError(message)
    return Place(box, hand, slot)


_READERS: dict[object, Callable[[Any], Any]] = {
    **{kind: _a(kind) for kind in (bool, int, str)},
    Card: card,
    Place: _place,
    tuple[Card, ...]: _several(card),
    tuple[str, ...]: _several(_a(str)),
}


def _read_as(hint: object) -> Callable[[Any], Any]:
    """How a field is read, by its type."""
    if hint in _READERS:
        return _READERS[hint]
    (inner,) = set(get_args(hint)) - {NoneType}
    read = _READERS[inner]
    return lambda value: None if value is None else read(value)


_FIELDS: dict[type, tuple[tuple[str, object, Callable[[Any], Any]], ...]] = {
    kind: tuple(
        (field.name, field.default, _read_as(get_type_hints(kind)[field.name])) for field in dataclasses.fields(kind)
    )
    for kind in _KINDS.values()
}


def _plain(value: object) -> object:
    """A value as JSON has it."""
    match value:
        case Card():
            return str(value)
        case Place(box, hand, slot):
            said = max(hand, slot) <= _MOST_SAID if box > 0 else hand == slot == 0
            return str(value) if said else [box, hand, slot]
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def encode(event: Event) -> str:
    """The event as one line of JSON."""
    kind = type(event)
    said: dict[str, object] = {"is": kind.__name__}
    for name, default, _ in _FIELDS[kind]:
        value = getattr(event, name)
        if value != default:
            said[name] = _plain(value)
    return _write(said)


def decode(text: str) -> Event:
    """The event that a text encodes.

    Raises:
        CodecError: the text is no event.
    """
    try:
        said = json.loads(text)
        kind = _KINDS[said.pop("is")]
        readers = {name: reader for name, _, reader in _FIELDS[kind]}
        return kind(**{name: readers[name](value) for name, value in said.items()})
    except (AttributeError, CardError, KeyError, PlaceError, RecursionError, TypeError, ValueError) as error:
        message = f"no event: {text!r}: {error}"
        raise CodecError(message) from error


def of_row(kind: str, body: str | None, edition: int) -> Event | None:
    """The event that a row of the journal holds; None if it holds none.

    Raises:
        CodecError: it should hold one, and its text is none.
    """
    match kind:
        case schema.EVENT:
            event = decode(body or "")
            return event if edition == schema.EDITION else _as_taken_then(event)
        case schema.LIFTED:
            lifted, _, where = (body or "").partition(" ")
            return decode(_write({"is": "CardLifted", "card": lifted, "place": where}))
        case _:
            return None


#: Reports that edition 1 compared with what the sensors saw, as the present one does.
_COMPARED_THEN = frozenset({"box-not-dealt", "box-short", "dealer-not-dealt", "hand-skipped"})


def _as_taken_then(event: Event) -> Event:
    """An event of edition 1 as it was taken then."""
    match event:
        case Reconstructed():
            return dataclasses.replace(event, told=True)
        case Call(code) if code not in _COMPARED_THEN:
            return dataclasses.replace(event, told=True)
        case _:
            return event
