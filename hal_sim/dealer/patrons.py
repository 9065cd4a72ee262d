"""The people at the robot dealer's table: what they wager, take and decide.

1. Every public function looks at the shadow table and returns what somebody does next, as statements. All of it is
   allowed. `on_the_way` is the Dealer's, `jackpots` the meter's.
2. They play for the fun of it: mostly as the basic strategy would, with some whims; everything free is taken.
3. Chips stay within the limits, and so does the sum of a box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.places import Place
from gamecore.notation.syntax import What
from gamecore.rules.ruleset import SideRule
from gamecore.view.pictures import BoxView, HandView
from hal_sim.dealer.robot_table import Shadow

NAMES = ("ann", "bob", "cy", "dee")
MAIN = (25_00, 25_00, 50_00, 75_00, 100_00, 150_00)
SIDE = (5_00, 5_00, 10_00, 25_00)
MOST_SLOTS = 3


# --- chips -----------------------------------------------------------------------------------------------------------


def bets(shadow: Shadow) -> list[What]:
    """The wagers of a round."""
    chance, rules = shadow.chance, shadow.rules
    most = min(rules.slots.value or MOST_SLOTS, MOST_SLOTS)
    wanted = min(shadow.header.boxes, chance.choice((1, 2, 2, 3, 3, 4, 5, 7)))
    boxes = sorted(chance.sample(range(1, shadow.header.boxes + 1), wanted))
    said: list[What] = []
    for box in boxes:
        if chance.random() < 0.05:
            said.append(ev.Seat(Place(box, 0, 1), chance.choice(NAMES)))
        for slot in range(1, 1 + chance.choice((1, 1, 1, 1, 2, most))):
            player = chance.choice(NAMES) if chance.random() < 0.05 else None
            said.append(ev.WagerPlaced(Place(box, 0, slot), "main", chance.choice(MAIN), player))
            if chance.random() < 0.03:
                said += _think_again(shadow, Place(box, 0, slot))
    for side in rules.side_wagers:
        said += _side_bets(shadow, side, boxes)
    return said


def _think_again(shadow: Shadow, place: Place) -> list[What]:
    """Chips are taken back while bets are open, and others placed."""
    return [ev.WagerRemoved(place, "main"), ev.WagerPlaced(place, "main", shadow.chance.choice(MAIN))]


def _side_bets(shadow: Shadow, side: SideRule, boxes: list[int]) -> Iterator[What]:
    for box in boxes:
        if shadow.chance.random() < 0.3:
            yield ev.WagerPlaced(Place(box, 0, 1), side.kind, shadow.chance.choice(SIDE))
            if shadow.rules.side_claims.value is not None and shadow.chance.random() < 0.05:
                rival = shadow.chance.choice(NAMES)
                yield ev.WagerPlaced(Place(box, 0, 1), side.kind, shadow.chance.choice(SIDE), rival)


# --- offers ----------------------------------------------------------------------------------------------------------


def answers(shadow: Shadow) -> list[What]:
    """Who takes an offer that is open, if anybody does; who claims another's insurance, and whom they agree on."""
    taken = {ev.Insure: 0.15, ev.EvenMoney: 0.4, ev.Surrender: 0.1, ev.Agree: 0.5}
    for command in shadow.table.allowed().commands:
        if shadow.chance.random() < taken.get(type(command), 0.0):
            if isinstance(command, ev.Insure) and shadow.chance.random() < 0.3:
                other = shadow.chance.choice((None, *NAMES)) if shadow.rules.insurance_by_others.value else None
                claim = ev.Insure(command.place, shadow.chance.randint(1, command.amount), other)
                return [claim] if shadow.table.can(claim) else []
            return [command]
    return []


# --- decisions -------------------------------------------------------------------------------------------------------


