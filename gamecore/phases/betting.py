"""Commencement of play, wagers, seats and closing of bets.

1. Bets open with the Dealer's announcement and close with the other one, or with the first card of the round.
2. Chips that arrive at the same spot add to the wager there. A wager belongs to the Player named with it, else to the
   Player of that box and slot, who is the same across rounds until they stand up.
3. Chips of another Player on a side wager's spot are a claim of their own; whose stands is decided when bets close
   (`standing.claims`). Chips that leave such a spot are those of the Player named with them, else of the spot's own
   Player first: no sensor sees whose chips they are.
4. When bets close, each box with a main wager gets its hand, and the order of the deal is fixed: clockwise from the
   Dealer's left, the Dealer's card after the first card of the boxes, no second card to the Dealer.
5. Chips that arrive between rounds wait, and count when bets open. Chips that arrive after bets have closed are late,
   except a side wager on split Aces (Ace Race 3.21.1).
"""

from __future__ import annotations

from dataclasses import replace

from gamecore.model.events.events import NoMoreBets, PlaceBets, Seat, Squeeze, StandUp, WagerPlaced, WagerRemoved
from gamecore.model.events.facts import WagerFact
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.hands import Hand, Stake
from gamecore.model.places import DEALER, Place, hand_place
from gamecore.model.round import Box, MainWager, SideWager
from gamecore.model.state import TableState
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.phases import ending, limits
from gamecore.standing import claims, control, played

MAIN = "main"

# --- announcements -------------------------------------------------------------------------------------------------


def verify_place_bets(t: TableState, _command: PlaceBets) -> Refused | None:
    """A round commences only when the one before it has ended."""
    if t.machine.state not in BETWEEN_ROUNDS:
        return refuse(Reason.ROUND_IS_ON, t.rules.clauses.settle)
    if t.shoe.set_in_doubt:
        return refuse(Reason.SET_NOT_WHOLE, t.shoe.set_in_doubt)
    for matter in t.hold.beside:
        if matter.pending is not None:
            pending = matter.pending
            return refuse(Reason.APPROVAL_DUE, pending.clause, code=matter.finding.code, role=pending.role)
    return None


def do_place_bets(t: TableState, _command: PlaceBets) -> None:
    """Open bets for a new round."""
    t.enter("open_bets")
    ending.begin_next(t)
    for chips in t.people.early_chips:
        _count_in(t, chips)
    t.people.early_chips.clear()


def verify_no_more_bets(t: TableState, _command: NoMoreBets) -> Refused | None:
    """Bets close once, and only where there is a wager to deal to."""
    if t.machine.state is not State.BETTING:
        return refuse(Reason.BETS_NOT_OPEN, t.rules.clauses.close)
    if not any(box.mains or box.sides for box in t.round.boxes.values()):
        return refuse(Reason.NO_WAGER_ON_TABLE, t.rules.clauses.wager_first)
    return None


def do_no_more_bets(t: TableState, _command: NoMoreBets) -> None:
    """Close bets."""
    close_bets(t)


def close_bets(t: TableState) -> None:
    """Fix who plays: a hand for each wagered box, who controls it, and the order of the deal."""
    t.enter("close_bets")
    game_round = t.round
    boxes = game_round.boxes
    for box in boxes.values():
        _name_owners(t, box)
    game_round.order = [boxes[number] for number in sorted(boxes) if boxes[number].mains]
    first: list[tuple[Place, Hand]] = []
    for box in game_round.order:
        hand = Hand()
        hand.stakes = {slot: Stake(main.amount, main.amount) for slot, main in sorted(box.mains.items())}
        if t.people.absent:
            hand.absent = all((box.number, slot) in t.people.absent for slot in box.mains)
        box.hands = [hand]
        if t.people.seats:
            box.seated = control.seated(t, box)
        box.controller = control.controller(t.rules, box, t.people.absent)
        first.append((hand_place(box.number), hand))
    game_round.deal = [*first, (DEALER, game_round.dealer), *first]
    if game_round.deal:
        t.expect(*game_round.deal[0])
    claims.award_side_wagers(t)
    limits.check(t)


def _name_owners(t: TableState, box: Box) -> None:
    """All kinds at one box and slot belong to one Player, unless another was named."""
    for slot, main in box.mains.items() if t.people.names else ():
        main.player = main.player if main.player is not None else t.people.names.get((box.number, slot))
    for side in box.sides:
        if side.player is None:
            side.player = (
                box.mains[side.slot].player if side.slot in box.mains else t.people.names.get((box.number, side.slot))
            )
    if len(box.sides) > 1:
        _join_sides(box)


