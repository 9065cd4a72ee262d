"""The irregularities that sensors can find, each committed once.

Each function looks whether it can be committed now; None if not. What it returns is what the table must find.
"""

from __future__ import annotations

from gamecore import events, turns
from gamecore.cards import JOKER
from gamecore.irregularities.stage import Stage
from gamecore.machine import State
from gamecore.places import BURN, DEALER, Place
from tests.gamecore.irregular_robot import Committed, IrregularRobot, Plan

DEALING = {State.BETS_CLOSED, State.INITIAL_DEAL}
AFTER = {State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}


def _card_due(robot: IrregularRobot) -> Place | None:
    """Where a card is due now, the burn and pending offers aside."""
    knows = robot.table.knows
    if robot.table.state is State.BETTING or "due" in knows.round.offers.values() or knows.in_hand or knows.next_cards:
        return None
    place = robot.table.next_place
    return None if place == BURN else place


def _ready(robot: IrregularRobot) -> bool:
    """Whether a stray card would be that alone: no burn is due, no offer, and no card waits to be laid."""
    knows = robot.table.knows
    waiting = knows.in_hand or knows.next_cards or knows.burn_due or knows.dealer_owed
    return not waiting and robot.table.state in DEALING | AFTER and "due" not in knows.round.offers.values()


def _pending(robot: IrregularRobot) -> bool:
    turn = robot.table.knows.round.turn
    return turn is not None and turn.hands[robot.table.knows.round.turn_hand].awaits_card


# --- the set of cards ----------------------------------------------------------------------------------------------


def foreign(robot: IrregularRobot) -> Committed | None:
    """A Joker comes out."""
    place = _card_due(robot)
    if place is None:
        return None
    committed = Committed("foreign-card", robot.stage())
    robot.card_at(JOKER, place)
    return committed


def extra(robot: IrregularRobot) -> Committed | None:
    """A card comes out that is out as often as the set has it; or the shoe counts one too many."""
    place, cards = _card_due(robot), robot.table.knows.cards
    spent = [card for card in robot.all_faces() if cards.out.get(card.face, 0) == robot.header.decks]
    if place is None:
        return None
    committed = Committed("extra-card", robot.stage())
    if spent and robot.header.shuffling != "continuous":
        robot.card_at(robot.chance.choice(spent), place)
    else:
        robot.do(events.ShoeCounted(robot.left() + 1))
    return committed


def missing(robot: IrregularRobot) -> Committed | None:
    """The shoe counts one card too few."""
    committed = Committed("missing-card", robot.stage())
    robot.do(events.ShoeCounted(robot.left() - 1))
    return committed


def missing_between(robot: IrregularRobot) -> Committed | None:
    """The discard holder counts one card too few, between rounds."""
    out = robot.set_size() - robot.left()
    if out < 1:
        return None
    robot.do(events.DiscardCounted(out - 1))
    return Committed("missing-card", Stage.BETWEEN)


def unshuffled(robot: IrregularRobot) -> Committed | None:
    """The set is loaded as it is."""
    just_loaded = not robot.events or isinstance(robot.events[-1], events.Loaded)
    if just_loaded or robot.header.shuffling == "continuous":
        return None
    robot.load_unshuffled()
    return Committed("unshuffled-cards", Stage.BETWEEN)


def insufficient(robot: IrregularRobot) -> Committed | None:
    """The shoe is empty when a card is due."""
    if _card_due(robot) is None:
        return None
    committed = Committed("insufficient-cards", robot.stage(), (_shuffling(robot),))
    robot.do(events.ShoeEmpty())
    return committed


def cut_card(robot: IrregularRobot) -> Committed | None:
    """The cutting card came out, and nobody shuffled."""
    if not robot.table.knows.rounds or isinstance(robot.events[-1], events.Loaded):
        return None
    robot.do(events.CuttingCardOut())
    return Committed("cut-card-passed", Stage.INITIAL, (_shuffling(robot),))


