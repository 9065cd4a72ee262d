"""What a held round asks of people: questions with their answers, open matters with their moves, and duties.

1. The first question is the one that is asked now, in the words of the table. Each answer is a statement that the table
   takes (`gamecore.view.allowed`).
2. The moves of a matter are those of its finding. A move is done when it is not among those that remain. If its card
   meanwhile lies elsewhere, the move is shown as it is now. Where the cards are left as they lie, nothing is to be
   moved.
3. A duty is a statement that carries something on, and that the table takes.
4. A correction is a statement that mends a mistake: it takes the last command back, or retracts a report. Only the
   first word of the command is shown: what it says of cards is for nobody's screen.
5. An alarm outlives the hold: it stays until somebody clears it. `progress` says what is left to do about it.
6. `roles` lists the lowest roles that may say it on a table with roles, or clear the alarm; a higher role may too.
"""

from __future__ import annotations

from firmware_bridge.people import permissions
from firmware_bridge.people.alarms import Alarm
from firmware_bridge.shown import progress
from firmware_bridge.shown.scene_statements import shortly
from firmware_bridge.shown.scene_type import (
    AnswerOption,
    Correction,
    Duty,
    OpenAlarm,
    ShownAsk,
    ShownMatter,
    ShownMove,
)
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import Ask, FindingView, Move
from gamecore.notation.writer import write_event
from gamecore.table import Table
from gamecore.view.report import FindingReport, MoveReport, finding_report
from gamecore.view.veil import Lying, lying, named
from gamecore.view.view import MatterView, TableView


def asks(table: Table) -> list[ShownAsk]:
    """Every pending question, the one asked now first."""
    return [_ask(table, ask, options) for ask, options in table.allowed().answers]


def _ask(table: Table, ask: Ask, options: tuple[str, ...]) -> ShownAsk:
    said = [(option, write_event(ev.Answer(ask.who, (option,)))) for option in options]
    answers: list[AnswerOption] = [{"option": option, "statement": statement} for option, statement in said]
    roles = list(permissions.needed(ev.Answer(ask.who, ()), table))
    return {"who": ask.who, "options": list(ask.options), "clause": ask.clause, "roles": roles, "answers": answers}


def matters(view: TableView, cards: Lying) -> list[ShownMatter]:
    """Every open matter, the one that is carried out now first."""
    return [_matter(view, matter, cards) for matter in view.matters]


def _matter(view: TableView, matter: MatterView, cards: Lying) -> ShownMatter:
    finding = matter.finding
    concerned = [*matter.cards, *matter.hidden] or finding.cards
    return {
        "key": key_text(finding.key),
        "code": finding.code,
        "clause": finding.clause,
        "ruling": finding.ruling,
        "places": [str(place) for place in finding.places],
        "cards": [cards.name(card) for card in concerned],
        "whose": finding.whose,
        "obstacle": None if finding.obstacle is None else finding.obstacle.key,
        "moves": [_move(view, move, done=done) for move, done in ticked(matter)],
        "progress": progress.of_matter(view, matter),
    }


def key_text(key: tuple[int, int]) -> str:
    """The key of a finding as text."""
    return ".".join(map(str, key))


def ticked(matter: MatterView) -> list[tuple[Move, bool]]:
    """The moves of a matter, and whether each is done."""
    if matter.left_as_laid:
        return []
    left = list(matter.remaining)
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


def _move(view: TableView, move: Move, *, done: bool) -> ShownMove:
    return {"card": named(view, move), "from": str(move.source), "to": str(move.target), "done": done}


def finding(view: TableView, one: FindingView) -> FindingReport:
    """A finding as the report has it, with no card in its moves that lies face down."""
    moves: list[MoveReport] = [
        {"card": named(view, move), "from": str(move.source), "to": str(move.target)} for move in one.moves
    ]
    return {**finding_report(one), "moves": moves}


def duties(table: Table) -> list[Duty]:
    """The statements with which a person can carry something on now."""
    return [
        {"statement": write_event(one), "roles": list(permissions.needed(one, table))} for one in table.allowed().duties
    ]


def corrections(table: Table) -> list[Correction]:
    """What a person may take back or retract now, and the statement that is taken back."""
    last = table.last_said
    return [
        {
            "statement": write_event(one),
            "of": _taken_back(table, last) if isinstance(one, ev.TakeBack) and last is not None else "",
            "roles": list(permissions.needed(one, table)),
        }
        for one in table.corrections()
    ]


def _taken_back(table: Table, last: ev.Command) -> str:
    """The statement that is taken back, without the cards that it names: one of them may lie face down."""
    words = shortly(table.view(), last).split()
    kept = 1 if isinstance(last, ev.CardsDisclosed) else 2 if isinstance(last, ev.Answer) else len(words)
    return " ".join(words[:kept])


def open_alarm(alarm: Alarm, view: TableView) -> OpenAlarm:
    """An alarm with the roles that may clear it, what was done about it and what is left to do."""
    findings = (*view.round.findings, *view.for_later)
    its = [one for one in findings if alarm.event and (one.key, one.code) == (alarm.key, alarm.code)]
    cards = lying(view)
    return {
        "n": alarm.n,
        "at": alarm.at,
        "code": alarm.code,
        "clause": alarm.clause,
        "ruling": alarm.ruling,
        "places": alarm.places.split(),
        "times": alarm.times,
        "noted": alarm.noted,
        "roles": list(permissions.to_clear(alarm.code, alarm.ruling)),
        "key": key_text(alarm.key) if its else "",
        "held": alarm.held,
        "device": alarm.device,
        "cards": [cards.name(card) for one in its for card in one.cards],
        "was": [
            {"ruling": ruling, "clause": clause, "by": by}
            for (ruling, clause), by in zip(alarm.was, alarm.changed_by, strict=True)
        ],
        "acts": [{"at": at, "person": person, "what": what} for at, person, what in alarm.acts],
        "progress": progress.of_alarm(view, alarm),
    }