def _join_sides(box: Box) -> None:
    """Chips of one Player at one spot are one wager, also where the name came between them."""
    joined: dict[tuple[str, int, str | None, int, bool], SideWager] = {}
    for side in box.sides:
        first = joined.setdefault(_spot_of(side), side)
        if first is not side:
            first.amount += side.amount
            first.placed += side.placed
    box.sides = list(joined.values())


# --- seats ---------------------------------------------------------------------------------------------------------


def verify_seat(_t: TableState, _command: Seat) -> Refused | None:
    """Players sit down when they like."""
    return None


def do_seat(t: TableState, command: Seat) -> None:
    """Seat somebody at a box; with a name, they own its spot at that slot."""
    box, slot = command.place.box, command.place.slot or 1
    t.people.seats[box] = slot
    if command.player is not None:
        t.people.names[box, slot] = command.player


def verify_stand_up(_t: TableState, _command: StandUp) -> Refused | None:
    """Players leave when they like."""
    return None


def do_stand_up(t: TableState, command: StandUp) -> None:
    """Free the seat and the spot: they belong to nobody any more."""
    box, slot = command.place.box, command.place.slot or 1
    if t.people.seats.get(box) == slot:
        del t.people.seats[box]
    t.people.names.pop((box, slot), None)
    t.people.paid_once.discard(f"{box}/{slot}")


def verify_squeeze(t: TableState, command: Squeeze) -> Refused | None:
    """Squeezing is permitted before the initial deal, and after it while the box may still get a card (RWS 3.12)."""
    if not t.rules.squeeze.value:
        return refuse(Reason.DEALT_FACE_UP, t.rules.clauses.deal_order)
    if t.machine.state not in {State.BETTING, State.BETS_CLOSED, State.OFFERS, State.PLAYER_TURN}:
        return refuse(Reason.SQUEEZE_TOO_LATE, t.rules.squeeze.clause)
    box = t.round.boxes.get(command.box)
    if box is None or not box.mains:
        return refuse(Reason.NO_BET_ON_BOX, t.rules.squeeze.clause, box=command.box)
    if box.hands and all(played.complete(t.rules, hand) for hand in box.hands if hand.cards) and box.hands[0].cards:
        return refuse(Reason.BOX_COMPLETE, t.rules.squeeze.clause, box=command.box)
    return None


def do_squeeze(t: TableState, command: Squeeze) -> None:
    """Let the cards of that box lie face down from now on."""
    t.round.box(command.box).squeeze = True
    t.round.squeezed = True


# --- chips ---------------------------------------------------------------------------------------------------------


def wager_placed(t: TableState, event: WagerPlaced) -> None:
    """Count chips that arrived at a spot. Before bets open they wait there; after bets have closed they are late."""
    if (event.kind != MAIN and event.kind not in t.rules.wager_kinds()) or not 1 <= event.place.box <= t.config.boxes:
        fact = WagerFact("uncovered", (event.place,), event.kind, amount=event.amount, player=event.player)
        t.suspect(fact)
    elif t.bets_open:
        _count_in(t, event)
    elif not t.round_is_on:
        t.people.early_chips.append(event)
    elif not _place_on_split_aces(t, event):
        fact = WagerFact("late-wager", (event.place,), event.kind, amount=event.amount, player=event.player)
        t.suspect(fact)


def _count_in(t: TableState, event: WagerPlaced) -> None:
    number, slot, player, names = event.place.box, event.place.slot or 1, event.player, t.people.names
    box = t.round.box(number)
    if event.kind == MAIN and player is not None and slot not in box.mains:
        names[number, slot] = player
    if player is None and names:
        player = names.get((number, slot))
    if event.kind == MAIN:
        if slot in box.mains:
            box.mains[slot].amount += event.amount
        else:
            box.mains[slot] = MainWager(slot, event.amount, player)
        return
    _add_side(t, box, SideWager(event.kind, slot, event.amount, player))
    claims.say_who_is_first(t, number, slot, event.kind)


def _add_side(t: TableState, box: Box, wager: SideWager) -> None:
    placed = (t.events, wager.amount)
    for side in box.sides:
        if _spot_of(side) == _spot_of(wager):
            side.amount += wager.amount
            side.placed.append(placed)
            return
    wager.placed.append(placed)
    box.sides.append(wager)


def _spot_of(side: SideWager) -> tuple[str, int, str | None, int, bool]:
    return side.kind, side.slot, side.player, side.hand, side.after_split


