"""Frozen pictures of what lies on a table: wagers, hands, boxes, a round.

1. A picture is a value: it holds no live object, and what happens later does not change it. It has the names of what it
   shows, so that someone who knows the rules can read it.
2. They are named tuples, which are made several times as fast as frozen dataclasses: a panel is brought up to date at
   every event. Within one view each hand and each box is one object, and may be compared by identity.
3. What follows from cards and rules (a total, whether a hand is played) is worked out once, here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gamecore.cards.queries import place_of, was_dealt
from gamecore.model.cards import Card
from gamecore.model.events.outputs import FindingView, Row
from gamecore.model.hands import Hand, Stake
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box, Round
from gamecore.rules.ruleset import Ruleset
from gamecore.settlement.settle import open_rows
from gamecore.standing import played


class StakeView(NamedTuple):
    """What one Player has on one hand."""

    base: int
    at_risk: int
    added: int
    doubled: bool
    free_split: bool
    free_double: bool
    surrendered: bool
    even_money: bool
    rescued: bool
    withdrawn: bool  # this Player has no further part in how the hand is played
    returned_by: str  # the clause under which the wager went back


class HandView(NamedTuple):
    """The cards that count for one place, and the stakes on them."""

    cards: tuple[Card, ...]
    stakes: Mapping[int, StakeView]
    total: int
    soft: bool
    bust: bool
    natural: bool
    face_down: tuple[Card, ...]
    awaits_card: bool
    doubled: bool
    stood: bool
    settled: bool
    split: bool
    split_aces: bool
    in_play: bool  # some Player still has a part in how it is played
    complete: bool  # it can take no further card

    @property
    def over(self) -> bool:
        """Whether the hand is played; of face-down cards nothing is told by it."""
        if self.face_down:
            doubled = self.doubled and not self.awaits_card
            return self.settled or self.stood or not self.in_play or doubled
        return self.settled or self.complete


class MainView(NamedTuple):
    """One Player's original wager on a box."""

    slot: int
    amount: int
    player: str | None


class SideView(NamedTuple):
    """A wager beside the main one; `hand` is 1 or, on split Aces, the hand it was placed on."""

    kind: str
    slot: int
    amount: int
    player: str | None
    hand: int
    after_split: bool
    multiplier: int | None
    returned_by: str


class InsuranceView(NamedTuple):
    """An Insurance wager on the main wager at a slot; `player` is set if another Player took the option."""

    slot: int
    amount: int
    player: str | None
    returned_by: str


class BoxView(NamedTuple):
    """A playing area: who wagers on it, who controls it, and its hands."""

    number: int
    mains: Mapping[int, MainView]
    sides: tuple[SideView, ...]
    insurance: tuple[InsuranceView, ...]
    hands: tuple[HandView, ...]
    seated: int
    controller: int
    squeeze: bool

    @property
    def wagered(self) -> bool:
        """Whether it has a main wager that has not been returned."""
        stakes = [stake for hand in self.hands for stake in hand.stakes.values()]
        return bool(self.mains) and (not stakes or any(not stake.returned_by for stake in stakes))

    def place_of(self, at: int) -> Place:
        """The place of a hand, named without its number while the box is not split."""
        return Place(self.number, at + 1) if len(self.hands) > 1 else Place(self.number)


class CardView(NamedTuple):
    """A card of the round in the order of leaving the shoe: where it lies, where it counts, where it was due."""

    card: Card
    place: Place  # where it lies; while it is on its way, where it counts
    counts_at: Place | None  # None for a card that counts for no hand
    due: Place | None
    dealt: bool  # it was dealt in the round, rightly or not
    subsequent: bool
    face_down: bool


