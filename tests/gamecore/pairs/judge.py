"""What is wrong with a round of two irregularities.

1. The round ends. The first is found once; the second is found once, or joins without a finding, as its act says.
2. Each finding has the clause and the ruling of the rulings matrix at the stage at which it was committed.
3. Nothing else is found.
4. The money agrees with the re-count; a void round gives everything back.
5. No card counts twice: the hands of the report are cards that left the shoe, each once. What lies and what counts, and
   the initial deal against the order of the shoe, are looked at in `layout`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from gamecore.model.events import events
from gamecore.rules.matrices import MATRICES
from gamecore.rules.stages import Stage
from tests.gamecore.pairs.acts import LAID_AGAINST_ITS_ROLE, Act, Expect
from tests.gamecore.pairs.cells import VOIDS, PlayedPair
from tests.gamecore.pairs.layout import layout_faults
from tests.recount.rows import differences, report_rows

Fault = tuple[str, str]  # what is wrong, and the clauses that say so


def faults(pair: PlayedPair) -> list[Fault]:
    """All that is wrong with a round in which both were committed."""
    report = pair.robot.steps[-1].report
    found = [*_findings(pair, report), *_twice(pair, report)]
    found += [(f"cards: {text}", _clauses(pair)) for text in layout_faults(pair, report)]
    if pair.stuck:
        return [(f"stuck: {pair.stuck}", _clauses(pair)), *found]
    if not found or report["outcome"] != "open":
        found += [(f"money: {text}", _clauses(pair)) for text in _money(pair, report)]
    return found


def _findings(pair: PlayedPair, report: dict[str, Any]) -> list[Fault]:
    wrong: list[Fault] = []
    listed = Counter(finding["code"] for finding in report["findings"])
    given = Counter(code for code, _, _ in pair.robot.found)
    acts = [act for act in (pair.first, pair.second) if act is not None]
    left = listed.copy()
    # Where places are told, what followed from a card that was believed is withdrawn when its place is corrected.
    withdrawn = not pair.robot.table.view().senses_places
    for act in acts:
        code = next((code for code in sorted(act.codes) if left[code]), act.committed.code)
        number = given[code]
        most = sum(code in other.codes for other in acts if other.expect is not Expect.JOINS)
        most += pair.robot.asked_which if code == "unreadable-card" else 0
        if act.expect is Expect.JOINS:
            continue
        if act is pair.first and _overtaken(pair) and not left[code]:
            continue
        if not left[code] and act.expect is Expect.FOUND and not (pair.robot.taken_back and code == "hand-skipped"):
            wrong.append((f"{act.committed.code} is not found", _clause(pair, act)))
        elif number > most and not pair.robot.taken_back and not (withdrawn and listed[code] <= most):
            wrong.append((f"{code} is found {number} times", _clause(pair, act)))
        left[code] -= 1
        wrong += _by_clause(pair, act, code)
    more = _others(pair, report, acts, +left)
    if more:
        wrong.append((f"also found: {' '.join(more)}", _clauses(pair)))
    return wrong


def _overtaken(pair: PlayedPair) -> bool:
    """Whether the card that would have shown the first one never came, or voided the round."""
    record = pair.robot.events[pair.robot.began :]
    drawn = [event for event in record if isinstance(event, events.CardDrawn)]
    return pair.cell.first == "cut-card-passed" and (not drawn or pair.cell.second in VOIDS | {"insufficient-cards"})


def _others(pair: PlayedPair, report: dict[str, Any], acts: list[Act], left: Counter[str]) -> list[str]:
    """What is found beside the two, and has no reason.

    Where places only count and several cards are out, the pit is asked which one arrived. A card that comes out in a
    hold may be the first after the initial deal, before RWS Pairs was settled or, against an Ace, insurance offered.
    Where the hand had stood, its finding is taken back, and the one card that had joined it is judged by itself.
    """
    asked = Counter({"unreadable-card": pair.robot.asked_which})
    if pair.cell.moment == "inside" and pair.robot.rules.casino == "RWS":
        asked["unsettled-side-wager"] += 1
    if pair.cell.moment == "inside" and [card[0] for card in report["dealer"]["cards"][:1]] == ["A"]:
        asked["insurance-not-offered"] += 1
    more = sorted((left - asked).elements())
    joined = acts[-1].expect is Expect.JOINS or acts[-1].committed.code == "unreadable-card"
    if pair.robot.taken_back and joined and pair.cell.moment == "inside":
        by_itself = next((code for code in more if code in LAID_AGAINST_ITS_ROLE), None)
        more = [code for index, code in enumerate(more) if by_itself is None or index != more.index(by_itself)]
    return more


def _by_clause(pair: PlayedPair, act: Act, code: str) -> list[Fault]:
    if code != act.committed.code:
        return []
    wanted = _cells(pair, act)
    given = [(clause, ruling) for found, clause, ruling in pair.robot.found if found == code]
    if not given or any(entry in wanted for entry in given):
        return []
    said = ", ".join(f"{clause} {ruling}" for clause, ruling in given)
    return [(f"{code} is ruled by {said} at {act.committed.stage.value}", _clause(pair, act))]


def _cells(pair: PlayedPair, act: Act) -> set[tuple[str, str]]:
    """The clauses and rulings that the matrix has for an act; a stray card may itself begin the subsequent deal."""
    stages = {act.committed.stage}
    if act.committed.stage is Stage.CLOSED:
        stages.add(Stage.INITIAL)
    rows = [row for row in MATRICES[pair.cell.game] if row.code == act.committed.code]
    cases = [row for row in rows if row.case in act.committed.cases] or rows
    return {(row.cells[stage].clause, row.cells[stage].ruling) for row in cases for stage in stages}


def _clause(pair: PlayedPair, act: Act) -> str:
    return " or ".join(sorted({clause for clause, _ in _cells(pair, act) if clause}))


def _clauses(pair: PlayedPair) -> str:
    return ", ".join(_clause(pair, act) for act in (pair.first, pair.second) if act is not None)


# --- money and cards -----------------------------------------------------------------------------------------------


def _money(pair: PlayedPair, report: dict[str, Any]) -> list[str]:
    if report["outcome"] == "void":
        return [f"{spot} is not returned in a void round" for spot, row in report_rows(report) if row.net]
    limits = {kind: (least, most) for kind, least, most in pair.robot.header.limits}
    return differences(pair.cell.game, limits, pair.robot.steps)


def _twice(pair: PlayedPair, report: dict[str, Any]) -> list[Fault]:
    out: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for event in pair.robot.events:
        match event:
            case events.CardDrawn(card):
                out[str(card)] += 1
            case events.CardsPulled(cards):
                out.update(map(str, cards))
            case events.Answer(what=what):
                named.update(what)
    counted = Counter(card for hand in (*report["hands"], report["dealer"]) for card in hand["cards"])
    more = counted - out - named
    more.pop("??", None)
    return [(f"counts more often than it was dealt: {' '.join(sorted(more))}", _clauses(pair))] if more else []
