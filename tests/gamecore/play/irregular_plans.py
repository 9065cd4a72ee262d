"""The irregularities that sensors can find, each committed once: of the cards and of the deal, and the list of all.

Each function looks whether it can be committed now; None if not. What it returns is what the table must find.
"""

from __future__ import annotations

from gamecore.model.cards import JOKER
from gamecore.model.events import events
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.states import State
from gamecore.rules.stages import Stage
from tests.gamecore.play import irregular_wagers as people
from tests.gamecore.play.irregular_robot import Committed, IrregularRobot, Plan

DEALING = {State.BETS_CLOSED, State.INITIAL_DEAL}
AFTER = {State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}


def _card_due(robot: IrregularRobot) -> Place | None:
    """Where a card is due now, the burn and pending offers aside."""
    view = robot.table.view()
    waiting = view.in_transit or view.next_cards or robot.pairs_due()
    if robot.table.state is State.BETTING or robot.offer_due() or waiting:
        return None
    place = robot.table.next_place
    return None if place == BURN else place


def _ready(robot: IrregularRobot) -> bool:
    """Whether a stray card would be that alone: no burn, offer or settlement is due, and no card waits to be laid."""
    view = robot.table.view()
    waiting = view.in_transit or view.next_cards or view.burn_due or view.dealer_owed or robot.pairs_due()
    return not waiting and robot.table.state in DEALING | AFTER and not robot.offer_due()


def _pending(robot: IrregularRobot) -> bool:
    turn = robot.table.view().round.turn
    return turn is not None and turn.hands[robot.table.view().round.turn_hand].awaits_card


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
    place, cards = _card_due(robot), robot.table.view().cards
    spent = [card for card in robot.all_faces() if cards.out.get(card.face, 0) == robot.header.decks]
    if place is None:
        return None
    committed = Committed("extra-card", robot.stage())
    if spent and robot.header.shuffling != "continuous":
        robot.card_at(robot.chance.choice(spent), place)
    else:
        robot.let_happen(events.ShoeCounted(robot.left() + 1))
    return committed


def missing(robot: IrregularRobot) -> Committed | None:
    """The shoe counts one card too few."""
    committed = Committed("missing-card", robot.stage())
    robot.let_happen(events.ShoeCounted(robot.left() - 1))
    return committed


def missing_between(robot: IrregularRobot) -> Committed | None:
    """The discard holder counts one card too few, between rounds."""
    out = robot.set_size() - robot.left()
    if out < 1:
        return None
    robot.let_happen(events.DiscardCounted(out - 1))
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
    robot.let_happen(events.ShoeEmpty())
    return committed


def cut_card(robot: IrregularRobot) -> Committed | None:
    """The cutting card came out, and nobody shuffled."""
    if not robot.table.view().played or isinstance(robot.events[-1], events.Loaded):
        return None
    robot.let_happen(events.CuttingCardOut())
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
    if robot.table.state is not State.BETS_CLOSED or not robot.table.view().burn_due:
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
    card, burnt = robot.next_card(), robot.table.view().burnt
    wrong = [place for place in places if place.box != due.box and place != passed_over]
    wrong = [place for place in wrong if place != BURN or card not in burnt]  # there it would be the burnt one
    committed = Committed("misdealt-card", robot.stage_of_stray())
    robot.card_at(card, robot.chance.choice(wrong))
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
    turn, state = robot.table.view().round.turn, robot.table.state
    if not _ready(robot) or state not in {State.PLAYER_TURN, State.SETTLEMENT} or _pending(robot):
        return None
    boxes = robot.table.view().round.boxes
    played = [
        box for box in robot.wagered() if boxes[box] is not turn and all(hand.complete for hand in boxes[box].hands)
    ]
    if not played:
        return None
    committed = Committed("card-in-error", robot.stage_of_stray())
    robot.card_at(robot.next_card(), Place(robot.chance.choice(played)))
    return committed


def in_error_between(robot: IrregularRobot) -> Committed | None:
    """A card comes out between rounds."""
    if robot.table.view().burn_due or not robot.table.view().played:
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
    robot.let_happen(events.CardsPulled(cards, (), ordered=True))
    if place is not None:
        robot.let_happen(events.CardLaid(cards[0], place))
    return committed


def overdraw(robot: IrregularRobot) -> Committed | None:
    """The Dealer takes a card too many."""
    dealer = robot.table.view().round.dealer
    if robot.table.state is not State.SETTLEMENT or not dealer.cards or not _ready(robot):
        return None
    complete = robot.rules.dealer_complete.value(dealer.total, dealer.soft)
    committed = Committed("dealer-overdraw", robot.stage_of_stray(), ("complete" if complete else "below",))
    robot.card_at(robot.next_card(), DEALER)
    return committed


