"""What a card that lies at the wrong place says about the deal, by phase of play.

1. Each function only asks: from where the card was due, where it lies and the round it gives the code and its case.
2. Initial deal: a burn that was due and did not come; a box without a wager; the Dealer passed over; anything else is a
   card that was due, laid elsewhere.
3. Later, a card at a box without a wager is stated as that, whether one was due elsewhere or not.
4. A Player's turn: with a hit pending, the card was due at that hand and is misdealt. With none pending, a card at the
   Dealer's hand or at a later hand that can still act means that a hand was skipped; anywhere else nobody was due one.
5. Dealer's turn: a card anywhere but at the Dealer's hand is misdealt.
6. After it: a card to a Dealer's hand that has cards is an overdraw, whether that is complete by its total or not.
   Anywhere else nobody was due a card.
"""

from __future__ import annotations

from gamecore.cards.order import is_dealt_to
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.round import Round
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from gamecore.rules.ruleset import Ruleset
from gamecore.rules.side_wagers import initial_cards
from gamecore.rules.stages import Stage
from gamecore.standing import played
from gamecore.standing.stage import stage_of

#: code and case
CodeAndCase = tuple[str, str]


def fact_at(t: TableState, place: Place) -> tuple[CodeAndCase, bool]:
    """What a card at a place says, and whether one was due at all: in a Player's turn only if it was asked for."""
    state = t.hold.held_from if t.machine.state is State.HELD else t.machine.state
    game_round, due = t.round, t.next_place
    if state in {State.BETTING, State.BETS_CLOSED, State.INITIAL_DEAL}:
        return (in_initial_deal(t, due, place) if due is not None else ("card-in-error", "")), True
    if game_round.turn is not None:
        pending = game_round.turn.hands[game_round.turn_hand].awaits_card
        return in_players_turn(t.rules, game_round, place, pending=pending), pending
    if due is not None:
        return in_dealers_turn(game_round, place), True
    return nobody_due(t.rules, game_round, place), True


def is_discarded(t: TableState, place: Place) -> bool:
    """Whether a card at a place is discarded whatever it is (MBS 5.7, 5.15; RWS 5.10.2, 5.10.3)."""
    (code, case), _ = fact_at(t, place)
    stage = stage_of(t)
    if stage is Stage.INITIAL and t.round.dealt >= len(t.round.deal):  # with this card the subsequent deal begins
        stage = Stage.SUBSEQUENT
    return look_up(MATRICES[t.rules.id], code, case, stage).ruling == "discard"


def in_initial_deal(t: TableState, due: Place, place: Place) -> CodeAndCase:
    """A card of the initial deal lies elsewhere."""
    if due == BURN:
        return "missing-burn", ""
    if place.box > 0 and not wagered(t.round, place.box):
        return "unwagered-box-dealt", ""
    if due == DEALER and place.box == _first_box(t):
        return "dealer-not-dealt", ""
    return "misdealt-card", ""


def _first_box(t: TableState) -> int | None:
    """The first box that is dealt to; one whose Players have withdrawn is passed by."""
    return next((box.number for box in t.round.order if is_dealt_to(t, Place(box.number), box.hands[0])), None)


def in_players_turn(rules: Ruleset, game_round: Round, place: Place, *, pending: bool) -> CodeAndCase:
    """A card lies elsewhere than at the hand whose turn it is."""
    if place.box > 0 and not wagered(game_round, place.box):
        return "unwagered-box-dealt", ""
    if pending:
        return "misdealt-card", ""
    if place.box == DEALER.box or _later_open_hand(rules, game_round, place):
        return "hand-skipped", "next hand"
    return "card-in-error", ""


def _later_open_hand(rules: Ruleset, game_round: Round, place: Place) -> bool:
    turn = game_round.turn
    box = game_round.boxes.get(place.box)
    if turn is None or box is None:
        return False
    if box is turn:
        index = place.hand - 1 if place.hand else game_round.turn_hand
        return game_round.turn_hand < index < len(box.hands) and not played.complete(rules, box.hands[index])
    return box.number > turn.number and any(not played.complete(rules, hand) for hand in box.hands)


def in_dealers_turn(game_round: Round, place: Place) -> CodeAndCase:
    """The Dealer's card lies elsewhere."""
    if place.box > 0 and not wagered(game_round, place.box):
        return "unwagered-box-dealt", ""
    return "misdealt-card", ""


def nobody_due(rules: Ruleset, game_round: Round, place: Place) -> CodeAndCase:
    """A card lies somewhere although nobody was due one."""
    if place.box == DEALER.box and game_round.dealer.cards:
        dealer = game_round.dealer
        complete = rules.dealer_complete.value(dealer.total, dealer.soft)
        return "dealer-overdraw", "complete" if complete else "below"
    if place.box > 0 and not wagered(game_round, place.box):
        return "unwagered-box-dealt", ""
    return "card-in-error", ""


def wagered(game_round: Round, number: int) -> bool:
    """Whether a box has a wager that has not been returned."""
    box = game_round.boxes.get(number)
    if box is None or not box.mains:
        return False
    stakes = [stake for hand in box.hands for stake in hand.stakes.values()]
    if not stakes or any(not stake.returned_by for stake in stakes):
        return True
    return initial_cards(box) is None and any(not side.returned_by for side in box.sides)
