"""3. There and back: a card moved away and back leaves everything but the history as it was, in every state.

1. Lifted and laid again, several together and in any order, nothing has happened at all; also where places only count.
2. Moved away and back in a hold, everything but the list of moves and the history is as it was.
3. A card that waits to be dealt is dealt where it is moved to; it is moved only where nobody plays.
4. What was ruled and carried out at once, while the card lay elsewhere, stays so.
5. Moved away and back while play goes on, what was found is carried out without a further move: then cards, hands,
   wagers and whose turn it is are as they were. Only findings and the rights that a clause gives are new.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from gamecore.cards import sensing
from gamecore.cards.difference import is_over, moved_off
from gamecore.cards.queries import place_of
from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.refusals import Refused
from gamecore.model.places import DEALER, DISCARD, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.table import Table
from tests.gamecore.properties.acts import lying
from tests.gamecore.properties.laws.base import Probe, Property
from tests.gamecore.properties.laws.silence import agrees
from tests.gamecore.properties.tables import Play

MOST_ANSWERS = 12


class ThereAndBack(Property):
    """A card is handled, and lies as it lay."""

    name = "there and back"
    often = 0.06

    def probes(self, play: Play) -> list[Probe]:
        """Every card that lies where it is read, moved to some places and lifted."""
        t = play.state
        if not play.header.places_sensed or "hub" in t.fitting.away:
            return []
        if not t.round_is_on or t.fitting.misread:  # whatever is lifted is cleared away, or does not count
            return []
        if not t.hold.matters and moved_off(t):  # to be put back, or left, with whatever is carried out next
            return []
        transit = {record.card for record in t.round.records if record.felt is None or record.lifted is not None}
        if play.header.places_counted:  # what has arrived and is unnamed can be any card that is out
            unnamed = any(record.role in {Role.ARRIVING, Role.NEXT} for record in t.round.records)
            astray = any(r.hand is None or r.felt != place_of(t.round, r.hand) for r in t.round.records)
            return [] if transit or unnamed or astray else self._several(play)
        found: list[Probe] = []
        boxes = [Place(number) for number, box in t.round.boxes.items() if box.mains][:2]
        for record in lying(play):
            felt = record.felt
            if felt is None or not sensing.reads(t, felt) or felt.box < DEALER.box:
                continue
            if not all(
                agrees(t, other) for other in t.round.records if other.card == record.card and other.felt == felt
            ):
                continue  # it, or its equal, lies astray, and to be moved home would put that right
            due = t.next_place is not None and t.next_place.box == felt.box and waits_to_be_dealt(record)
            equal = any(waits_to_be_dealt(other) and other.card == record.card for other in t.round.records)
            unread = transit and (UNREAD in transit or record.card is UNREAD)  # laid again, it could be any of them
            if record.card not in transit and not equal and not due and not unread:  # else it could be that one
                found.append(partial(self._lifted, play, ((record.card, felt),)))
            others = [*boxes, DEALER, DISCARD] if not equal else []  # else it could be that one which is dealt
            found += [
                partial(self._moved, play, record.card, felt, other)
                for other in others
                if other.box != felt.box and not sensing.misread(t, other)
            ]
        return found if transit else found + self._several(play)

    def _several(self, play: Play) -> list[Probe]:
        """Cards of different hands, lifted together and laid back in another order."""
        counts = play.header.places_counted
        if any(record.role is Role.NEXT for record in play.state.round.records):
            return []  # one that is next and lies there may be the one that is lifted
        faces = [
            (record.card, record.felt)
            for record in lying(play)
            if record.hand is not None and record.felt == place_of(play.state.round, record.hand)
            if not (counts and is_over(record.hand))  # what was cleared away nobody can tell from a fresh card
            if counts or all(agrees(play.state, other) for other in _equal_there(play.state, record))
        ]
        chosen = [faces[index :: len(faces) // 3 + 1] for index in range(2)] if faces else []
        return [partial(self._lifted, play, tuple(cards)) for cards in chosen if cards]

    def _lifted(self, play: Play, cards: tuple[tuple[Card, Place], ...]) -> None:
        before, table = standing(play.state), play.table.copied()
        counts = play.header.places_counted
        for card, place in cards:
            table.apply(events.CardLifted(UNREAD if counts else card, place))
        for card, place in cards[1:] + cards[:1]:
            table.apply(events.CardLaid(UNREAD if counts else card, place))
        self.exercised += 1
        what = ", ".join(f"{card} at {place}" for card, place in cards)
        self.hold(before == standing(table._state), lambda: _differ(f"lifted {what}", before, table))

    def _moved(self, play: Play, card: Card, place: Place, other: Place) -> None:
        before, table = standing(play.state), play.table.copied()
        held = bool(play.state.hold.matters)
        table.apply(events.CardMoved(card, place, other))
        opened = table._state.hold.matters and not held
        if not held and not opened and len(table._state.round.findings) > len(play.state.round.findings):
            return  # nobody had to be asked: the ruling was carried out while the card lay elsewhere
        table.apply(events.CardMoved(card, other, place))
        if opened:
            self._carry_out(table, f"{card} moved from {place} to {other} and back")
        self.exercised += 1
        what = f"{card} moved from {place} to {other}"
        after = standing(table._state)
        if held:
            after["matters"] = after["matters"][: len(before["matters"])]  # that it lay elsewhere is found, and history
        self.hold(before == after, lambda: _differ(what, before, table))

    def _carry_out(self, table: Table, what: str) -> None:
        """What the move has opened is closed by words alone."""
        for _ in range(MOST_ANSWERS):
            t = table._state
            if not t.hold.matters:
                return
            asks = t.hold.matters[0].asks
            words: list[events.Command] = [] if t.hold.matters[0].done else [events.Reconstructed()]
            words += [events.Answer(ask.who, (word,)) for ask in asks for word in ("continue", "stood")]
            if not any(not _refused(table, word) for word in words):
                self.hold(False, f"{what}: nothing closes {t.hold.matters[0].finding.code}, {asks}")
        self.hold(not table._state.hold.matters, f"{what}: it stays open")


def _equal_there(t: TableState, record: CardRecord) -> list[CardRecord]:
    """The cards of the same face that lie where a card lies: any of them may be the one that is lifted."""
    return [other for other in t.round.records if other.card == record.card and other.felt == record.felt]


def _refused(table: Table, word: events.Command) -> bool:
    outputs = table.apply(word)
    return bool(outputs) and isinstance(outputs[0], Refused)


def waits_to_be_dealt(record: CardRecord) -> bool:
    """Whether a card is dealt by being moved onto a playing area: that is no way back."""
    return record.role in {Role.NEXT, Role.ARRIVING} or (record.role is Role.WAITING and record.finding is not None)


def standing(t: TableState) -> dict[str, Any]:
    """All that a table is about, without its history: cards, hands, wagers, what is open, whose turn it is."""
    game_round = t.round
    faces = Counter(record.card.face for record in game_round.records)
    held = bool(t.hold.matters)
    hands = {("", 0): game_round.dealer}
    hands |= {(str(n), i): hand for n, box in game_round.boxes.items() for i, hand in enumerate(box.hands)}
    return {
        "records": sorted(
            (r.card.face, str(_lies(t, r)), *_marks(r, alone=faces[r.card.face] == 1, held=held))
            for r in game_round.records
        ),
        "hands": {
            key: (hand.cards, hand.total, hand.stood, hand.doubled, hand.settled, hand.awaits_card)
            for key, hand in hands.items()
        },
        "stakes": [
            (key, slot, stake.at_risk, stake.returned_by, stake.surrendered)
            for key, hand in hands.items()
            for slot, stake in hand.stakes.items()
        ],
        "initial": {n: [r.card.face for r in box.initial] for n, box in game_round.boxes.items()},
        "next": t.next_place,
        "state": t.machine.state,
        "held from": t.hold.held_from if t.hold.matters else None,
        "matters": [
            (m.finding.code, m.procedure, m.step, m.done, list(m.asks), m.left_as_laid) for m in t.hold.matters
        ],
        "beside": [(m.finding.code, list(m.asks)) for m in t.hold.beside],
        "turn": (game_round.turn.number if game_round.turn else 0, game_round.turn_hand),
        "stage": (game_round.subsequent, game_round.interim, game_round.final, game_round.dealt),
        "outcome": game_round.outcome,
    }


def _marks(record: CardRecord, *, alone: bool, held: bool) -> tuple[str | bool, ...]:
    """What a card is. Of equal cards any may be the one that is meant, and in a hold which has which role is open.

    Which faces are initial cards of a box is compared beside this.
    """
    if alone:
        return (record.role.name, record.initial, record.from_shoe, str(record.due))
    return (record.from_shoe,) if held else (record.role.name, record.from_shoe)


def _lies(t: TableState, record: CardRecord) -> Place | None:
    """Where a card lies; one that was given to a hand is presumed to arrive there."""
    if record.felt is None and record.role is Role.ON_HAND and record.hand is not None:
        return place_of(t.round, record.hand)
    return record.felt


def _differ(what: str, before: dict[str, Any], table: Table) -> str:
    after = standing(table._state)
    differ = [f"{key}: {before[key]} became {after[key]}" for key in before if before[key] != after[key]]
    return f"{what}: " + "; ".join(differ)
