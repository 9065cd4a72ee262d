"""Messages: what devices say and are told, declared as data.

1. A message is a frozen, slotted dataclass with its number on the wire as `IDENT`. Each field says its type, its kind
   on the wire and one line of what it means::

       @dataclass(frozen=True, slots=True)
       class Count(Message):
           '''How many cards are in the shoe.'''

           IDENT: ClassVar[int] = 0x17
           cards: Annotated[int, U16, "cards in the shoe"]

2. The payload is the fields in the order in which they are declared, nothing between, nothing after.
3. Events come from the device and have numbers below 0x80; commands go to it and have 0x80 and above.
4. A `Catalogue` is all that one kind of device says and is told. Its codecs are made once, when it is made.
5. Decoding never raises: an unknown number or a payload that is not exactly as declared gives None, and the caller
   keeps the bytes as `Unknown`. Encoding a value that does not fit is a mistake of ours and raises `MessageError`.
6. A payload never exceeds `LONGEST_PAYLOAD`, for which one frame of edition 1 has room. A test checks every message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, cast, get_args, get_type_hints

from drivers.wire import REFUSALS, Kind, Spot

__all__ = ["LONGEST_PAYLOAD", "Catalogue", "Field", "Message", "MessageError", "Spot", "Unknown", "fields_of"]

# A frame of 240 bytes less type 1, counter 4, number 4, time 4, ident 1, tag 8 and check 4.
LONGEST_PAYLOAD = 214
FIRST_COMMAND = 0x80


class MessageError(ValueError):
    """A message that cannot be written: not in the catalogue, or with a value that its field cannot hold."""


class Message:
    """The base of every message."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]  # made by the dataclass: the names of the fields
    IDENT: ClassVar[int]


@dataclass(frozen=True, slots=True)
class Unknown(Message):
    """A message that the catalogue does not know or whose payload it cannot read, kept as it came."""

    ident: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message: its name, its kind on the wire, what it means."""

    name: str
    kind: Kind
    doc: str


def fields_of(message: type[Message]) -> tuple[Field, ...]:
    """The fields of a class of messages, in the order of the wire.

    Raises:
        MessageError: a field does not say its kind and its meaning.
    """
    hints = get_type_hints(message, include_extras=True)
    found = []
    for field in fields(cast("Any", message)):
        match get_args(hints[field.name]):
            case (_, Kind() as kind, str(doc)):
                found.append(Field(field.name, kind, doc))
            case _:
                problem = f"{message.__name__}.{field.name} says no kind and meaning"
                raise MessageError(problem)
    return tuple(found)


class _Codec:
    """Both directions of one class of messages.

    If every kind has a form, one struct does all of them. A message with a card has a second, longer shape when the
    card has a code; the length of the payload tells which, because only a code makes it longer.
    """

    __slots__ = ("_decoders", "_encoders", "_fields", "_make", "_plain", "_size", "_unpack", "_values", "_varying")

    def __init__(self, message: type[Message]) -> None:
        self._make: Callable[..., Message] = message
        self._fields = fields_of(message)
        kinds = [field.kind for field in self._fields]
        forms = [kind.form for kind in kinds]
        self._plain = struct.Struct("<" + "".join(forms)) if all(forms) else None
        self._size = self._plain.size if self._plain else -1
        self._unpack = self._plain.unpack if self._plain else None
        self._decoders = [(index, kind.decode) for index, kind in enumerate(kinds) if kind.decode is not None]
        self._encoders = [(index, kind.encode) for index, kind in enumerate(kinds) if kind.encode is not None]
        self._varying = any(kind.read for kind in kinds)
        self._values = _getter([field.name for field in self._fields])

    def decode(self, payload: bytes) -> Message | None:
        """Return the message, or None if the payload is not one."""
        try:
            if len(payload) == self._size:
                values = list(self._unpack(payload))  # type: ignore[misc]  # there is one where the size is not -1
                for index, convert in self._decoders:
                    values[index] = convert(values[index])
                return self._make(*values)
            return self._walk(payload) if self._varying else None
        except REFUSALS:
            return None

    def _walk(self, payload: bytes) -> Message | None:
        """Read field by field."""
        at = 0
        values: list[Any] = []
        for field in self._fields:
            kind = field.kind
            if kind.read is not None:
                value, at = kind.read(payload, at)
            else:
                (value,) = struct.unpack_from("<" + kind.form, payload, at)
                at += kind.smallest
                if kind.decode is not None:
                    value = kind.decode(value)
            values.append(value)
        return self._make(*values) if at == len(payload) else None

    def encode(self, message: Message) -> bytes:
        """Return the payload."""
        values = self._values(message)
        if self._plain is not None:
            try:
                numbers = list(values)
                for index, convert in self._encoders:
                    numbers[index] = convert(numbers[index])
                return self._plain.pack(*numbers)
            except REFUSALS:
                pass  # a card with a code, or a value that does not fit: field by field tells which
        return b"".join([_written(message, field, value) for field, value in zip(self._fields, values, strict=True)])


def _getter(names: list[str]) -> Callable[[Message], tuple[Any, ...]]:
    """Return what takes the fields out of a message, always as a tuple."""
    match names:
        case []:
            return lambda _: ()
        case [name]:
            only = attrgetter(name)
            return lambda message: (only(message),)
        case _:
            return cast("Callable[[Message], tuple[Any, ...]]", attrgetter(*names))


def _written(message: Message, field: Field, value: object) -> bytes:
    """Return the bytes of one field."""
    kind = field.kind
    try:
        if kind.write is not None:
            return kind.write(value)
        return struct.pack("<" + kind.form, value if kind.encode is None else kind.encode(value))
    except REFUSALS as refusal:
        problem = f"{type(message).__name__}.{field.name} cannot hold {value!r} ({kind.name})"
        raise MessageError(problem) from refusal


class Catalogue:
    """All that one kind of device says (`events`) and is told (`commands`)."""

    __slots__ = ("_commands", "_encoders", "_events", "commands", "events", "kind", "named")

    def __init__(self, kind: str, events: tuple[type[Message], ...], commands: tuple[type[Message], ...]) -> None:
        self.kind = kind
        self.events = events
        self.commands = commands
        self.named = {message.__name__: message for message in events + commands}
        codecs = {message: _Codec(message) for message in events + commands}
        self._events = {message.IDENT: codecs[message].decode for message in events}
        self._commands = {message.IDENT: codecs[message].decode for message in commands}
        self._encoders = {message: (message.IDENT, codec.encode) for message, codec in codecs.items()}

    def encode(self, message: Message) -> tuple[int, bytes]:
        """The number and the payload of a message.

        Raises:
            MessageError: it is not in this catalogue, or a field cannot hold its value.
        """
        known = self._encoders.get(type(message))
        if known is None:
            problem = f"{type(message).__name__} is not in the catalogue of the {self.kind}"
            raise MessageError(problem)
        ident, encode = known
        return ident, encode(message)

    def knows_event(self, ident: int) -> bool:
        """Whether the number is one of this device's events."""
        return ident in self._events

    def knows_command(self, ident: int) -> bool:
        """Whether the number is one of this device's commands."""
        return ident in self._commands

    def decode_event(self, ident: int, payload: bytes) -> Message | None:
        """The event, or None if the number is unknown or the payload is not as declared."""
        decode = self._events.get(ident)
        return None if decode is None else decode(payload)

    def decode_command(self, ident: int, payload: bytes) -> Message | None:
        """The command, or None if the number is unknown or the payload is not as declared."""
        decode = self._commands.get(ident)
        return None if decode is None else decode(payload)
