"""Irregularities of wagers, of people and of devices, each committed once; what each returns must be found."""

from __future__ import annotations

from gamecore.model.events import events
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.rules.stages import Stage
from tests.gamecore.play.irregular_robot import Committed, IrregularRobot

# --- wagers --------------------------------------------------------------------------------------------------------


def late(robot: IrregularRobot) -> Committed | None:
    """Chips arrive after bets are closed."""
    if robot.table.state is State.BETTING or robot.table.view().just_split:
        return None
    box, kind = robot.chance.randint(1, robot.header.boxes), robot.chance.choice(robot.rules.wager_kinds())
    chips = events.WagerPlaced(Place(box, 0, robot.chance.randint(1, 3)), kind, 10_00)
    committed = Committed("late-wager", robot.stage(), events=(chips,))
    robot.let_happen(chips)
    return committed


def withdrawn(robot: IrregularRobot) -> Committed | None:
    """Chips leave after bets are closed."""
    if robot.table.state is State.BETTING or not robot.wagered():
        return None
    box = robot.table.view().round.boxes[robot.chance.choice(robot.wagered())]
    slots = [slot for slot, stake in box.hands[0].stakes.items() if not stake.withdrawn]
    if not slots:
        return None
    chips = events.WagerRemoved(Place(box.number, 0, robot.chance.choice(slots)), "main")
    committed = Committed("wager-withdrawn", robot.stage(), events=(chips,))
    robot.let_happen(chips)
    return committed


def under(robot: IrregularRobot) -> Committed | None:
    """A wager below the minimum, on a box of its own."""
    if not robot.bare():
        return None
    place, player = Place(robot.bare()[0], 0, 1), robot.chance.choice(("zoe", "yan"))
    robot.let_happen(events.WagerPlaced(place, "main", 1_00, player))
    case = "again" if player in robot.below else "first time"
    robot.below.add(player)
    return Committed("under-minimum", Stage.CLOSED, (case,))


def over(robot: IrregularRobot) -> Committed | None:
    """A wager above the maximum, on a box of its own."""
    if not robot.bare():
        return None
    robot.let_happen(events.WagerPlaced(Place(robot.bare()[0], 0, 1), "main", 12_345_67))
    return Committed("over-maximum", Stage.CLOSED)


def side_alone(robot: IrregularRobot) -> Committed | None:
    """A side wager on a box without a main wager."""
    kinds = [side.kind for side in robot.rules.side_wagers if side.needs_main == "box"]
    if not robot.empty() or not kinds:
        return None
    place = Place(robot.empty()[0], 0, 1)
    robot.let_happen(events.WagerPlaced(place, robot.chance.choice(kinds), 10_00))
    return Committed("side-wager-without-main", Stage.CLOSED)


def unsettled_pairs(robot: IrregularRobot) -> Committed | None:
    """RWS Pairs lies there, and the deal goes on before it is settled."""
    place = robot.table.next_place
    if place is None or not robot.pairs_due() or robot.table.view().next_cards:
        return None
    committed = Committed("unsettled-side-wager", robot.stage_of_stray())
    robot.card_at(robot.next_card(), place)
    return committed


# --- others --------------------------------------------------------------------------------------------------------


def no_offer(robot: IrregularRobot) -> Committed | None:
    """Insurance is due, and the deal goes on."""
    place = robot.table.next_place
    due = robot.table.view().round.offers.get("insurance") == "due"
    if robot.table.state is not State.OFFERS or not due or place is None or robot.rules.final_settlement.value:
        return None
    robot.card_at(robot.next_card(), place)
    return Committed("insurance-not-offered", Stage.SUBSEQUENT, ("", "Dealer's second card"))


def absent(robot: IrregularRobot) -> Committed | None:
    """A Player is not there."""
    if robot.table.state is State.SETTLEMENT or not robot.wagered():
        return None
    box = robot.table.view().round.boxes[robot.chance.choice(robot.wagered())]
    stakes = box.hands[0].stakes if box.hands else {}
    gone = {slot for slot, stake in stakes.items() if stake.surrendered or stake.returned_by}
    own = box.mains[box.controller or min(box.mains)]
    his = {slot for slot, main in box.mains.items() if main is own or (main.player and main.player == own.player)}
    others = set(box.mains) - gone - his
    committed = Committed("absent-player", robot.stage(), ("others" if others else "alone",))
    robot.let_happen(events.Absent(Place(box.number)))
    return committed


def power(robot: IrregularRobot) -> Committed | None:
    """The power fails."""
    committed = Committed("power-failure", robot.stage(), ("outcome", "no outcome"))
    robot.let_happen(events.PowerCut())
    robot.let_happen(events.PowerOn())
    return committed


def link(robot: IrregularRobot) -> Committed | None:
    """A device does not answer."""
    committed = Committed("link-lost", robot.stage())
    robot.let_happen(events.LinkLost("hub"))
    robot.let_happen(events.LinkBack("hub"))
    return committed


def strange_chips(robot: IrregularRobot) -> Committed | None:
    """Chips arrive at a spot that the layout does not have."""
    chips = events.WagerPlaced(Place(1, 0, 1), "lemon", 10_00)
    committed = Committed("uncovered", robot.stage(), events=(chips,))
    robot.let_happen(chips)
    return committed
