"""Commencement of play, wagers, seats and closing of bets.

1. Bets open with the Dealer's announcement and close with the other one, or with the first card of the round.
2. Chips that arrive at the same spot add to the wager there. A wager belongs to the Player named with it, else to the
   Player of that box and slot, who is the same across rounds until he stands up.
3. A box is controlled by the Player seated at it, whatever slot his wager has; where nobody is seated, by the wager
   nearest the Dealer or, at RWS, the highest one (among equals the nearest).
4. When bets close, each box with a main wager gets its hand, and the order of the deal is fixed: clockwise from the
   Dealer's left, the Dealer's card after the first card of the boxes, no second card to the Dealer.
"""

from __future__ import annotations

from gamecore import irregular
from gamecore.events import NoMoreBets, PlaceBets, Seat, Squeeze, StandUp, WagerPlaced, WagerRemoved
from gamecore.hands import Hand, Stake
from gamecore.machine import BETWEEN_ROUNDS, State
from gamecore.outputs import Refused
from gamecore.places import DEALER, Place
from gamecore.round import Box, MainWager, Round, SideWager
from gamecore.ruleset import Control
from gamecore.state import TableState

# --- announcements -------------------------------------------------------------------------------------------------


def verify_place_bets(t: TableState, _command: PlaceBets) -> Refused | None:
    """A round commences only when the one before it has ended."""
    if t.machine.state not in BETWEEN_ROUNDS:
        return Refused("a round of play is on; it ends when the outcome is settled or void", t.rules.clauses.settle)
    return None


def do_place_bets(t: TableState, _command: PlaceBets) -> None:
    """Open bets for a new round."""
    t.enter("open_bets")
    t.round = Round(len(t.rounds) + 1)
    t.rounds.append(t.round)
    t.in_hand.clear()
    t.just_split = False
    t.last_doubled = None
    t.expect_nothing()


def verify_no_more_bets(t: TableState, _command: NoMoreBets) -> Refused | None:
    """Bets close once, and only where there is a wager to deal to."""
    if t.machine.state is not State.BETTING:
        return Refused("bets are not open", t.rules.clauses.close)
    if not any(box.mains for box in t.round.boxes.values()):
        return Refused("no playing area contains a wager", t.rules.clauses.wager_first)
    return None


def do_no_more_bets(t: TableState, _command: NoMoreBets) -> None:
    """Close bets."""
    close_bets(t)


def close_bets(t: TableState) -> None:
    """Fix who plays: a hand for each wagered box, who controls it, and the order of the deal."""
    t.enter("close_bets")
    game_round = t.round
    boxes = game_round.boxes
    game_round.order = [boxes[number] for number in sorted(boxes) if boxes[number].mains]
    first: list[tuple[Place, Hand]] = []
    for box in game_round.order:
        hand = Hand()
        hand.stakes = {slot: Stake(main.amount, main.amount) for slot, main in sorted(box.mains.items())}
        box.hands = [hand]
        box.controller = controller(t, box)
        first.append((Place(box.number), hand))
    game_round.deal = [*first, (DEALER, game_round.dealer), *first]
    t.expect(*game_round.deal[0])


# --- who controls a box --------------------------------------------------------------------------------------------


def controller(t: TableState, box: Box) -> int:
    """The slot whose Player calls the decisions (MBS 3.11, 3.12; RWS 1.30, 3.8).

    Those who have surrendered or were paid even money have no say; where the controlling Player surrenders, control
    passes from front to back (MBS 3.25.1.3, Pontoon 3.24.3.3).
    """
    stakes = box.hands[0].stakes if box.hands else {}
    slots = [slot for slot in sorted(box.mains) if slot not in stakes or not stakes[slot].surrendered]
    if not slots:
        return 0
    seated = t.seats.get(box.number)
    if seated in slots:
        return seated
    if t.rules.unseated_control.value is Control.HIGHEST:
        return max(slots, key=lambda slot: (box.mains[slot].amount, -slot))
    return slots[0]


