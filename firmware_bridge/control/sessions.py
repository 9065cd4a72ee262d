"""What people ask for themselves at the control socket: to be logged in, an alarm to end, a program to be accepted.

1. ``login`` says from where, as far as the console knows: tries are counted by name and origin
   (`people.login.lockouts`). It names a person by staff number or name, and may carry a new PIN.
2. ``clear`` ends alarms, with a reason, in a role that may; ``accept`` accepts the program that runs (`program`),
   ``accept-key`` a segment of the journal after a lost key (`journal.signed.lost_keys`). ``dispute`` is surveillance's
   mark on a round, the one that is on or was last, or an earlier one: a row that stays and holds nothing.
3. Each is answered when it is durable. While the journal cannot be written nothing can be commanded (`stalled`).
"""

from __future__ import annotations

import json
from dataclasses import asdict

from firmware_bridge.control.past_rounds import MISSING, PastRounds
from firmware_bridge.control.request_values import Asked, RequestError, of, outcome
from firmware_bridge.journal.signed import lost_keys
from firmware_bridge.people.accounts.roles import SURVEILLANCE
from firmware_bridge.people.alarms import Alarm
from firmware_bridge.people.guard import Login, Session
from firmware_bridge.people.login.lockouts import SCREEN, Origin
from firmware_bridge.people.permissions import refusal
from firmware_bridge.pump.items import CONSOLE, Deed, Item, Note, Reply, Why
from firmware_bridge.pump.pump import Pump

REASON = 200
"""Characters of the longest reason."""
ADDRESS = 64
"""Characters of the longest address that a console tells."""


def of_session(session: Session, what: object, reply: Reply | None = None) -> Item:
    """What somebody says over a connection, with their name and role."""
    return Item(CONSOLE, what, reply=reply, person=session.name or None, role=session.role or None)


def log_in(pump: Pump, asked: Asked) -> None:
    """Let somebody in, if the PIN is theirs; answered when it has been checked."""
    name, pin = of(asked.request, "name", str), asked.request.get("pin")
    new = asked.request.get("new")
    if not isinstance(pin, str) or not (new is None or isinstance(new, str)):  # a PIN is never repeated
        raise RequestError("pin: expected a text")
    if pump.guard is None:
        asked.answer({"refused": "this table is open: everything is allowed"})
        return
    uid, address = asked.session.origin.uid, of(asked.request, "from", str) if "from" in asked.request else ""
    if len(address) > ADDRESS or not address.isprintable():
        raise RequestError(f"from: expected at most {ADDRESS} printable characters")
    asked.session.origin = Origin(uid, "" if address == SCREEN else address, screen=address == SCREEN)
    pump.guard.login(asked.session, Login(name, pin, new), asked.answer, in_round=pump.table.round_is_on)


def log_out(pump: Pump, asked: Asked) -> None:
    """The session is nobody's any more."""
    if pump.guard is not None:
        pump.guard.logout(asked.session)
    asked.answer({"ok": True})


def clear(pump: Pump, asked: Asked) -> None:
    """End every alarm that is open, one, or those of a code, in a role that may."""
    reason = _reason(asked)
    number = of(asked.request, "n", int) if asked.request.get("n") is not None else None
    guard = pump.guard
    if guard is None:
        asked.answer({"refused": "this table is open: an alarm ends with the hold"})
        return
    if stalled(pump, asked):
        return
    code = of(asked.request, "code", str) if asked.request.get("code") is not None else None
    chosen: list[Alarm] = []

    def judge() -> Note | str:
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
        def judge() -> Note | str:
            if session.role != SURVEILLANCE:
                return refusal("dispute", (SURVEILLANCE,), session.role)
            if not first:
                return MISSING
            said = {"disputed": first, "by": session.name, "role": session.role, "reason": reason}
            return Note(json.dumps(said, ensure_ascii=False))

        pump.enqueue(of_session(session, Deed("dispute", judge), noted))

    def noted(refused: Why | None) -> None:
        asked.answer(outcome(refused))

    if number is None or number == pump.table.round_number:
        mark(pump.books.recorder.first)
    else:
        past.find_first(asked, number, mark)


def accept(pump: Pump, asked: Asked) -> None:
    """Accept the program that runs, as one of the two who must."""
    said, session, books = of(asked.request, "program", str), asked.session, pump.books
    if pump.guard is None:
        asked.answer({"refused": "this table is open: nobody needs to accept a program"})
        return
    if stalled(pump, asked):
        return
    name, role, running = session.name, session.role, books.programs.running

    def judge() -> Note | str:
        return books.programs.refuses(said, name, role) or Note(books.programs.note(name, role))

    def accepted(refused: Why | None) -> None:
        if refused is not None:
            asked.answer(outcome(refused))
            return
        books.programs = books.programs.agreed(running, name, role)
        pump.announce({"program": {"bars": books.programs.waits()}})
        asked.answer({"ok": True, "waits": books.programs.waits()})

    pump.enqueue(of_session(session, Deed("accept", judge), accepted))


def accept_key(pump: Pump, asked: Asked) -> None:
    """Accept a segment whose key nothing certifies, as one of the two who may."""
    segment, session, journal = of(asked.request, "segment", int), asked.session, pump.books.journal
    if stalled(pump, asked):
        return

    def judge() -> Note | str:
        lost = lost_keys.newest(journal)
        refused = lost_keys.refuses(lost, segment, session.name, session.role)
        if lost is None or refused is not None:  # without a lost key it is refused
            return refused or ""
        return Note(lost_keys.note(lost, session.name, session.role))

    def accepted(refused: Why | None) -> None:
        asked.answer(outcome(refused))

    pump.enqueue(of_session(session, Deed("accept-key", judge), accepted))


def stalled(pump: Pump, asked: Asked) -> bool:
    """Whether nothing can be commanded now, which is answered."""
    if pump.stalled:
        asked.answer({"refused": f"the journal cannot be written: {pump.stalled}"})
    return bool(pump.stalled)
