"""The gate: whether what somebody says or presses may happen, decided when its turn comes.

1. An item is judged when it is taken, alone, against the table as it stands then: all that was said before it has
   happened. So two commands in one write are judged one after the other.
2. What is said at the console counts by the role of its session. A press counts as a dealer's, or as a
   pit-supervisor's while the key switch is on; the key lifts nobody anywhere else.
3. No round begins while one of `bars` says why not.
4. A deed is asked beside the game, such as the clearing of an alarm: its own function judges it.
5. What may not happen is one row of kind ``refused``, with the words, the reason, the person and the role. When the
   journal is read again nothing is judged: the kind of the row is the decision.
"""

from __future__ import annotations

from collections.abc import Callable

from drivers.panel.messages import Press
from firmware_bridge.bridge.translate import Told
from firmware_bridge.items import CONSOLE, Deed, Denied, Item, NewTable, Note, What, words
from firmware_bridge.people.guard import Guard
from gamecore.model import events as ev
from gamecore.model.events import Event
from gamecore.table import Table

Bar = Callable[[], str | None]


def is_judged(item: Item) -> bool:
    """Whether an item is somebody's word: it is taken alone."""
    return item.device == CONSOLE or isinstance(item.what, Press | NewTable | Told | Deed | ev.PlaceBets)


class Gate:
    """Decides what may happen."""

    def __init__(self, guard: Guard | None, *bars: Bar) -> None:
        """A gate of a table with roles, or of an open one; others may add their bars."""
        self._guard = guard
        self.bars = list(bars)

    def judged(self, item: Item, meant: Event | Told | NewTable, table: Table) -> What:
        """What a word or a press means, if it may happen now."""
        said = f"place {words(meant)}" if isinstance(meant, Told) else words(meant)
        whys = [bar() for bar in self.bars] if isinstance(meant, ev.PlaceBets) else []
        if self._guard is not None and item.role is not None:
            pressed = isinstance(item.what, Press)
            whys.append(self._guard.refuses(item.role, said, meant, table, pressed=pressed))
        why = next(filter(None, whys), None)
        return meant if why is None else Denied(said, why)

    @staticmethod
    def done(deed: Deed) -> Note | Denied:
        """What is noted of a deed, if it may happen now."""
        outcome = deed.judge()
        return Denied(deed.words, outcome) if isinstance(outcome, str) else outcome