def _shuffling(robot: IrregularRobot) -> str:
    return "manual" if robot.header.shuffling == "manual" else "machine"


def face_up(robot: IrregularRobot) -> Committed | None:
    """A card lies face up in the shoe."""
    place = _card_due(robot)
    if place is None:
        return None
    first = robot.drawn() == 0
    committed = Committed("face-up-card", robot.stage(), ("first card" if first else "later card",))
    robot.card_at(robot.next_card(), place, face_up=True)
    return committed


def unreadable(robot: IrregularRobot) -> Committed | None:
    """The shoe cannot read a card."""
    place = _card_due(robot)
    if place is None:
        return None
    committed = Committed("unreadable-card", robot.stage())
    robot.unread_at(place)
    return committed


# --- dealing -------------------------------------------------------------------------------------------------------


def no_burn(robot: IrregularRobot) -> Committed | None:
    """The card due as the burn lies at the first box, or anywhere else."""
    if robot.table.state is not State.BETS_CLOSED or not robot.table.knows.burn_due:
        return None
    committed = Committed("missing-burn", robot.stage())
    place = robot.chance.choice((Place(robot.wagered()[0]), Place(robot.wagered()[-1]), DEALER))
    robot.card_at(robot.next_card(), place)
    return committed


def misdealt(robot: IrregularRobot) -> Committed | None:
    """A card that was due lies elsewhere."""
    due, state = robot.table.next_place, robot.table.state
    pending = state in DEALING | {State.DEALER_TURN} or _pending(robot)
    if due is None or not pending or not _ready(robot):
        return None
    places = [*(Place(box) for box in robot.wagered()), DEALER, BURN]
    passed_over = Place(robot.wagered()[0]) if due == DEALER and state in DEALING else None
    wrong = [place for place in places if place.box != due.box and place != passed_over]
    committed = Committed("misdealt-card", robot.stage_of_stray())
    robot.card_at(robot.next_card(), robot.chance.choice(wrong))
    return committed


def dealer_passed_over(robot: IrregularRobot) -> Committed | None:
    """In the initial deal the Dealer's card lies at the first box."""
    if robot.table.state not in DEALING or robot.table.next_place != DEALER or not _ready(robot):
        return None
    robot.card_at(robot.next_card(), Place(robot.wagered()[0]))
    return Committed("dealer-not-dealt", Stage.INITIAL)


def empty_box(robot: IrregularRobot) -> Committed | None:
    """A card lies on a box without a wager."""
    if not robot.empty() or not _ready(robot):
        return None
    committed = Committed("unwagered-box-dealt", robot.stage_of_stray())
    robot.card_at(robot.next_card(), Place(robot.chance.choice(robot.empty())))
    return committed


def in_error(robot: IrregularRobot) -> Committed | None:
    """A card lies at a hand that is complete, where nobody asked for one."""
    turn, state, rules = robot.table.knows.round.turn, robot.table.state, robot.rules
    if not _ready(robot) or state not in {State.PLAYER_TURN, State.SETTLEMENT} or _pending(robot):
        return None
    boxes = robot.table.knows.round.boxes
    played = [
        box
        for box in robot.wagered()
        if boxes[box] is not turn and all(turns.complete(rules, hand) for hand in boxes[box].hands)
    ]
    if not played:
        return None
    committed = Committed("card-in-error", robot.stage_of_stray())
    robot.card_at(robot.next_card(), Place(robot.chance.choice(played)))
    return committed


def in_error_between(robot: IrregularRobot) -> Committed | None:
    """A card comes out between rounds."""
    if robot.table.knows.burn_due or not robot.table.knows.rounds:
        return None
    robot.card_at(robot.next_card(), DEALER)
    return Committed("card-in-error", Stage.BETWEEN)


