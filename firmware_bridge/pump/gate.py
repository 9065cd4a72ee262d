"""The gate: whether what somebody says or presses may happen, decided when its turn comes.

1. An item is judged when it is taken, alone, against the table as it stands then: all that was said before it has
   happened. So two commands in one write are judged one after the other.
2. What is said at the console counts by the role of its session. A press counts as a dealer's, or once as a
   pit-supervisor's after the key switch was turned on (`people.guard`); the key lifts nobody anywhere else. Whose word
   stands behind a matter may count too: `people.two_names`.
3. No round begins while one of `bars` says why not, or an alarm stands against it (`people.alarms`).
4. A deed is asked beside the game, such as the clearing of an alarm: its own function judges it.
5. What may not happen is one row of kind ``refused``, with the words, the reason, the person and the role. When the
   journal is read again nothing is judged: the kind of the row is the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from drivers.panel.messages import Press
from firmware_bridge.inputs.device_messages import Told
from firmware_bridge.people import permissions, two_names
from firmware_bridge.people.guard import Guard
from firmware_bridge.pump.items import CONSOLE, Deed, Denied, Item, NewTable, Note, What, pressed, words
from firmware_bridge.pump.record_writer import Books
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.table import Table

Bar = Callable[[], str | None]


def is_judged(item: Item) -> bool:
    """Whether an item is somebody's word: it is taken alone."""
    return item.device == CONSOLE or isinstance(item.what, Press | NewTable | Told | Deed | ev.PlaceBets)


class Gate:
    """Decides what may happen."""

    def __init__(self, guard: Guard | None, books: Books, sensors: Callable[[], Collection[str]]) -> None:
        """A gate of a table with roles, or of an open one; `sensors` says what is fitted."""
        self._guard = guard
        self._books, self._sensors = books, sensors
        self.bars: list[Bar] = []

    def judged(self, item: Item, meant: Event | Told | NewTable, table: Table) -> What:
        """What a word or a press means, if it may happen now."""
        said = f"place {words(meant)}" if isinstance(meant, Told) else words(meant)
        begins = isinstance(meant, ev.PlaceBets)
        whys = [bar() for bar in self.bars] if begins else []
        whys += [self._books.alarms.bars(table.view())] if begins and self._guard is not None else []
        if self._guard is not None and item.role is not None:
            pressed = isinstance(item.what, Press)
            whys.append(self._guard.refuses(item.role, said, meant, table, pressed=pressed))
            if isinstance(meant, NewTable):
                whys.append(self._guard.tables.refuses(meant, item.person or "", table))
            device = permissions.reported(meant, table, self._sensors())
            whys.append(f"'{said}' cannot be said: the {device} reports it" if device is not None else None)
            rows, two = self._books.recorder.row_of, self._guard.two_persons
            whys.append(two_names.refuses(item.person or "", meant, table, rows, two=two))
        why = next(filter(None, whys), None)
        return meant if why is None else Denied(said, why)

    def pressed(self, item: Item, meant: Command, table: Table) -> tuple[Item, What]:
        """A press with whose it is, and what it means if it may happen now; one that needs the key switch uses it."""
        guard = self._guard
        key = guard is not None and guard.key_counts and guard.needs_key(meant, table)
        item = pressed(item, key=key)
        judged = self.judged(item, meant, table)
        if guard is not None and key and judged is meant and table.can(meant):
            guard.key_used()
        return item, judged

    @staticmethod
    def done(deed: Deed) -> Note | Denied:
        """What is noted of a deed, if it may happen now."""
        outcome = deed.judge()
        return Denied(deed.words, outcome) if isinstance(outcome, str) else outcome
