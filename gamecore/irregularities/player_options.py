"""Procedures about Players and their wagers: options, withdrawals, absence, limits.

1. A Player who withdraws takes back what the document lets go back (`wager_effects.withdraw`); a round in which no
   wager is left is concluded.
2. An absent Player's hand is drawn by the House as the document says (MBS 5.22, RWS 5.3); where somebody else wagers on
   the box, control passes to that Player (MBS 5.22.1).
3. A wager under the minimum is paid or collected once; that Player's next one is returned (MBS 5.26, Free Bet 5.27).
4. A wager over the maximum wins or loses the maximum (MBS 5.27, Free Bet 5.28). At RWS a limit is for the whole box and
   is shared pro rata, no share below the minimum, odd cents to the wager nearest the Dealer that has room for them
   (5.1.1, 5.1.2). Boom Busted has one limit for the table, and what was placed after it was reached goes back (5.1.3).
5. A ruling that returns wagers asks `confirming.confirmed` first.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.irregularities import wager_effects
from gamecore.irregularities.confirming import confirmed
from gamecore.irregularities.matter import CONTINUE, WITHDRAW, ask, ask_all, give_right, go_on, hold
from gamecore.irregularities.procedures import reconstruct
from gamecore.model.events.facts import TakenCard, WagerFact
from gamecore.model.hands import Hand
from gamecore.model.matters import Matter
from gamecore.model.places import DEALER
from gamecore.model.round import Box, SideWager
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Effect, Procedure
from gamecore.phases import limits, offers, resume, turns
from gamecore.phases.cards import taken_cards
from gamecore.standing import asked, control
from gamecore.standing.who import has_main

_FURTHER = frozenset({State.PLAYER_TURN, State.DEALER_TURN})


def take_answer(t: TableState, matter: Matter | None, name: str, what: tuple[str, ...], clause: str) -> None:
    """Carry out the answer of one Player, who continues or withdraws what they still can where they were asked."""
    if what == (WITHDRAW,):
        wager_effects.withdraw(t, matter, name, clause)


def all_answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """Take the answer of one of those who were asked whether to go on; after the last one, play goes on."""
    if matter.procedure is Procedure.WITHDRAW_OPTION:
        _take_power_answer(t, matter, name, what)
    else:
        take_answer(t, matter, name, what, t.rules.withdrawal.clause)
    matter.asks = [question for question in matter.asks if question.who != name]
    if matter.asks or wager_effects.conclude_if_nothing_stands(t):
        return
    if matter.left_as_laid:
        reconstruct.leave_as_laid(t)
    if matter.done or matter.left_as_laid or matter.procedure is Procedure.WITHDRAW_OPTION:
        go_on(t, matter)


def _take_power_answer(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """After a power failure a Player who withdraws must withdraw all their wagers, wherever they lie (MBS 5.29.1)."""
    spot = asked.spot_of(t, name)
    if what != (WITHDRAW,) or spot is None:
        return
    wager_effects.withdraw_everywhere(t, matter, name, spot.owner, matter.finding.clause)
    matter.asks = [ask for ask in matter.asks if not asked.speaks_for(t, spot.owner, ask.who)]


def withdraw_option(t: TableState, matter: Matter) -> None:
    """Ask every Player whether to go on, after a power failure without an outcome (MBS 5.29.1, Free Bet 5.30.1)."""
    if not t.round.order and not any(box.mains for box in t.round.boxes.values()):
        return
    hold(t, matter)
    ask_all(t, matter, matter.finding.clause)
    if not matter.asks:
        go_on(t, matter)


# --- boxes that were dealt wrongly, found late ---------------------------------------------------------------------


def return_box(t: TableState, matter: Matter) -> None:
    """Return the wagers on a box that has no cards (MBS 5.14), as far as they are not decided."""
    box = _box(t, matter)
    if box is None or not confirmed(t, matter, Effect.RETURN):
        return
    if isinstance(matter.fact, TakenCard):
        taken_cards.count_as_it_lies(t, box)
        taken_cards.give_turn_back(t, box)
    wager_effects.return_box(t, box, matter.finding.clause)
    if t.machine.state is State.OFFERS:
        offers.point(t)
    _repoint(t)


def short_option(t: TableState, matter: Matter) -> None:
    """Ask the Players of a box with one card: they act in turn or withdraw (MBS 5.16). Others may too, after (5.25)."""
    box = _box(t, matter)
    if box is None or not box.mains:
        return
    hold(t, matter)
    if isinstance(matter.fact, TakenCard):
        taken_cards.count_as_it_lies(t, box)
    for spot in asked.with_right(t):
        if spot.box == box.number and has_main(t.round, spot):
            ask(t, matter, asked.called_at(t, spot), (CONTINUE, WITHDRAW), matter.finding.clause)
    if not matter.asks:
        short_box_goes_on(t, matter)


def short_answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """Take the answer of one Player of the short box; after the last one, the box goes on."""
    take_answer(t, matter, name, what, _withdrawing(matter))
    matter.asks = [question for question in matter.asks if question.who != name]
    if not matter.asks:
        short_box_goes_on(t, matter)


def end_if_put_back(t: TableState) -> bool:
    """Ask nobody whether to act on a short hand that has its two cards again; False if there is none."""
    matter = taken_cards.hand_put_back(t)
    if matter is None:
        return False
    matter.asks.clear()
    go_on(t, matter)
    return True


def _withdrawing(matter: Matter) -> str:
    """The second option of the clause that gives two (MBS 5.16.2)."""
    return f"{matter.finding.clause}.2"


def short_box_goes_on(t: TableState, matter: Matter) -> None:
    """Let the short hand be acted upon in turn; discard one that all have left, and return what it would decide."""
    box = _box(t, matter)
    if box is None:
        return
    left = any(not hand.in_play for hand in box.hands)
    if left and wager_effects.undecidable(t, box) and not confirmed(t, matter, Effect.RETURN):
        return
    for hand in box.hands:
        if not hand.in_play:
            _discard_hand(hand)
            wager_effects.return_undecidable(t, box, _withdrawing(matter))
        elif not hand.cards and box.initial:
            taken_cards.report_emptied(t, box)
        elif len(hand.cards) < 2:
            hand.stood = False
            if t.hold.held_from in {State.DEALER_TURN, State.SETTLEMENT}:
                t.hold.held_from = State.PLAYER_TURN
    if not wager_effects.conclude_if_nothing_stands(t):
        give_right(t, matter, t.rules.withdrawal.clause)
        go_on(t, matter)


def _discard_hand(hand: Hand) -> None:
    """The cards of a hand that nobody plays any more go to the discard holder (MBS 5.16.2).

    What its two initial cards had decided for others stays decided.
    """
    for record in list(hand.records):
        whereabouts.take_off(record)
    hand.stood = hand.awaits_card = False


def dealer_draws(t: TableState, matter: Matter) -> None:
    """Let the Dealer draw the missing first card; the Player who is acting may complete the hand first (MBS 5.12).

    Reported when it has just been drawn, the card is there and its options are still to be given (5.12.2).
    """
    if t.machine.state is State.SETTLEMENT:
        return
    if t.round.dealer.cards:
        if t.machine.state in _FURTHER and _came_late(t):
            resume.dealer_received(t)
            give_right(t, matter, t.rules.withdrawal.clause)
        return
    t.turn.dealer_owed = True
    t.turn.acting = t.round.turn
    t.expect(DEALER, t.round.dealer)
    give_right(t, matter, t.rules.withdrawal.clause)


def _came_late(t: TableState) -> bool:
    """Whether the Dealer's only card came after the initial deal."""
    dealers = t.round.dealer.records
    return len(dealers) == 1 and dealers[0].subsequent