def ordered_pull(robot: IrregularRobot) -> Committed | None:
    """Two cards come out in one pull, in an order that everybody saw."""
    if _card_due(robot) is None:
        return None
    committed = Committed("card-in-error", robot.stage())
    place = robot.table.next_place
    cards = robot.next_card(), robot.next_card()
    robot.do(events.CardsPulled(cards, (), ordered=True))
    if place is not None:
        robot.do(events.CardLaid(cards[0], place))
    return committed


def overdraw(robot: IrregularRobot) -> Committed | None:
    """The Dealer takes a card too many."""
    dealer = robot.table.knows.round.dealer
    if robot.table.state is not State.SETTLEMENT or not dealer.cards or not _ready(robot):
        return None
    complete = robot.rules.dealer_complete.value(dealer.total, dealer.soft)
    committed = Committed("dealer-overdraw", robot.stage_of_stray(), ("complete" if complete else "below",))
    robot.card_at(robot.next_card(), DEALER)
    return committed


def skipped(robot: IrregularRobot) -> Committed | None:
    """A card lies at a later hand that can still act, or at the Dealer's."""
    turn, boxes = robot.table.knows.round.turn, robot.table.knows.round.boxes
    if robot.table.state is not State.PLAYER_TURN or turn is None or _pending(robot) or not _ready(robot):
        return None
    later = [
        Place(box)
        for box in robot.wagered()
        if box > turn.number and any(not turns.complete(robot.rules, hand) for hand in boxes[box].hands)
    ]
    committed = Committed("hand-skipped", robot.stage_of_stray(), ("next hand",))
    robot.card_at(robot.next_card(), robot.chance.choice([*later, DEALER]))
    return committed


def double_draw(robot: IrregularRobot) -> Committed | None:
    """Two or three cards come out in one pull, none, one or more of them seen."""
    due = _card_due(robot)
    if due is None:
        return None
    number = robot.chance.choice((2, 2, 2, 3))
    cards = tuple(robot.next_card() for _ in range(number))
    shown = robot.chance.randint(0, number)
    case = ("none disclosed", "one disclosed", "more disclosed")[min(shown, 2)]
    committed = Committed("double-draw", robot.stage(), (f"Dealer, {case}" if due == DEALER else case,))
    robot.do(events.CardsPulled(cards, tuple(robot.chance.sample(cards, shown))))
    return committed


# --- wagers --------------------------------------------------------------------------------------------------------


def late(robot: IrregularRobot) -> Committed | None:
    """Chips arrive after bets are closed."""
    if robot.table.state is State.BETTING or robot.table.knows.just_split:
        return None
    box, kind = robot.chance.randint(1, robot.header.boxes), robot.chance.choice(robot.rules.wager_kinds())
    chips = events.WagerPlaced(Place(box, 0, robot.chance.randint(1, 3)), kind, 10_00)
    committed = Committed("late-wager", robot.stage(), events=(chips,))
    robot.do(chips)
    return committed


def withdrawn(robot: IrregularRobot) -> Committed | None:
    """Chips leave after bets are closed."""
    if robot.table.state is State.BETTING:
        return None
    box = robot.table.knows.round.boxes[robot.chance.choice(robot.wagered())]
    slots = [slot for slot, stake in box.hands[0].stakes.items() if not stake.withdrawn]
    if not slots:
        return None
    chips = events.WagerRemoved(Place(box.number, 0, robot.chance.choice(slots)), "main")
    committed = Committed("wager-withdrawn", robot.stage(), events=(chips,))
    robot.do(chips)
    return committed


def under(robot: IrregularRobot) -> Committed | None:
    """A wager below the minimum, on a box of its own."""
    if not robot.bare():
        return None
    place, player = Place(robot.bare()[0], 0, 1), robot.chance.choice(("zoe", "yan"))
    robot.do(events.WagerPlaced(place, "main", 1_00, player))
    case = "again" if player in robot.below else "first time"
    robot.below.add(player)
    return Committed("under-minimum", Stage.CLOSED, (case,))


