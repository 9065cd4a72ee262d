"""The whole of a round's money, and what differs from the rows of a report.

1. A row is known by box, slot, hand, kind and player; stake, result and net must be the same to the cent.
2. A wager that a clause gave back is told by the report and taken as such where something said in the round gives it a
   reason: an answer `withdraw`, a finding whose ruling returns wagers at that box, another's claim to the spot. Without
   a reason it is a difference.
3. A main wager that was withdrawn before anything was decided about its hand goes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.recount.limits import Limits, apply_limits
from tests.recount.mains import RETURNED, main_rows
from tests.recount.plain import Money, Outcome, PlainRound, Spot
from tests.recount.sides import insurance_rows, side_rows, super_bonus_rows
from tests.recount.tape import Reader, Step, cents, hands_of, place, rounds_of


def recount(game: PlainRound) -> Money:
    """Every wager of the round."""
    found: Money = []
    for _, area in sorted(game.areas.items()):
        found += main_rows(game, area) + side_rows(game, area) + insurance_rows(game, area)
    found += super_bonus_rows(game)
    found += [
        (Spot(late.box, late.slot, late.hand, late.kind, None), Outcome(late.amount, "refused", 0))
        for late in game.refused
    ]
    return found


def differences(game: str, limits: Limits, steps: Sequence[Step]) -> list[str]:
    """What the settled rounds of a tape have wrong."""
    found: list[str] = []
    warned: set[str] = set()
    for reader in rounds_of(game, steps):
        plain, report = reader.finish(), reader.report
        told = report_rows(report)
        below = apply_limits(plain, limits, warned)
        if report["outcome"] == "settled":
            found += [f"round {report['number']}: {text}" for text in _compare(reader, plain, told)]
            warned |= {who for who in below if not _all_returned(plain, who, told)}
    return found


def report_rows(report: dict[str, Any]) -> Money:
    """The rows of a report."""
    return [
        (
            Spot(row["box"], row["slot"], row["hand"], row["kind"], _whose(row)),
            Outcome(cents(row["stake"]), row["result"], _signed(row["net"])),
        )
        for row in report["wagers"]
    ]


def _whose(row: dict[str, Any]) -> str | None:
    """Whose a row is; of refused chips it does not matter."""
    return None if row["result"] == "refused" else row["player"]


def _signed(text: str | None) -> int:
    return 0 if text is None else -cents(text[1:]) if text.startswith("-") else cents(text)


def _all_returned(plain: PlainRound, who: str, told: Money) -> bool:
    """Whether everything that a Player had went back, so that their wager under the minimum has no outcome."""
    spots = {(area.box, wager.slot) for area in plain.areas.values() for wager in area.wagers if wager.who == who}
    return all(outcome.result == RETURNED for spot, outcome in told if spot[:2] in spots)


def _compare(reader: Reader, plain: PlainRound, told: Money) -> list[str]:
    found: list[str] = []
    counted = Counter(recount(plain))
    reported = Counter(told)
    for spot, outcome in (reported - counted).elements():
        mine = [own for other, own in (counted - reported).elements() if other == spot]
        if outcome.result == RETURNED and outcome.net == 0 and mine and mine[0].stake == outcome.stake:
            if _may_return(reader, plain, spot):
                continue
            found.append(f"{_name(spot)} goes back without a reason, counted {_say(mine[0])}")
            continue
        said = " or ".join(map(_say, mine)) or "no such wager"
        found.append(f"{_name(spot)} is {_say(outcome)}, counted {said}")
    known = {spot for spot, _ in told}
    found += [f"{_name(s)} has no row, counted {_say(o)}" for s, o in counted if s not in known]
    return found + _kept_against_their_word(reader, plain, told)


def _kept_against_their_word(reader: Reader, plain: PlainRound, told: Money) -> list[str]:
    """Wagers that were withdrawn when the hand had plainly not won or lost, and did not go back."""
    found: list[str] = []
    for who, lying in reader.withdrawn:
        box, _, slot = place(who)
        mains = plain.areas[box].mains if box in plain.areas else {}
        named = slot or (min(mains) if len(mains) == 1 else 0)
        open_hands = {hand["hand"] for hand in hands_of(lying, box) if hand["total"] is not None and hand["total"] < 21}
        given_up = named in mains and (mains[named].surrendered or mains[named].even_money)
        for spot, outcome in told:
            mine = spot.kind == "main" and (spot.box, spot.slot) == (box, named) and spot.hand in open_hands
            if (
                mine
                and not given_up
                and len(lying["dealer"]["cards"]) < 2
                and outcome.result not in {RETURNED, "refused"}
            ):
                found.append(f"{_name(spot)} was withdrawn and is {_say(outcome)}")
    return found


def _may_return(reader: Reader, plain: PlainRound, spot: Spot) -> bool:
    """Whether something said in the round gives a reason for a wager to go back."""
    if any(_covers(plain, who, spot) for who, _ in reader.withdrawn) or _contested(plain, spot):
        return True
    if spot.kind == "insurance" and (spot.box, spot.slot) in reader.lapsed:
        return True
    mains = plain.areas[spot.box].mains
    gone = {slot for slot in mains if _gone(reader, plain, spot.box, slot)}
    if gone and all(slot in gone or main.surrendered for slot, main in mains.items()):
        return True  # the hand is invalidated (RWS 5.7.3), and what depended on it has no result
    for finding in reader.report["findings"]:
        boxes = {place(text)[0] for text in finding["places"]}
        if finding["ruling"] == "return-wager" and spot.box in boxes:
            return True
    return False


def _covers(plain: PlainRound, who: str, spot: Spot) -> bool:
    """Whether somebody's word to withdraw speaks of this wager: of their spot, or of all that a named Player has."""
    box, _, slot = place(who)
    if who == "all" or (box == spot.box and slot in {0, spot.slot}):
        return True
    mains = plain.areas[box].mains if box in plain.areas else {}
    named = {who, *(main.player for main in mains.values() if slot in {0, main.slot})} - {None}
    return spot.player in named


def _gone(reader: Reader, plain: PlainRound, box: int, slot: int) -> bool:
    """Whether the main wager at a spot was withdrawn."""
    spot = Spot(box, slot, 1, "main", plain.areas[box].mains[slot].player)
    return any(_covers(plain, who, spot) for who, _ in reader.withdrawn)


def _contested(plain: PlainRound, spot: Spot) -> bool:
    """Whether another Player's wager of that kind lies at the same spot (MBS 3.17.2, 3.27.4; Pontoon 3.26.4)."""
    area = plain.areas[spot.box]
    wagers = area.insurance if spot.kind == "insurance" else [side for side in area.sides if side.kind == spot.kind]
    return any(wager.slot == spot.slot and wager.player != spot.player for wager in wagers)


def _name(spot: Spot) -> str:
    by = f" of {spot.player}" if spot.player else ""
    return f"{spot.box}.{spot.hand}/{spot.slot} {spot.kind}{by}"


def _say(outcome: Outcome) -> str:
    return f"{outcome.result} {outcome.net / 100:+.2f} (stake {outcome.stake / 100:.2f})"
