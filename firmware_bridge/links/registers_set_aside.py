"""Sets aside registers that are too high: one person proposes it, another confirms.

1. A register that is above the journal was set by a broken box, or the journal was put back. Only people can tell. If
   they are sure of the journal, a shift manager proposes to set the register aside up to its head number, and another
   person of pit-manager or above confirms with that number.
2. From then on it is not judged, until its head number is passed or the device has another key. The device itself is
   told nothing.
3. A proposal lasts `LASTS` seconds; a restart drops it. On an open table anyone does both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from firmware_bridge.links.registers import ABOVE, DeviceRegisters
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, at_least
from firmware_bridge.people.guard import Session
from firmware_bridge.pump.items import Note
from firmware_bridge.texts.denials import Denial, Ground, deny

LASTS: Final = 900.0
OPEN: Final = "nobody: an open table"


class _Proposal(NamedTuple):
    """What waits to be confirmed for a device."""

    number: int
    by: str
    person: str
    at: float


class Asides:
    """What waits at one table."""

    def __init__(self, registers: DeviceRegisters, clock: Callable[[], float]) -> None:
        self._registers = registers
        self._clock = clock
        self._open: dict[str, _Proposal] = {}

    def propose(self, device: str, session: Session, *, roles: bool) -> int | Denial:
        """Propose to set the register of a device aside: its head number, or why it cannot be."""
        verdict, said = self._registers.said.get(device, ("", None))
        if roles and not at_least(session.role, SHIFT_MANAGER):
            return deny(Ground.ASIDE_NEEDS, role=SHIFT_MANAGER)
        if said is None or verdict != ABOVE:
            return deny(Ground.REGISTER_NOT_ABOVE, device=device)
        self._open[device] = _Proposal(said.number, session.name or OPEN, session.person, self._clock())
        return said.number

    def confirm(self, device: str, number: int, session: Session, *, roles: bool) -> Note | Denial:
        """Confirm a proposal and set the register aside: its row, or why it cannot be."""
        found = self._open.get(device)
        if roles and not at_least(session.role, PIT_MANAGER):
            return deny(Ground.ASIDE_CONFIRMING_NEEDS, role=PIT_MANAGER)
        if found is None or found.number != number or self._clock() - found.at >= LASTS:
            return deny(Ground.NO_SUCH_PROPOSAL)
        if roles and session.person == found.person:
            return deny(Ground.OTHER_CONFIRMS)
        del self._open[device]
        if self._registers.said.get(device, ("", None))[0] != ABOVE:
            return deny(Ground.REGISTER_NO_LONGER_ABOVE, device=device)
        return self._registers.set_aside(device, number, by=found.by, second=session.name or OPEN)