class RoundView(NamedTuple):
    """One round of play."""

    number: int
    outcome: str
    boxes: Mapping[int, BoxView]
    dealer: HandView
    turn: BoxView | None
    turn_hand: int
    offers: Mapping[str, str]
    subsequent: bool
    interim: bool
    final: bool
    cards: tuple[CardView, ...]  # that lie on the layout, or are presumed to
    findings: tuple[FindingView, ...]
    rows: tuple[Row, ...]

    @property
    def dealt(self) -> tuple[CardView, ...]:
        """The cards that were dealt in the round, rightly or not."""
        return tuple([card for card in self.cards if card.dealt])

    @property
    def wagers(self) -> tuple[Row, ...]:
        """What is settled; while nothing is, every wager without an outcome."""
        return self.rows or tuple(open_rows(self))

    def hand_at(self, place: Place) -> HandView | None:
        """The hand at a place; without a hand number, the one whose turn it is or else the first."""
        if place.box == DEALER.box:
            return self.dealer
        box = self.boxes.get(place.box)
        if box is None or not box.hands:
            return None
        at = place.hand - 1 if place.hand else (self.turn_hand if self.turn is box else 0)
        return box.hands[at] if at < len(box.hands) else None

    @property
    def up_card(self) -> Card | None:
        """The Dealer's first card."""
        return self.dealer.cards[0] if self.dealer.cards else None


# --- how they are made -----------------------------------------------------------------------------------------------

_NO_STAKES: Mapping[int, StakeView] = MappingProxyType({})
_NO_MAINS: Mapping[int, MainView] = MappingProxyType({})
#: A playing area on which nothing lies.
NO_BOX = BoxView(0, _NO_MAINS, (), (), (), 0, 0, squeeze=False)


def of_round(game_round: Round, rules: Ruleset) -> RoundView:
    """A round as it stands."""
    boxes = {number: _box(box, rules) for number, box in game_round.boxes.items()}
    return RoundView(
        game_round.number,
        game_round.outcome,
        MappingProxyType(boxes),
        of_hand(game_round.dealer, rules),
        None if game_round.turn is None else boxes[game_round.turn.number],
        game_round.turn_hand,
        MappingProxyType(dict(game_round.offers)),
        game_round.subsequent,
        game_round.interim,
        game_round.final,
        tuple([_card(game_round, record) for record in game_round.records if _on_layout(record)]),
        tuple([finding.view() for finding in game_round.findings]),
        tuple(game_round.rows),
    )


def _on_layout(record: CardRecord) -> bool:
    """Whether a card was dealt, or lies at a place of the layout and counts for nothing."""
    if was_dealt(record):
        return True
    idle = record.role is Role.OUT or record.role is Role.WAITING
    return idle and record.felt is not None and record.felt.box >= DEALER.box


def _card(game_round: Round, record: CardRecord) -> CardView:
    hand = record.hand if record.role is Role.ON_HAND else None
    at = place_of(game_round, hand) if hand is not None else BURN if record.role is Role.BURNT else None
    place = record.felt or at or DISCARD
    return CardView(record.card, place, at, record.due, was_dealt(record), record.subsequent, record.face_down)


def of_hand(hand: Hand, rules: Ruleset) -> HandView:
    """A hand as it stands."""
    stakes = hand.stakes
    return HandView(
        tuple(hand.cards),
        MappingProxyType({slot: _stake(stake) for slot, stake in stakes.items()}) if stakes else _NO_STAKES,
        hand.total,
        hand.soft,
        hand.bust,
        hand.natural,
        tuple(hand.face_down),
        hand.awaits_card,
        hand.doubled,
        hand.stood,
        hand.settled,
        hand.split,
        hand.split_aces,
        hand.in_play,
        played.complete(rules, hand),
    )


def _stake(stake: Stake) -> StakeView:
    return StakeView(
        stake.base,
        stake.at_risk,
        stake.added,
        stake.doubled,
        stake.free_split,
        stake.free_double,
        stake.surrendered,
        stake.even_money,
        stake.rescued,
        stake.withdrawn,
        stake.returned_by,
    )


def _box(box: Box, rules: Ruleset) -> BoxView:
    mains = {slot: MainView(main.slot, main.amount, main.player) for slot, main in box.mains.items()}
    insured = [InsuranceView(one.slot, one.amount, one.player, one.returned_by) for one in box.insurance]
    sides = [
        SideView(
            side.kind,
            side.slot,
            side.amount,
            side.player,
            side.hand,
            side.after_split,
            side.multiplier,
            side.returned_by,
        )
        for side in box.sides
    ]
    return BoxView(
        box.number,
        MappingProxyType(mains) if mains else _NO_MAINS,
        tuple(sides),
        tuple(insured),
        tuple([of_hand(hand, rules) for hand in box.hands]),
        box.seated,
        box.controller,
        box.squeeze,
    )
