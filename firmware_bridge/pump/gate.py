"""The gate: what an item of the queue means, and whether it may happen, decided when its turn comes.

1. A device's message means what `inputs` says: an event, or nothing to the game, which is a note. A button means what
   the panel offers as the table stands; one that only turns a page of its display is a note. What arrives as an event,
   a told place or another table means itself.
2. Somebody's word is judged when its turn comes, alone, by the table as it stands then: all that was said before it has
   happened. So two commands in one write are judged one after the other.
3. What is said at the console counts by the role of its session. A press counts as a dealer's, or once as a
   pit-supervisor's after the key switch was turned on (`people.guard`); the key lifts nobody anywhere else. Whose word
   stands behind a matter may count too: `people.two_names`.
4. No round begins while one of `bars` says why not, or an alarm stands against it (`people.alarms`).
5. A deed is something that a person asks for outside the game, such as clearing an alarm: its own function judges it.
   What a device tells of a register, `weigh_register` judges.
6. What may not happen is one row of kind ``refused``, with the words, the reason, the person and the role. When the
   journal is read again nothing is judged: the kind of the row is the decision.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import cast

from drivers.anchors import Anchored
from drivers.panel.messages import KeySwitch, Press
from firmware_bridge.inputs import panel_presses
from firmware_bridge.inputs.device_messages import NextPlace, Translator
from firmware_bridge.people import permissions, two_names
from firmware_bridge.people.guard import Guard
from firmware_bridge.pump.items import CONSOLE, Deed, Denied, Item, NewTable, Note, What, fit, pressed, words
from firmware_bridge.pump.record_writer import RecordWriter
from firmware_bridge.texts.denials import Denial, Ground, deny
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.table import Table

Bar = Callable[[], Denial | None]
MOST_TOLD = 16
"""Places that may be told before their cards come."""
_EVENTS = frozenset(ev.Event.__args__)
_JUDGED = frozenset({Press, NewTable, NextPlace, Deed, ev.PlaceBets})


def is_judged(item: Item) -> bool:
    """Whether an item is somebody's word, which is judged alone."""
    return item.device == CONSOLE or type(item.what) in _JUDGED


class Gate:
    """Says what an item means, and decides what may happen."""

    def __init__(self, guard: Guard | None, books: RecordWriter, sensors: Callable[[], Collection[str]]) -> None:
        """A gate of a table with roles, or of an open one; `sensors` says what is fitted."""
        self._guard = guard
        self._books, self._sensors = books, sensors
        self.bars: list[Bar] = []
        self.weigh_register: Callable[[str, Anchored], Note] | None = None

    def judge(self, item: Item, table: Table, translator: Translator) -> tuple[Item, What]:
        """Judge somebody's word: the item, with the person and the role for a press, and what it means."""
        if isinstance(item.what, Press) and panel_presses.turns_page(table, item.what):
            return item, Note(json.dumps({"panel": "next page"}))
        if isinstance(item.what, Press):
            item, meant = self.judge_press(item, panel_presses.command(table, item.what), table)
        else:
            meant = self._judge_item(item, table, translator)
        return item, fit(meant)

    def _judge_item(self, item: Item, table: Table, translator: Translator) -> What:
        match item.what:
            case Deed(said, judge):
                outcome = judge()
                return Denied(said, outcome) if isinstance(outcome, Denial) else outcome
            case NextPlace() as ahead if translator.waits >= MOST_TOLD:
                return Denied(f"place {words(ahead)}", deny(Ground.PLACES_TOLD, count=MOST_TOLD))
            case NewTable() | NextPlace() as said:
                return self.judge_word(item, said, table)
            case what if type(what) in _EVENTS:
                return self.judge_word(item, cast("Event", what), table)  # the types of Event are exactly these
            case _:
                return self.interpret(item, translator)

    def interpret(self, item: Item, translator: Translator) -> What:
        """What a message means, or anything else that nobody has to judge."""
        match item.what:
            case Note() as note:
                return note
            case Anchored() as register if self.weigh_register is not None:
                return self.weigh_register(item.device, register)
            case KeySwitch(on):
                return Note(json.dumps({"key-switch": "on" if on else "off"}))
            case what if type(what) in _EVENTS:
                return cast("Event", what)
            case message:
                return translator.event(message) or Note(repr(message))

    def judge_press(self, item: Item, meant: Command, table: Table) -> tuple[Item, What]:
        """Judge a press: the item with person and role, and what it means. One that needs the key switch uses it."""
        guard = self._guard
        key = guard is not None and guard.key_counts and guard.needs_key(meant, table)
        item = pressed(item, key=key)
        judged = self.judge_word(item, meant, table)
        if guard is not None and key and judged is meant and table.can(meant):
            guard.key_used()
        return item, judged

    def judge_word(self, item: Item, meant: Event | NextPlace | NewTable, table: Table) -> What:
        """What a word or a press means, if it may happen now; else that it is refused."""
        said = f"place {words(meant)}" if isinstance(meant, NextPlace) else words(meant)
        begins = isinstance(meant, ev.PlaceBets)
        whys = [bar() for bar in self.bars] if begins else []
        whys += [self._books.alarms.bars(table.view())] if begins and self._guard is not None else []
        if self._guard is not None and item.role is not None:
            pressed = isinstance(item.what, Press)
            whys.append(self._guard.refuses(item.role, said, meant, table, pressed=pressed))
            if isinstance(meant, NewTable):
                whys.append(self._guard.tables.refuses(meant, item.person or "", table))
            whys.append(permissions.reported(said, meant, table, self._sensors()))
            rows, two = self._books.recorder.row_of, self._guard.two_persons
            whys.append(two_names.refuses(item.person or "", meant, table, rows, two=two))
        why = next(filter(None, whys), None)
        return meant if why is None else Denied(said, why)
