"""What people ask at the control socket: to log in, to clear an alarm, to accept a program, to mark a round.

1. ``login`` says from where, if the console knows: tries are counted by name and origin
   (`people.login.lockouts`). It names a person by staff number or name, and may carry a new PIN.
2. ``clear`` ends alarms, with a reason, in a role that may; ``accept`` accepts the program that runs (`program`),
   ``accept-key`` a segment of the journal after a lost key (`journal.signed.lost_keys`). ``dispute`` is surveillance's
   mark on a round, the one that is on or was last, or an earlier one: a row that stays and does not hold the round.
   ``note`` is what the pit or surveillance writes about a round, or a bookmark on it: also a row that stays
   (`audit.round_notes`).
3. A login is answered when the PIN is checked, one with a new PIN when that is durable; a logout and ``duty`` at once.
   The rows of login and logout follow. All others are answered when their row is durable, and are refused while the
   journal cannot be written (`stalled`).
"""

from __future__ import annotations

import json
from dataclasses import asdict

from firmware_bridge.control.past_rounds import PastRounds
from firmware_bridge.control.request_values import Asked, RequestError, of, outcome
from firmware_bridge.journal.signed import lost_keys
from firmware_bridge.people.accounts.roles import PIT_SUPERVISOR, SURVEILLANCE
from firmware_bridge.people.alarms import Alarm
from firmware_bridge.people.guard import Login, Session
from firmware_bridge.people.login.lockouts import SCREEN, Origin
from firmware_bridge.people.permissions import allows, lacks_role
from firmware_bridge.pump.items import CONSOLE, Deed, Item, Note, Reply
from firmware_bridge.pump.pump import Pump
from firmware_bridge.texts.denials import Denial, Ground, Why, deny

REASON = 200
"""Characters of the longest reason."""
NOTE = 500
"""Characters of the longest note on a round."""
NOTES = (PIT_SUPERVISOR, SURVEILLANCE)
"""Who writes about a round."""
ADDRESS = 64
"""Characters of the longest address that a console may give."""


def of_session(session: Session, what: object, reply: Reply | None = None) -> Item:
    """What somebody says over a connection, with their name and role."""
    return Item(CONSOLE, what, reply=reply, person=session.name or None, role=session.role or None)


def log_in(pump: Pump, asked: Asked) -> None:
    """Log somebody in if the PIN is theirs; the answer comes when it has been checked."""
    name, pin = of(asked.request, "name", str), asked.request.get("pin")
    new, keep = asked.request.get("new"), asked.request.get("keep") is not None and of(asked.request, "keep", bool)
    if not isinstance(pin, str) or not (new is None or isinstance(new, str)):  # a PIN is never repeated
        raise RequestError("pin: expected a text")
    if pump.guard is None:
        asked.deny(Ground.OPEN_LOGIN)
        return
    uid, address = asked.session.origin.uid, of(asked.request, "from", str) if "from" in asked.request else ""
    if len(address) > ADDRESS or not address.isprintable():
        raise RequestError(f"from: expected at most {ADDRESS} printable characters")
    asked.session.origin = Origin(uid, "" if address == SCREEN else address, screen=address == SCREEN)
    pump.guard.login(asked.session, Login(name, pin, new, keep), asked.answer, in_round=pump.table.round_is_on)


def duty(pump: Pump, asked: Asked) -> None:
    """Answer with who is on duty, for the list at the table's own screen."""
    asked.answer({"people": [] if pump.guard is None else pump.guard.duty.people_on_duty()})


def log_out(pump: Pump, asked: Asked) -> None:
    """Log the session out."""
    if pump.guard is not None:
        pump.guard.logout(asked.session)
    asked.answer({"ok": True})


def clear(pump: Pump, asked: Asked) -> None:
    """Clear every open alarm, one alarm, or those of a code, if the role may."""
    reason = _reason(asked)
    number = of(asked.request, "n", int) if asked.request.get("n") is not None else None
    guard = pump.guard
    if guard is None:
        asked.deny(Ground.OPEN_ALARM)
        return
    if stalled(pump, asked):
        return
    code = of(asked.request, "code", str) if asked.request.get("code") is not None else None
    chosen: list[Alarm] = []

    def judge() -> Note | Denial:
        found, refused = guard.to_clear(asked.session, number, code)
        if refused is not None:
            return refused
        chosen.extend(found)
        what = [{"n": alarm.n, "code": alarm.code, "clause": alarm.clause, "times": alarm.times} for alarm in found]
        said = {"cleared": what, "by": asked.session.name, "role": asked.session.role, "reason": reason}
        return Note(json.dumps(said, ensure_ascii=False))

    def cleared(refused: Why | None) -> None:
        if refused is not None:
            asked.answer(outcome(refused))
            return
        pump.announce({"cleared": {"alarms": [alarm.n for alarm in chosen], "by": asked.session.name}})
        asked.answer({"ok": True, "cleared": [asdict(alarm) for alarm in chosen]})

    pump.enqueue(of_session(asked.session, Deed("clear", judge), cleared))


