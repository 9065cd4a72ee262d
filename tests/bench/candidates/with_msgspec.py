"""Configuration, events and answers with msgspec.

1. The configuration: structures with names, types, patterns and bounds; unknown names are refused but in `Table`. What
   stays ours is not here: keys of headers, what depends on the game, on the edition or on another key, and what must
   not be printed.
2. Events: only a `Struct` may stand in a union that a tag tells apart, so each event is declared a second time here;
   four of them are enough to measure. The events themselves stay as they are: the rules import no library but
   `transitions`.
3. An answer of the control socket: plain data.
"""

from __future__ import annotations

from typing import Annotated

import msgspec


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One device."""

    driver: str
    port: str
    serial: str | None = None
    edition: int = 2
    public: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")] | None = None
    key: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")] | None = None
    authenticated: bool = True
    usb_backend: str | None = None
    options: dict[str, str] = {}


class Table(msgspec.Struct, frozen=True):
    """The table; the keys of a header are not told here."""

    game: str
    state: str
    control: str
    boot: str | None = None
    open: bool = False
    two_persons: bool = True


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much stays at hand."""

    days: Annotated[int, msgspec.Meta(ge=1, le=36_500)] = 30
    megabytes: Annotated[int, msgspec.Meta(ge=10, le=10_000_000)] = 1000


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    table: Table
    devices: dict[str, Device]
    link: dict[str, str] = {}
    retention: Retention = msgspec.field(default_factory=Retention)


def configuration(text: str) -> Configuration:
    """Read a configuration; the first problem is the only one."""
    return msgspec.toml.decode(text, type=Configuration)


class CardDrawn(msgspec.Struct, frozen=True, tag_field="is", tag="CardDrawn", omit_defaults=True):
    """A card that left the shoe."""

    card: str
    told: str | None = None
    face_up: bool = False
    exposed: bool = False


class CardLaid(msgspec.Struct, frozen=True, tag_field="is", tag="CardLaid", omit_defaults=True):
    """A card that lies somewhere."""

    card: str
    place: str
    exposed: bool = False


class WagerPlaced(msgspec.Struct, frozen=True, tag_field="is", tag="WagerPlaced", omit_defaults=True):
    """Chips that have come."""

    place: str
    kind: str
    amount: int
    player: str | None = None


class Stand(msgspec.Struct, frozen=True, tag_field="is", tag="Stand", omit_defaults=True):
    """No more cards."""

    place: str


Event = CardDrawn | CardLaid | WagerPlaced | Stand
_decoder = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


def encode_event(event: Event) -> str:
    """An event as a line."""
    return _encoder.encode(event).decode()


def decode_event(text: str) -> Event:
    """The event of a line."""
    return _decoder.decode(text)


def encode_answer(said: dict[str, object]) -> bytes:
    """An answer as a line."""
    return _encoder.encode(said)
