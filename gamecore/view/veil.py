"""Where the cards of a round lie, and which of them anybody may see.

1. A hand shows the cards that count for it. While the round is held, people carry cards about: then a hand shows what
   lies there, and a card that counts for it and lies elsewhere is shown where it lies.
2. What lies at a place and counts for no hand there stands in `elsewhere`, by place. ``burn`` and ``discard`` are
   piles, ``drawn`` has left the shoe and lies nowhere yet, ``aside`` waits to be dealt or chosen.
3. A card is face down in a squeezed box until it is turned, in a pile, and while it is drawn or waits, unless it was
   disclosed meanwhile. It is written ``??``. One that went astray in a squeezed box counts as face down.
4. Equal cards cannot be told apart: where one of them lies face down, a finding names none of them.
5. Whatever leaves the table for someone who may not see every card goes through `veiled`: a card's name in any text
   becomes ``??`` unless it is among those that lie open. A card is a rank and a suit, with or without the code that is
   printed on it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gamecore.model.cards import Card
from gamecore.model.events.outputs import Move
from gamecore.model.places import BURN, DEALER, DISCARD
from gamecore.model.states import State
from gamecore.view.pictures import CardView, HandView, RoundView
from gamecore.view.report import visible_cards
from gamecore.view.view import PULL, TableView

BACK = "??"
DRAWN, ASIDE = "drawn", "aside"
_CARD = re.compile(r"(?<![A-Za-z0-9#-])(?:[A2-9TJQK][SHDC])(?:#[A-Za-z0-9]{1,16})?(?![A-Za-z0-9])")


@dataclass(slots=True)
class Lying:
    """How the cards lie: what is off each hand, what lies at no hand, and which cards are hidden."""

    off: dict[int, list[Card]] = field(default_factory=dict)  # by the identity of the hand in its view
    elsewhere: dict[str, list[str]] = field(default_factory=dict)
    seen: set[Card] = field(default_factory=set)
    hidden: set[Card] = field(default_factory=set)

    def shown(self, hand: HandView) -> list[str]:
        """The cards that lie at a hand."""
        cards = visible_cards(hand)
        off = self.off.get(id(hand))
        if off:
            for card in off:
                cards.remove(str(card) if str(card) in cards else BACK)
        return cards

    def whole(self, hand: HandView) -> bool:
        """Whether a hand has a total that anybody may know: every card lies there, face up."""
        return not hand.face_down and id(hand) not in self.off

    def name(self, card: Card) -> str:
        """A card that somebody speaks of, if it lies open and no equal one lies face down."""
        return str(card) if card in self.seen and card not in self.hidden else BACK

    @property
    def open(self) -> set[str]:
        """The cards that anybody may name: they lie open, and no equal one lies face down."""
        return {str(card) for card in self.seen - self.hidden}


def veiled_text(text: str, lie_open: Container[str] = ()) -> str:
    """The text with every card hidden but those that lie open."""
    return _CARD.sub(lambda card: card[0] if card[0] in lie_open else BACK, text)


def veiled(value: object, lie_open: Container[str] = ()) -> object:
    """A value with every card hidden but those that lie open, whatever it holds."""
    match value:
        case str():
            return veiled_text(value, lie_open)
        case dict():
            return {key: veiled(one, lie_open) for key, one in value.items()}
        case list() | tuple():
            return [veiled(one, lie_open) for one in value]
        case _:
            return value


def veiled_report(report: Mapping[str, Any], lie_open: Container[str]) -> dict[str, object]:
    """The report of a round for anybody: its hands are veiled already, its findings name only what lies open."""
    return {**report, "findings": veiled(report["findings"], lie_open)}


def open_in(report: Mapping[str, Any]) -> set[str]:
    """The cards that the report of a round shows, none if one of them is still face down."""
    shown = {*report["dealer"]["cards"], *(card for hand in report["hands"] for card in hand["cards"])}
    return set() if BACK in shown else shown


def lying(view: TableView) -> Lying:
    """How the cards lie now."""
    found = Lying()
    _on_hands(view.round, view.box_count, found)
    _beside_hands(view, found)
    known: Counter[Card] = Counter()
    for matter in (*view.matters, *view.pulls):
        known.update(matter.disclosed)
        if matter.finding.code == PULL:
            _put(found, ASIDE, (*matter.cards, *matter.hidden), known)
    _put(found, ASIDE, view.next_cards, known)
    _put(found, DRAWN, view.in_transit, Counter())
    return found


def _on_hands(game_round: RoundView, boxes: int, found: Lying) -> None:
    """Note what the hands of the layout show."""
    found.seen.update(game_round.dealer.cards)
    for number, box in game_round.boxes.items():
        if number > boxes:  # a person has told a place that the layout does not have
            continue
        for hand in box.hands:
            if hand.face_down:
                found.hidden.update(hand.face_down)
                found.seen.update((Counter(hand.cards) - Counter(hand.face_down)).keys())
            else:
                found.seen.update(hand.cards)


def _beside_hands(view: TableView, found: Lying) -> None:
    """Compare where cards lie with where they count: cards off their hand, cards that count for no hand."""
    held = view.state is State.HELD
    for card in view.round.cards:
        at = card.counts_at
        hand = view.round.hand_at(at) if at is not None and at.box >= DEALER.box else None
        if hand is None:
            _lay(view, card, found)
        elif held and card.place != at:  # else it was cleared away, or nobody asks for it: it counts, and is shown so
            found.off.setdefault(id(hand), []).append(card.card)
            _lay(view, card, found)


def _lay(view: TableView, card: CardView, found: Lying) -> None:
    """Show a card where it lies; one that was taken off a hand face down is so still."""
    box = view.round.boxes.get(card.place.box)
    seen = not card.face_down and card.place.box >= DEALER.box and (box is None or not box.squeeze)
    found.elsewhere.setdefault(str(card.place), []).append(str(card.card) if seen else BACK)
    if card.place not in {BURN, DISCARD}:
        (found.seen if seen else found.hidden).add(card.card)


def _put(found: Lying, place: str, cards: Sequence[Card], known: Counter[Card]) -> None:
    """Cards that lie at no place of the layout, by their faces where they are known."""
    for card in cards:
        seen = known[card] > 0
        known[card] -= seen
        found.elsewhere.setdefault(place, []).append(str(card) if seen else BACK)
        (found.seen if seen else found.hidden).add(card)


def named(view: TableView, move: Move) -> str:
    """The card of a move by its name, if it lies or lay face up where it is taken from."""
    return str(move.card) if was_seen(view, move) else BACK


def was_seen(view: TableView, move: Move) -> bool:
    """Whether the card of a move lies face up where it is taken from, or lay so; a turned card does."""
    hand, card = view.round.hand_at(move.source), move.card
    if hand is not None and card in hand.cards:
        return card not in hand.face_down
    if any(card in hand.face_down for box in view.round.boxes.values() for hand in box.hands):
        return False
    source, target = view.round.boxes.get(move.source.box), view.round.boxes.get(move.target.box)
    if move.source == DISCARD and target is not None and target.squeeze:
        return False  # it may have been taken before it was turned
    return source is None or not source.squeeze
