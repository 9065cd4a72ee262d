"""Every shuffler of a journal, judged over all the shoes that it has shuffled.

1. A shoe is the cards from a load after a shuffle to the next load. It counts for what has shuffled last before the
   load: the device that reported it, or people, and by which method. A load without a shuffle, and one in mid-round
   (MBS 5.19), begin no shoe: what comes out then counts for nobody. Nor does it where cards are shuffled continuously.
2. Cards count in the order in which they left the shoe: drawn singly, or pulled in a known order.
3. The test is `gamecore.view.pooled_test`. A table that is set up with other cards has shufflers of its own.
4. Who clears the alarm `SHUFFLER_FAILS` says that the shuffler was mended or exchanged: those that had failed begin
   again with the next shoe.
5. The journal does not say which machine stands behind a device's name: one that is exchanged without an alarm goes on
   with what the one before had left.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.audit.journal_reader import Part, Where
from firmware_bridge.audit.round_walk import Listener, walk
from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_records import Done
from firmware_bridge.people.permissions import SHUFFLER_FAILS
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view.pooled_test import PooledTest

_ALARM = "alarm"


class Shuffler(NamedTuple):
    """Who shuffles, by which method, which cards."""

    device: str
    method: str
    ranks: str
    decks: int


@dataclass(slots=True)
class Judgement:
    """A shuffler's test, the row at which it began, and its evidence when each shoe but the last had ended."""

    test: PooledTest
    since: int
    course: list[tuple[str, float]] = field(default_factory=list)


class Pooled(NamedTuple):
    """The shufflers, and how many events had to be passed over."""

    shufflers: dict[Shuffler, Judgement]
    passed_over: int


class _Shoes(Listener):
    """Gives every card to the test of the shuffler that it comes from."""

    def __init__(self) -> None:
        self.shufflers: dict[Shuffler, Judgement] = {}
        self._cards = ("", 0)
        self._shuffled: tuple[str, str] | None = None
        self._judged: Judgement | None = None
        self._in_round = False

    def began(self, _row: Row, header: Header, _table: Table) -> None:
        """Note the cards of a table; its first shoe is nobody's."""
        continuous = header.shuffling == "continuous"
        self._cards = ("", 0) if continuous else (GAMES[header.game].ranks.value, table_config(header).decks)
        self._shuffled = self._judged = None

    def before(self, _row: Row, _event: Event, table: Table) -> None:
        """Note whether a round is on."""
        self._in_round = table.round_is_on

    def after(self, row: Row, event: Event, table: Table, _outputs: tuple[Output, ...], _done: Done | None) -> None:
        """Follow the cards from the shuffle to the shoe, and out of it."""
        match event:
            case ev.Shuffled(method):
                self._shuffled = (row.device, method)
            case ev.Loaded():
                self._load(row, table)
            case ev.CardDrawn(card) if self._judged is not None:
                self._judged.test.see(card)
            case ev.CardsPulled(cards) if self._judged is not None and event.ordered:
                for card in cards:
                    self._judged.test.see(card)

    def passed(self, _part: Part, row: Row, _table: Table | None) -> None:
        """Let those that had failed begin again when their alarm is cleared."""
        if row.kind != schema.NOTE or not (row.body or "").startswith('{"cleared"'):
            return
        cleared = json.loads(row.body or "")["cleared"]
        if any(one.get("code") == SHUFFLER_FAILS for one in cleared):
            for shuffler, judged in list(self.shufflers.items()):
                if judged.test.verdict.value == _ALARM:
                    del self.shufflers[shuffler]
                    self._judged = None if self._judged is judged else self._judged

    def _load(self, row: Row, table: Table) -> None:
        if self._judged is not None:
            self._judged.course.append((row.at, self._judged.test.wealth))
        shuffled, self._shuffled, self._judged = self._shuffled, None, None
        if shuffled is None or self._in_round or not self._cards[0]:
            return
        shuffler = Shuffler(*shuffled, *self._cards)
        if shuffler not in self.shufflers:
            self.shufflers[shuffler] = Judgement(PooledTest(*self._cards), row.n)
        self._judged = self.shufflers[shuffler]
        self._judged.test.begin_shoe(table.last_order)


def judge_shufflers(state: Where, step: Callable[[], None] = lambda: None) -> Pooled:
    """Judge every shuffler of a journal.

    Raises:
        UnreadableError: there is none, or an event cannot be read.
    """
    shoes = _Shoes()
    passed_over = walk(state, shoes, step)
    return Pooled(shoes.shufflers, passed_over)
