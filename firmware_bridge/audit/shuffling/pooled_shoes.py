"""Every shuffler of a journal, judged over all the shoes that it has shuffled.

1. A shoe is the cards from a load after a shuffle to the next load. It counts for what has shuffled last before the
   load: the device that reported it, or people, and by which method. A load without a shuffle, and one in mid-round
   (MBS 5.19), begin no shoe: what comes out then counts for nobody. Nor does it where cards are shuffled continuously.
2. Cards count in the order in which they left the shoe: drawn singly, or pulled in a known order.
3. The test is `gamecore.view.pooled_test`. A table that is set up with other cards has shufflers of its own.
4. The journal does not say which machine stands behind a device's name: after an exchange, an archive of the journal is
   a new beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from firmware_bridge.audit.journal_reader import Where
from firmware_bridge.audit.round_walk import Listener, walk
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_records import Done
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view.pooled_test import PooledTest


class Shuffler(NamedTuple):
    """Who shuffles, by which method, which cards."""

    device: str
    method: str
    ranks: str
    decks: int


class Pooled(NamedTuple):
    """The shufflers with their tests, and how many events had to be passed over."""

    tests: dict[Shuffler, PooledTest]
    passed_over: int


class _Shoes(Listener):
    """Gives every card to the test of the shuffler that it comes from."""

    def __init__(self) -> None:
        self.tests: dict[Shuffler, PooledTest] = {}
        self._cards = ("", 0)
        self._shuffled: tuple[str, str] | None = None
        self._test: PooledTest | None = None
        self._in_round = False

    def began(self, _row: Row, header: Header, _table: Table) -> None:
        """Note the cards of a table; its first shoe is nobody's."""
        continuous = header.shuffling == "continuous"
        self._cards = ("", 0) if continuous else (GAMES[header.game].ranks.value, table_config(header).decks)
        self._shuffled = self._test = None

    def before(self, _row: Row, _event: Event, table: Table) -> None:
        """Note whether a round is on."""
        self._in_round = table.round_is_on

    def after(self, row: Row, event: Event, table: Table, _outputs: tuple[Output, ...], _done: Done | None) -> None:
        """Follow the cards from the shuffle to the shoe, and out of it."""
        match event:
            case ev.Shuffled(method):
                self._shuffled = (row.device, method)
            case ev.Loaded():
                self._load(table)
            case ev.CardDrawn(card) if self._test is not None:
                self._test.see(card)
            case ev.CardsPulled(cards) if self._test is not None and event.ordered:
                for card in cards:
                    self._test.see(card)

    def _load(self, table: Table) -> None:
        shuffled, self._shuffled, self._test = self._shuffled, None, None
        if shuffled is None or self._in_round or not self._cards[0]:
            return
        shuffler = Shuffler(*shuffled, *self._cards)
        self._test = self.tests.setdefault(shuffler, PooledTest(*self._cards))
        self._test.begin_shoe(table.last_order)


def judge_shufflers(state: Where, step: Callable[[], None] = lambda: None) -> Pooled:
    """Judge every shuffler of a journal.

    Raises:
        UnreadableError: there is none, or an event cannot be read.
    """
    shoes = _Shoes()
    passed_over = walk(state, shoes, step)
    return Pooled(shoes.tests, passed_over)
