"""What a held round asks of people: questions with their answers, open matters with their moves, and duties.

1. The first question is asked now, in the words of the table. An answer stands there as a statement that the table
   takes. Where a card is to be named (the option ``CARD``), who answers names it, and no statement stands for it.
2. The moves of a matter are those of its finding. One is done when it is not among those that remain; one that has
   become another because the card lies elsewhere meanwhile stands as it is now. Where the cards are left as they lie,
   nothing is to be moved.
3. A duty is a statement that carries something on: an approval that is waited for, that the cards lie as ruled or
   cannot be put back, that discards were riffled by hand, that a Player is not there. The table takes it; what would
   change nothing is not offered.
4. A correction is a statement that mends a mistake: the last command is taken back, a report retracted.
5. Roles are those of which one, or a higher one, may say it on a table with roles.
"""

from __future__ import annotations

from typing import get_args

from firmware_bridge.bridge.scene_cards import Lying, named
from firmware_bridge.people import permissions
from firmware_bridge.people.roles import PIT_SUPERVISOR, SHIFT_MANAGER
from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.irregularities.repair import remaining
from gamecore.model import events as ev
from gamecore.model.places import Place
from gamecore.model.round import Ask, Finding, Move
from gamecore.model.state import Matter, TableState
from gamecore.notation.writer import write_event
from gamecore.phases.offers import INSURANCE, MISSED
from gamecore.table import Table
from gamecore.view import allowed
from gamecore.view.report import finding_report

CARD = "CARD"
_OVER = frozenset({"done", "cannot", "leave"})
_LEFT = frozenset({"cannot", "leave"})
_SKIPPED = frozenset({"skipped", "skipped-options"})
#: Procedures where the cards may be said to lie as ruled while somebody is still asked.
_BEFORE_ANSWERS = frozenset(
    {"reconstruct", "reconstruct-options", "discard-box-options", "disclosed-next", "skipped-options"}
)


def asks(table: Table) -> list[dict[str, object]]:
    """Every pending question, the one asked now first."""
    return [_ask(table, ask) for ask in table.knows.asks]


def _ask(table: Table, ask: Ask) -> dict[str, object]:
    answers = []
    for option in ask.options:
        answer = ev.Answer(ask.who, (option,))
        if option != CARD and table.can(answer):
            answers.append({"option": option, "statement": write_event(answer)})
    roles = list(permissions.needed(ev.Answer(ask.who, ()), table))
    return {"who": ask.who, "options": list(ask.options), "clause": ask.clause, "roles": roles, "answers": answers}


def matters(t: TableState, cards: Lying) -> list[dict[str, object]]:
    """Every open matter, the one that is carried out now first."""
    return [_matter(t, matter, cards) for matter in t.matters]


def _matter(t: TableState, matter: Matter, cards: Lying) -> dict[str, object]:
    finding = matter.finding
    concerned = [*matter.cards, *matter.hidden] or finding.cards
    return {
        "code": finding.code,
        "clause": finding.clause,
        "ruling": finding.ruling,
        "places": [str(place) for place in finding.places],
        "cards": [cards.name(card) for card in concerned],
        "whose": finding.whose,
        "obstacle": finding.obstacle,
        "moves": [_move(t, move, done=done) for move, done in ticked(t, matter)],
    }


def ticked(t: TableState, matter: Matter) -> list[tuple[Move, bool]]:
    """The moves of a matter, and whether each is done."""
    if matter.step in _LEFT:
        return []
    left = list(remaining(t, matter))
    found: list[tuple[Move, bool]] = []
    for move in matter.finding.moves:
        now = _still(move, left)
        if now is not None:
            left.remove(now)
        found.append((now or move, now is None))
    return [*found, *((move, False) for move in left)]


def _still(move: Move, left: list[Move]) -> Move | None:
    """What remains of a move: itself, or the way of its card from where it lies now; None if it is done."""
    if move in left:
        return move
    return next((other for other in left if (other.card, other.target) == (move.card, move.target)), None)


def _move(t: TableState, move: Move, *, done: bool) -> dict[str, object]:
    return {"card": named(t, move), "from": str(move.source), "to": str(move.target), "done": done}


def finding(t: TableState, one: Finding) -> dict[str, object]:
    """A finding as the report has it, except that no card is named which lies face down."""
    moves = [{"card": named(t, move), "from": str(move.source), "to": str(move.target)} for move in one.moves]
    return finding_report(one) | {"moves": moves}


# --- duties --------------------------------------------------------------------------------------------------------


def duties(table: Table) -> list[dict[str, object]]:
    """What carries things on when a person says it now."""
    t = table.knows
    wanted: list[ev.Command] = [ev.Approve(role) for role in _approvals(t)]
    if t.matters:
        wanted += _about_cards(t.matters[0])
    if sum(WITHDRAW in ask.options for ask in t.asks) > 1:
        wanted.append(ev.Answer("all", (CONTINUE,)))
    if t.round_is_on:
        wanted += _absences(t)
    said: list[ev.Event] = [command for command in wanted if table.can(command)]
    if not t.shuffled and any(matter.procedure == "riffle" for matter in t.matters[:1]):
        said.append(ev.Shuffled("riffle", 1))
    return [{"statement": write_event(one), "roles": list(permissions.needed(one, table))} for one in said]


def corrections(table: Table) -> list[dict[str, object]]:
    """What a person may take back or retract now, and the statement that is taken back."""
    last = table.history.last
    return [
        {
            "statement": write_event(one),
            "of": _worded(last) if isinstance(one, ev.TakeBack) else "",
            "roles": list(permissions.needed(one, table)),
        }
        for one in allowed.corrections(table)
    ]


def _worded(last: object) -> str:
    """The first word of a command: what it says of cards is for nobody's screen."""
    return write_event(last).split()[0] if isinstance(last, get_args(ev.Command)) else ""


def _approvals(t: TableState) -> list[str]:
    """The roles whose approval is waited for."""
    roles = [PIT_SUPERVISOR] if t.round_is_on and t.round.offers.get(INSURANCE) == MISSED else []
    house = any(ask.who == "house" for ask in t.asks)
    return [*roles, SHIFT_MANAGER] if house or (t.set_in_doubt and not t.round_is_on) else roles


def _about_cards(matter: Matter) -> list[ev.Command]:
    """That the cards lie as ruled, or cannot be put back, where that is still to be said."""
    if matter.step in _OVER or (matter.procedure in _SKIPPED and matter.step != "skipped"):
        return []
    laid = not matter.asks or matter.procedure in _BEFORE_ANSWERS
    return [*([ev.Reconstructed()] if laid else []), ev.CannotReconstruct()]


def _absences(t: TableState) -> list[ev.Command]:
    """Each Player of a main wager who is not known to be away."""
    return [
        ev.Absent(Place(number, 0, slot if len(box.mains) > 1 else 0))
        for number, box in sorted(t.round.boxes.items())
        for slot in sorted(box.mains)
        if (number, slot) not in t.absent
    ]
