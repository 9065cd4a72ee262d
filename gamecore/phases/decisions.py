"""Hit, stand, double, split, their free forms, and rescue.

1. Decisions are called by the Player who controls the box, for the hand whose turn it is. In the state `offers` they
   are taken too; what is offered or still to be offered stays so until a card is dealt.
2. Once a card is asked for, nothing else is decided on that hand until it has come, except that the other Players on
   the box may join a double or a split with their own wagers.
3. A double or a split that the controlling Player does not make is open to nobody else on the box.
4. A stand on a hand that can take no card is legal and changes nothing.
5. Splitting hand k puts the new hand at k+1. Who does not join has the original wager on the first of the two.
"""

from __future__ import annotations

from typing import NamedTuple

from gamecore.cards import whereabouts
from gamecore.model.events.events import Double, FreeDouble, FreeSplit, Hit, Rescue, Split, Stand
from gamecore.model.events.outputs import Refused
from gamecore.model.hands import LIMIT, Hand, Stake
from gamecore.model.places import Place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import dealer, offers, turns
from gamecore.phases.cards import told
from gamecore.rules.ruleset import SILENT
from gamecore.standing import played

_DECIDING = frozenset({State.PLAYER_TURN, State.OFFERS})
_DEALT = frozenset({State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT})


class Turn(NamedTuple):
    """The hand that a decision speaks of, and the slot that decides."""

    box: Box
    at: int
    hand: Hand
    slot: int

    @property
    def joining(self) -> bool:
        """Whether another Player than the controlling one decides."""
        return self.slot != self.box.controller


def _turn(t: TableState, place: Place) -> Turn | Refused:
    """The hand whose turn it is, if the decision speaks of it."""
    game_round = t.round
    box = game_round.turn
    if t.machine.state not in _DECIDING or box is None:
        return Refused("no Player's decision is asked for now", t.rules.clauses.turn_order)
    if t.turn.dealer_owed and box is not t.turn.acting:
        return Refused(
            "the Dealer draws his missing first card before any other hand is played", t.rules.clauses.dealer_first
        )
    index = game_round.turn_hand
    if place.box != box.number and not t.fitting.senses_places:
        box, index = told.later_turn(t, place) or (box, index)
    if place.box != box.number or (place.hand and place.hand != index + 1):
        clause = t.rules.clauses.split_order if place.box == box.number else t.rules.clauses.turn_order
        return Refused(f"it is the turn of {box.place_of(index)}, not of {place}", clause)
    hand = box.hands[index]
    slot = place.slot or box.controller
    stake = hand.stakes.get(slot)
    if stake is None or stake.withdrawn:
        return Refused(f"no wager in play at {place}", t.rules.clauses.wager_first)
    absent = offers.refuse_absent(t, box, slot) if t.people.absent else None
    return absent or Turn(box, index, hand, slot)


def _total(hand: Hand) -> str:
    """The total in words; of face-down cards nothing is told."""
    if hand.face_down:
        return "this hand"
    return f"a {'soft' if hand.soft else 'hard'} total of {hand.total}"


def _controlling(t: TableState, turn: Turn) -> Refused | None:
    if turn.joining:
        rule = t.rules.seated_controls if turn.box.seated == turn.box.controller else t.rules.unseated_control
        return Refused(f"box {turn.box.number} is controlled by slot {turn.box.controller}", rule.clause)
    if turn.hand.awaits_card:
        return Refused(f"a card is due at {turn.box.place_of(turn.at)}", t.rules.clauses.draw)
    return None


# --- hit and stand -------------------------------------------------------------------------------------------------


def verify_hit(t: TableState, command: Hit) -> Refused | None:
    """A card for the hand whose turn it is."""
    turn = _turn(t, command.place)
    return turn if isinstance(turn, Refused) else _controlling(t, turn)


def do_hit(t: TableState, _command: Hit) -> None:
    """A card is due at that hand."""
    offers.go_on(t)
    _await_card(t)


def _await_card(t: TableState) -> None:
    """A card is due at the hand whose turn it is."""
    box = t.round.turn
    if box is not None:
        hand = box.hands[t.round.turn_hand]
        hand.awaits_card = True
        t.expect(box.place_of(t.round.turn_hand), hand)


def verify_stand(t: TableState, command: Stand) -> Refused | None:
    """The hand whose turn it is, with the total that the document asks for (RWS 3.20)."""
    refusal = _may_not_stand(t, command.place)
    return None if refusal is None or _needs_no_stand(t, command.place) else refusal


def _may_not_stand(t: TableState, place: Place) -> Refused | None:
    turn = _turn(t, place)
    if isinstance(turn, Refused):
        return turn
    refusal = _controlling(t, turn)
    if refusal is not None:
        return refusal
    least = t.rules.must_draw_below.value
    if least is not None and turn.hand.total < least:
        return Refused(f"{_total(turn.hand)} must draw to {least} or more", t.rules.must_draw_below.clause)
    return None


