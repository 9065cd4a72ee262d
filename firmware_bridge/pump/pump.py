"""The event pump: what arrives is made durable, then applied, then answered.

1. Everything that happens enters one queue: device messages, what is said at the console, links lost and back, a new
   table. Its order is the order of the journal, and that is the order of the game.
2. Nothing reaches `Table.apply` that is not in the journal. What arrives together is committed together, except that a
   button's meaning, and whether a person may say something, depends on how the round stands: a press and a word wait
   until all before them is applied.
3. A device's event is acknowledged when it is durable, and after those who watch have been told what came of it: the
   device can wait. What is shown, lit and locked follows from the table alone.
4. A command that is refused is in the journal too. Who gave it is told why: the console by its answer, the Dealer on
   the display until the next thing happens.
5. The first contact with a device is no news to the game. One that was lost and is back is.
6. While the journal cannot be written nothing is applied or acknowledged: the panel says so, the alarm is on, the shoe
   is locked, and it is tried again; what people commanded is refused. What cannot be written at all, or cannot be
   applied, is the end: `stopped` is called.
7. Whether somebody may say or press something the gate decides, when its turn comes (`gate`); what may not be is a row
   with the reason. On a table with roles the alarm of a finding stays on until it is cleared. Without, it ends with the
   hold.
8. Each row of the journal is told to `log` with its number, once it is durable and applied.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from time import time_ns
from typing import Protocol, cast

from drivers.anchors import Anchored
from drivers.faults import Fault
from drivers.happenings import Identity, Received
from drivers.panel.messages import KeySwitch, Press
from firmware_bridge.daemon.latency import Latency
from firmware_bridge.inputs import panel_presses as presses
from firmware_bridge.inputs.device_messages import Told
from firmware_bridge.journal.clock import Watch, since_boot, wall_clock, written
from firmware_bridge.journal.recovery import Recovered, set_up
from firmware_bridge.journal.rounds import round_reader as past
from firmware_bridge.journal.rounds.round_records import Happened
from firmware_bridge.people.guard import Guard
from firmware_bridge.people.two_names import of_others
from firmware_bridge.pump.cable_faults import Cables, met, told
from firmware_bridge.pump.event_results import Applied
from firmware_bridge.pump.gate import Gate, is_judged
from firmware_bridge.pump.items import CONSOLE, DAEMON, Deed, Denied, Item, NewTable, Note, What, entry, fit, words
from firmware_bridge.pump.record_writer import Books, StalledError
from firmware_bridge.pump.shoe_first import SHOE, Barrier, Shoe, fits
from firmware_bridge.shown.device_outputs import Show, Target
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import RETRACTED, FindingView, Found, Refused, TakenBack
from gamecore.notation.syntax import Header
from gamecore.view.report import finding_report

Log = Callable[[int, Item, What, str | None, list[FindingView]], None]
"""Told of each row: its number, what arrived, what it means, why it was refused, what it has shown."""
MOST_TOLD = 16
"""Places that may be told before their cards come."""
RETRY = 0.5
"""Seconds until a journal that could not be written is tried again."""


class Device(Shoe, Target, Protocol):
    """What the pump needs of a station: it takes commands, says how far it has come, and hears what is durable."""

    def acknowledge(self, number: int) -> None:
        """All events up to this number are durable."""


class Pump:
    """One table with its devices and its journal. It is the sink of every station."""

    def __init__(
        self,
        recovered: Recovered,
        books: Books,
        devices: Mapping[str, Device],
        stopped: Callable[[], None] = lambda: None,
        guard: Guard | None = None,
    ) -> None:
        """A table as the journal tells it; the devices may be added to the mapping later."""
        self._stopped, self.guard = stopped, guard
        if guard is not None:
            guard.note = lambda note: self.submit(Item(CONSOLE, note))
            guard.keep = lambda note, done: self.submit(Item(CONSOLE, note, reply=done))
            guard.author = lambda n: past.author(books.journal.state, n)
        self.log: Log | None = None
        self.judge: Callable[[str, Anchored], Note] | None = None  # of what a device tells of a register
        self._gate = Gate(guard, books, lambda: self.header.sensors)
        self.bars, self.watch = self._gate.bars, Watch()
        self.broken, self.stalled = False, ""
        self.books, self._devices = books, devices
        self._queue: deque[Item] = deque()
        self._stuck: list[tuple[Item, What]] = []
        self._scheduled = self._loaded = False
        self._lost = set(recovered.table.view().away)
        self._barrier = Barrier(
            lambda: devices.get(SHOE),
            lambda arrived: fits(arrived, self.header, self.table, self._queue),
            self._take_in,
        )
        self.applied, self.latency, self._cables = Applied(), Latency(), Cables()
        for device, (number, _) in books.numbers.items():
            self.applied.begins_at(device, number)
        self._show = Show(devices)
        self.identities: dict[str, Identity] = {}
        self.watchers: list[Callable[[dict[str, object]], None]] = []
        self.header, self.table, self._translator = recovered.header, recovered.table, recovered.translator

    def _set_table(self, header: Header) -> None:
        fresh = set_up(header)
        self.header, self.table, self._translator = header, fresh.table, fresh.translator
        self.books.recorder = fresh.recorder
        if self.guard is not None:
            self.guard.tables.done()

    # --- what happens ------------------------------------------------------------------------------------------------

    def received(self, name: str, event: Received) -> None:
        """A device reports an event."""
        self._cables.came(name, event.number)
        if name == SHOE:
            self._take_in(name, event)
            self._barrier.heard()
            return
        self._barrier.received(name, event)
        if self._barrier.waits(name):
            self.applied.wait_for_shoe(name)

    def _take_in(self, name: str, event: Received) -> None:
        known = self._cables.known(name, event.number)
        self.submit(Item(name, event.message, event.number, event.time, event.raw, how=known))

    def caught_up(self, name: str, question: int) -> None:
        """A device has told all that had happened there when it was asked."""
        if name == SHOE:
            self._barrier.caught_up(question)

    def up(self, name: str, identity: Identity) -> None:
        """A device has proved who it is."""
        self.identities[name] = identity
        self._cables.begins(name, identity.held)
        self.books.renumbered(name, identity.numbering)
        self.applied.begins_at(name, self.books.numbers[name][0])
        self.submit(Item(DAEMON, Note(met(name, identity))))
        if name in self._lost:
            self._lost.remove(name)
            self.submit(Item(DAEMON, ev.LinkBack(name)))
        self._show.met(name, identity.capabilities)
        self.tell({"link": {"device": name, "up": True, "fault": None}})
        if name == SHOE:
            self.applied.shoe_is_back()
            self._barrier.back()

    def down(self, name: str, fault: Fault) -> None:
        """A device does not answer any more."""
        self._lost.add(name)
        if name == SHOE:
            self._barrier.away()
        if self.guard is not None:
            self.guard.lost(name)
        self.submit(Item(DAEMON, ev.LinkLost(name)))
        self.tell({"link": {"device": name, "up": False, "fault": fault.code, "remedy": fault.remedy}})

    def fault(self, name: str, fault: Fault) -> None:
        """Something on the way from a device went wrong: it is in the journal, and nothing is made up for it."""
        self.submit(Item(name, Note(told(fault))))
        for what in self._cables.follows(name, fault, asyncio.get_running_loop().time()):
            self.submit(Item(DAEMON, what))
        self.tell({"fault": {"device": name, "code": fault.code, "detail": fault.detail, "remedy": fault.remedy}})

    def submit(self, item: Item) -> None:
        """Put something in the queue; it is dealt with at the next turn of the loop, with all that came by then."""
        if self.broken:
            return
        self._queue.append(item)
        if not self._scheduled and not self.stalled:
            self._scheduled = True
            self.latency.arrived()
            asyncio.get_running_loop().call_soon(self.flush)

    # --- what comes of it --------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Deal with everything in the queue."""
        self._scheduled = False
        if self.broken:
            return
        try:
            while self._stuck or self._queue:
                self._stuck = self._stuck or self._take()
                self._do(self._stuck)
            self._update()
            self.latency.shown()
            self._close_books()
        except StalledError as error:
            self._stall(str(error))
            return
        if self.stalled:
            self.stalled = ""
            self.tell({"journal": {"stalled": None}})
            self._show.trouble(None)
            self._update()

    def _update(self) -> None:
        """Show how the table stands."""
        self._show.uncleared(self.guard is not None and bool(self.books.alarms.open))
        self._show.update(self.table)

    def _do(self, batch: list[tuple[Item, What]]) -> None:
        """Make a batch durable, then apply it."""
        wall, mono = time_ns(), since_boot()
        at = written(wall)
        if jumped := self.watch.jumped(wall, mono):
            self.submit(Item(DAEMON, Note(jumped)))
        first = self._keep(at, mono, batch)
        self._stuck = []
        for item, _ in batch:
            if item.number is not None:
                self.books.note(item.device, item.number)
        try:
            for n, (item, meant) in enumerate(batch, first):
                self._apply(n, at, item, meant)
        except Exception:  # the table is not what the journal says any more: nothing more is taken
            self.broken = True
            self._stopped()
            raise
        finally:  # whatever became of it, it is durable
            for item, _ in batch:
                if item.number is not None:
                    self._devices[item.device].acknowledge(item.number)

    def _keep(self, at: str, mono: int, batch: list[tuple[Item, What]]) -> int:
        """Write a batch to the journal; the number of its first row."""
        entries = [entry(at, mono, item, meant) for item, meant in batch]
        try:
            first, aside = self.books.write(entries, self.header, self.table, self._translator)
        except StalledError:
            raise
        except Exception:  # whatever it is, what is not durable must not be applied: nothing more is taken
            self.broken = True
            self._stopped()
            raise
        if aside:
            self.report_damage(f"a damaged journal was set aside as {aside}")
        return first

    def report_damage(self, what: str) -> None:
        """The journal was damaged: noted, and put before the shift manager."""
        self.submit(Item(DAEMON, Note(what)))
        self.submit(Item(DAEMON, ev.Call("uncovered")))

    def _stall(self, reason: str) -> None:
        """Say that the journal cannot be written, and try again later."""
        if not self.stalled:
            self.tell({"journal": {"stalled": reason}})
        self.stalled = reason
        self._stuck = [(item, meant) for item, meant in self._stuck if not self._withdrawn(item)]
        self._queue = deque(item for item in self._queue if not self._withdrawn(item))
        self._show.trouble(f"JOURNAL: {reason}")
        self._update()
        asyncio.get_running_loop().call_later(RETRY, self.flush)

    def _withdrawn(self, item: Item) -> bool:
        """Whether an item is dropped while nothing can be written: who waits for it is told, and can say it again."""
        if item.reply is None:
            return False
        item.reply(f"the journal cannot be written: {self.stalled}")
        return True

    def _close_books(self) -> None:
        """The round is over, or a new shoe is on the table: what is due is written."""
        aside = self.books.settle(wall_clock(), self.header, self.table, self._translator)
        if aside:
            self.report_damage(f"a damaged journal was set aside as {aside}")
        if (self._loaded or self.header.shuffling == "continuous") and not self.table.round_is_on:
            self._loaded = False
            self.books.new_shoe(wall_clock(), self.header, self.table, self._translator)

    def _take(self) -> list[tuple[Item, What]]:
        """The next items that can be committed together, with what they mean."""
        batch: list[tuple[Item, What]] = []
        while self._queue:
            alone = is_judged(self._queue[0])
            if alone and batch:
                break
            item = self._queue.popleft()
            if isinstance(item.what, Press):
                item, meant = self._gate.pressed(item, presses.command(self.table, item.what), self.table)
            else:
                meant = self._meaning(item)
            batch.append((item, fit(meant) if alone else meant))
            if alone:
                break
        return batch

    def _meaning(self, item: Item) -> What:
        match item.what:
            case Deed() as deed:
                return self._gate.done(deed)
            case Note() as note:
                return note
            case Anchored() as told_of if self.judge is not None:
                return self.judge(item.device, told_of)
            case KeySwitch(on):
                return Note(json.dumps({"key-switch": "on" if on else "off"}))
            case Told() as ahead if self._translator.waits >= MOST_TOLD:
                return Denied(f"place {words(ahead)}", f"{MOST_TOLD} places are told already: the cards come first")
            case NewTable() | Told() as said:
                return self._gate.judged(item, said, self.table)
            case what if type(what) in _EVENTS:
                event = cast("Event", what)  # the types of Event are exactly these
                return self._gate.judged(item, event, self.table) if is_judged(item) else event
            case message:
                return self._translator.event(message) or Note(repr(message))

    def _apply(self, n: int, at: str, item: Item, meant: What) -> None:
        refused: str | None = None
        found: list[FindingView] = []
        match meant:
            case NewTable(header):
                self._set_table(header)
            case Told():
                self._translator.tell(meant)
            case Denied(_, refused):
                self._show.refused(refused if item.device != CONSOLE else None)
            case Note():
                self._noted(n, at, item, meant)
            case event:
                refused, found = self._happen(Happened(n, at, item.device, item.known, item.person, item.role), event)
                self._show.refused(refused if item.device not in {CONSOLE, DAEMON} else None)
        if item.reply is not None:
            item.reply(refused)
        if item.number is not None:
            self.applied.done(item.device, item.number, refused)
        if self.watchers and not isinstance(meant, Note | Denied):
            said = {"n": n, "device": item.device, "number": item.number, "event": words(meant), "refused": refused}
            shown = {"findings": [finding_report(finding) for finding in found]} if found else {}
            self.tell({"seen": said | shown})
        if self.log is not None:
            self.log(n, item, meant, refused, found)

    def _noted(self, n: int, at: str, item: Item, note: Note) -> None:
        """Something that means nothing to the game; it may raise an alarm or end one."""
        if note.alarm or (item.device in {CONSOLE, DAEMON} and note.text.startswith(('{"alarm"', '{"cleared"'))):
            self.books.alarms.noted(n, at, json.loads(note.text))
        if note.alarm and self.guard is not None:
            self.tell({"alarm": {"n": n, "code": note.alarm}})
        match item.what:
            case KeySwitch(on) if self.guard is not None:
                self.guard.turned(on=on)
                self.tell({"key": {"on": on}})

    def _happen(self, row: Happened, event: Event) -> tuple[str | None, list[FindingView]]:
        """Let an event happen; why it was refused, or None, and what it has shown."""
        recorder = self.books.recorder
        recorder.before(row, event, self.table)
        outputs = self.table.apply(event)
        refused = next((str(output) for output in outputs if isinstance(output, Refused)), None)
        found = [output.finding for output in outputs if isinstance(output, Found)]
        if found:
            self.books.alarms.found(row.n, row.at, found, self.table)
        for output in outputs:
            if isinstance(output, TakenBack):
                self._retracted(of_others(output.findings, row.person or "", recorder.row_of))
        done = recorder.after(row, self.table, refused=refused is not None)
        if done is not None:
            self.books.ended(done)
        self._loaded = self._loaded or isinstance(event, ev.Loaded)
        return refused, found

    def _retracted(self, findings: list[FindingView]) -> None:
        """What was taken back raises no alarm any more: noted as cleared, with that reason."""
        over = self.books.alarms.retracted(findings)
        if over:
            what = [{"n": alarm.n, "code": alarm.code, "clause": alarm.clause, "times": alarm.times} for alarm in over]
            self.submit(
                Item(DAEMON, Note(json.dumps({"cleared": what, "by": DAEMON, "role": "", "reason": RETRACTED})))
            )
            self.tell({"cleared": {"alarms": [alarm.n for alarm in over], "by": DAEMON}})

    def close(self) -> None:
        """Deal with what is left, sign the head and close the journal."""
        self.flush()
        try:
            if not self.broken and not self.stalled and self.books.signs():
                kept = self.books.kept(self.header, self.table, self._translator)
                self.books.journal.sign(kept)
        finally:
            self.books.journal.close()

    def tell(self, news: dict[str, object]) -> None:
        """Tell those who watch, who came last first: the daemon's own parts are the oldest, and can wait."""
        for watcher in self.watchers[::-1]:
            watcher(news)


_EVENTS = frozenset(ev.Event.__args__)