def skipped(robot: IrregularRobot) -> Committed | None:
    """A card lies at a later hand that can still act, or at the Dealer's."""
    turn, boxes = robot.table.view().round.turn, robot.table.view().round.boxes
    if robot.table.state is not State.PLAYER_TURN or turn is None or _pending(robot) or not _ready(robot):
        return None
    later = [
        Place(box)
        for box in robot.wagered()
        if box > turn.number and any(not hand.complete for hand in boxes[box].hands)
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
    robot.let_happen(events.CardsPulled(cards, tuple(robot.chance.sample(cards, shown))))
    return committed


def box_short(robot: IrregularRobot) -> Committed | None:
    """One of the two cards of a box is taken off it, now and then the other one after it."""
    return _take_off(robot, "box-short", 2)


def box_short_late(robot: IrregularRobot) -> Committed | None:
    """The same, when a further card was dealt or an interim settlement has taken place."""
    return _take_off(robot, "box-short", 2) if robot.stage() is not Stage.INITIAL else None


def box_not_dealt(robot: IrregularRobot) -> Committed | None:
    """The only card of a box is taken off it."""
    return _take_off(robot, "box-not-dealt", 1)


def _take_off(robot: IrregularRobot, code: str, dealt: int) -> Committed | None:
    """Where a box has this many cards and nobody has acted upon them, one of them is moved, or all in time.

    Not one that has the face of a next card, which may lie there too: nobody could tell which was moved.
    """
    boxes, stage, waiting = robot.table.view().round.boxes, robot.stage(), robot.table.view().next_cards
    repaired = stage is Stage.INITIAL or (stage is Stage.SUBSEQUENT and robot.rules.final_settlement.value)
    hands = {box: boxes[box].hands[0] for box in robot.wagered() if len(boxes[box].hands) == 1}
    found = [
        box
        for box, hand in hands.items()
        if len(hand.cards) == dealt
        and hand.in_play
        and not set(hand.cards) & set(waiting)
        and not (hand.stood or hand.awaits_card or hand.settled)
        and (repaired or not hand.complete)
    ]
    if not found or robot.table.view().in_transit:
        return None
    box = robot.chance.choice(found)
    elsewhere = [place for place in (*map(Place, robot.wagered()), DEALER, DISCARD) if place.box != box]
    several = repaired and robot.chance.random() < 0.3  # late, the second is a finding of its own (MBS 5.14)
    cards = robot.chance.sample(hands[box].cards, dealt if several else 1)
    committed = Committed(code, stage)
    for card in cards:
        robot.let_happen(events.CardMoved(card, Place(box), robot.chance.choice(elsewhere)))
    return committed


PLANS: tuple[Plan, ...] = (
    Plan("foreign-card", "foreign card", foreign),
    Plan("extra-card", "extra card", extra),
    Plan("missing-card", "missing card", missing),
    Plan("missing-card", "missing card between rounds", missing_between, "between"),
    Plan("unshuffled-cards", "unshuffled load", unshuffled, "between"),
    Plan("insufficient-cards", "insufficient cards", insufficient),
    Plan("cut-card-passed", "cutting card passed", cut_card, "between"),
    Plan("face-up-card", "face up", face_up),
    Plan("unreadable-card", "unreadable", unreadable),
    Plan("missing-burn", "missing burn", no_burn, needs_places=True, fresh=True),
    Plan("misdealt-card", "misdealt", misdealt, needs_places=True),
    Plan("dealer-not-dealt", "Dealer not dealt", dealer_passed_over, needs_places=True),
    Plan("box-not-dealt", "box not dealt", box_not_dealt, needs_places=True),
    Plan("box-short", "box short", box_short, needs_places=True),
    Plan("box-short", "box short, late", box_short_late, needs_places=True),
    Plan("unwagered-box-dealt", "box without a wager", empty_box, needs_places=True),
    Plan("card-in-error", "card in error", in_error, needs_places=True),
    Plan("card-in-error", "card between rounds", in_error_between, "between", needs_places=True),
    Plan("card-in-error", "ordered pull", ordered_pull),
    Plan("dealer-overdraw", "overdraw", overdraw, needs_places=True),
    Plan("hand-skipped", "hand skipped", skipped, needs_places=True),
    Plan("double-draw", "double draw", double_draw),
    Plan("late-wager", "late wager", people.late),
    Plan("wager-withdrawn", "wager withdrawn", people.withdrawn),
    Plan("under-minimum", "under the minimum", people.under, "betting"),
    Plan("over-maximum", "over the maximum", people.over, "betting"),
    Plan("side-wager-without-main", "side wager alone", people.side_alone, "betting"),
    Plan("unsettled-side-wager", "pairs not settled", people.unsettled_pairs),
    Plan("insurance-not-offered", "insurance not offered", people.no_offer),
    Plan("absent-player", "absent Player", people.absent),
    Plan("power-failure", "power failure", people.power),
    Plan("link-lost", "link lost", people.link),
    Plan("uncovered", "strange chips", people.strange_chips),
)
