"""What is asked about the list of people at the control socket: to read it, to propose a change, to confirm one.

1. Pit managers and above read the list; it never holds a PIN in any form. What waits to be confirmed is listed too.
2. Who proposes and who confirms: `people.accounts.proposals`. The kept form of a PIN is made beside the loop.
3. A change is in force when its row is durable, without a restart. It ends the login that the person had.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from firmware_bridge.control.request_values import Asked, Request, RequestError, of, outcome
from firmware_bridge.control.sessions import of_session, stalled
from firmware_bridge.people.accounts.proposals import Proposal, Wanted, may_confirm, may_propose
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, Person, Pin
from firmware_bridge.people.guard import Guard
from firmware_bridge.people.login import pin_rules
from firmware_bridge.pump.items import Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.texts.denials import DeniedError, Ground, Why, refusal_answer


def people(pump: Pump, asked: Asked) -> None:
    """Answer with the list, and what waits to be confirmed."""
    guard = _guard(pump, asked, may_confirm, Ground.LIST_NEEDS, PIT_MANAGER)
    if guard is None:
        return
    waiting = [_proposed(one) for one in guard.proposals.open]
    asked.answer({"people": [_listed(guard, one) for one in guard.register.people], "proposals": waiting})


def propose(pump: Pump, asked: Asked) -> None:
    """Propose to add, change or expire somebody."""
    guard, session = _guard(pump, asked, may_propose, Ground.CHANGE_NEEDS, SHIFT_MANAGER), asked.session
    if guard is None or stalled(pump, asked):
        return
    wanted, by, person = _wanted(asked.request), session.name, session.person

    def put(pin: Pin | None) -> None:
        try:
            made = guard.proposals.put(wanted, pin, by, person)
        except DeniedError as error:
            asked.answer(refusal_answer(error.why))
            return
        told = {"people-proposed": made.kind, **_shown(made.after), "by": by, "pin": pin is not None}

        def noted(refused: Why | None) -> None:
            asked.answer(outcome(refused) | ({"proposal": made.number} if refused is None else {}))

        pump.enqueue(of_session(session, Note(json.dumps(told, ensure_ascii=False)), noted))

    try:
        guard.proposals.checked(wanted)
    except DeniedError as error:
        asked.answer(refusal_answer(error.why))
        return
    if wanted.pin is None:
        put(None)
    elif guard.pins.busy(session.origin.uid):
        asked.deny(Ground.PINS_BUSY)
    else:
        guard.pins.make(session.origin.uid, wanted.pin, put)


def confirm(pump: Pump, asked: Asked) -> None:
    """Confirm what another person has proposed."""
    session, number = asked.session, of(asked.request, "proposal", int)
    guard = _guard(pump, asked, may_confirm, Ground.CONFIRMING_NEEDS, PIT_MANAGER)
    if guard is None or stalled(pump, asked):
        return
    try:
        one = guard.proposals.take_up(number, session.person)
    except DeniedError as error:
        asked.answer(refusal_answer(error.why))
        return

    def done(refused: Why | None) -> None:
        asked.answer(outcome(refused) | ({"person": _shown(one.after)} if refused is None else {}))

    guard.change(one.kind, one.after, by=one.by, second=session.name, done=done)


def _guard(pump: Pump, asked: Asked, may: Callable[[str], bool], ground: Ground, role: str) -> Guard | None:
    """The guard, if this may be asked of it; None if not, which is answered."""
    if pump.guard is None:
        asked.deny(Ground.OPEN_PEOPLE)
    elif not may(asked.session.role):
        asked.deny(ground, role=role)
    else:
        return pump.guard
    return None


def _wanted(request: Request) -> Wanted:
    kind, number = of(request, "kind", str), of(request, "number", str)
    said = {key: of(request, key, str) for key in ("name", "role", "until") if request.get(key) is not None}
    pin = request.get("pin")
    if pin is not None and not isinstance(pin, str):  # what stands there may be the PIN, which is never repeated
        raise RequestError("pin: expected a text")
    return Wanted(kind, number, **said, pin=pin)


def _shown(person: Person) -> dict[str, object]:
    return {"number": person.id, "name": person.name, "role": person.role, "until": person.until or None}


def _proposed(one: Proposal) -> dict[str, object]:
    new_pin = one.before is None or one.before.pin != one.after.pin
    return {"proposal": one.number, "kind": one.kind, **_shown(one.after), "pin": new_pin, "by": one.by}


def _listed(guard: Guard, person: Person) -> dict[str, object]:
    register = guard.register
    today = register.today()
    warning = pin_rules.warning(person, today)
    old = {"pin_age": pin_rules.age(person, today), "pin_due": None if warning is None else str(warning)}
    return {**_shown(person), "valid": register.is_valid(person), **old}
