"""A card taken off a hand: what it leaves behind.

1. With one card left a box is short, with none left it was not dealt (MBS 5.13 to 5.16, RWS 5.9, 5.10.1). That holds
   only for a card of the initial deal, taken off a hand that nobody has acted upon. No clause covers any other card
   that is moved.
2. A hand that is complete has nothing left to act upon, which the clauses of the late stages ask for: that is for the
   shift manager.
3. While the card is to be put back, the hand counts as it was dealt. Where it is too late for that, it counts as it
   lies; the card counts for no other hand, and stays one of the initial cards of its box.
4. A card that lies off its hand when play goes on, and of which no finding speaks, is stated then.
5. Where the Players of a short box are asked, a card that is put back ends the question: the box has its two cards. If
   its last card was taken too when all have answered, the box was not dealt at all (MBS 5.14, 5.16).
6. A card about which a ruling is awaited, and which is laid meanwhile where none is due, may lie there until it is
   dealt, once its own ruling is carried out.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.difference import moved_off
from gamecore.cards.queries import place_of
from gamecore.model.events.facts import CardFact, TakenCard
from gamecore.model.matters import Matter
from gamecore.model.places import Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box, Finding
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from gamecore.standing import played
from gamecore.standing.stage import stage_of


def code_of(t: TableState, record: CardRecord, box: Box | None) -> str:
    """The code of what a card leaves behind that was moved without a ruling; empty where no clause covers it."""
    if not t.fitting.senses_places or box is None or len(box.hands) != 1:
        return ""
    hand = box.hands[0]
    left = len(hand.cards) - 1
    if record.hand is not hand or left > 1 or not hand.in_play or _acted_upon(box):
        return ""
    found = "box-short" if left else "box-not-dealt"
    ruling = look_up(MATRICES[t.rules.id], found, "", stage_of(t)).ruling
    plays_on = ruling == "reconstruct" or not played.complete(t.rules, hand)
    return found if ruling and plays_on else ""


def hand_put_back(t: TableState) -> Matter | None:
    """The question to the Players of a short hand that has its two cards again; None if there is none."""
    for matter in t.hold.matters:
        is_asked = isinstance(matter.fact, TakenCard) and matter.procedure is Procedure.SHORT_OPTION and matter.asks
        if is_asked and len(t.round.boxes[matter.places[0].box].hands[0].cards) > 1:
            return matter
    return None


def report_emptied(t: TableState, box: Box) -> None:
    """State that no card is left at a box whose Players were asked because one was taken."""
    t.suspect(TakenCard("box-not-dealt", box.initial[-1], Place(box.number)))


def _acted_upon(box: Box) -> bool:
    """Whether the hand of a box that is not split has been decided on, settled or dealt a further card."""
    hand = box.hands[0]
    asked = hand.awaits_card and hand.initial and not hand.absent
    further = any(record.subsequent for record in hand.records)
    return asked or further or hand.stood or hand.doubled or hand.split or hand.settled


def count_as_it_lies(t: TableState, box: Box) -> None:
    """Let the hand of a box count with those of its cards that lie there now."""
    hand = box.hands[0]
    for record in list(t.round.records):
        if record.hand is not hand:
            continue
        at_home = record.felt is None or record.felt.box == box.number
        if record.role is Role.ON_HAND and not at_home:
            whereabouts.take_off(record)
        elif record.role is Role.OUT and at_home:
            whereabouts.assign(record, hand, box, record.due, subsequent=record.subsequent)


def follow(t: TableState) -> None:
    """Count hands as they lie after a card was moved; one that is put back, or waits for a void, counts as dealt."""
    for matter in t.hold.matters:
        as_dealt = matter.finding.ruling in {"reconstruct", "void"} and not matter.left_as_laid
        if isinstance(matter.fact, TakenCard) and not as_dealt:
            count_as_it_lies(t, t.round.boxes[matter.places[0].box])


def give_turn_back(t: TableState, box: Box) -> None:
    """Turn back to a hand that is short of cards: it gets them in its turn."""
    hand = box.hands[0]
    if len(hand.cards) < 2 and hand.in_play and t.hold.held_from in {State.DEALER_TURN, State.SETTLEMENT}:
        t.hold.held_from = State.PLAYER_TURN


def let_lie_early(record: CardRecord) -> None:
    """A card that was laid before its ruling, and that nobody has brought to its hand, lies there until it is dealt."""
    given = record.goes if record.role is Role.GIVEN else None
    arrived = given is not None and record.felt is not None and given.box == record.felt.box
    if record.role is not Role.ON_HAND and not arrived:
        whereabouts.let_lie(record)


def report_moved_off(t: TableState) -> bool:
    """State a card that lies off its hand and of which no finding speaks; False if there is none."""
    if t.hold.matters or not t.round_is_on or not t.round.out_of_order:
        return False
    for record in moved_off(t):
        if record.felt is not None and not any(_names(t, finding, record) for finding in t.round.findings):
            t.suspect(CardFact("uncovered", record, (record.felt,)))
            return True
    return False


def _names(t: TableState, finding: Finding, record: CardRecord) -> bool:
    """Whether a finding speaks of a card off its hand: of its face, at its hand or where it lies."""
    ends = {record.felt, record.due, place_of(t.round, record.hand) if record.hand is not None else None}
    boxes = {place.box for place in ends if place is not None}
    if record.card in finding.cards and not boxes.isdisjoint(place.box for place in finding.places):
        return True
    return any(move.card == record.card and record.felt in {move.source, move.target} for move in finding.moves)
