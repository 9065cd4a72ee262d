"""The event pump: what arrives is made durable, then applied, then answered.

1. Everything that happens enters one queue: device messages, what is said at the console, links lost and back, a new
   table. Its order is the order of the journal, and that is the order of the game.
2. Nothing reaches `Table.apply` that is not in the journal. What arrives together is committed together, except that a
   button's meaning depends on how the round stands: a press waits until all before it is applied. So does what
   changes the meaning of what follows: a told place, a new round, a new table.
3. A device's event is acknowledged when it is durable; what is shown, lit and locked follows from the table alone.
4. A command that is refused is in the journal too. Who gave it is told why: the console by its answer, the Dealer on
   the display until the next thing happens.
5. The first contact with a device is no news to the game. One that was lost and is back is.
6. A journal that cannot be written is the end: nothing more is taken, acknowledged or shown, and `stopped` is called.
   What is not acknowledged the devices keep.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from drivers.faults import Fault
from drivers.happenings import Identity, Received
from drivers.messages import Message
from drivers.panel.messages import KeySwitch, Press
from firmware_bridge.bridge import presses
from firmware_bridge.bridge.show import Show
from firmware_bridge.bridge.translate import Told, Translator
from firmware_bridge.codec import encode
from firmware_bridge.journal import Entry, Journal
from firmware_bridge.patience import Patience
from gamecore import events as ev
from gamecore.events import Event
from gamecore.games import GAMES
from gamecore.notation.syntax import Header
from gamecore.notation.venue import table_config
from gamecore.notation.writer import write_event
from gamecore.outputs import Refused
from gamecore.table import Table

CONSOLE, DAEMON = "console", "daemon"
REMEMBERED = 1024
"""How many refusals are remembered for who asks about an event later."""


class Device(Protocol):
    """What the pump needs of a station."""

    @property
    def up(self) -> bool:
        """Whether the device is connected and has proved who it is."""

    def send(self, command: Message) -> bool:
        """Send a command; False if the device is not there."""

    def acknowledge(self, number: int) -> None:
        """All events up to this number are durable."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """Another table: game, boxes, limits and sensors as a header of deal notation says."""

    header: Header
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something for the journal that means nothing to the game."""

    text: str


What = Event | Told | NewTable | Note


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened, and who waits for what came of it."""

    device: str
    what: object
    number: int | None = None
    clock: int | None = None
    raw: bytes | None = None
    reply: Callable[[str | None], None] | None = None


@dataclass(slots=True)
class Applied:
    """How far a device's events have been applied, and which of the last ones were refused."""

    number: int = 0
    refused: dict[int, str] = field(default_factory=dict)
    waiting: list[tuple[int, Callable[[str | None], None]]] = field(default_factory=list)