def over(robot: IrregularRobot) -> Committed | None:
    """A wager above the maximum, on a box of its own."""
    if not robot.bare():
        return None
    robot.do(events.WagerPlaced(Place(robot.bare()[0], 0, 1), "main", 12_345_67))
    return Committed("over-maximum", Stage.CLOSED)


def side_alone(robot: IrregularRobot) -> Committed | None:
    """A side wager on a box without a main wager."""
    kinds = [side.kind for side in robot.rules.side_wagers if side.needs_main == "box"]
    if not robot.empty() or not kinds:
        return None
    place = Place(robot.empty()[0], 0, 1)
    robot.do(events.WagerPlaced(place, robot.chance.choice(kinds), 10_00))
    return Committed("side-wager-without-main", Stage.CLOSED)


# --- others --------------------------------------------------------------------------------------------------------


def no_offer(robot: IrregularRobot) -> Committed | None:
    """Insurance is due, and the deal goes on."""
    place = robot.table.next_place
    due = robot.table.knows.round.offers.get("insurance") == "due"
    if robot.table.state is not State.OFFERS or not due or place is None or robot.rules.final_settlement.value:
        return None
    robot.card_at(robot.next_card(), place)
    return Committed("insurance-not-offered", Stage.SUBSEQUENT, ("", "Dealer's second card"))


def absent(robot: IrregularRobot) -> Committed | None:
    """A Player is not there."""
    if robot.table.state is State.SETTLEMENT:
        return None
    box = robot.table.knows.round.boxes[robot.chance.choice(robot.wagered())]
    committed = Committed("absent-player", robot.stage(), ("others" if len(box.mains) > 1 else "alone",))
    robot.do(events.Absent(Place(box.number)))
    return committed


def power(robot: IrregularRobot) -> Committed | None:
    """The power fails."""
    committed = Committed("power-failure", robot.stage(), ("outcome", "no outcome"))
    robot.do(events.PowerCut())
    robot.do(events.PowerOn())
    return committed


def link(robot: IrregularRobot) -> Committed | None:
    """A device does not answer."""
    committed = Committed("link-lost", robot.stage())
    robot.do(events.LinkLost("hub"))
    robot.do(events.LinkBack("hub"))
    return committed


def strange_chips(robot: IrregularRobot) -> Committed | None:
    """Chips arrive at a spot that the layout does not have."""
    chips = events.WagerPlaced(Place(1, 0, 1), "lemon", 10_00)
    committed = Committed("uncovered", robot.stage(), events=(chips,))
    robot.do(chips)
    return committed


PLANS: tuple[Plan, ...] = (
    Plan("foreign card", foreign),
    Plan("extra card", extra),
    Plan("missing card", missing),
    Plan("missing card between rounds", missing_between, "between"),
    Plan("unshuffled load", unshuffled, "between"),
    Plan("insufficient cards", insufficient),
    Plan("cutting card passed", cut_card, "between"),
    Plan("face up", face_up),
    Plan("unreadable", unreadable),
    Plan("missing burn", no_burn, needs_places=True, fresh=True),
    Plan("misdealt", misdealt, needs_places=True),
    Plan("Dealer not dealt", dealer_passed_over, needs_places=True),
    Plan("box without a wager", empty_box, needs_places=True),
    Plan("card in error", in_error, needs_places=True),
    Plan("card between rounds", in_error_between, "between", needs_places=True),
    Plan("ordered pull", ordered_pull),
    Plan("overdraw", overdraw, needs_places=True),
    Plan("hand skipped", skipped, needs_places=True),
    Plan("double draw", double_draw),
    Plan("late wager", late),
    Plan("wager withdrawn", withdrawn),
    Plan("under the minimum", under, "betting"),
    Plan("over the maximum", over, "betting"),
    Plan("side wager alone", side_alone, "betting"),
    Plan("insurance not offered", no_offer),
    Plan("absent Player", absent),
    Plan("power failure", power),
    Plan("link lost", link),
    Plan("strange chips", strange_chips),
)