def joining(shadow: Shadow) -> list[What]:
    """After a double or split of the controlling Player: who else joins, and who wagers on split Aces (3.21.1)."""
    view, chance = shadow.view, shadow.chance
    turn = view.round.turn
    if turn is None:
        return []
    hand = turn.hands[view.round.turn_hand]
    kind = shadow.rules.side_wager_on_split_aces.value
    if kind is not None and view.just_split and hand.split_aces and chance.random() < 0.5:
        taken = {(side.hand, side.slot) for side in turn.sides if side.after_split}
        spot = (view.round.turn_hand + 1, min(hand.stakes))
        if spot not in taken:
            return [ev.WagerPlaced(Place(turn.number, *spot), kind, chance.choice(SIDE))]
    others = [slot for slot in hand.stakes if slot != turn.controller and chance.random() < 0.5]
    for slot in others:
        for join in (ev.Split, ev.FreeSplit, ev.Double, ev.FreeDouble):
            command: Command = join(Place(turn.number, 0, slot))
            if shadow.table.can(command):
                return [command]
    return []


def rescued(shadow: Shadow) -> list[What]:
    """A Player gives up a hand that was just doubled (Pontoon 3.25.8)."""
    if not shadow.rules.rescue.value or shadow.view.last_doubled is None or shadow.chance.random() < 0.6:
        return []
    return _first(shadow, ev.Rescue, lambda hand: hand is shadow.view.last_doubled)


def decision(shadow: Shadow, box: BoxView, hand: HandView) -> list[What]:
    """What the Player whose turn it is decides: a command, or a card."""
    chance, can = shadow.chance, shadow.table.can
    place, whim, card = Place(box.number), chance.random(), shadow.next_card
    for free in (ev.FreeSplit(place), ev.FreeDouble(place)):
        if can(free) and whim < 0.9:
            return [free]
    if can(ev.Split(place)) and whim < 0.4:
        return [ev.Split(place)]
    double = ev.Double(place, None if chance.random() < 0.8 else chance.choice(MAIN))
    if can(double) and (whim < 0.03 or (9 <= hand.total <= 11 and whim < 0.7)):
        return [double]
    if shadow.table.next_place is None:
        return []
    if _draws(shadow, hand, whim) or not can(ev.Stand(place)):
        signal: list[What] = [ev.Hit(place)] if whim < 0.5 and can(ev.Hit(place)) else []
        return signal or card()
    return [ev.Stand(place)]


def _draws(shadow: Shadow, hand: HandView, whim: float) -> bool:
    """Whether a Player wants a card."""
    up_card = shadow.view.round.up_card
    strong = up_card is None or up_card.is_ace or up_card.points >= 7
    wants = hand.total < 12 or (hand.total < 17 and strong) or (hand.soft and hand.total < 18)
    return wants if whim >= 0.06 or hand.total > 17 else not wants


# --- on the way ------------------------------------------------------------------------------------------------------


def on_the_way(shadow: Shadow) -> list[What]:
    """A hand that the Dealer settles during the subsequent deal, if there is one and the Dealer does not wait."""
    if shadow.chance.random() < 0.3:
        return []
    found = _first(shadow, ev.Collect, lambda hand: hand.bust and not hand.settled)
    if not found and shadow.rules.twenty_one_wins.value:
        found = _first(shadow, ev.Pay, lambda hand: hand.total == 21 and not hand.settled)
    return found


def _first(shadow: Shadow, say: Callable[[Place], Command], at: Callable[[HandView], bool]) -> list[What]:
    """The command at the first such hand where it is allowed."""
    for number, box in sorted(shadow.boxes.items()):
        for index, hand in enumerate(box.hands):
            if at(hand):
                for slot in (0, *hand.stakes):
                    command = say(Place(number, index + 1, slot))
                    if shadow.table.can(command):
                        return [command]
    return []


def jackpots(shadow: Shadow) -> list[What]:
    """What the jackpot meter shows for a wager that waits for it."""
    multipliers = shadow.rules.jackpot_multipliers.value
    for number, box in sorted(shadow.boxes.items()) if multipliers else ():
        for side in box.sides:
            shown = ev.Jackpot(Place(number, 0, side.slot), shadow.chance.choice(multipliers))
            if side.kind == "pandemonium" and side.multiplier is None and shadow.table.can(shown):
                return [shown]
    return []


def anything(shadow: Shadow) -> list[What]:
    """Any command that is allowed and takes the round on, where nothing better is known."""
    idle = (ev.Interim, ev.Squeeze, ev.Stand)
    options = shadow.table.allowed().commands
    busy = [command for command in options if not isinstance(command, idle)] or options
    return [shadow.chance.choice(busy)] if busy else []
