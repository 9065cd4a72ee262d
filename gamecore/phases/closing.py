"""Interim settlement, hands paid or collected on the way, the jackpot meter, and the end of the round.

1. `interim`, `collect` and `pay` record what the Dealer did; they change no amount, only how far the round has come.
2. A hand is collected on the way when it is bust (MBS 3.32, RWS 3.19) or given up, and paid when it has won for good:
   a natural that the Dealer cannot match, 21 in Pontoon (3.29), or even money.
3. Every Pandemonium wager that won needs its multiplier from the meter before the round is settled (Pontoon 4.2).
4. `settle` is refused while a Player must decide, the Dealer must draw, insurance is to be offered or a multiplier is
   due.
5. RWS Pairs is settled before any further card (RWS 3.13). Where the panel is heard, the first further card without
   `interim` before it proves that it was not (5.17).
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.model.events.events import Collect, Interim, Jackpot, Pay, Settle
from gamecore.model.events.facts import OmissionFact
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.hands import Hand
from gamecore.model.places import Place
from gamecore.model.round import SideWager
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import ending, offers
from gamecore.rules import side_wagers
from gamecore.standing import played

_AFTER_DEAL = frozenset({State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT})


def verify_interim(t: TableState, _command: Interim) -> Refused | None:
    """After the initial deal."""
    if t.machine.state not in _AFTER_DEAL:
        return refuse(Reason.INTERIM_AFTER_DEAL, t.rules.clauses.interim)
    return None


def do_interim(t: TableState, _command: Interim) -> None:
    """Note that wagers were paid or taken on the outcome of the initial deal."""
    t.round.interim = True


def further_card(t: TableState) -> None:
    """Note a card after the initial deal: with the first one the subsequent deal has begun."""
    if len(t.round.dealer.cards) > 1:
        offers.close_open(t)
    if t.round.subsequent:
        return
    t.round.subsequent = True
    told = any(finding.code == "unsettled-side-wager" and finding.stands for finding in t.round.findings)
    late = unsettled(t)
    if late and "panel" in t.config.sensors and "panel" not in t.fitting.away and not told:
        t.suspect(OmissionFact("unsettled-side-wager", places=late))


def unsettled(t: TableState) -> tuple[Place, ...]:
    """The boxes with a wager that is to be settled before the subsequent deal, while nothing was."""
    if t.round.interim:
        return ()
    kinds = t.rules.settled_first.value
    boxes = sorted(t.round.boxes.items()) if kinds else ()
    return tuple(
        Place(number) for number, box in boxes if any(side.kind in kinds and not side.returned_by for side in box.sides)
    )


# --- hands on the way ----------------------------------------------------------------------------------------------


def _hand(t: TableState, place: Place, clause: str) -> Hand | Refused:
    hand = t.round.hand_at(place) if t.machine.state in _AFTER_DEAL else None
    if hand is None or place.box <= 0:
        return refuse(Reason.NO_HAND_TO_SETTLE, clause, place=place)
    if hand.settled:
        return refuse(Reason.HAND_SETTLED, clause, place=place)
    return hand


def verify_collect(t: TableState, command: Collect) -> Refused | None:
    """Only a hand that has lost."""
    clause = t.rules.clauses.collect
    hand = _hand(t, command.place, clause)
    if isinstance(hand, Refused):
        return hand
    paid = any(stake.even_money for stake in hand.stakes.values())
    if not hand.bust and (paid or hand.in_play or _waits_for_dealer(t, hand)):
        return refuse(Reason.HAND_NOT_LOST, clause, place=command.place)
    return None


def _waits_for_dealer(t: TableState, hand: Hand) -> bool:
    """A surrender that a Dealer's natural can still void is acted on at the end (Pontoon 3.24.3)."""
    surrendered = any(stake.surrendered for stake in hand.stakes.values())
    return surrendered and t.rules.surrender_lost_to_natural.value and t.machine.state is not State.SETTLEMENT