def _place_on_split_aces(t: TableState, event: WagerPlaced) -> bool:
    """An Ace Race wager on split Aces, before any card is dealt to them (Ace Race 3.21.1)."""
    box = t.round.boxes.get(event.place.box)
    allowed = event.kind == t.rules.side_wager_on_split_aces.value and t.turn.just_split and t.round.turn is box
    hand, slot = event.place.hand, event.place.slot or 1
    if box is None or not allowed or not 1 <= hand <= len(box.hands) or not box.hands[hand - 1].split_aces:
        return False
    player = box.mains[slot].player if slot in box.mains else None
    if slot not in box.mains or event.player not in {None, player}:
        return False
    wager = SideWager(event.kind, slot, event.amount, player, hand, after_split=True)
    _add_side(t, box, wager)
    limits.check_side(t, box, wager)
    return True


def wager_removed(t: TableState, event: WagerRemoved) -> None:
    """Take off chips that left a spot; what came last leaves first. After bets have closed, state it."""
    box, slot = t.round.boxes.get(event.place.box), event.place.slot or 1
    if not t.round_is_on:
        t.people.early_chips = _without(t.people.early_chips, event)
    elif not t.bets_open:
        if _beyond_refused(t, event) and _lies_there(box, slot, event.kind):
            t.suspect(WagerFact("wager-withdrawn", (event.place,), event.kind))
    elif box is not None and event.kind == "main" and slot in box.mains:
        main = box.mains[slot]
        main.amount -= event.amount if event.amount is not None else main.amount
        if main.amount <= 0:
            del box.mains[slot]
    elif box is not None:
        _remove_sides(t, box, event, slot)
        claims.say_who_is_first(t, box.number, slot, event.kind)


def _remove_sides(t: TableState, box: Box, event: WagerRemoved, slot: int) -> None:
    sides = [side for side in box.sides if side.kind == event.kind and side.slot == slot]
    meant = event.player or claims.owner_of(t, box, slot)
    own = [side for side in sides if (side.player or claims.owner_of(t, box, slot)) == meant]
    if event.player is not None or (own and event.amount is None):
        sides = own
    elif own:
        sides = [*(side for side in sides if side not in own), *own]
    left = event.amount if event.amount is not None else sum(side.amount for side in sides)
    for side in reversed(sides):
        taken = min(left, side.amount)
        left -= taken
        side.amount -= taken
        _take_last(side, taken)
        if side.amount <= 0:
            box.sides.remove(side)


def _without(chips: list[WagerPlaced], event: WagerRemoved) -> list[WagerPlaced]:
    """Chips that wait for bets to open, less those that were taken back."""
    there = [
        c
        for c in chips
        if (c.place.box, c.place.slot or 1, c.kind) == _spot(event) and event.player in {None, c.player}
    ]
    left = event.amount if event.amount is not None else sum(c.amount for c in there)
    kept = list(chips)
    for chip in reversed(there):
        taken = min(left, chip.amount)
        left -= taken
        index = kept.index(chip)
        kept[index : index + 1] = [replace(chip, amount=chip.amount - taken)] if taken < chip.amount else []
    return kept


def _lies_there(box: Box | None, slot: int, kind: str) -> bool:
    if box is None:
        return False
    return slot in box.mains if kind == "main" else any(s.kind == kind and s.slot == slot for s in box.sides)


def _beyond_refused(t: TableState, event: WagerRemoved) -> bool:
    """Whether more chips leave than those that were refused or returned there and are taken back."""
    spot = _spot(event)
    refused = sum(row.stake for row in t.round.refused if (row.box, row.slot, row.kind) == spot)
    sides = [side for side in t.round.box(event.place.box).sides if (side.slot, side.kind) == spot[1:]]
    refused += sum(side.amount for side in sides if side.returned_by)
    if event.player is not None and event.amount is None:
        return not any(side.returned_by and side.player == event.player for side in sides)
    before = t.round.taken_back.get(spot, 0)
    after = refused if event.amount is None else min(refused, before + event.amount)
    t.round.taken_back[spot] = after
    return event.amount is None or event.amount > after - before


def _take_last(side: SideWager, amount: int) -> None:
    """The chips that came last leave first, so that what stays keeps its time (RWS 5.1.3)."""
    while amount > 0 and side.placed:
        event, placed = side.placed.pop()
        if placed > amount:
            side.placed.append((event, placed - amount))
        amount -= placed


def _spot(event: WagerRemoved) -> tuple[int, int, str]:
    return event.place.box, event.place.slot or 1, event.kind