def _reason(asked: Asked) -> str:
    reason = " ".join(of(asked.request, "reason", str).split())
    if not 0 < len(reason) <= REASON:
        raise RequestError(f"reason: expected 1 to {REASON} characters")
    return reason


def dispute(past: PastRounds, asked: Asked) -> None:
    """Mark a round as disputed."""
    pump, reason, session = past.pump, _reason(asked), asked.session
    number = of(asked.request, "number", int) if asked.request.get("number") is not None else None
    if stalled(pump, asked):
        return

    def mark(first: int) -> None:
        def judge() -> Note | Denial:
            if session.role != SURVEILLANCE:
                return lacks_role("dispute", (SURVEILLANCE,), session.role)
            if not first:
                return deny(Ground.NO_SUCH_PAST_ROUND)
            said = {"disputed": first, "by": session.name, "role": session.role, "reason": reason}
            return Note(json.dumps(said, ensure_ascii=False))

        pump.enqueue(of_session(session, Deed("dispute", judge), noted))

    def noted(refused: Why | None) -> None:
        asked.answer(outcome(refused))

    if number is None or number == pump.table.round_number:
        mark(pump.books.recorder.first)
    else:
        past.find_first(asked, number, mark)


def note(past: PastRounds, asked: Asked) -> None:
    """Write something about a round, or set or take off its bookmark."""
    pump, session, first = past.pump, asked.session, of(asked.request, "first", int)
    text = " ".join(of(asked.request, "text", str).split()) if asked.request.get("text") is not None else ""
    bookmark = of(asked.request, "bookmark", bool) if asked.request.get("bookmark") is not None else None
    if len(text) > NOTE or not (text or bookmark is not None):
        raise RequestError(f"text: expected 1 to {NOTE} characters, or a bookmark")
    if stalled(pump, asked):
        return

    def write(is_there: bool) -> None:
        def judge() -> Note | Denial:
            if pump.guard is not None and not allows(session.role, NOTES):
                return lacks_role("note", NOTES, session.role)
            if not is_there:
                return deny(Ground.NO_SUCH_PAST_ROUND)
            said = {"noted": first, "by": session.name, "role": session.role, "text": text, "bookmark": bookmark}
            return Note(json.dumps(said, ensure_ascii=False))

        pump.enqueue(of_session(session, Deed("note", judge), lambda refused: asked.answer(outcome(refused))))

    if first == pump.books.recorder.first:
        write(True)
    else:
        past.find_round(asked, first, write)


def accept(pump: Pump, asked: Asked) -> None:
    """Accept the program that runs, as one of the two people who must."""
    said, session, books = of(asked.request, "program", str), asked.session, pump.books
    if pump.guard is None:
        asked.deny(Ground.OPEN_PROGRAM)
        return
    if stalled(pump, asked):
        return
    name, role, running = session.name, session.role, books.programs.running

    def judge() -> Note | Denial:
        return books.programs.refuses(said, name, role) or Note(books.programs.note(name, role))

    def accepted(refused: Why | None) -> None:
        if refused is not None:
            asked.answer(outcome(refused))
            return
        books.programs = books.programs.agreed(running, name, role)
        waits = books.programs.waits()
        pump.announce({"program": {"bars": None if waits is None else str(waits)}})
        asked.answer({"ok": True, "waits": None if waits is None else str(waits)})

    pump.enqueue(of_session(session, Deed("accept", judge), accepted))


def accept_key(pump: Pump, asked: Asked) -> None:
    """Accept a segment whose key nothing certifies, as one of the two people who must."""
    segment, session, journal = of(asked.request, "segment", int), asked.session, pump.books.journal
    if stalled(pump, asked):
        return

    def judge() -> Note | Denial:
        lost = lost_keys.newest(journal)
        refused = lost_keys.refuses(lost, segment, session.name, session.role)
        if lost is None or refused is not None:  # without a lost key it is refused
            return refused or deny(Ground.NO_KEY_WAITS)
        return Note(lost_keys.note(lost, session.name, session.role))

    def accepted(refused: Why | None) -> None:
        asked.answer(outcome(refused))

    pump.enqueue(of_session(session, Deed("accept-key", judge), accepted))


def stalled(pump: Pump, asked: Asked) -> bool:
    """Whether the journal cannot be written now; if so, the request is answered with a refusal."""
    if pump.stalled:
        asked.deny(Ground.JOURNAL_STALLED, detail=pump.stalled)
    return bool(pump.stalled)