def _box(t: TableState, matter: Matter) -> Box | None:
    return t.round.boxes.get(matter.places[0].box) if matter.places else None


def _repoint(t: TableState) -> None:
    if t.machine.state is State.PLAYER_TURN and not turns.point_to_first(t):
        turns.finish(t)


# --- absence -------------------------------------------------------------------------------------------------------


def house_draws(t: TableState, matter: Matter) -> None:
    """Let the House draw for the absent Player: splits, doubles and further wagers are forfeited."""
    box = _box(t, matter)
    if box is not None:
        for hand in box.hands:
            hand.absent = True
        if t.machine.state is State.OFFERS:
            offers.point(t)
        _repoint(t)


def pass_control(t: TableState, matter: Matter) -> None:
    """Let another Player on the box decide."""
    box = _box(t, matter)
    if box is not None:
        control.pass_on(t, box)


def late_insurance(t: TableState, _matter: Matter) -> None:
    """Note that insurance was missed: a Pit Supervisor may permit it until the Dealer's second card (Free Bet 5.26)."""
    t.round.offers[offers.INSURANCE] = offers.MISSED


# --- limits --------------------------------------------------------------------------------------------------------


def pay_once(t: TableState, matter: Matter) -> None:
    """Note a wager under the minimum that is paid or collected this once."""
    if matter.places:
        wager = _wager(matter)
        limits.pay_once(t, matter.places[0], wager.kind, wager.player)


def _wager(matter: Matter) -> WagerFact:
    """The chips that a finding about a wager speaks of."""
    fact = matter.fact
    if not isinstance(fact, WagerFact):
        message = f"{fact.code} is not about a wager"
        raise TypeError(message)
    return fact