def _needs_no_stand(t: TableState, place: Place) -> bool:
    if t.machine.state not in _DEALT:
        return False
    hand = t.round.hand_at(place)
    if place.box <= 0 or hand is None or (place.slot and place.slot not in hand.stakes):
        return False
    return len(hand.cards) > 1 and played.takes_no_card(t.rules, hand)


def do_stand(t: TableState, command: Stand) -> None:
    """The hand is played."""
    box = t.round.turn
    if box is None or t.round.hand_at(command.place) is not box.hands[t.round.turn_hand]:
        return
    offers.go_on(t)
    box = t.round.turn
    if box is not None:
        box.hands[t.round.turn_hand].stood = True
        if t.machine.state is State.OFFERS:
            offers.point(t)
        else:
            turns.next_turn(t)


# --- double --------------------------------------------------------------------------------------------------------


def _verify_doubling(t: TableState, place: Place) -> Turn | Refused:
    """What every double asks for: two cards, no split Aces, no 21, and the controlling Player first."""
    turn = _turn(t, place)
    if isinstance(turn, Refused):
        return turn
    hand, clauses = turn.hand, t.rules.clauses
    if turn.joining:
        if not (hand.doubled and hand.awaits_card):
            return Refused("the Player who controls the box has not doubled this hand", clauses.double_join)
        if hand.stakes[turn.slot].doubled:
            return Refused("this wager is doubled already", clauses.double_one_card)
        return turn
    if hand.split_aces:
        return Refused("split Aces may not be doubled", clauses.double_split_aces)
    if hand.awaits_card:
        return Refused(f"a card is due at {turn.box.place_of(turn.at)}", clauses.double_one_card)
    if not hand.initial:
        return Refused("only the first two cards may be doubled", t.rules.doubles.clause)
    return turn


def verify_double(t: TableState, command: Double) -> Refused | None:
    """Up to the original wager, and not less than the table minimum where the document says so."""
    turn = _verify_doubling(t, command.place)
    if isinstance(turn, Refused):
        return turn
    if not turn.joining and not t.rules.doubles.value(turn.hand):
        return Refused(f"{_total(turn.hand)} may not be doubled", t.rules.doubles.clause)
    base = turn.hand.stakes[turn.slot].base
    amount = base if command.amount is None else command.amount
    if amount <= 0:
        return Refused("a double adds chips to the wager", t.rules.doubles.clause)
    if amount > base:
        return Refused("a double is not more than the original wager", t.rules.doubles.clause)
    least = t.minimum("main") if t.rules.double_least_is_minimum.value else 0
    if amount < least:
        return Refused("a double is not less than the table minimum", t.rules.double_least_is_minimum.clause)
    return None


def do_double(t: TableState, command: Double) -> None:
    """Add the chips; one card is due."""
    turn = _doubled(t, command.place)
    stake = turn.hand.stakes[turn.slot]
    stake.added = stake.base if command.amount is None else command.amount


def verify_free_double(t: TableState, command: FreeDouble) -> Refused | None:
    """Two cards with a hard total of 9, 10 or 11, where the game knows it."""
    turn = _verify_doubling(t, command.place)
    if isinstance(turn, Refused):
        return turn
    if not t.rules.free_doubles.value(turn.hand):
        rule = t.rules.free_doubles
        clause = rule.clause if rule.clause != SILENT else t.rules.doubles.clause
        known = rule.clause != SILENT
        return Refused(f"{_total(turn.hand)} has no free double" if known else "this game knows no free double", clause)
    return None


def do_free_double(t: TableState, command: FreeDouble) -> None:
    """Lay the marker; one card is due."""
    turn = _doubled(t, command.place)
    turn.hand.stakes[turn.slot].free_double = True
    _note_marker(turn)


def _note_marker(turn: Turn) -> None:
    """Others' wagers on the markers of the controlling Player count those of who controls the box now."""
    if not turn.joining:
        turn.box.marked_by = turn.box.marked_by or turn.slot


def _doubled(t: TableState, place: Place) -> Turn:
    """The hand is doubled: an Ace of its first two cards counts 1 where the document says so (3.4.2)."""
    offers.go_on(t)
    turn = _sure(_turn(t, place))
    hand = turn.hand
    hand.doubled = True
    _await_card(t)
    if t.rules.doubled_ace_counts_one.value:
        hand.aces_as_one = hand.aces
    return turn


def _sure(turn: Turn | Refused) -> Turn:
    """The turn of a command that was verified."""
    if isinstance(turn, Refused):
        raise AssertionError(turn.reason)
    return turn


# --- split ---------------------------------------------------------------------------------------------------------


def _verify_splitting(t: TableState, place: Place) -> Turn | Refused:
    """What every split asks for: two cards, fewer than four hands, Aces once, and the controlling Player first."""
    turn = _turn(t, place)
    if isinstance(turn, Refused):
        return turn
    hand, rules = turn.hand, t.rules
    if turn.joining:
        if not t.turn.just_split:
            return Refused("the Player who controls the box has not split this hand", rules.clauses.split_join)
        if turn.slot in turn.box.hands[turn.at + 1].stakes:
            return Refused("this wager is split already", rules.clauses.split_join)
        return turn
    if hand.split_aces and rules.split_aces_once.value:
        return Refused("Aces are split once", rules.split_aces_once.clause)
    if hand.awaits_card:
        return Refused(f"a card is due at {turn.box.place_of(turn.at)}", rules.clauses.split_order)
    if len(turn.box.hands) >= rules.split_hands.value:
        return Refused(f"not more than {rules.split_hands.value} hands are formed", rules.split_hands.clause)
    if not hand.initial:
        return Refused("only two cards may be split", rules.splits.clause)
    return turn


