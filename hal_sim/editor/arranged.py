"""A position put into the order in which its cards are dealt, as deal notation.

1. The position is dealt at a table in process, card by card: each goes where the table says that the next card belongs.
   Nothing but the game itself decides the order.
2. On the way bets are opened and closed, and what is due is offered and closed without an answer. What must be settled
   first is settled. A hand that has all its cards stands if a later one still gets cards.
3. It is legal if all is dealt, nothing is refused and nothing is found. Else `problem` says why it goes no further, and
   `left` which cards are still to be dealt; what was dealt up to there is written down all the same.
4. The cards stand in the header, as `shoe:`. No card is burned, and no limits are set: a position is a matter of cards
   and wagers.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, replace

from gamecore.model.cards import Card
from gamecore.model.events import events as ev
from gamecore.model.places import DEALER, Place
from gamecore.model.states import State
from gamecore.notation.header import read_header
from gamecore.notation.lines import Line
from gamecore.notation.syntax import Draw, Header, Scenario, Statement, What
from gamecore.notation.writer import write, write_what
from gamecore.rules.games import GAMES
from hal_sim.dealer.robot_table import DEALING, Shadow
from hal_sim.editor.position import Position

MOST_STEPS = 600
OVER = frozenset({State.SETTLEMENT, State.COMPLETE, State.VOID, State.HELD})


@dataclass(frozen=True, slots=True)
class Arranged:
    """A position as text, why it goes no further, and what is left of it."""

    text: str
    problem: str = ""
    left: tuple[tuple[int, Card], ...] = ()


class _StuckError(Exception):
    """The position cannot be dealt any further."""


def header_of(position: Position) -> Header:
    """The table of a position."""
    lines = [f"game: {position.game}", f"boxes: {position.boxes}", "fresh: no"]
    return read_header([Line(n, text) for n, text in enumerate(lines, start=1)], GAMES)


def arranged(position: Position) -> Arranged:
    """Deal a position; return its text, why it goes no further, and which cards are left."""
    dealing = _Dealing(position)
    problem = ""
    try:
        dealing.deal()
    except _StuckError as stuck:
        problem = str(stuck)
    left = tuple((box, card) for box, cards in sorted(dealing.left.items()) for card in cards)
    return Arranged(dealing.text(), problem, left)


class _Dealing:
    """Deals a position at a table of its own."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._header = header_of(position)
        self._shadow = Shadow(GAMES[position.game], self._header, random.Random(0))
        self._said: list[What] = []
        self._shoe: list[Card] = []
        self.left = {box: deque(cards) for box, cards in position.hands.items() if cards}

    def text(self) -> str:
        """What was dealt, as deal notation."""
        statements = tuple(Statement(what, 0, write_what(what)) for what in self._said)
        return write(Scenario(replace(self._header, shoe=tuple(self._shoe)), statements))

    def deal(self) -> None:
        """Deal until nothing is left.

        Raises:
            _StuckError: it goes no further.
        """
        if not self._position.chips and not self.left:
            return
        self._say(ev.PlaceBets())
        for box, slot, kind, amount in self._position.chips:
            self._say(ev.WagerPlaced(Place(box, 0, slot), kind, amount))
        if not self.left:
            return
        self._say(ev.NoMoreBets())
        for _ in range(MOST_STEPS):
            if not any(self.left.values()):
                return
            self._step()
        raise _StuckError("the position does not come to an end")

    def _step(self) -> None:
        shadow = self._shadow
        if shadow.found:
            found = shadow.found[-1]
            raise _StuckError(f"{found.code} would be found (clause {found.clause}): write it into the text")
        if shadow.state in DEALING:
            self._card(self._next_box())
        elif shadow.state in OVER:
            raise _StuckError("the round is decided: no further card is dealt")
        elif shadow.pairs_due() and shadow.table.can(ev.Interim()):
            self._say(ev.Interim())
        elif due := shadow.offers("due"):
            self._say(ev.Offer(due[0]))
        elif made := shadow.offers("open"):
            self._say(ev.Close(made[0]))
        else:
            self._play_on()

    def _play_on(self) -> None:
        """The hand in turn takes its cards; one that has all of them stands."""
        box = self._next_box()
        if self.left.get(box):
            self._card(box)
        elif box and self._shadow.table.can(ev.Stand(Place(box))):
            self._say(ev.Stand(Place(box)))
        else:
            self._card(box)

    def _next_box(self) -> int:
        """The box where the next card belongs, 0 for the Dealer."""
        place = self._shadow.table.next_place
        if place is None or (place != DEALER and place.box < 1):
            raise _StuckError("no further card is due")
        return 0 if place == DEALER else place.box

    def _card(self, box: int) -> None:
        """The next card of a hand."""
        cards = self.left.get(box)
        if not cards:
            raise _StuckError(f"{'the Dealer' if box == 0 else f'Box {box}'} is due a card first")
        card = cards.popleft()
        try:
            self._say(Draw(DEALER if box == 0 else Place(box), card))
        except _StuckError:
            cards.appendleft(card)
            raise
        self._shoe.append(card)
        self._said[-1] = Draw(DEALER if box == 0 else Place(box))

    def _say(self, what: What) -> None:
        """Let something happen at the table of this dealing.

        Raises:
            _StuckError: it is refused.
        """
        if not self._shadow.happen(Statement(what, 0, write_what(what))):
            raise _StuckError(self._shadow.refused[-1])
        self._said.append(what)
