"""Insurance, even money and surrender.

1. After the initial deal the Dealer offers what the Dealer's first card calls for: insurance against an Ace, surrender
   as the document says. Pontoon knows both against an Ace, in either order.
2. An answer is taken only while its offer is open. Each Player on a box answers for their own wager, unless they are
   absent.
3. Insurance is up to half the original wager. Another Player may take the option that its Player has declined, at MBS
   (3.27.3, Pontoon 3.26.3) but not at RWS (3.15.2). Several Players may claim it while the offer is open; when it
   closes, one Insurance wager stands on each wager (`standing.claims`).
4. Even money pays a natural at once and, except at RWS, returns that Player's own Insurance wager; where insurance is
   offered late, it is past (MBS 3.20). Surrender gives up half, and passes the control of the box on.
5. A card closes what is still open; that is recorded as implied. A decision that takes no card leaves it open: the
   right to answer lasts until a further card is dealt (MBS 3.20, 3.25, 3.27.2; RWS 3.15, 3.17). Insurance that was
   opened late lasts until the Dealer's second card (Free Bet 5.26).
6. If cards are put back under an answer, it lapses where it could not be given on them: Insurance and even money
   without the Dealer's Ace, even money without a natural, surrender where it is not offered. Before the subsequent deal
   what is due is offered again, so the surrender of other cards lapses too. What an interim settlement has paid or
   taken stays.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gamecore.model.events.events import Close, EvenMoney, Insure, Offer, Surrender
from gamecore.model.events.facts import OmissionFact
from gamecore.model.events.outputs import Implied
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.hands import Hand, Stake
from gamecore.model.places import DEALER, Place
from gamecore.model.round import Box, InsuranceWager
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import dealer, turns
from gamecore.standing import claims, control, played

INSURANCE, SURRENDER = claims.INSURANCE, "surrender"
DUE, OPEN, CLOSED, MISSED = "due", "open", "closed", "missed"


def begin(t: TableState) -> None:
    """Go on after the initial deal: to the offers that are due, or to the first turn."""
    due(t)
    if not t.round.offers:
        turns.begin(t)
        return
    t.enter("make_offers")
    point(t)


def due(t: TableState) -> None:
    """Note the offers that the Dealer's first card calls for."""
    up_card = t.round.up_card
    if up_card is not None and up_card.is_ace:
        t.round.offers[INSURANCE] = DUE
    if up_card is not None and up_card.rank in t.rules.surrender_against.value:
        t.round.offers[SURRENDER] = DUE


def point(t: TableState) -> None:
    """Point to where the next card belongs if play goes on now."""
    if not turns.point_to_first(t):
        t.expect_nothing()
        needed = dealer.need(t.rules, t.round)
        if dealer.must_draw(t.rules, t.round, needed):
            t.expect(DEALER, t.round.dealer)


def leave(t: TableState) -> None:
    """Leave the offers because the deal goes on: close what is open, and state insurance that was not offered."""
    close_open(t)
    if t.round.offers.get(INSURANCE) == DUE:
        second = t.next_hand is t.round.dealer and bool(t.round.dealer.cards)
        t.suspect(OmissionFact("insurance-not-offered", "Dealer's second card" if second else ""))
    turns.begin(t)


def close_open(t: TableState) -> None:
    """Close open offers because of what happened: nobody has said that they are closed."""
    for what, status in t.round.offers.items():
        if status == OPEN:
            t.out.append(Implied(f"close {what}"))
            _close(t, what)


def _close(t: TableState, what: str) -> None:
    t.round.offers[what] = CLOSED
    if what == INSURANCE:
        claims.award_insurance(t)


def go_on(t: TableState) -> None:
    """Go on after a decision: where the Dealer speaks the offers, a surrender that was not offered is passed over.

    An offer that is open lasts until a card is dealt, and so does the right to insurance; at RWS the right to surrender
    too (3.15, 3.17).
    """
    if t.machine.state is not State.OFFERS or not t.rules.offers_are_spoken.value:
        return
    if OPEN not in t.round.offers.values() and t.round.offers.get(INSURANCE) != DUE:
        leave(t)


# --- the Dealer's words --------------------------------------------------------------------------------------------


def _clause(t: TableState, what: str) -> str:
    clauses = t.rules.clauses
    return clauses.offer_insurance if what == INSURANCE else clauses.offer_surrender