def verify_seat(_t: TableState, _command: Seat) -> Refused | None:
    """Players sit down when they like."""
    return None


def do_seat(t: TableState, command: Seat) -> None:
    """Somebody is seated at a box, and owns its spot at that slot."""
    box, slot = command.place.box, command.place.slot or 1
    t.seats[box] = slot
    if command.player is not None:
        t.names[box, slot] = command.player


def verify_stand_up(_t: TableState, _command: StandUp) -> Refused | None:
    """Players leave when they like."""
    return None


def do_stand_up(t: TableState, command: StandUp) -> None:
    """The spot belongs to nobody any more."""
    box, slot = command.place.box, command.place.slot or 1
    if t.seats.get(box) == slot:
        del t.seats[box]
    t.names.pop((box, slot), None)


def verify_squeeze(t: TableState, command: Squeeze) -> Refused | None:
    """Squeezing is permitted before the cards of the box are dealt (RWS 3.12)."""
    if not t.rules.squeeze.value:
        return Refused("cards are dealt face up", t.rules.clauses.deal_order)
    if t.machine.state not in {State.BETTING, State.BETS_CLOSED}:
        return Refused("squeezing is asked for before the cards are dealt", t.rules.squeeze.clause)
    box = t.round.boxes.get(command.box)
    if box is None or not box.mains:
        return Refused(f"there is no bet on box {command.box}", t.rules.squeeze.clause)
    return None


def do_squeeze(t: TableState, command: Squeeze) -> None:
    """The cards of that box will lie face down."""
    t.round.box(command.box).squeeze = True
    t.round.squeezed = True


# --- chips ---------------------------------------------------------------------------------------------------------


def wager_placed(t: TableState, event: WagerPlaced) -> None:
    """Chips arrived at a spot."""
    box_number, hand, slot = event.place.box, event.place.hand, event.place.slot or 1
    player = event.player if event.player is not None else t.names.get((box_number, slot))
    if t.machine.state is State.BETTING:
        _add_wager(t.round.box(box_number), event.kind, slot, event.amount, player)
        if event.player is not None and event.kind == "main":
            t.names[box_number, slot] = event.player
    elif not _place_on_split_aces(t, event, hand, slot, player):
        irregular.refer(t, "late-wager", (event.place,))


def _add_wager(box: Box, kind: str, slot: int, amount: int, player: str | None) -> None:
    if kind == "main":
        if slot in box.mains:
            box.mains[slot].amount += amount
        else:
            box.mains[slot] = MainWager(slot, amount, player)
        return
    for side in box.sides:
        if side.kind == kind and side.slot == slot and side.player == player:
            side.amount += amount
            return
    box.sides.append(SideWager(kind, slot, amount, player))


def _place_on_split_aces(t: TableState, event: WagerPlaced, hand: int, slot: int, player: str | None) -> bool:
    """An Ace Race wager on split Aces, before any card is dealt to them (Ace Race 3.21.1)."""
    box = t.round.boxes.get(event.place.box)
    allowed = event.kind == t.rules.side_wager_on_split_aces.value and t.just_split and t.round.turn is box
    if box is None or not allowed or not 1 <= hand <= len(box.hands) or not box.hands[hand - 1].split_aces:
        return False
    box.sides.append(SideWager(event.kind, slot, event.amount, player, hand, after_split=True))
    return True


def wager_removed(t: TableState, event: WagerRemoved) -> None:
    """Chips left a spot."""
    box, slot = t.round.boxes.get(event.place.box), event.place.slot or 1
    if t.machine.state is not State.BETTING or box is None:
        irregular.refer(t, "wager-withdrawn", (event.place,))
        return
    if event.kind == "main":
        main = box.mains.get(slot)
        if main is not None:
            main.amount -= event.amount if event.amount is not None else main.amount
            if main.amount <= 0:
                del box.mains[slot]
        return
    for side in [side for side in box.sides if side.kind == event.kind and side.slot == slot]:
        side.amount -= event.amount if event.amount is not None else side.amount
        if side.amount <= 0:
            box.sides.remove(side)
