"""4. Moves lead home: after the listed moves, in any order, `reconstructed` is accepted.

1. The list of the matter that is open first, made in any order, is empty then; what its ruling waits for is the word,
   or an answer that comes before it.
2. Any other move of a card that counts adds to the list what undoes it: the list made afterwards ends the same.
3. Where places only count, the moves may also be seen as cards lifted and laid that nobody names: the word is taken as
   soon as no place has a card too many or too few. Where they are told, the moves are told.
"""

from __future__ import annotations

import random
from functools import partial

from gamecore.cards import sensing
from gamecore.irregularities.procedures.registry import PROCEDURES
from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.outputs import Ask, Move
from gamecore.model.places import DEALER, Place
from gamecore.model.records import Role
from gamecore.model.steps import Effect
from gamecore.table import Table
from tests.gamecore.properties.acts import lying
from tests.gamecore.properties.laws.base import Probe, Property
from tests.gamecore.properties.tables import Play

ORDERS = 3


class MovesLeadHome(Property):
    """The list is carried out."""

    name = "moves lead home"
    often = 0.4

    def probes(self, play: Play) -> list[Probe]:
        """The list in some orders, also after another move."""
        t = play.state
        if not t.hold.matters:
            return []
        if t.fitting.away or t.fitting.misread or PROCEDURES[t.hold.matters[0].procedure].done is None:
            return []
        if any(ask.who == "dealer" for ask in t.hold.matters[0].asks):  # first they say whether it was wrong
            return []
        pending = t.hold.matters[0].pending
        if pending is not None and pending.effect is not Effect.WITHDRAW:  # nothing is carried out meanwhile
            return []
        moves = play.table.view().moves
        found: list[Probe] = [partial(self._made, play, order) for order in range(ORDERS if len(moves) > 1 else 1)]
        if play.header.places_counted and all(r.from_shoe and r.lifted is None for r in t.round.records):
            found.append(partial(self._seen_unnamed, play))
        for record in lying(play):
            if record.role is Role.ON_HAND and record.felt is not None and sensing.sees(t, record.felt):
                others = [p for p in (DEALER, *map(Place, list(t.round.boxes)[:2])) if p.box != record.felt.box]
                found += [partial(self._undone, play, record.card, record.felt, other) for other in others]
        return found

    def _made(self, play: Play, order: int) -> None:
        table = play.table.copied()
        moves = list(table.view().moves)
        random.Random(order).shuffle(moves)
        self._make(table, moves, f"in the order {[_said(move) for move in moves]}")
        self.exercised += bool(moves)

    def _seen_unnamed(self, play: Play) -> None:
        table = play.table.copied()
        first, moves = table._state.hold.matters[0], table.view().moves
        for move in moves:
            table.apply(events.CardLifted(UNREAD, move.source))
            table.apply(events.CardLaid(UNREAD, move.target))
        t = table._state
        if not t.hold.matters or t.hold.matters[0].finding.code != first.finding.code:
            return
        refused = table.verify(events.Reconstructed())
        asked = any(_comes_first(ask) for ask in t.hold.matters[0].asks)
        self.hold(refused is None or asked, f"{[*map(_said, moves)]} seen and not named: {refused}")
        self.exercised += bool(moves)

    def _undone(self, play: Play, card: Card, source: Place, target: Place) -> None:
        table = play.table.copied()
        if table._state.hold.matters[0].left_as_laid:
            return
        table.apply(events.CardMoved(card, source, target))
        if not table._state.hold.matters:  # it lies as ruled there
            return
        self._make(table, list(table.view().moves), f"after {card} was moved from {source} to {target}")
        self.exercised += 1

    def _make(self, table: Table, moves: list[Move], what: str) -> None:
        code = table._state.hold.matters[0].finding.code
        for move in moves:
            table.apply(events.CardMoved(move.card, move.source, move.target))
        t = table._state
        if not t.hold.matters or t.hold.matters[0].finding.code != code:
            return
        left = [_said(move) for move in table.view().moves]
        self.hold(not left, f"{code} {what}: {left} are left")
        refused = table.verify(events.Reconstructed())
        asked = any(_comes_first(ask) for ask in t.hold.matters[0].asks)
        self.hold(refused is None or asked, f"{code} {what}: {refused}")


def _comes_first(ask: Ask) -> bool:
    """Whether somebody says first whether a hand was skipped (MBS 5.17), or which card they take (5.8, 5.23, 5.24)."""
    return "skipped" in ask.options or not {"continue", "withdraw"} & set(ask.options)


def _said(move: Move) -> str:
    return f"{move.card} {move.source} {move.target}"
