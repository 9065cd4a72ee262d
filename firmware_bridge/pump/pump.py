"""The event pump: what arrives is queued, made durable, applied, answered and shown.

1. Everything that happens enters one queue: device messages, what is said at the console, links lost and back, a new
   table. Its order is the order of the journal, and that is the order of the game.
2. The way of an item is the order of the methods of this file: `enqueue`; at the next turn of the loop
   `process_queue`; the next batch, each item with its meaning (`gate`); the journal; the table; the answers; the
   acknowledgement; the lamps; what the cards say of the shuffle, worked out for the next one; the records of a round
   that is over.
3. Nothing reaches `Table.apply` that is not in the journal. What arrives together is committed together, except that a
   button's meaning, and whether a person may say something, depends on how the round stands: a press and a word wait
   until all before them is applied.
4. A device's event is acknowledged when it is durable, and after those who watch have been told what came of it: the
   device can wait. What is shown, lit and locked follows from the table, the open alarms, the last refusal and whether
   the journal can be written.
5. A command that is refused is in the journal too. The person who gave it is told why: the console by its answer, the
   Dealer on the display until the next event or refusal.
6. While the journal cannot be written nothing is applied or acknowledged: the panel says so, the alarm is on, the shoe
   is locked, and it is tried again. An item whose sender waits for a reply is refused and dropped; the others, presses
   too, stay in the queue. What cannot be written at all, or cannot be applied, is the end: `stopped` is called.
7. On a table with roles the alarm of a finding stays on until it is cleared. Without roles it ends with the hold.
8. Once a row is durable and applied it is told to `watchers`, unless it is a note or refused by the gate, and to `log`
   with its number. News that are no rows, such as the state of a link, go to `watchers` and to the daemon's own
   `listeners` (`announce`).
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from time import time_ns
from typing import Protocol, cast

from drivers.panel.messages import KeySwitch, Press
from firmware_bridge.daemon.latency import Latency
from firmware_bridge.inputs.device_messages import NextPlace
from firmware_bridge.journal.clock import Watch, since_boot, written
from firmware_bridge.journal.recovery import ROUNDS, Recovered, set_up
from firmware_bridge.journal.rounds import round_reader
from firmware_bridge.journal.rounds.round_records import Happened
from firmware_bridge.people.guard import Guard
from firmware_bridge.people.two_names import of_others
from firmware_bridge.pump.event_results import EventResults
from firmware_bridge.pump.gate import Gate, is_judged
from firmware_bridge.pump.items import CONSOLE, DAEMON, Denied, Item, NewTable, Note, What, entry, words
from firmware_bridge.pump.record_writer import RecordWriter, StalledError
from firmware_bridge.shown.device_outputs import Show, Target
from firmware_bridge.shown.news_type import News, SeenNews
from firmware_bridge.texts.denials import Ground, Why, deny
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import RETRACTED, FindingView, IrregularityFound, TakenBack
from gamecore.model.events.refusals import Refused
from gamecore.notation.syntax import Header
from gamecore.view.report import finding_report

Batch = list[tuple[Item, What]]
"""Items that are committed together, each with what it means."""
Log = Callable[[int, Item, What, Why | None, list[FindingView]], None]
"""Told of each row: its number, what arrived, what it means, why it was refused, what it has shown."""
Watcher = Callable[[News], None]
"""Told what happens."""
RETRY = 0.5
"""Seconds until a journal that could not be written is tried again."""


class Device(Target, Protocol):
    """What the pump needs of a station: it takes commands and hears what is durable."""

    def acknowledge(self, number: int) -> None:
        """All events up to this number are durable."""


class Pump:
    """One table with its devices and its journal."""

    def __init__(
        self,
        recovered: Recovered,
        books: RecordWriter,
        devices: Mapping[str, Device],
        stopped: Callable[[], None] = lambda: None,
        guard: Guard | None = None,
    ) -> None:
        """Go on with a table as the journal tells it; the devices may be added to the mapping later."""
        self._stopped, self.guard = stopped, guard
        if guard is not None:
            guard.note = lambda note: self.enqueue(Item(CONSOLE, note))
            guard.keep = lambda note, done: self.enqueue(Item(CONSOLE, note, reply=done))
            guard.author = lambda n: round_reader.author(books.journal.state, n)
        self.log: Log | None = None
        self.gate = Gate(guard, books, lambda: self.header.sensors)
        self.watch = Watch()
        self.broken, self.stalled = False, ""
        self.books, self._devices = books, devices
        self.queued: deque[Item] = deque()
        self._batch: Batch = []  # what is about to be written; it stays here while nothing can be
        self._scheduled = self._loaded = False
        self.applied, self.latency = EventResults(), Latency()
        for device, (number, _) in books.numbers.items():
            self.applied.begins_at(device, number)
        self.show = Show(devices)
        self.listeners: list[Watcher] = []  # parts of the daemon: they hear of everything but rows
        self.watchers: list[Watcher] = []  # people and programs at the sockets: they hear of everything
        self.header, self.table, self._translator = recovered.header, recovered.table, recovered.translator
        self._past = recovered.past

    def report(self) -> dict[str, object]:
        """The report of the table, with rounds from before the last start if their records are proved."""
        told = self.table.report()
        rounds = cast("list[dict[str, object]]", told["rounds"])
        return told | {"rounds": [*self._past, *rounds][-ROUNDS:]}

    # --- the way of an item ------------------------------------------------------------------------------------------

    def enqueue(self, item: Item) -> None:
        """Put something in the queue; its turn comes at the next turn of the loop, with all that came by then."""
        if self.broken:
            return
        self.queued.append(item)
        if not self._scheduled and not self.stalled:
            self._scheduled = True
            self.latency.arrived()
            asyncio.get_running_loop().call_soon(self.process_queue)

    def process_queue(self) -> None:
        """Carry out everything in the queue, show the table, and write what is due at the end of a round."""
        self._scheduled = False
        if self.broken:
            return
        try:
            while self._batch or self.queued:
                self._batch = self._batch or self._next_batch()
                self._carry_out(self._batch)
            self._show_table()
            self.latency.shown()
            self.table.settle_watch()
            self._close_books()
        except StalledError as error:
            self._stall(str(error))
            return
        if self.stalled:
            self._resume()

    def _next_batch(self) -> Batch:
        """The next items that can be committed together, with what they mean."""
        batch: Batch = []
        while self.queued:
            if is_judged(self.queued[0]):
                return batch or [self.gate.judge(self.queued.popleft(), self.table, self._translator)]
            item = self.queued.popleft()
            batch.append((item, self.gate.interpret(item, self._translator)))
        return batch

    def _carry_out(self, batch: Batch) -> None:
        """Make a batch durable, apply it row by row, and acknowledge it."""
        wall, mono = time_ns(), since_boot()
        at = written(wall)
        if jumped := self.watch.jumped(wall, mono):
            self.enqueue(Item(DAEMON, Note(jumped)))
        first = self._write_to_journal(at, mono, batch)
        self._batch = []
        try:
            for n, (item, meant) in enumerate(batch, first):
                self._apply(n, at, item, meant)
        except Exception:  # the table is not what the journal says any more: nothing more is taken
            self._break()
            raise
        finally:  # whatever became of it, it is durable
            for item, _ in batch:
                if item.number is not None:
                    self._devices[item.device].acknowledge(item.number)

    def _write_to_journal(self, at: str, mono: int, batch: Batch) -> int:
        """Write a batch to the journal; the number of its first row."""
        entries = [entry(at, mono, item, meant) for item, meant in batch]
        try:
            first, aside = self.books.write(entries, self.header, self.table, self._translator)
        except StalledError:
            raise
        except Exception:  # whatever it is, what is not durable must not be applied: nothing more is taken
            self._break()
            raise
        if aside:
            self.report_damage(f"a damaged journal was set aside as {aside}")
        return first

    def _apply(self, n: int, at: str, item: Item, meant: What) -> None:
        """Let a row that is durable happen, and answer it."""
        refused: Why | None = None
        found: list[FindingView] = []
        match meant:
            case NewTable(header):
                self._set_table(header)
            case NextPlace():
                self._translator.tell_place(meant)
            case Denied(_, refused):
                self.show.refused(refused if item.device != CONSOLE else None)
            case Note():
                self._apply_note(n, at, item, meant)
            case event:
                row = Happened(n, at, item.device, item.known, item.person, item.role)
                refused, found = self._apply_event(row, event)
                self.show.refused(refused if item.device not in {CONSOLE, DAEMON} else None)
        self._answer(n, item, meant, refused, found)

    def _apply_event(self, row: Happened, event: Event) -> tuple[Refused | None, list[FindingView]]:
        """Let an event happen at the table; why it was refused, or None, and what it has shown."""
        recorder = self.books.recorder
        recorder.before(row, event, self.table)
        outputs = self.table.apply(event)
        refused = next((output for output in outputs if isinstance(output, Refused)), None)
        found = [output.finding for output in outputs if isinstance(output, IrregularityFound)]
        alarms = self.books.alarms
        if found or alarms.open:  # most events raise none and carry none on
            alarms.follow_event(row, event, found, self.table, refused=refused is not None)
        for output in outputs:
            if isinstance(output, TakenBack):
                self._retract_alarms(of_others(output.findings, row.person or "", recorder.row_of))
        done = recorder.after(row, self.table, refused=refused is not None)
        if done is not None:
            self.books.ended(done)
        self._loaded = self._loaded or isinstance(event, ev.Loaded)
        return refused, found

    def _answer(self, n: int, item: Item, meant: What, refused: Why | None, found: list[FindingView]) -> None:
        """Tell what came of a row: the person who waits for it, those who watch, the log."""
        if item.reply is not None:
            item.reply(refused)
        if item.number is not None:
            self.applied.done(item.device, item.number, refused)
        if self.watchers and not isinstance(meant, Note | Denied):
            why = None if refused is None else str(refused)
            seen: SeenNews = {
                "n": n,
                "device": item.device,
                "number": item.number,
                "event": words(meant),
                "refused": why,
            }
            if found:
                seen["findings"] = [finding_report(finding) for finding in found]
            for watcher in self.watchers[::-1]:
                watcher({"seen": seen})
        if self.log is not None:
            self.log(n, item, meant, refused, found)

    def announce(self, news: News) -> None:
        """Tell news that are no row: to those who watch, the last to come first, then to the daemon's own parts."""
        for watcher in (*self.listeners, *self.watchers)[::-1]:
            watcher(news)

    def _show_table(self) -> None:
        """Light, lock and write on the devices how the table stands."""
        uncleared = self.guard is not None and bool(self.books.alarms.open)
        clears = self.clears if uncleared else ""
        self.show.update(self.table, uncleared=uncleared, clears=clears, uncounted=self.uncounted)

    @property
    def clears(self) -> str:
        """The lowest role that clears the alarm which bars the next round; empty if none does, or a round is on."""
        return "" if self.table.round_is_on else self.books.alarms.clears(self.table.view())

    @property
    def uncounted(self) -> bool:
        """Whether an open alarm asks for a count of the set."""
        return self.books.alarms.uncounted

    def _close_books(self) -> None:
        """Write what is due: the records of a round that is over, a new segment where a new shoe is on the table."""
        aside = self.books.write_due_records(self.header, self.table, self._translator)
        if aside:
            self.report_damage(f"a damaged journal was set aside as {aside}")
        if (self._loaded or self.header.shuffling == "continuous") and not self.table.round_is_on:
            self._loaded = False
            self.books.new_shoe(self.header, self.table, self._translator)

    # --- what is not an event of the game ----------------------------------------------------------------------------

    def _set_table(self, header: Header) -> None:
        """Play another table from here on."""
        fresh = set_up(header)
        self.header, self.table, self._translator = header, fresh.table, fresh.translator
        self._past = fresh.past
        self.books.recorder = fresh.recorder
        self.books.alarms.another_table()
        if self.guard is not None:
            self.guard.tables.done()

    def _apply_note(self, n: int, at: str, item: Item, note: Note) -> None:
        """Note what means nothing to the game; it may raise an alarm or end one."""
        if note.alarm or (item.device in {CONSOLE, DAEMON} and note.text.startswith(('{"alarm"', '{"cleared"'))):
            self.books.alarms.noted(n, at, json.loads(note.text))
        if note.alarm and self.guard is not None:
            self.announce({"alarm": {"n": n, "code": note.alarm}})
        match item.what:
            case Press():
                self.show.turn_page()
            case KeySwitch(on) if self.guard is not None:
                self.guard.turned(on=on)
                self.announce({"key": {"on": on}})

    def _retract_alarms(self, findings: list[FindingView]) -> None:
        """End the alarms of what was taken back: noted as cleared, with that reason."""
        over = self.books.alarms.retracted(findings)
        if over:
            what = [{"n": alarm.n, "code": alarm.code, "clause": alarm.clause, "times": alarm.times} for alarm in over]
            note = Note(json.dumps({"cleared": what, "by": DAEMON, "role": "", "reason": RETRACTED}))
            self.enqueue(Item(DAEMON, note))
            self.announce({"cleared": {"alarms": [alarm.n for alarm in over], "by": DAEMON}})

    # --- a journal that cannot be written ----------------------------------------------------------------------------

    def report_damage(self, what: str) -> None:
        """Note that the journal was damaged, and put it before the shift manager."""
        self.enqueue(Item(DAEMON, Note(what)))
        self.enqueue(Item.to_the_house())

    def _stall(self, reason: str) -> None:
        """Say that the journal cannot be written, and try again later."""
        if not self.stalled:
            self.announce({"journal": {"stalled": reason}})
        self.stalled = reason
        self._batch = [(item, meant) for item, meant in self._batch if not self._withdrawn(item)]
        self.queued = deque(item for item in self.queued if not self._withdrawn(item))
        self.show.trouble(f"JOURNAL: {reason}")
        self._show_table()
        asyncio.get_running_loop().call_later(RETRY, self.process_queue)

    def _withdrawn(self, item: Item) -> bool:
        """Whether an item is dropped while nothing can be written: those who wait are told, and can say it again."""
        if item.reply is None:
            return False
        item.reply(deny(Ground.JOURNAL_STALLED, detail=self.stalled))
        return True

    def _resume(self) -> None:
        """Say that the journal can be written again."""
        self.stalled = ""
        self.announce({"journal": {"stalled": None}})
        self.show.trouble(None)
        self._show_table()

    def _break(self) -> None:
        """End it: nothing more enters the queue."""
        self.broken = True
        self._stopped()

    def close(self) -> None:
        """Carry out what is left, sign the head if that is possible, and close the journal."""
        self.process_queue()
        try:
            if not self.broken and not self.stalled and self.books.signs():
                kept = self.books.kept(self.header, self.table, self._translator)
                self.books.journal.sign(kept)
        finally:
            self.books.journal.close()