def return_wager(t: TableState, matter: Matter) -> None:
    """Return the wager; a main wager irrespective of the outcome of its hand, which is played (MBS 5.26)."""
    box = _box(t, matter)
    if box is None or not confirmed(t, matter, Effect.RETURN):
        return
    slot, kind = matter.places[0].slot or 1, _wager(matter).kind
    if kind == "main" and slot in box.mains:
        box.mains[slot].returned_by = matter.finding.clause
    for side in _sides(box, matter):
        side.returned_by = matter.finding.clause


def _sides(box: Box, matter: Matter) -> list[SideWager]:
    """The side wagers that a limit speaks of: at that slot, and where it is said on that hand."""
    place, kind = matter.places[0], _wager(matter).kind
    return [
        side
        for side in box.sides
        if kind in {side.kind, ""}
        and not side.returned_by
        and side.slot == (place.slot or 1)
        and place.hand in (0, side.hand * side.after_split)
    ]


def to_limit(t: TableState, matter: Matter) -> None:
    """Let the wager win or lose the maximum."""
    box = _box(t, matter)
    if box is None:
        return
    slot, kind = matter.places[0].slot or 1, _wager(matter).kind
    most = t.config.limits[kind][1] if kind in t.config.limits else None
    if kind == "main" and slot in box.mains:
        box.mains[slot].settles_as = most
    for side in _sides(box, matter):
        side.limit = most


def pro_rata(t: TableState, matter: Matter) -> None:
    """Share the box's maximum among its wagers."""
    box = _box(t, matter)
    kind = _wager(matter).kind
    if box is None or kind not in t.config.limits:
        return
    least, most = t.config.limits[kind]
    if kind == "main":
        amounts = {slot: main.amount for slot, main in box.mains.items()}
        for slot, share in shares(amounts, least, most).items():
            box.mains[slot].settles_as = share
        return
    sides = {index: side for index, side in enumerate(box.sides) if side.kind == kind}
    for index, share in shares({i: side.amount for i, side in sides.items()}, least, most).items():
        sides[index].limit = share


def shares(amounts: dict[int, int], least: int, most: int) -> dict[int, int]:
    """Each wager's part of the maximum, in proportion.

    A wager under the minimum is not prorated (5.1.2). A part below the minimum is raised to it (5.1.1), at the
    expense of the others; where the minimum of each is more than the maximum, each part is the minimum. Odd cents go
    to the wager nearest the Dealer that has room for them.
    """
    parts = {slot: amount for slot, amount in amounts.items() if amount < least}
    open_slots = sorted(slot for slot in amounts if slot not in parts)
    left = max(most, least * len(open_slots))
    while open_slots:
        total = sum(amounts[slot] for slot in open_slots)
        low = [slot for slot in open_slots if left * amounts[slot] < least * total]
        if not low:
            break
        for slot in low:
            parts[slot] = least
            left -= least
            open_slots.remove(slot)
    total = sum(amounts[slot] for slot in open_slots)
    for slot in open_slots:
        parts[slot] = min(left * amounts[slot] // total, amounts[slot])
    odd = left - sum(parts[slot] for slot in open_slots)
    for slot in open_slots:
        added = min(odd, amounts[slot] - parts[slot])
        parts[slot] += added
        odd -= added
    return parts


def return_excess(t: TableState, matter: Matter) -> None:
    """Return what was placed after the table's maximum for Boom Busted was reached (RWS 5.1.3)."""
    if not confirmed(t, matter, Effect.RETURN):
        return
    room = t.config.limits["boom-busted"][1]
    sides = [side for box in t.round.boxes.values() for side in box.sides if side.kind == "boom-busted"]
    kept = {id(side): 0 for side in sides}
    placed = sorted((event, index, amount) for index, side in enumerate(sides) for event, amount in side.placed)
    for _, index, amount in placed:
        part = min(room, amount)
        kept[id(sides[index])] += part
        room -= part
    for side in sides:
        if kept[id(side)] <= 0:
            side.returned_by = matter.finding.clause
        elif kept[id(side)] < side.amount:
            side.limit = kept[id(side)]


def refuse_late(t: TableState, matter: Matter) -> None:
    """Refuse chips that were placed too late (MBS 5.3, RWS 5.8)."""
    fact = _wager(matter)
    if fact.amount:
        wager_effects.refuse(t, fact.places[0], fact.kind, fact.amount, fact.player, matter.finding.clause)


def after_withdrawal(t: TableState) -> None:
    """Go on after a withdrawal: end the round if every wager has gone back, else look anew whose turn it is."""
    if not wager_effects.conclude_if_nothing_stands(t):
        resume.point_to_next_due(t)
