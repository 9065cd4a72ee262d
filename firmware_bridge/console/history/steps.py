"""One round, step by step: every event from its first row to its last, with the scene after each.

1. The steps are rebuilt from the journal (`retrace`). `true` says that they came to the round as its record has it. If
   they did not, `kept_by` names the earlier edition that has judged the round, if one has: then its record stands.
2. A step has what happened in the words of deal notation, who said it where the table knows names, what it brought, and
   the scene. A card is named only if it lies open after the step, here as in the scene; nothing in a step offers a
   command.
3. The record is as the journal has it: report, findings, and what people said about them, with the alarms of the round
   that somebody cleared later. What was found out after the round is in its record and in no step.
4. The notation names cards that nobody saw (`round_notation`): it is kept apart, for people who may know every card.
5. What people wrote about a round goes with it as it is now: whole to people who may know every card, without cards to
   others. The digest of its last row and the first signed head that covers it go to everyone.
6. A round is named by its key, which tells when it began: the number of an event alone names none. With it go the keys
   of the rounds before and after it, and of the nearest ones in which something was found (`round_facts`).
7. The last `MOST` rounds that were looked at are kept as the text that is sent.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, cast

from firmware_bridge.audit.exports.csv_cells import key
from firmware_bridge.audit.journal_reader import Part, UnreadableError, opened, parts
from firmware_bridge.audit.round_notes import RoundNote, is_bookmarked
from firmware_bridge.audit.speakers import Speakers
from firmware_bridge.console.answers import (
    AboutNotation,
    PastFinding,
    PastNote,
    PastRound,
    PastRuling,
    PastStep,
    RoundReport,
    RoundSteps,
    Speaker,
)
from firmware_bridge.console.history.note_index import NoteIndex
from firmware_bridge.console.history.retrace import Checkpoints, Follower, Span, retrace
from firmware_bridge.console.history.round_facts import round_proof, rounds_beside
from firmware_bridge.console.history.round_notation import Chapters, Notation, notation
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds.round_reader import read_round
from firmware_bridge.people.masking import without_secrets
from firmware_bridge.pump.items import words
from firmware_bridge.shown.advice import watch_words
from firmware_bridge.shown.progress import past_steps
from firmware_bridge.shown.scene import scene
from firmware_bridge.shown.scene_type import Scene
from gamecore.model.cards import CardError, card
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import (
    Advised,
    Asked,
    Awarded,
    Claimed,
    Entered,
    Implied,
    IrregularityFound,
    Obstacle,
    Output,
    Settled,
    TakenBack,
)
from gamecore.model.events.refusals import Refused
from gamecore.notation.syntax import Header
from gamecore.table import Table
from gamecore.view.report import MoveReport, ask_report, preference_report, refusal_report
from gamecore.view.veil import Lying, lying, veiled_text

MOST = 32
"""Rounds that are kept as they are sent."""
FURTHEST = 1
"""How many segments before that of the round the notation may begin."""
_KEY = re.compile(r"[0-9]{8}T[0-9]{6}-E([0-9]{1,18})", re.ASCII)
_CLEARED = "SELECT n, at, body FROM events WHERE n > ? AND kind = 'note' AND body LIKE '{\"cleared\"%' ORDER BY n"


@dataclass(frozen=True, slots=True)
class SentRound:
    """A round as it is sent: JSON without its notation and its notes, and these two."""

    body: bytes
    notation: Notation | None
    key: str = ""
    notes: tuple[RoundNote, ...] = ()

    def sent(self, *, sees_cards: bool) -> bytes:
        """The whole as JSON, for somebody who may or may not know every card."""
        made = self.notation
        about: AboutNotation = {"kept": made is not None and not sees_cards}
        if made is not None and sees_cards:
            about["begins"], about["plays"] = made.begins, made.plays
        notes = [_note(one, sees_cards=sees_cards) for one in self.notes]
        text = made.text if made is not None and sees_cards else None
        deal = {"notation": text, "about": about, "notes": notes, "bookmark": is_bookmarked(self.notes)}
        return self.body.removesuffix(b"}") + b"," + json.dumps(deal).encode().removeprefix(b"{")


def _note(one: RoundNote, *, sees_cards: bool) -> PastNote:
    text = without_secrets(one.text)
    return {
        "n": one.n,
        "at": one.at,
        "by": one.by,
        "role": one.role,
        "text": text if sees_cards else veiled_text(text),
        "bookmark": one.bookmark,
        "disputed": one.disputed,
    }


class Rounds:
    """The rounds of one state folder, step by step; may be asked by several threads."""

    def __init__(self, state: Path, notes: NoteIndex | None = None) -> None:
        self._state = state
        self._notes = notes or NoteIndex(state)
        self._checkpoints = Checkpoints()
        self._kept: OrderedDict[tuple[object, ...], SentRound] = OrderedDict()
        self._lock = Lock()

    def by_key(self, named: str, segment: str | None = None) -> SentRound | None:
        """The round with this key; None if there is none.

        Raises:
            UnreadableError: there is no journal.
        """
        first = first_of(named)
        told = None if first is None else self.one(first, segment)
        return told if told is not None and told.key == named else None

    def one(self, first: int, segment: str | None = None) -> SentRound | None:
        """The round that began with an event, the newer one if a damaged journal has two; None if there is none.

        Raises:
            UnreadableError: there is no journal.
        """
        found = _record(self._state, first, segment)
        if found is None:
            return None
        self._notes.refresh()
        notes = tuple(self._notes.of(first))
        return replace(self._kept_or_made(first, *found), key=found[1]["key"], notes=notes)

    def _kept_or_made(self, first: int, part: Part, record: dict[str, Any]) -> SentRound:
        name = (part.number, part.aside, first, json.dumps(record))
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
                return self._kept[name]
        told = self._made(part, record)
        with self._lock:
            self._kept[name] = told
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return told

    def _made(self, part: Part, record: dict[str, Any]) -> SentRound:
        span = Span(part, record["first"], record["last"], record["report"])
        taken, true = retrace(self._state, span, lambda: StepRecorder(span), self._checkpoints)
        edition = record.pop("edition")
        kept_by = None if true or edition == schema.EDITION else edition
        said: RoundSteps = {
            "round": _round(part, record, taken.steps),
            "steps": taken.steps,
            "true": true,
            "kept_by": kept_by,
        }
        body = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        return SentRound(body, self._notation(span, record, taken.chapters) if true else None)

    def _notation(self, span: Span, record: dict[str, Any], chapters: Chapters) -> Notation | None:
        """The round in deal notation, from further back if it does not play from near."""
        title = f"round {record['number']}, events {span.first} to {span.last}, {record['began'][:19]} UTC"
        made = notation(chapters, span.report, title)
        for back in range(FURTHEST + 1):
            if made is not None and made.plays:
                break
            further, true = retrace(self._state, span, Chapters, self._checkpoints, back)
            made = (notation(further, span.report, title) if true else None) or made
        return made


def first_of(named: str) -> int | None:
    """The first event that the key of a round names; None if it is no key."""
    found = _KEY.fullmatch(named)
    return None if found is None else int(found[1])


def _record(state: Path, first: int, segment: str | None) -> tuple[Part, dict[str, Any]] | None:
    """The segment that has a round, and its record, with the clearing of its alarms and the rounds beside it."""
    found = parts(state)
    for at, part in reversed(list(enumerate(found))):
        if segment is not None and part.name.removesuffix(".gz") != segment.removesuffix(".gz"):
            continue
        try:
            with opened(part) as reader:
                reader.connection.row_factory = sqlite3.Row
                record: dict[str, Any] | None = read_round(reader.connection, "WHERE first = ?", first)
                if record is None:
                    continue
                edition, proof = segments.edition(reader.connection), round_proof(reader, record["last"])
        except (sqlite3.Error, UnreadableError, ValueError):
            continue  # a damaged one, or one that is just being archived
        numbers = {finding["n"] for finding in record["findings"]}
        cleared = _cleared(found[at : at + 2], first, numbers) if numbers else []
        about = {"key": key(record["began"], first), "cleared": cleared, "edition": edition, "proof": proof}
        return part, record | rounds_beside(found, at, first) | about
    return None


def _cleared(after: list[Part], first: int, numbers: set[int]) -> list[dict[str, Any]]:
    """Which alarms of a round were cleared, by whom, when, and why."""
    found: list[dict[str, Any]] = []
    for part in after:
        try:
            with opened(part) as reader:
                notes = reader.connection.execute(_CLEARED, (first,)).fetchall()
        except (sqlite3.Error, UnreadableError):
            continue
        for n, at, body in notes:
            with suppress(ValueError, LookupError, TypeError, RecursionError):  # of a damaged file
                said = json.loads(body)
                codes = [alarm["code"] for alarm in said["cleared"] if alarm["n"] in numbers]
                if codes:
                    who = {name: said.get(name, "") for name in ("by", "role", "reason")}
                    found.append({"n": n, "at": at, "codes": codes, **who})
    return found


def _round(part: Part, record: dict[str, Any], steps: list[PastStep]) -> PastRound:
    """The record of a round, with no card in it that its last step does not show."""
    shown = steps[-1]["scene"]["findings"] if steps else []
    report = record["report"]
    moves = [finding["moves"] for finding in shown] + [[]] * len(report["findings"])
    findings = [_obstacle_by_key(finding) | {"moves": moves[at]} for at, finding in enumerate(report["findings"])]
    told = {step["n"]: step for step in steps}
    rulings: list[PastRuling] = []
    for ruling in record["rulings"]:
        step = told.get(ruling["n"])
        said = veiled_text(ruling["what"]) if step is None else step["event"]
        by = None if step is None else step["by"]
        rulings.append({"n": ruling["n"], "at": ruling["at"], "who": ruling["who"], "what": said, "by": by})
    return {
        "number": record["number"],
        "first": record["first"],
        "last": record["last"],
        "game": record["game"],
        "began": record["began"],
        "ended": record["ended"],
        "outcome": record["outcome"],
        "segment": part.name,
        "key": record["key"],
        "older": record["older"],
        "newer": record["newer"],
        "older_found": record["older_found"],
        "newer_found": record["newer_found"],
        "proof": record["proof"],
        "report": cast("RoundReport", {**report, "findings": findings}),
        "findings": [_finding(record["game"], one, moves[at]) for at, one in enumerate(record["findings"])],
        "rulings": rulings,
        "cleared": record["cleared"],
    }


def _finding(game: str, one: dict[str, Any], moves: list[MoveReport]) -> PastFinding:
    """A finding of a record, with its moves and with what was to be done about it."""
    steps = past_steps(game, one["code"], one["ruling"], one["clause"])
    return cast("PastFinding", {**one, "moves": moves, "steps": steps})


def _obstacle_by_key(finding: dict[str, Any]) -> dict[str, Any]:
    """A finding of a record, which has its obstacle in English, with the key of it."""
    told = finding.get("obstacle")
    return finding if told is None else finding | {"obstacle": _OBSTACLES.get(told, told)}


_OBSTACLES = {obstacle.value: obstacle.key for obstacle in Obstacle}


class StepRecorder(Follower):
    """Records the steps of a round during a walk, and what its notation needs."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._speakers = Speakers()
        self.chapters = Chapters()
        self.steps: list[PastStep] = []

    def begins(self, header: Header, table: Table, *, fresh: bool) -> None:
        """A table begins."""
        self.chapters.begins(header, table, fresh=fresh)

    def row(self, row: Row) -> None:
        """A row that is no event: it may name who says what comes next from the console."""
        self._speakers.of(row)

    def event(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...]) -> None:
        """One step, if it belongs to the round."""
        self.chapters.event(row, event, table, outputs)
        said_by = self._speakers.of(row)
        by: Speaker | None = None if said_by is None else {"name": said_by["name"], "role": said_by["role"]}
        if not self._span.first <= row.n <= self._span.last:
            return
        refused = next((output for output in outputs if isinstance(output, Refused)), None)
        self.steps.append(
            {
                "n": row.n,
                "at": row.at,
                "device": row.device,
                "event": veiled(words(event), lying(table.view())),
                "by": by,
                "refused": None if refused is None else str(refused),
                "refusal": None if refused is None else refusal_report(refused),
                "brought": [said for output in outputs if (said := _brought(output)) is not None],
                "scene": _past(table),
            }
        )