def wall_clock() -> str:
    """The time as the journal writes it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Pump:
    """One table with its devices and its journal. It is the sink of every station."""

    def __init__(
        self,
        header: Header,
        journal: Journal,
        devices: Mapping[str, Device],
        stopped: Callable[[], None] = lambda: None,
    ) -> None:
        """A table as the header says; the devices may be added to the mapping later."""
        self._stopped = stopped
        self.broken = False
        self._journal = journal
        self._devices = devices
        self._queue: deque[Item] = deque()
        self._scheduled = False
        self._lost: set[str] = set()
        self._patience: dict[str, Patience] = {}
        self._applied: dict[str, Applied] = {}
        self._show = Show(devices)
        self.identities: dict[str, Identity] = {}
        self.watchers: list[Callable[[dict[str, object]], None]] = []
        self._set_table(header)

    def _set_table(self, header: Header) -> None:
        self.header = header
        self.table = Table(GAMES[header.game], table_config(header))
        self._translator = Translator(places_sensed=header.places_sensed)

    # --- what happens ------------------------------------------------------------------------------------------------

    def received(self, name: str, event: Received) -> None:
        """A device reports an event."""
        if self.header.places_counted:
            if name not in self._patience:
                self._patience[name] = Patience(partial(self._take_in, name))
            self._patience[name].received(event)
        else:
            self._take_in(name, event)

    def _take_in(self, name: str, event: Received) -> None:
        self.submit(Item(name, event.message, event.number, event.time, event.raw))

    def up(self, name: str, identity: Identity) -> None:
        """A device has proved who it is."""
        self.identities[name] = identity
        if name in self._lost:
            self._lost.remove(name)
            self.submit(Item(DAEMON, ev.LinkBack(name)))
        else:
            self.submit(Item(DAEMON, Note(f"{name} is there: {identity.serial}, firmware {identity.firmware}")))
        self._show.forget(name)
        self._tell({"link": {"device": name, "up": True, "fault": None}})

    def down(self, name: str, fault: Fault) -> None:
        """A device does not answer any more."""
        self._lost.add(name)
        self.submit(Item(DAEMON, ev.LinkLost(name)))
        self._tell({"link": {"device": name, "up": False, "fault": fault.code, "remedy": fault.remedy}})

    def fault(self, name: str, fault: Fault) -> None:
        """Something on the way from a device went wrong: it is in the journal, and nothing is made up for it."""
        self.submit(Item(name, Note(f"fault {fault.code}: {fault.detail}")))
        self._tell({"fault": {"device": name, "code": fault.code, "detail": fault.detail, "remedy": fault.remedy}})

    def submit(self, item: Item) -> None:
        """Put something in the queue; it is dealt with at the next turn of the loop, with all that came by then."""
        if self.broken:
            return
        self._queue.append(item)
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self.flush)

    # --- what comes of it --------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Deal with everything in the queue."""
        self._scheduled = False
        if self.broken:
            return
        while self._queue:
            batch = self._take()
            self._keep(batch)
            for item, _ in batch:
                if item.number is not None:
                    self._devices[item.device].acknowledge(item.number)
            for item, meant in batch:
                self._apply(item, meant)
        self._show.update(self.table)

    def _keep(self, batch: list[tuple[Item, What]]) -> None:
        """Write a batch to the journal, or give up."""
        at = wall_clock()
        try:
            self._journal.append([_row(at, item, meant) for item, meant in batch])
        except Exception:
            self.broken = True
            self._stopped()
            raise

    def _take(self) -> list[tuple[Item, What]]:
        """The next items that can be committed together, with what they mean."""
        batch: list[tuple[Item, What]] = []
        while self._queue:
            item = self._queue[0]
            if isinstance(item.what, Press | NewTable | Told | ev.PlaceBets):
                if not batch:
                    batch.append((self._queue.popleft(), self._meaning(item)))
                break
            self._queue.popleft()
            batch.append((item, self._meaning(item)))
        return batch

    def _meaning(self, item: Item) -> What:
        match item.what:
            case Press() as press:
                return presses.command(self.table, press)
            case NewTable() | Note() | Told() as said:
                return said
            case KeySwitch(on):
                return Note(f"key switch {'on' if on else 'off'}")
            case event if type(event) in _EVENTS:
                return event  # type: ignore[return-value]  # the types of Event are exactly these
            case message:
                return self._translator.event(message) or Note(repr(message))

    def _apply(self, item: Item, meant: What) -> None:
        refused: str | None = None
        match meant:
            case NewTable(header):
                self._set_table(header)
            case Told():
                self._translator.tell(meant)
            case Note():
                pass
            case event:
                refused = self._happen(event)
                self._show.refused(refused if item.device not in {CONSOLE, DAEMON} else None)
        if item.reply is not None:
            item.reply(refused)
        if item.number is not None:
            self._has_applied(item.device, item.number, refused)
        if self.watchers and not isinstance(meant, Note):
            said = {"device": item.device, "number": item.number, "event": _words(meant), "refused": refused}
            self._tell({"seen": said})

    def _happen(self, event: Event) -> str | None:
        """Let an event happen; why it was refused, or None."""
        outputs = self.table.apply(event)
        refused = next((str(output) for output in outputs if isinstance(output, Refused)), None)
        if isinstance(event, ev.PlaceBets) and refused is None:
            self._translator.round_commences()
        return refused

    # --- who wants to know -------------------------------------------------------------------------------------------

    def when_applied(self, device: str, number: int, reply: Callable[[str | None], None]) -> None:
        """Answer once a device's event has been applied: why it was refused, or None."""
        applied = self._applied.setdefault(device, Applied())
        if number <= applied.number:
            reply(applied.refused.get(number))
        else:
            applied.waiting.append((number, reply))

    def _has_applied(self, device: str, number: int, refused: str | None) -> None:
        applied = self._applied.setdefault(device, Applied())
        applied.number = number
        if refused is not None:
            applied.refused[number] = refused
            while len(applied.refused) > REMEMBERED:
                del applied.refused[next(iter(applied.refused))]
        if applied.waiting:
            due = [pair for pair in applied.waiting if pair[0] <= number]
            applied.waiting = [pair for pair in applied.waiting if pair[0] > number]
            for wanted, reply in due:
                reply(applied.refused.get(wanted))

    def _tell(self, news: dict[str, object]) -> None:
        for watcher in self.watchers:
            watcher(news)


_EVENTS = frozenset(ev.Event.__args__)


def _row(at: str, item: Item, meant: What) -> Entry:
    """The row of the journal for an item."""
    match meant:
        case Note(text):
            return Entry(at, item.device, item.number, item.clock, None, text, item.raw)
        case Told(place, exposed):
            return Entry(at, item.device, None, None, None, f"place {place}{' exposed' if exposed else ''}", None)
        case NewTable(_, text):
            return Entry(at, item.device, None, None, None, text, None)
        case event:
            return Entry(at, item.device, item.number, item.clock, encode(event), None, item.raw)


def _words(meant: What) -> str:
    """What happened, in the words of deal notation."""
    match meant:
        case Told(place, exposed):
            return f"place {place}{' exposed' if exposed else ''}"
        case NewTable():
            return "table"
        case Note(text):
            return text
        case ev.ShoeEmpty():
            return "draw"  # a card was asked for, and none came
        case event:
            return write_event(event)
