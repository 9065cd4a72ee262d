"""What enters the queue of the pump, and how it stands in the journal.

1. An item is one thing that happened: who said it, what, and who waits for what came of it.
2. What it means to the table is an event, or one of the few other things that the journal must hold to begin again: a
   told place, another table, a note, a word that was refused.
3. Whose word an item is, in which role, and how it became known go into the item's own row. They are said when it is
   put in the queue; a press gets them when it is judged (`pressed`). A device's event is sensed unless it says
   otherwise.
4. The length of a row is limited. Somebody's word that would be longer is refused, and the row has its beginning.
   What a device causes is short anyway; a longer note is cut, unless it is the row of a start. Half of a character,
   which JSON can hold and no file can, is written by its number.
5. What the daemon itself puts before the house is a call of `uncovered` that names a device or the table computer
   (`Item.to_the_house`): it holds the table, and nobody at the table has erred.
6. The text of an event is remembered: the same few hundred events happen again and again, and between a card's last
   byte and its ruling every microsecond counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from firmware_bridge.inputs.device_messages import NextPlace
from firmware_bridge.journal import chain, schema
from firmware_bridge.journal.event_codec import encode
from firmware_bridge.journal.writer import LONGEST, Entry
from firmware_bridge.people.accounts.roles import DEALER, PIT_SUPERVISOR
from firmware_bridge.texts.denials import Denial, Ground, Why, deny
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.notation.syntax import Header
from gamecore.notation.words import COMPUTER, DEVICES, is_another_makers
from gamecore.notation.writer import write_event

CONSOLE, DAEMON, PANEL = "console", "daemon", "panel"
REMEMBERED = 1024
"""Events of which the text is remembered."""
NOTE = 30_000
"""Characters of the longest note: what devices and people can cause is cut, so that it can be written."""
SHOWN = 200
"""Characters of a word that is too long which its refusal repeats."""
_encoded, _written = lru_cache(REMEMBERED)(encode), lru_cache(REMEMBERED)(write_event)


@dataclass(frozen=True, slots=True)
class NewTable:
    """Another table: game, boxes, limits and sensors as a header of deal notation says."""

    header: Header
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something for the journal that means nothing to the game; `alarm` is the code of an alarm that it raises."""

    text: str
    kind: str = schema.NOTE
    alarm: str = ""


@dataclass(frozen=True, slots=True)
class Denied:
    """What somebody said or pressed and may not happen: the words, and why."""

    words: str
    why: Denial


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody asks for outside the game. In its turn `judge` gives the note to write, or why it may not be."""

    words: str
    judge: Callable[[], Note | Denial]


What = Event | NextPlace | NewTable | Note | Denied
Reply = Callable[[Why | None], None]
"""Hears what came of an item: why it was refused, or None."""


class Item(NamedTuple):
    """One thing that happened, and who waits for what came of it."""

    device: str
    what: object
    number: int | None = None
    clock: int | None = None
    raw: bytes | None = None
    reply: Reply | None = None
    person: str | None = None
    role: str | None = None
    how: str | None = None

    @property
    def known(self) -> str:
        """How it became known."""
        return self.how or _KNOWN.get(self.device, chain.SENSED)

    @classmethod
    def to_the_house(cls, about: str = COMPUTER) -> Item:
        """A call that holds the table until the shift manager has decided: about a device, or the table computer."""
        is_device = about in DEVICES or is_another_makers(about)
        return cls(DAEMON, ev.Call("uncovered", device=about if is_device else COMPUTER))


_KNOWN = {CONSOLE: chain.TOLD, DAEMON: chain.DAEMON}


def entry(at: str, mono: int, item: Item, meant: What) -> Entry:
    """The entry of the journal for an item."""
    kind, body = _row(meant)
    known = item.known
    return Entry(at, item.device, kind, body, item.number, item.clock, item.raw, mono, item.person, item.role, known)


def _row(meant: What) -> tuple[str, str]:
    """The kind of a row and its text."""
    match meant:
        case Note(text, kind, _):
            return kind, _writable(text if len(text) <= NOTE or kind != schema.NOTE else f"{text[:NOTE]}…")
        case Denied(said, why):
            return schema.REFUSED, _writable(json.dumps({"said": said, "refused": str(why)}, ensure_ascii=False))
        case NextPlace():
            return schema.TOLD, words(meant)
        case NewTable(_, text):
            return schema.TABLE, text
        case event:
            return schema.EVENT, _encoded(event)


def _writable(text: str) -> str:
    """The text as it can be written: half of a character is told by its number."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def fit(meant: What) -> What:
    """What somebody's word means, if its row is not too long; else that it is refused."""
    cut = isinstance(meant, Note) and len(meant.text) > NOTE
    if not cut and len(_row(meant)[1].encode("utf-8", "surrogatepass")) <= LONGEST:
        return meant
    return Denied(f"{words(meant)[:SHOWN]}…", deny(Ground.TOO_LONG))


def pressed(item: Item, *, key: bool) -> Item:
    """A press with its person and role: nobody knows the name, and the key switch decides the role."""
    role, how = (PIT_SUPERVISOR, chain.KEY) if key else (DEALER, chain.PANEL)
    return item._replace(person=PANEL, role=role, how=how)


def words(meant: What) -> str:
    """What happened, in the words of deal notation as far as it has them."""
    match meant:
        case NextPlace(place, exposed):
            return f"{place}{' exposed' if exposed else ''}"
        case NewTable():
            return "table"
        case Note(text) | Denied(text):
            return text
        case ev.ShoeEmpty():
            return "draw"  # a card was asked for, and none came
        case event:
            return _written(event)
