"""What is asked about the links at the control socket: to pair a device, to set a register aside, to confirm either.

1. ``pair`` is answered when the device has told its key: with what it must show, and the number of the pairing; or with
   why it failed, at the latest when its time is over.
2. ``confirm-pairing`` names that number and what the device shows. It is answered when the pairing is in force.
3. ``set-register-aside`` is answered with the register's head number, which ``confirm-register-aside`` names.
4. Who may do which: `links.pairing`, `links.registers_set_aside`. A proposal to set a register aside writes no row, so
   it alone is taken while the journal cannot be written.
"""

from __future__ import annotations

from firmware_bridge.control.request_values import Asked, RequestError, of, outcome
from firmware_bridge.control.sessions import of_session, stalled
from firmware_bridge.links.pairing import DevicePairing, Shown
from firmware_bridge.links.pairings import Paired
from firmware_bridge.pump.items import Deed
from firmware_bridge.pump.pump import Pump
from firmware_bridge.texts.denials import DeniedError, Why, refusal_answer


def pair(pump: Pump, pairing: DevicePairing | None, asked: Asked) -> None:
    """Begin to pair a device."""
    name = of(asked.request, "device", str)
    if stalled(pump, asked):
        return

    def answer_pairing(said: Shown | Why) -> None:
        match said:
            case Shown(number, shows, display):
                asked.answer({"ok": True, "pairing": number, "device": name, "shows": shows, "display": display})
            case why:
                asked.answer(refusal_answer(why))

    try:
        _at(pairing).begin(name, asked.session, answer_pairing)
    except DeniedError as error:
        asked.answer(refusal_answer(error.why))


def confirm_pairing(pump: Pump, pairing: DevicePairing | None, asked: Asked) -> None:
    """Confirm what another person has begun."""
    number, shows = of(asked.request, "pairing", int), of(asked.request, "shows", str)
    if stalled(pump, asked):
        return

    def done(said: Paired | Why) -> None:
        match said:
            case Paired():
                asked.answer({"ok": True, "fingerprint": said.fingerprint, "table": said.table})
            case why:
                asked.answer(refusal_answer(why))

    try:
        _at(pairing).confirm(number, shows, asked.session, done)
    except DeniedError as error:
        asked.answer(refusal_answer(error.why))


def set_aside(pump: Pump, pairing: DevicePairing | None, asked: Asked) -> None:
    """Propose to set a register aside."""
    device = of(asked.request, "device", str)
    match _at(pairing).asides.propose(device, asked.session, roles=pump.guard is not None):
        case int(number):
            asked.answer({"ok": True, "device": device, "number": number})
        case why:
            asked.answer(refusal_answer(why))


def confirm_aside(pump: Pump, pairing: DevicePairing | None, asked: Asked) -> None:
    """Confirm what another person has proposed."""
    device, number = of(asked.request, "device", str), of(asked.request, "number", int)
    if stalled(pump, asked):
        return
    session, roles, asides = asked.session, pump.guard is not None, _at(pairing).asides
    deed = Deed("confirm-register-aside", lambda: asides.confirm(device, number, session, roles=roles))

    def done(refused: Why | None) -> None:
        asked.answer(outcome(refused))

    pump.enqueue(of_session(session, deed, done))


def _at(pairing: DevicePairing | None) -> DevicePairing:
    """The pairing of devices, where there is one.

    Raises:
        RequestError: no devices are paired here.
    """
    if pairing is None:
        raise RequestError("no devices are paired here")
    return pairing
