"""Live news of a table: how it stands, which alarms are open, how its box is.

1. A message is JSON of at most `LONGEST` bytes with a `Stamp` and what its kind tells. `State` is a tile and the
   picture of the table, `Alarms` is the whole list of those that are open, `Health` is the box and how far its journal
   has come at the centre. Each is whole by itself: one that is lost is made good by the next.
2. It is unsigned, never stored, and no evidence. Cards that do not lie open are masked before it is made, because it is
   made from what the daemon's reading socket tells.
3. `Stamp.boot` is that of the shipper, and `seq` counts its messages of all kinds: of one boot an older one is dropped
   (`is_newer`). `sent` is the table's clock: the centre shows ages by its own.
4. A picture that makes the message too long is left out (`picture` is None); the tile always fits. Alarms that do not
   fit are counted in `more`.
5. `read_live` takes whatever comes: it is a message or a `LiveError`. Texts are cut at `TEXT` characters, lists at
   `MANY`.
6. `CentreAlarm` is what the centre itself says of a table: it has quarantined its journal, for example. An ingester
   publishes it where no table speaks or hears (`subjects.of_centre`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from firmware_bridge.floor.wire.subjects import ALARM, HEALTH, STATE

LONGEST = 16 * 1024
"""Bytes of a message."""
TEXT, MANY = 200, 64
VERSION = 1
EVERY, APART = 5.0, 0.25
"""Seconds between two messages of a kind if nothing changes, and at least between two if much does."""
GREY, GONE = 15.0, 60.0
"""Seconds of silence after which a tile is grey, and after which its table is gone."""


class LiveError(ValueError):
    """Bytes that are no live news."""


class Stamp(NamedTuple):
    """Which table's boot and message this is, the last row of its journal, and its clock: `at` of that row, `sent`."""

    journal: str
    boot: str
    seq: int
    n: int
    at: str
    sent: float


class Limits(NamedTuple):
    """The limits of one kind of wager, as text with two decimals."""

    kind: str
    least: str
    most: str


class State(NamedTuple):
    """A table as it stands. `dealer` is the staff number of the newest Dealer on duty; `card` when the last one moved.

    `daemon` is False while nobody answers at the table; then the rest is what was known last.
    """

    stamp: Stamp
    daemon: bool
    name: str
    game: str
    title: str
    state: str
    round: int
    outcome: str
    dealer: str
    limits: tuple[Limits, ...]
    boxes: tuple[int, ...]
    card: str
    rounds: int  # that have ended within the last hour
    alarms: int
    stalled: str
    picture: dict[str, Any] | None


class LiveAlarm(NamedTuple):
    """An open alarm; `n` and `code` name it at its table."""

    n: int
    at: str
    code: str
    clause: str
    ruling: str
    places: tuple[str, ...]
    times: int
    noted: bool
    held: bool
    device: str
    roles: tuple[str, ...]


class Alarms(NamedTuple):
    """Every alarm that is open, oldest first; `more` did not fit."""

    stamp: Stamp
    alarms: tuple[LiveAlarm, ...]
    more: int


class Health(NamedTuple):
    """The box of a table, and how its shipper is: what the centre said last, and how far the journal has come there."""

    stamp: Stamp
    version: str
    program: str
    links: tuple[tuple[str, bool], ...]
    uptime: float
    memory: int
    disk_free: int
    disk_total: int
    said: str
    problem: str
    have: int
    sealed: int
    backed: int
    lag_rows: int
    lag_seconds: float


class CentreAlarm(NamedTuple):
    """What the centre says of a table."""

    casino: str
    table: str
    journal: str
    at: str
    code: str
    n: int
    detail: str


Live = State | Alarms | Health


def is_newer(stamp: Stamp, than: Stamp | None) -> bool:
    """Whether a message replaces one that was heard before; another boot always does."""
    return than is None or (stamp.boot, stamp.journal) != (than.boot, than.journal) or stamp.seq > than.seq


def pack_live(message: Live) -> bytes:
    """A message as it goes over the wire; what does not fit is left out as the rules say."""
    body = _packed(message)
    while len(body) > LONGEST:
        message = _shorter(message)
        body = _packed(message)
    return body


def read_live(what: str, body: bytes) -> Live:
    """The message that came under a subject's `STATE`, `ALARM` or `HEALTH`.

    Raises:
        LiveError: it is none.
    """
    reading = _READ.get(what)
    if reading is None or len(body) > LONGEST:
        raise LiveError("live news of no kind, or too long")
    return _read(reading, body)


