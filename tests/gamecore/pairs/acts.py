"""How each of the 29 codes is committed: as any irregularity of a round, on told tables, and inside a hold.

1. Where places are sensed, a plan of `irregular_plans` commits it and the table finds it. Where they are told, a person
   is believed; so the same is done and then reported (`call`).
2. Inside a hold: a card that is drawn joins the open matter without a finding, unless it is foreign, extra, unreadable
   or part of a double draw; a card that lies and is moved joins the list of moves; a card that was out and is laid
   against its role is a finding of its own. Chips, people and devices are found as always.
3. An act returns what it did, or None if it cannot be done now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from gamecore.model.cards import JOKER
from gamecore.model.events import events
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from tests.gamecore.pairs.felt import felt
from tests.gamecore.pairs.robot import PairRobot
from tests.gamecore.play import irregular_wagers as people
from tests.gamecore.play.irregular_plans import DEALING, PLANS
from tests.gamecore.play.irregular_robot import Committed, Plan

DEALS_ON = frozenset({"insurance-not-offered", "unsettled-side-wager", "missing-burn"})  # with a fresh card
DEALT_AS_DUE = frozenset({"face up", "unreadable", "ordered pull"})  # with a card that lies where one is due
SAME_AGAIN = frozenset({"side-wager-without-main", "absent-player"})  # the same wager or Player is found once
LAID_AGAINST_ITS_ROLE = frozenset(
    {"misdealt-card", "card-in-error", "unwagered-box-dealt", "dealer-overdraw", "hand-skipped", "uncovered"}
)


class Expect(Enum):
    """What the table must make of an act."""

    FOUND = "found"
    JOINS = "joins"
    EITHER = "found or joins"


@dataclass(frozen=True, slots=True)
class Act:
    """What was done and what must come of it; `codes` are the words under which it may be found."""

    committed: Committed
    expect: Expect = Expect.FOUND
    codes: frozenset[str] = frozenset()


Inside = Callable[[PairRobot], Act | None]

# --- first, or after a hold ----------------------------------------------------------------------------------------


def commit(plan: Plan, robot: PairRobot) -> Act | None:
    """Commit a plan where it can be committed now."""
    needs_word = plan.needs_places and plan.when != "between" and not robot.header.places_sensed
    told = TOLD.get(plan.code) if needs_word else None
    if (told is not None or plan.code in DEALS_ON) and robot.cards_wait():
        return None
    if plan.needs_places and robot.next_looks_like_one_out():
        return None
    if plan.when == "playing" and (not robot.wagered() or (plan.code == "dealer-not-dealt" and robot.first_box_left())):
        return None
    if plan.name in DEALT_AS_DUE:
        robot.ask_for_card()
    few = robot.drawn() <= 1 or not any(hand["cards"] for hand in robot.steps[-1].report.get("hands", ()))
    again = plan.code in SAME_AGAIN and plan.code in robot.committed
    committed = plan.commit(robot) if told is None else told(plan, robot)
    if committed is None:
        return None
    if plan.code == "face-up-card" and few:  # a burn that is put back, a stray or a refused card
        committed = replace(committed, cases=("first card", "later card"))
    if plan.code == "dealer-overdraw" and plan.code in robot.committed:  # the card before may or may not count
        committed = replace(committed, cases=("complete", "below"))
    if plan.code == "under-minimum":  # the first one has no outcome yet when the second is placed
        committed = replace(committed, cases=("first time", "again"))
    codes = {plan.code, "uncovered"} if plan.code == "box-short" and plan.code in robot.committed else {plan.code}
    robot.committed.append(plan.code)
    return Act(committed, Expect.EITHER if again else Expect.FOUND, frozenset(codes))


def _reported(plan: Plan, robot: PairRobot) -> Committed | None:
    """The card lies where it should not, and somebody says so."""
    turn = robot.table.next_place
    committed = plan.commit(robot)
    if committed is None:
        return None
    last = robot.events[-1]
    lies = last.told if isinstance(last, events.CardDrawn) else None
    place = {"missing-burn": None, "dealer-not-dealt": DEALER, "hand-skipped": turn}.get(plan.code, lies)
    robot.let_happen(events.Call(plan.code, None if place is None else Place(place.box)))
    return committed


def _box_passed_over(plan: Plan, robot: PairRobot) -> Committed | None:
    """A card due at a box is told at the next place, and somebody says which box went short."""
    due, boxes = robot.table.next_place, robot.wagered()
    if robot.table.state not in DEALING or due is None or due.box <= 0:
        return None
    has_card = any(hand["box"] == due.box for hand in robot.steps[-1].report["hands"])
    if has_card != (plan.code == "box-short"):
        return None
    later = [Place(box) for box in boxes if box > due.box] or [DEALER]
    committed = Committed(plan.code, robot.stage())
    robot.card_at(robot.next_card(), later[0])
    robot.let_happen(events.Call(plan.code, Place(due.box)))
    return committed


TOLD: dict[str, Callable[[Plan, PairRobot], Committed | None]] = {
    "missing-burn": _reported,
    "misdealt-card": _reported,
    "dealer-not-dealt": _reported,
    "unwagered-box-dealt": _reported,
    "card-in-error": _reported,
    "dealer-overdraw": _reported,
    "hand-skipped": _reported,
    "box-not-dealt": _box_passed_over,
    "box-short": _box_passed_over,
}

# --- inside a hold -------------------------------------------------------------------------------------------------


def _act(robot: PairRobot, code: str, expect: Expect, *cases: str) -> Act:
    return Act(Committed(code, robot.stage(), cases or ("",)), expect, frozenset({code}))


def _somewhere(robot: PairRobot) -> Place:
    return robot.chance.choice([*map(Place, robot.wagered()), DEALER])


def _foreign(robot: PairRobot) -> Act:
    act = _act(robot, "foreign-card", Expect.FOUND)
    robot.card_at(JOKER, _somewhere(robot))
    return act


def _extra(robot: PairRobot) -> Act:
    act = _act(robot, "extra-card", Expect.FOUND)
    robot.let_happen(events.ShoeCounted(robot.left() + 1))
    return act


def _missing(robot: PairRobot) -> Act:
    act = _act(robot, "missing-card", Expect.FOUND)
    robot.let_happen(events.ShoeCounted(robot.left() - 1))
    return act


def _unshuffled(robot: PairRobot) -> Act | None:
    if not robot.table.can(events.Call("unshuffled-cards")):
        return None
    act = _act(robot, "unshuffled-cards", Expect.FOUND)
    robot.let_happen(events.Call("unshuffled-cards"))
    return act


def _insufficient(robot: PairRobot) -> Act:
    """Nobody should draw in a hold; that the shoe is empty is known then, and bites when a card is due."""
    act = _act(
        robot, "insufficient-cards", Expect.EITHER, "manual" if robot.header.shuffling == "manual" else "machine"
    )
    robot.let_happen(events.ShoeEmpty())
    return act


def _double_draw(robot: PairRobot) -> Act:
    number = robot.chance.choice((2, 2, 3))
    cards = tuple(robot.next_card() for _ in range(number))
    shown = robot.chance.randint(0, number)
    case = ("none disclosed", "one disclosed", "more disclosed")[min(shown, 2)]
    act = _act(robot, "double-draw", Expect.FOUND, case, f"Dealer, {case}")
    robot.let_happen(events.CardsPulled(cards, tuple(robot.chance.sample(cards, shown))))
    return act


def _unreadable(robot: PairRobot) -> Act:
    act = _act(robot, "unreadable-card", Expect.FOUND)
    robot.unread_at(_somewhere(robot))
    return act


def _face_up(robot: PairRobot) -> Act:
    act = _act(robot, "face-up-card", Expect.JOINS, "first card", "later card")
    robot.card_at(robot.next_card(), _somewhere(robot), face_up=True)
    return act


def _joins_at(code: str, where: Callable[[PairRobot], list[Place]]) -> Inside:
    """A card is drawn in the hold and laid at one of these places."""

    def draw(robot: PairRobot) -> Act | None:
        places = where(robot)
        if not places:
            return None
        act = _act(robot, code, Expect.JOINS)
        robot.card_at(robot.next_card(), robot.chance.choice(places))
        return act

    return draw


def _laid_against_its_role(robot: PairRobot) -> Act | None:
    """A card that was pulled and lies nowhere is laid on a hand while the table waits for a ruling about it."""
    pulls = [event for event in robot.events if isinstance(event, events.CardsPulled)]
    laid = any(isinstance(event, events.CardLaid) for event in robot.events[-1:])
    if not pulls or not robot.header.places_sensed or robot.header.places_counted or laid:
        return None
    concerned = {text for finding in robot.steps[-1].report["findings"] for text in finding["places"]}
    others = [Place(box) for box in robot.wagered() if str(box) not in concerned]
    if not others:
        return None
    act = Act(Committed("misdealt-card", robot.stage()), Expect.FOUND, LAID_AGAINST_ITS_ROLE)
    robot.let_happen(events.CardLaid(robot.chance.choice(pulls[-1].cards), robot.chance.choice(others)))
    return act


def _misdealt(robot: PairRobot) -> Act | None:
    if robot.found[-1][0] == "double-draw" and not robot.header.places_counted:
        return _laid_against_its_role(robot)
    return _joins_at("misdealt-card", lambda at: [*map(Place, at.wagered()), BURN])(robot)


def _moved_off(code: str, dealt: int) -> Inside:
    """A card that lies is moved off its box."""

    def move(robot: PairRobot) -> Act | None:
        lying = {box: list(cards.elements()) for box, cards in felt(robot.meant[robot.began :])[0].items() if box > 0}
        boxes = {box: robot.card(cards[0]) for box, cards in lying.items() if len(cards) == dealt}
        boxes = {box: card for box, card in boxes.items() if robot.plays(box) and str(card) != "??"}
        if not boxes or not robot.header.places_sensed:
            return None
        box = robot.chance.choice(sorted(boxes))
        act = _act(robot, code, Expect.JOINS)
        robot.let_happen(events.CardMoved(boxes[box], Place(box), robot.chance.choice((DEALER, DISCARD))))
        return act

    return move


def _always(function: Callable[[PairRobot], Committed | None]) -> Inside:
    """What is found in a hold as at any other time."""

    def commit_it(robot: PairRobot) -> Act | None:
        committed = function(robot)
        return None if committed is None else Act(committed, codes=frozenset({committed.code}))

    return commit_it


def _absent(robot: PairRobot) -> Committed | None:
    boxes = [box for box in robot.wagered() if robot.table.can(events.Absent(Place(box)))]
    committed = people.absent(robot) if boxes == robot.wagered() else None
    return None if committed is None else replace(committed, cases=("alone", "others"))


INSIDE: dict[str, Inside] = {
    "foreign-card": _foreign,
    "extra-card": _extra,
    "missing-card": _missing,
    "unshuffled-cards": _unshuffled,
    "insufficient-cards": _insufficient,
    "double-draw": _double_draw,
    "unreadable-card": _unreadable,
    "face-up-card": _face_up,
    "misdealt-card": _misdealt,
    "hand-skipped": _joins_at("hand-skipped", lambda at: [Place(at.wagered()[-1])]),
    "unwagered-box-dealt": _joins_at("unwagered-box-dealt", lambda at: list(map(Place, at.empty()))),
    "card-in-error": _joins_at("card-in-error", lambda at: [Place(at.wagered()[0])]),
    "dealer-overdraw": _joins_at("dealer-overdraw", lambda _: [DEALER]),
    "box-short": _moved_off("box-short", 2),
    "box-not-dealt": _moved_off("box-not-dealt", 1),
    "late-wager": _always(people.late),
    "wager-withdrawn": _always(people.withdrawn),
    "absent-player": _always(_absent),
    "power-failure": _always(people.power),
    "link-lost": _always(people.link),
    "uncovered": _always(people.strange_chips),
}
NOT_INSIDE = {
    "cut-card-passed": "it is found at the first card of a round, before any hold",
    "missing-burn": "it is found at the first card of a round, before any hold",
    "dealer-not-dealt": "a card drawn in a hold joins the matter, whoever it passes over",
    "insurance-not-offered": "no card is dealt past an offer in a hold",
    "unsettled-side-wager": "no card is dealt past the settlement of RWS Pairs in a hold",
    "under-minimum": "bets are closed in a hold",
    "over-maximum": "bets are closed in a hold",
    "side-wager-without-main": "bets are closed in a hold",
}
BY_CODE: dict[str, tuple[Plan, ...]] = {
    code: tuple(p for p in PLANS if p.code == code) for code in {p.code for p in PLANS}
}
