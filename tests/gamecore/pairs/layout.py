"""Where the cards of a round lie and belong, told from the events alone.

1. A card lies where it was laid or moved last (`felt`).
2. Where every ruling lets the felt come to the count (reconstruct, discard) or touches no card, each place counts at
   the end what lies there. A card that was drawn in a hold and joined may lie anywhere: it may be the next one.
3. Where every dealing error was ruled to be reconstructed in the initial deal, the first cards are those of the shoe in
   its order: a card each to the boxes and the Dealer, then another to the boxes (MBS 3.18, 5.6.1; RWS 1.27, 3.11, 5.9).
   Nobody's choice, no card unread and no card drawn in a hold for another ruling may have come in between.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from gamecore.model.events import events
from gamecore.model.events.events import Event
from tests.gamecore.pairs.acts import Expect
from tests.gamecore.pairs.cells import PlayedPair
from tests.gamecore.pairs.felt import felt
from tests.recount.tape import rounds_of

COMES_TO_THE_COUNT = frozenset(
    {
        "reconstruct",
        "discard",
        "refuse-wager",
        "settle-to-limit",
        "pay-once",
        "house-draws",
        "shuffle-after-round",
        "riffle-and-continue",
    }
)
TOUCHES_NO_CARD = frozenset(
    {"late-wager", "wager-withdrawn", "link-lost", "cut-card-passed", "face-up-card", "power-failure", "uncovered"}
)
DEALING = frozenset(
    {"misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short", "unwagered-box-dealt", "missing-burn"}
)


def layout_faults(pair: PlayedPair, report: dict[str, Any]) -> list[str]:
    """What lies or counts where it should not."""
    findings = report["findings"]
    found: list[str] = []
    if report["outcome"] != "settled" or _withdrawn(pair):
        return found
    bound = all(f["ruling"] in COMES_TO_THE_COUNT or f["code"] in TOUCHES_NO_CARD for f in findings)
    if bound and pair.cell.fitting == "positions":
        found += _felt_against_count(pair, report)
    early = all(f["code"] in TOUCHES_NO_CARD or _early(pair, f) for f in findings)
    if early and not _choices_or_strays(pair, findings):
        found += _against_the_shoe(pair, report)
    return found


def _choices_or_strays(pair: PlayedPair, findings: list[dict[str, Any]]) -> bool:
    """Whether cards were chosen, or drawn in the hold of a ruling that puts no cards back."""
    joined = pair.second is not None and pair.second.expect is not Expect.FOUND
    put_back = bool(findings) and findings[0]["ruling"] == "reconstruct"
    pulled = any(isinstance(event, events.CardsPulled) for event in pair.robot.events)
    return pulled or (joined and not put_back)


def _withdrawn(pair: PlayedPair) -> bool:
    return any(isinstance(event, events.Answer) and event.what == ("withdraw",) for event in pair.robot.events)


def _early(pair: PlayedPair, finding: dict[str, Any]) -> bool:
    rws = pair.robot.rules.casino == "RWS"
    clauses = {"5.9"} if rws else {"5.6.1", "5.11", "5.13", "5.21.1"}
    return finding["code"] in DEALING and finding["ruling"] == "reconstruct" and finding["clause"] in clauses


# --- felt ----------------------------------------------------------------------------------------------------------


def _felt_against_count(pair: PlayedPair, report: dict[str, Any]) -> list[str]:
    lying, unsure = felt(pair.robot.events[pair.robot.began :])
    joined = Counter(
        step.text.split()[2] for step in pair.robot.steps if step.state == "held" and step.text.startswith("draw = ")
    )
    joined += Counter(str(card) for card in pair.robot.table.view().next_cards)  # it may lie where it lies until dealt
    counted: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for hand in report["hands"]:
        counted[hand["box"]].update(hand["cards"])
    counted[0].update(report["dealer"]["cards"])
    found = []
    for box in sorted(set(counted) | {box for box in lying if box >= 0}):
        more, fewer = lying[box] - counted[box], counted[box] - lying[box]
        differing = {card for card in (more - joined) + fewer if card not in unsure}
        if differing and "??" not in lying[box]:
            there, said = " ".join(sorted(lying[box].elements())), " ".join(sorted(counted[box].elements()))
            found.append(f"at {box or 'dealer'} lie {there or 'no cards'}, counted are {said or 'none'}")
    return found


# --- the order of the shoe -----------------------------------------------------------------------------------------


def _against_the_shoe(pair: PlayedPair, report: dict[str, Any]) -> list[str]:
    """What the initial deal should be by the order of the shoe, and is not."""
    robot = pair.robot
    record = robot.events[robot.began :]
    shoe = [str(event.card) for event in record if isinstance(event, events.CardDrawn)]
    if "??" in shoe or _pushed_or_loaded(record):
        return []
    if robot.burned_in_round():
        shoe = shoe[1:]
    areas = rounds_of(pair.cell.game, robot.steps)[-1].finish().areas
    boxes = sorted(area.box for area in areas.values() if area.mains)
    number = len(boxes)
    if len(shoe) < 2 * number + 1:
        return []
    found = []
    for index, box in enumerate(boxes):
        meant = (shoe[index], shoe[number + 1 + index])
        if sorted(areas[box].first_two) != sorted(meant):
            found.append(f"box {box} was to get {' '.join(meant)}, has {' '.join(areas[box].first_two)}")
    if report["dealer"]["cards"][:1] != [shoe[number]]:
        found.append(f"the Dealer was to get {shoe[number]}, has {' '.join(report['dealer']['cards'][:1])}")
    return found


def _pushed_or_loaded(record: list[Event]) -> bool:
    return any(isinstance(event, events.CardPushedBack | events.Loaded | events.ShoeEmpty) for event in record)