def pack_centre(alarm: CentreAlarm) -> bytes:
    """What the centre says, as it goes over the wire."""
    said = alarm._replace(detail=alarm.detail[:TEXT])
    return json.dumps({"v": VERSION, **said._asdict()}, separators=(",", ":")).encode()


def read_centre(body: bytes) -> CentreAlarm:
    """What the centre says.

    Raises:
        LiveError: it says nothing.
    """
    if len(body) > LONGEST:
        raise LiveError("the centre says too much")
    return _read(_centre, body)


# --- writing ----------------------------------------------------------------------------------------------------------


def _packed(message: Live) -> bytes:
    said = {"v": VERSION, **message.stamp._asdict(), **message._asdict()}
    del said["stamp"]
    if isinstance(message, Alarms):
        said["alarms"] = [alarm._asdict() for alarm in message.alarms]
    return json.dumps(said, separators=(",", ":")).encode()


def _shorter(message: Live) -> Live:
    """The same with less; what is left at last always fits, because texts are cut."""
    if isinstance(message, Alarms) and message.alarms:
        return message._replace(alarms=message.alarms[:-1], more=message.more + 1)
    if isinstance(message, State) and message.picture is not None:
        return message._replace(picture=None)
    raise LiveError("a message that is too long")


# --- reading ----------------------------------------------------------------------------------------------------------

_Said = dict[str, Any]
_Reading = Callable[[Any], Any]
_Made = TypeVar("_Made")


def _read(reading: Callable[[_Said], _Made], body: bytes) -> _Made:
    try:
        said = json.loads(body)
        if said["v"] != VERSION:
            raise LiveError("live news of another edition")
        return reading(said)
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError, AttributeError) as error:
        raise LiveError("no live news") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value[:TEXT]


def _whole(value: Any) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise TypeError("no whole number")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in {int, float} or not isfinite(value):
        raise TypeError("no seconds")
    return float(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


def _several(read: _Reading) -> _Reading:
    def all_of(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError("no list")
        return tuple(read(one) for one in value[:MANY])

    return all_of


def _tuple_of(*reads: _Reading) -> _Reading:
    return lambda value: tuple(read(one) for read, one in zip(reads, value, strict=True))


def _picture(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict | None):
        raise TypeError("no picture")
    return value


def _shape(kind: Callable[..., _Made], **reads: _Reading) -> Callable[[_Said], _Made]:
    """Reads what has these fields, each in its own way."""
    return lambda said: kind(**{name: read(said[name]) for name, read in reads.items()})


def _stamped(kind: Callable[..., _Made], **reads: _Reading) -> Callable[[_Said], _Made]:
    """Reads what has these fields beside those of a stamp."""
    return lambda said: kind(stamp=_stamp(said), **{name: read(said[name]) for name, read in reads.items()})


_stamp = _shape(Stamp, journal=_text, boot=_text, seq=_whole, n=_whole, at=_text, sent=_seconds)
_alarm = _shape(
    LiveAlarm,
    **dict.fromkeys(("at", "code", "clause", "ruling", "device"), _text),
    **dict.fromkeys(("n", "times"), _whole),
    **dict.fromkeys(("noted", "held"), _truth),
    **dict.fromkeys(("places", "roles"), _several(_text)),
)
_READ: dict[str, Callable[[_Said], Live]] = {
    STATE: _stamped(
        State,
        **dict.fromkeys(("name", "game", "title", "state", "outcome", "dealer", "card", "stalled"), _text),
        **dict.fromkeys(("round", "rounds", "alarms"), _whole),
        daemon=_truth,
        limits=_several(lambda value: Limits(*_tuple_of(_text, _text, _text)(value))),
        boxes=_several(_whole),
        picture=_picture,
    ),
    ALARM: _stamped(Alarms, alarms=_several(_alarm), more=_whole),
    HEALTH: _stamped(
        Health,
        **dict.fromkeys(("version", "program", "said", "problem"), _text),
        **dict.fromkeys(("memory", "disk_free", "disk_total", "have", "sealed", "backed", "lag_rows"), _whole),
        **dict.fromkeys(("uptime", "lag_seconds"), _seconds),
        links=_several(_tuple_of(_text, _truth)),
    ),
}
_centre = _shape(CentreAlarm, **dict.fromkeys(("casino", "table", "journal", "at", "code", "detail"), _text), n=_whole)
