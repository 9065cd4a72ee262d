"""What is to be done about an irregularity, how much of it is done, and what it waits for: for the page's Alarm view.

1. The steps are those of the catalogue (`texts/steps.json`): those of the code with its procedure, else those of the
   procedure. The handbook has the same words. What no clause of a game rules has steps under its own code.
2. A step with an ``until`` is done when that has come: the cards lie as ruled (``moves``), everybody who is asked has
   answered (``answers``), the role behind the ruling has said so (``word``) or approved (``approval``), a set was
   loaded since (``load``), the device is back (``device``). The first that is not done is the one to do now. A step
   with a ``while`` is the one to do now until that has come, and is never called done: the table cannot see it, such
   as a count. Nor can it see the other steps, and it says nothing of them. A step for an approval stands there only
   while one is waited for, or once somebody has approved: what the sensors prove needs none.
3. Nothing is called carried out unless the table knows that it is. `waits` lists what is missing, each with the role
   that must act, if there is one.
4. `rule` is the ruling, or what it means where no round is on (``void-next``, ``hold-next``) or nobody is asked
   (``noted``).
5. `steps_for` has the steps of a ruling as handbook and paper have them: all, and none of them done. `past_steps` finds
   them for a finding of an earlier round, by the matrix of its game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from firmware_bridge.people.alarms import LINK_LOST, Alarm
from firmware_bridge.people.authority import AUTHORITY
from firmware_bridge.people.permissions import REPORTED, to_clear
from firmware_bridge.shown.advice import texts
from firmware_bridge.shown.scene_type import ShownProgress, ShownStep
from firmware_bridge.texts.languages import LANGUAGES
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import Cell
from gamecore.rules.stages import Stage
from gamecore.view.view import MatterView, TableView

CATALOGUE = Path(__file__).parent.parent / "texts" / "steps.json"
NOTED = "noted"
RECORD, VOID, VOID_NEXT, HOLD_NEXT, REFER = "record", "void", "void-next", "hold-next", "refer"
"""Procedures, by the words of the matrix."""
_OUTSIDE = {"put-back": "put-back.journal"}
"""Codes that belong to no round and have the name of a procedure, each with the key of its steps."""


@cache
def catalogue() -> dict[str, list[dict[str, str]]]:
    """The steps by key, each in every language."""
    return dict(json.loads(CATALOGUE.read_text(encoding="utf-8")))


def steps_key(code: str, procedure: str, *, noted: bool = False) -> str:
    """The key of the steps of a finding."""
    named = f"{procedure}.{NOTED}" if noted else procedure
    candidates = (f"{code}.{named}", named, f"{code}.{procedure}", procedure)
    return next(key for key in candidates if key in catalogue())


def steps_for(code: str, ruling: str, procedure: str) -> list[dict[str, str]]:
    """The steps of a ruling in every language, with the role that stands behind it."""
    who = f"who.{AUTHORITY.get(ruling) or to_clear(code, ruling)[0]}"
    key = steps_key(code, procedure, noted=ruling == REFER and procedure == RECORD)
    return [{lang: step[lang].format(who=texts()[who][lang]) for lang in LANGUAGES} for step in catalogue()[key]]


def past_steps(game: str, code: str, ruling: str, clause: str) -> list[dict[str, str]]:
    """The steps of a finding of an earlier round."""
    cells = [cell for row in MATRICES.get(game, ()) if row.code == code for cell in row.cells.values()]
    return steps_for(code, ruling, _procedure_of(cells, ruling, clause))


def of_matter(view: TableView, matter: MatterView) -> ShownProgress:
    """How far a finding that holds the round, or waits for an approval, is carried out."""
    finding = matter.finding
    approval = _approval(view, finding.key)
    waits = [f"approval {approval}"] if approval else []
    waits += ["moves"] if matter.remaining and not matter.left_as_laid else []
    waits += ["answers"] if matter.asks else []
    if not waits:
        waits = [f"word {AUTHORITY[finding.ruling]}"]
    key = steps_key(finding.code, matter.procedure)
    return _progress(finding.ruling, key, waits, approval or AUTHORITY[finding.ruling], frozenset({"word", "load"}))


def of_alarm(view: TableView, alarm: Alarm) -> ShownProgress:
    """What is left to do about an alarm that waits to be cleared."""
    who = to_clear(alarm.code, alarm.ruling)[0]
    if alarm.code in REPORTED:
        return _progress(alarm.ruling, _OUTSIDE.get(alarm.code, alarm.code), [], who)
    procedure = _procedure(view, alarm)
    approval = _approval(view, alarm.key) if alarm.event else ""
    waits = [f"approval {approval}"] if approval else []
    if alarm.code == LINK_LOST and alarm.device in view.away:
        waits.append(f"device {alarm.device}")
    key = steps_key(alarm.code, procedure, noted=alarm.noted)
    loaded = any(what == "load" for _, _, what in alarm.acts) and not (view.set_in_doubt or view.unshuffled)
    if not loaded and any(step.get("until") == "load" for step in catalogue()[key]):
        waits.append("load")
    rule = procedure if procedure in {VOID_NEXT, HOLD_NEXT} else NOTED if alarm.noted else alarm.ruling
    approved = any(what.startswith("approve ") for _, _, what in alarm.acts)
    return _progress(rule, key, waits, approval or who, approved=approved)


def _approval(view: TableView, key: tuple[int, int]) -> str:
    """The role that must approve what is ruled of a finding; empty if nothing waits."""
    return next((one.role for one in view.pending if one.finding.key == key), "")


def _procedure(view: TableView, alarm: Alarm) -> str:
    """How an alarm's ruling was to be carried out, by the matrix of the game."""
    if alarm.noted:
        return RECORD
    between = any(one.key == alarm.key for one in view.for_later)
    cells = [
        cell for row in MATRICES[view.rules.id] if row.code == alarm.code for cell in _cells(row.cells, between=between)
    ]
    return _procedure_of(cells, alarm.ruling, alarm.clause)


def _procedure_of(cells: list[Cell], ruling: str, clause: str) -> str:
    told = [cell.procedure for cell in cells if (cell.ruling, cell.clause) == (ruling, clause)]
    if told and told[0] is not None:
        return told[0].value
    return ruling if ruling in {VOID, REFER} else RECORD  # the ruling has changed


def _cells(cells: Mapping[Stage, Cell], *, between: bool) -> list[Cell]:
    return [cell for stage, cell in cells.items() if (stage is Stage.BETWEEN) == between]


def _progress(
    rule: str, key: str, waits: list[str], who: str, later: frozenset[str] = frozenset(), *, approved: bool = False
) -> ShownProgress:
    """`later` is what comes after that for which it waits now."""
    missing = {one.split()[0] for one in waits} | later
    steps: list[ShownStep] = []
    for step in catalogue()[key]:
        until = step.get("until")
        if until == "approval" and until not in missing and not approved:
            continue
        now = (until or step.get("while")) in missing and not any(one["now"] for one in steps)
        text = {lang: step[lang].format(who=texts()[f"who.{who}"][lang]) for lang in LANGUAGES}
        steps.append({"text": text, "done": until is not None and until not in missing, "now": now})
    return {"rule": rule, "steps": steps, "waits": waits}