def verify_offer(t: TableState, command: Offer) -> Refused | None:
    """An offer is made once, after the initial deal, where the Dealer's first card calls for it."""
    if t.machine.state is not State.OFFERS:
        return refuse(Reason.OFFERS_AFTER_DEAL, _clause(t, command.what))
    status = t.round.offers.get(command.what)
    if status is None:
        return refuse(Reason.NO_OFFER_AGAINST, _clause(t, command.what), card=t.round.up_card, offer=command.what)
    if status != DUE:
        return refuse(Reason.ALREADY_OFFERED, _clause(t, command.what), offer=command.what)
    return None


def do_offer(t: TableState, command: Offer) -> None:
    """Open the offer."""
    t.round.offers[command.what] = OPEN


def verify_close(t: TableState, command: Close) -> Refused | None:
    """Only an open offer is closed, also one that was opened late (Free Bet 5.26)."""
    if t.round.offers.get(command.what) != OPEN or not t.round_is_on:
        return refuse(Reason.NOT_BEING_OFFERED, _clause(t, command.what), offer=command.what)
    return None


def do_close(t: TableState, command: Close) -> None:
    """Close the offer; after the last one the Players decide."""
    _close(t, command.what)
    if t.machine.state is State.OFFERS and all(status == CLOSED for status in t.round.offers.values()):
        turns.begin(t)


# --- the Players' answers ------------------------------------------------------------------------------------------


def _find(t: TableState, place: Place, what: str) -> tuple[Box, int, Stake] | Refused:
    """The wager that an answer speaks of, while its offer is open."""
    late = what == INSURANCE and len(t.round.dealer.cards) == 1  # opened late by approval (Free Bet 5.26)
    if t.round.offers.get(what) != OPEN or not (t.machine.state is State.OFFERS or (late and t.round_is_on)):
        return refuse(Reason.NOT_BEING_OFFERED, _clause(t, what), offer=what)
    box = t.round.boxes.get(place.box)
    slot = 0 if box is None else control.slot_meant(box, place)
    if box is None or not box.hands or slot not in box.hands[0].stakes:
        return refuse(Reason.NO_WAGER_AT, t.rules.clauses.wager_first, place=place)
    return box, slot, box.hands[0].stakes[slot]


def refuse_absent(t: TableState, box: Box, slot: int) -> Refused | None:
    """A Player who is not there chooses nothing (MBS 5.22, RWS 5.3)."""
    if (box.number, slot) in t.people.absent:
        return refuse(Reason.PLAYER_ABSENT, t.rules.absent_draws.clause, place=Place(box.number, 0, slot))
    return None


def verify_insure(t: TableState, command: Insure) -> Refused | None:
    """Up to half the original wager, one Insurance wager of each Player, others only where the document lets them."""
    found = _find(t, command.place, INSURANCE)
    if isinstance(found, Refused):
        return found
    box, slot, stake = found
    if stake.returned_by:
        return refuse(Reason.WAGER_GONE_BACK, t.rules.clauses.wager_first, place=command.place)
    if (refusal := _not_for(t, box, slot, command.player)) is not None:
        return refusal
    if stake.even_money and t.rules.even_money_returns_insurance.value:
        return refuse(Reason.EVEN_MONEY_CHOSEN, t.rules.even_money.clause)
    if all(hand.bust for hand in box.hands if slot in hand.stakes):  # offered late, when they had drawn
        return refuse(Reason.BUST_HAS_LOST, t.rules.outcomes.bust)
    if command.amount <= 0:
        return refuse(Reason.INSURANCE_WITHOUT_CHIPS, t.rules.insurance_wins_on.clause)
    if 2 * command.amount > stake.base:
        return refuse(Reason.INSURANCE_TOO_HIGH, t.rules.insurance_wins_on.clause)
    return None


def _not_for(t: TableState, box: Box, slot: int, player: str | None) -> Refused | None:
    """Why this Player may not place an Insurance wager on a wager, be it their own or another's."""
    own = claims.owner_of(t, box, slot)
    who = own if player is None else player
    if who != own and not t.rules.insurance_by_others.value:
        return refuse(Reason.INSURANCE_OWN_ONLY, t.rules.insurance_by_others.clause)
    if who == own and (refusal := refuse_absent(t, box, slot)) is not None:
        return refusal
    if any(claims.owner_of(t, t.round.box(number), spot) == who for number, spot in t.people.absent):
        return refuse(Reason.NAMED_PLAYER_ABSENT, t.rules.absent_draws.clause, player=who)
    if claims.claims_it(t, box, slot, INSURANCE, who):
        return refuse(Reason.ALREADY_INSURED, t.rules.clauses.insurance_own)
    return None


