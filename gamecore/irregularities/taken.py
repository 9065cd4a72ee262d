"""A card taken off a hand: nobody ruled so, and a box has fewer cards than it was dealt.

1. One card left is a box that is short, none left a box that was not dealt (MBS 5.13 to 5.16, RWS 5.9, 5.10.1). It
   takes a card of the initial deal, and a hand that nobody has acted upon. Any other card that is moved is what no
   clause covers.
2. While the card is to be put back, every hand counts as it was dealt.
3. Where it is too late for that, the hand counts as it lies. The card counts for no other hand, and the wagers on the
   first two cards are decided by those that were dealt. A hand that is complete has nothing left to act upon, which the
   clauses of the late stages ask for: that is for the shift manager.
"""

from __future__ import annotations

from gamecore.cards.layout import Wanted, shortest_moves
from gamecore.model.events import CardMoved
from gamecore.model.outputs import Move
from gamecore.model.round import Box, Drawn
from gamecore.model.state import Matter, TableState
from gamecore.model.states import State
from gamecore.phases import turns
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from gamecore.standing.stage import stage_of

TAKEN = "taken"


def code(t: TableState, event: CardMoved) -> str:
    """What a card that nobody asked to move leaves behind; nothing where no clause speaks of it."""
    box = t.round.boxes.get(event.source.box)
    if not t.senses_places or box is None or len(box.hands) != 1:
        return ""
    hand = box.hands[0]
    left = len(hand.cards) - 1
    if event.card not in hand.cards or left > 1 or not hand.in_play or _acted_upon(t, box):
        return ""
    found = "box-short" if left else "box-not-dealt"
    ruling = look_up(MATRICES[t.rules.id], found, "", stage_of(t)).ruling
    plays_on = ruling == "reconstruct" or not turns.complete(t.rules, hand)
    return found if ruling and plays_on else ""


def _acted_upon(t: TableState, box: Box) -> bool:
    """Whether the hand of a box that is not split has been decided on, settled or dealt a further card."""
    hand = box.hands[0]
    asked = hand.awaits_card and hand.initial and not hand.absent
    further = any(drawn.subsequent and drawn.place.box == box.number for drawn in t.round.draws)
    return asked or further or hand.stood or hand.doubled or hand.split or hand.settled


def moves(t: TableState) -> tuple[Move, ...]:
    """The moves that put back every card which still counts where it was dealt."""
    return shortest_moves(
        Wanted(drawn.card, drawn.due if _at_home(drawn) else drawn.place, drawn.due)
        for drawn in t.round.draws
        if drawn.credited and drawn.due is not None and (_at_home(drawn) or _counts(t, drawn))
    )


def _at_home(drawn: Drawn) -> bool:
    return drawn.due is not None and drawn.due.box == drawn.place.box


def _counts(t: TableState, drawn: Drawn) -> bool:
    hand = t.round.hand_at(drawn.due) if drawn.due is not None else None
    return hand is not None and drawn.card in hand.cards


def put_back(t: TableState) -> None:
    """Every card lies where it was dealt; of equal ones it does not matter which."""
    for drawn in t.round.draws:
        if drawn.credited and drawn.due is not None and _counts(t, drawn):
            drawn.place = drawn.due


def as_it_lies(t: TableState, matter: Matter) -> None:
    """The hand of the box counts with the cards that lie there now."""
    box = t.round.boxes[matter.places[0].box]
    hand = box.hands[0]
    if box.first_two is None and hand.initial:
        box.first_two = (hand.cards[0], hand.cards[1])
    for drawn in t.round.draws:
        if not drawn.credited or drawn.due is None or drawn.due.box != box.number:
            continue
        if not _at_home(drawn) and not drawn.taken and drawn.card in hand.cards:
            hand.take(drawn.card)
            drawn.taken = True
        elif _at_home(drawn) and drawn.taken:
            hand.add(drawn.card)
            drawn.taken = False
    hand.face_down = [card for card in hand.face_down if card in hand.cards]


def follow(t: TableState, matter: Matter) -> None:
    """A card was moved while the matter is open: back where it belongs, or another one away."""
    if matter.finding.ruling != "reconstruct" or matter.step == "leave":
        as_it_lies(t, matter)
        return
    left = moves(t)
    if left and matter.step == "done":
        matter.step = ""
    if len(left) > len(matter.finding.moves):
        matter.finding.moves = left


def close(t: TableState, matter: Matter) -> None:
    """What was not put back stays away for good; a hand that is short of cards gets them in its turn."""
    for drawn in t.round.draws:
        if drawn.taken:
            drawn.due, drawn.taken = drawn.place, False
    hand = t.round.boxes[matter.places[0].box].hands[0]
    if len(hand.cards) < 2 and hand.in_play and t.held_from in {State.DEALER_TURN, State.SETTLEMENT}:
        t.held_from = State.PLAYER_TURN