def verify_pay(t: TableState, command: Pay) -> Refused | None:
    """Only a hand that has won whatever the Dealer draws."""
    clause = t.rules.clauses.pay
    hand = _hand(t, command.place, clause)
    if isinstance(hand, Refused):
        return hand
    beyond_doubt = t.rules.natural_beats_natural.value or not played.natural_possible(t.round)
    won = not hand.bust and (played.won_or_lost(t.rules, hand) or (hand.natural and beyond_doubt))
    slots = [command.place.slot] if command.place.slot else list(hand.stakes)
    paid_even = all(slot in hand.stakes and hand.stakes[slot].even_money for slot in slots)
    if not won and not paid_even:
        return refuse(Reason.HAND_NOT_WON, clause, place=command.place)
    return None


def do_collect(t: TableState, command: Collect) -> None:
    """Note that the hand is settled."""
    _settle_hand(t, command.place)


def do_pay(t: TableState, command: Pay) -> None:
    """Note that the hand is settled."""
    _settle_hand(t, command.place)


def _settle_hand(t: TableState, place: Place) -> None:
    hand = t.round.hand_at(place)
    if hand is not None:
        hand.settled = True
        whereabouts.turn_up(hand)
    t.round.final = True


# --- the jackpot meter ---------------------------------------------------------------------------------------------


def jackpots_due(t: TableState) -> list[tuple[int, SideWager]]:
    """Winning wagers without a multiplier, from the Dealer's right, anti-clockwise (Pontoon 3.19.1)."""
    if not t.rules.jackpot_multipliers.value:
        return []
    due = []
    for number, box in sorted(t.round.boxes.items(), reverse=True):
        if side_wagers.dealt_natural(box):
            due += [(number, side) for side in box.sides if _awaits_multiplier(side)]
    return due


def _awaits_multiplier(side: SideWager) -> bool:
    return side.kind == "pandemonium" and side.multiplier is None and not side.returned_by


def verify_jackpot(t: TableState, command: Jackpot) -> Refused | None:
    """Once for each winning wager, with a multiplier of the pay table, after the offers."""
    multipliers = t.rules.jackpot_multipliers
    if not multipliers.value:
        return refuse(Reason.GAME_WITHOUT_METER, t.rules.clauses.general)
    if t.machine.state not in {State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}:
        return refuse(Reason.METER_NOT_NOW, t.rules.clauses.jackpot)
    slot = command.place.slot or 1
    if not any((number, side.slot) == (command.place.box, slot) for number, side in jackpots_due(t)):
        return refuse(Reason.NO_PRESS_DUE, t.rules.clauses.jackpot, place=command.place)
    if command.multiplier not in multipliers.value:
        return refuse(Reason.NO_SUCH_MULTIPLIER, multipliers.clause, multiplier=command.multiplier)
    return None


def do_jackpot(t: TableState, command: Jackpot) -> None:
    """Give the wager the meter's multiplier."""
    slot = command.place.slot or 1
    for number, side in jackpots_due(t):
        if (number, side.slot) == (command.place.box, slot):
            side.multiplier = command.multiplier
            return


# --- the end -------------------------------------------------------------------------------------------------------


def verify_settle(t: TableState, _command: Settle) -> Refused | None:
    """When every Player has decided, the Dealer's hand is complete and no press of the button is due."""
    state = t.machine.state
    if t.round.turn is not None and state in {State.OFFERS, State.PLAYER_TURN}:
        place = t.round.turn.place_of(t.round.turn_hand)
        return refuse(Reason.HAND_NOT_PLAYED, t.rules.clauses.settle, place=place)
    if state is State.DEALER_TURN or (state is State.OFFERS and t.next_hand is not None):
        return refuse(Reason.DEALER_MUST_DRAW, t.rules.dealer_draws.clause)
    if state not in {State.SETTLEMENT, State.OFFERS}:
        return refuse(Reason.NOTHING_TO_SETTLE, t.rules.clauses.settle)
    if t.round.offers.get(offers.INSURANCE) == offers.DUE and state is State.OFFERS:
        return refuse(Reason.INSURANCE_OFFERED_FIRST, t.rules.clauses.offer_insurance)
    due = jackpots_due(t)
    if due:
        return refuse(Reason.METER_PRESSED_FIRST, t.rules.clauses.jackpot, place=Place(due[0][0], 0, due[0][1].slot))
    return None


def do_settle(t: TableState, _command: Settle) -> None:
    """Settle every wager; the round is complete. A card that no shoe has dealt is looked into first."""
    if ending.report_unexplained(t):
        return
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    offers.close_open(t)
    ending.settle(t)