def do_insure(t: TableState, command: Insure) -> None:
    """Take the Insurance wager."""
    box = t.round.box(command.place.box)
    slot = control.slot_meant(box, command.place)
    other = command.player if command.player != box.mains[slot].player else None
    box.insurance.append(InsuranceWager(slot, command.amount, other))
    claims.say_who_is_first(t, box.number, slot, INSURANCE)
    if t.machine.state is State.OFFERS:
        point(t)


def verify_even_money(t: TableState, command: EvenMoney) -> Refused | None:
    """For a natural against an Ace, where the document knows it."""
    rule = t.rules.even_money
    if not rule.value:
        return refuse(Reason.NATURAL_BY_PAY_TABLE, rule.clause, natural=t.rules.natural.value)
    past = t.round.subsequent  # insurance may be offered late, even money not
    found = refuse(Reason.OFFERS_AFTER_DEAL, rule.clause) if past else _find(t, command.place, INSURANCE)
    if isinstance(found, Refused):
        return replace(found, clause=rule.clause)
    box, slot, stake = found
    if (refusal := refuse_absent(t, box, slot)) is not None:
        return refusal
    if not box.hands[0].natural:
        return refuse(Reason.EVEN_MONEY_FOR_NATURAL, rule.clause, natural=t.rules.natural.value)
    if stake.withdrawn:
        return refuse(Reason.WAGER_SETTLED, rule.clause)
    return None


def do_even_money(t: TableState, command: EvenMoney) -> None:
    """Pay the wager even; the Player's own Insurance wager goes back."""
    box = t.round.box(command.place.box)
    slot = control.slot_meant(box, command.place)
    box.hands[0].stakes[slot].even_money = True
    for insurance in box.insurance if t.rules.even_money_returns_insurance.value else ():
        if insurance.slot == slot and insurance.player is None:
            insurance.returned_by = t.rules.even_money.clause
    point(t)


def verify_surrender(t: TableState, command: Surrender) -> Refused | None:
    """Once for each wager, while it is undecided."""
    split = t.round.boxes.get(command.place.box)
    if split is not None and len(split.hands) > 1:
        return refuse(Reason.NO_SURRENDER_AFTER_SPLIT, t.rules.clauses.surrender_after_split)
    found = _find(t, command.place, SURRENDER)
    if isinstance(found, Refused):
        return found
    box, slot, stake = found
    if (refusal := refuse_absent(t, box, slot)) is not None:
        return refusal
    if stake.withdrawn:
        return refuse(Reason.WAGER_GIVEN_UP_OR_PAID, t.rules.surrender_against.clause)
    hand = box.hands[0]
    if stake.doubled or (hand.awaits_card and slot == box.controller):
        return refuse(Reason.CARD_ASKED_FOR, t.rules.surrender_against.clause)
    if hand.bust:
        return refuse(Reason.BUST_HAS_LOST, t.rules.outcomes.bust)
    won = hand.natural and (t.rules.natural_beats_natural.value or not played.natural_possible(t.round))
    if won:
        return refuse(Reason.NATURAL_HAS_WON, t.rules.outcomes.natural, natural=t.rules.natural.value)
    return None


def do_surrender(t: TableState, command: Surrender) -> None:
    """Give up half of the wager; control passes on (MBS 3.25.1.3, Pontoon 3.24.3.3)."""
    box = t.round.box(command.place.box)
    box.hands[0].stakes[control.slot_meant(box, command.place)].surrendered = True
    control.pass_on(t, box)
    point(t)


def lapse(t: TableState, other_cards: Collection[Hand]) -> None:
    """Let answers lapse that were given on cards put back since; so does the surrender of hands that have others."""
    up_card = t.round.up_card
    ace = up_card is not None and up_card.is_ace
    for box in t.round.boxes.values():
        for insurance in box.insurance:
            if not ace and not insurance.returned_by:
                insurance.returned_by = t.rules.insurance_wins_on.clause
        for hand in box.hands if not t.round.interim else ():
            _lapse_on(t, box, hand, other_cards)


def _lapse_on(t: TableState, box: Box, hand: Hand, other_cards: Collection[Hand]) -> None:
    up_card = t.round.up_card
    surrender = up_card is not None and up_card.rank in t.rules.surrender_against.value and hand not in other_cards
    paid = up_card is not None and up_card.is_ace and hand.natural
    for stake in hand.stakes.values():
        stake.even_money = stake.even_money and paid
        if stake.surrendered and not surrender:
            stake.surrendered = False
            control.pass_on(t, box)