def _past(table: Table) -> Scene:
    """The scene of a table that offers nothing: it is past."""
    return {**scene(table), "can": [], "duties": [], "corrections": []}


def veiled(text: str, cards: Lying) -> str:
    """A statement in which no card is named that does not lie open."""
    return " ".join(_word(word, cards) for word in text.split(" "))


def _word(word: str, cards: Lying) -> str:
    try:
        return cards.name(card(word))
    except CardError:
        return word


def _brought(output: Output) -> dict[str, Any] | None:
    """What came of an event, as the page tells it."""
    match output:
        case Entered(state):
            return {"is": "entered", "state": state}
        case Implied(what):
            return {"is": "implied", "what": what}
        case IrregularityFound(finding):
            return {"is": "found", "code": finding.code, "clause": finding.clause, "ruling": finding.ruling}
        case Advised(what):
            return {"is": "advised", "what": watch_words(what)}
        case Asked(ask):
            return {"is": "asked", **ask_report(ask)}
        case Claimed(preference) | Awarded(preference):
            said = "claimed" if isinstance(output, Claimed) else "awarded"
            return {"is": said, **preference_report(preference)}
        case Settled(rows):
            return {"is": "settled", "wagers": len(rows)}
        case TakenBack():
            return {"is": "taken-back"}
        case Refused():
            return None