def _halves(turn: Turn) -> tuple[Hand, Hand] | None:
    return (turn.hand, turn.box.hands[turn.at + 1]) if turn.joining else None


def verify_split(t: TableState, command: Split) -> Refused | None:
    """Two cards that the document lets a Player split for a further wager."""
    return _verify_pair(t, command.place, free=False)


def verify_free_split(t: TableState, command: FreeSplit) -> Refused | None:
    """Two cards that the document lets a Player split for a marker."""
    return _verify_pair(t, command.place, free=True)


def _verify_pair(t: TableState, place: Place, *, free: bool) -> Refused | None:
    turn = _verify_splitting(t, place)
    if isinstance(turn, Refused):
        return turn
    rule = t.rules.free_splits if free else t.rules.splits
    clause = rule.clause if rule.clause != SILENT else t.rules.splits.clause
    halves = _halves(turn)
    if halves and not all(half.cards for half in halves):
        return Refused("a hand of the split has no card any more", clause)
    first, second = (halves[0].cards[0], halves[1].cards[0]) if halves else turn.hand.cards
    if not rule.value(first, second):
        word = "free split" if free else "split"
        cards = "these cards" if turn.hand.face_down else f"{first} and {second}"
        reason = f"this game knows no {word}" if rule.clause == SILENT else f"{cards} have no {word}"
        return Refused(reason, clause)
    return None


def do_split(t: TableState, command: Split) -> None:
    """Split with a further wager equal to the original one."""
    _split(t, command.place, free=False)


def do_free_split(t: TableState, command: FreeSplit) -> None:
    """Split with a marker."""
    _split(t, command.place, free=True)


def _split(t: TableState, place: Place, *, free: bool) -> None:
    offers.go_on(t)
    turn = _sure(_turn(t, place))
    if not turn.joining:
        _part(t, turn)
    stake = turn.hand.stakes[turn.slot]
    stake.split = True
    chips = 0 if free else stake.base
    turn.box.hands[turn.at + 1].stakes[turn.slot] = Stake(stake.base, chips, split=True, free_split=free)
    if free:
        _note_marker(turn)


def _part(t: TableState, turn: Turn) -> None:
    """Lay the second card as a hand of its own, next in the order of play."""
    hand, box = turn.hand, turn.box
    new = Hand()
    whereabouts.turn_up(hand)
    box.hands.insert(turn.at + 1, new)
    whereabouts.part(hand, new, (box.place_of(turn.at), box.place_of(turn.at + 1)))
    if t.round.out_of_order:
        whereabouts.name_first_hand(t.round, box.number)
    for index in range(turn.at + 2, len(box.hands)):
        whereabouts.rename(box.hands[index], box.place_of(index))
    for half in (hand, new):
        half.split = True
        half.split_aces = half.cards[0].is_ace
    hand.awaits_card = True
    t.turn.just_split = True
    t.expect(box.place_of(turn.at), hand)


# --- rescue --------------------------------------------------------------------------------------------------------


def verify_rescue(t: TableState, command: Rescue) -> Refused | None:
    """After a double to less than 21, before the next card (Pontoon 3.25.8)."""
    rule = t.rules.rescue
    if not rule.value:
        return Refused("a doubled wager may not be withdrawn", t.rules.clauses.double_one_card)
    hand, slot = _rescued(t, command.place)
    stake = hand.stakes.get(slot) if hand is not None else None
    if hand is None or hand is not t.turn.last_doubled or not t.round_is_on:
        return Refused(
            "the doubled portion is withdrawn after the card of the double, before the next one", rule.clause
        )
    if hand.total >= LIMIT:
        return Refused(f"a total of {hand.total} is not less than 21", rule.clause)
    if stake is None or stake.added == 0 or stake.withdrawn:
        return Refused("this wager has no doubled portion", rule.clause)
    return None


def _rescued(t: TableState, place: Place) -> tuple[Hand | None, int]:
    """The hand just doubled, if the place speaks of it."""
    box = t.round.boxes.get(place.box)
    if box is None:
        return None, 0
    for number, hand in enumerate(box.hands, start=1):
        if hand is t.turn.last_doubled and place.hand in {0, number}:
            return hand, place.slot or box.controller
    return None, 0


def do_rescue(t: TableState, command: Rescue) -> None:
    """The added chips go back, the original wager is collected; perhaps the Dealer need not draw any more."""
    hand, slot = _rescued(t, command.place)
    if hand is not None:
        hand.stakes[slot].rescued = True
        hand.stakes[slot].added = 0
    if t.machine.state is State.DEALER_TURN:
        dealer.reconsider(t)
