"""What is asked about the links at the control socket: to pair a device, to set a register aside, to confirm either.

1. ``pair`` is answered when the device has told its key: with what it must show, and the number of the pairing; or with
   why it failed, at the latest when its time is over.
2. ``confirm-pairing`` names that number and what the device shows. It is answered when the pairing is in force.
3. ``set-register-aside`` is answered with the register's head number, which ``confirm-register-aside`` names.
4. Who may do which: `links.pairing`, `links.registers_set_aside`.
"""

from __future__ import annotations

from firmware_bridge.control.request_values import Asked, RequestError, of, outcome
from firmware_bridge.control.sessions import of_session, stalled
from firmware_bridge.links.pairing import PairingDesk, PairingError, Shown
from firmware_bridge.links.pairings import Paired
from firmware_bridge.pump.items import Deed, Why
from firmware_bridge.pump.pump import Pump


def pair(pump: Pump, desk: PairingDesk | None, asked: Asked) -> None:
    """Begin to pair a device."""
    name = of(asked.request, "device", str)
    if stalled(pump, asked):
        return

    def told(said: Shown | str) -> None:
        match said:
            case Shown(number, shows, display):
                asked.answer({"ok": True, "pairing": number, "device": name, "shows": shows, "display": display})
            case why:
                asked.answer({"refused": why})

    try:
        _at(desk).begin(name, asked.session, told)
    except PairingError as error:
        asked.answer({"refused": str(error)})


def confirm_pairing(pump: Pump, desk: PairingDesk | None, asked: Asked) -> None:
    """Confirm what another person has begun."""
    number, shows = of(asked.request, "pairing", int), of(asked.request, "shows", str)
    if stalled(pump, asked):
        return

    def done(said: Paired | str) -> None:
        match said:
            case Paired():
                asked.answer({"ok": True, "fingerprint": said.fingerprint, "table": said.table})
            case why:
                asked.answer({"refused": why})

    try:
        _at(desk).confirm(number, shows, asked.session, done)
    except PairingError as error:
        asked.answer({"refused": str(error)})


def set_aside(pump: Pump, desk: PairingDesk | None, asked: Asked) -> None:
    """Propose to set a register aside."""
    device = of(asked.request, "device", str)
    match _at(desk).asides.propose(device, asked.session, roles=pump.guard is not None):
        case int(number):
            asked.answer({"ok": True, "device": device, "number": number})
        case why:
            asked.answer({"refused": why})


def confirm_aside(pump: Pump, desk: PairingDesk | None, asked: Asked) -> None:
    """Confirm what another person has proposed."""
    device, number = of(asked.request, "device", str), of(asked.request, "number", int)
    if stalled(pump, asked):
        return
    session, roles, asides = asked.session, pump.guard is not None, _at(desk).asides
    deed = Deed("confirm-register-aside", lambda: asides.confirm(device, number, session, roles=roles))

    def done(refused: Why | None) -> None:
        asked.answer(outcome(refused))

    pump.enqueue(of_session(session, deed, done))


def _at(desk: PairingDesk | None) -> PairingDesk:
    """The desk, where there is one.

    Raises:
        RequestError: there is none.
    """
    if desk is None:
        raise RequestError("no devices are paired here")
    return desk
