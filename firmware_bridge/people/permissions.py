"""Which role may say what at a table.

1. Anyone in the socket's group may read without a role. Anyone who commands needs a login; surveillance and engineer
   command nothing of the game.
2. ``approve ROLE`` needs that role or a higher one. ``answer pit`` needs a pit-supervisor, ``answer house`` a
   shift-manager; what is asked of the Dealer and of Players the dealer passes on.
3. What is ruled decides who must stand behind it: `AUTHORITY` has a role for every ruling of the matrix. That role says
   that the cards lie as ruled. It also says that they cannot be put back, and clears the alarm: but never a role below
   pit-supervisor. An engineer may clear what a device has caused, too. Of the alarms of no round (`REPORTED`), that of
   wrong PINs is the pit-manager's, the others are the shift-manager's.
4. The key switch on the panel says that a pit-supervisor is present: one press of theirs (`WITH_KEY`) counts after it
   was turned on. It lifts nobody at the console, and neither voids a round nor says that cards cannot be put back.
5. A command is taken back by a role that may give it. A pit-supervisor takes back or retracts a report, takes back that
   the cards lie as ruled or cannot be put back, and calls a sensor wrong. What waits for an approval is denied, with
   ``retract``, by the role that may approve it.
6. What a device reports nobody calls (`reported`): the computer itself knows whether the power failed or a device was
   lost, a shoe that is there whether its cards have run out. On a table without a guard people may.
7. A dealer may do everything else of the game. A shift-manager puts another table in place (`people.table_changes`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from firmware_bridge.journal.clock import JUMPED
from firmware_bridge.people.accounts.roles import (
    DEALER,
    ENGINEER,
    LADDER,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    at_least,
)
from firmware_bridge.people.authority import AUTHORITY
from firmware_bridge.pump.items import NewTable
from firmware_bridge.texts.denials import Denial, Ground, deny
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import RETRACTED
from gamecore.rules.codes import CODES, DEVICE
from gamecore.table import Table

WRONG_PINS = "wrong-pins"
"""The alarm that somebody tries PINs: it is of no round, and no rule of the game has a word for it."""
PEOPLE_CHANGED = "people-changed"
"""The alarm that the list of people is not the one that the journal names."""
KEYS_CHANGED = "keys-changed"
"""The alarm that the configuration names another key of a device than the journal."""
IN_CLEAR = "in-clear"
"""The alarm that a device speaks edition 1 of the link, which anyone at its cable can read."""
RECOVERED = "recovered"
"""The alarm of rows that no head covers, of more than one round."""
UNANCHORED, PUT_BACK, ANCHOR_WIPED = "unanchored", "put-back", "anchor-wiped"
"""The alarms of a journal that no anchor has confirmed, that one has another of, and of an anchor that holds none."""
KEY_LOST, NOT_WHOLE = "key-lost", "not-whole"
"""The alarms of a segment whose key nothing certifies, and of a journal that is not as it was written."""
SHUFFLER_FAILS = "shuffler-fails"
"""The alarm that all shoes of a shuffler together are not as a fair shuffle leaves them."""
_OF_THE_JOURNAL = (RECOVERED, JUMPED, UNANCHORED, PUT_BACK, ANCHOR_WIPED, KEY_LOST, NOT_WHOLE)
REPORTED: Mapping[str, str] = MappingProxyType(
    {WRONG_PINS: PIT_MANAGER}
    | dict.fromkeys((PEOPLE_CHANGED, KEYS_CHANGED, IN_CLEAR, SHUFFLER_FAILS, *_OF_THE_JOURNAL), SHIFT_MANAGER)
)
"""Who clears an alarm that is of no round."""
COMPUTER = "computer"
_REPORTS = MappingProxyType({"power-failure": COMPUTER, "link-lost": COMPUTER, "insufficient-cards": "shoe"})
WITH_KEY = (ev.Approve, ev.Reconstructed, ev.Retract, ev.TakeBack)
"""What may be pressed with the key switch."""


def needed(what: object, table: Table) -> tuple[str, ...]:
    """The roles that may say this now: one of them, or a higher one, is needed."""
    match what:
        case NewTable():
            return (SHIFT_MANAGER,)
        case ev.Approve(role):
            return (role,)
        case ev.Answer(who):
            return (_ANSWERS.get(who, DEALER),)
        case ev.Reconstructed():
            return (_ruled(table),)
        case ev.CannotReconstruct():
            return (max(_ruled(table), PIT_SUPERVISOR, key=LADDER.index),)
        case ev.TakeBack():
            return _to_take_back(table)
        case ev.Retract(code):
            return (_to_deny(code, table),)
        case ev.SensorWrong():
            return (PIT_SUPERVISOR,)
        case _:
            return (DEALER,)


def reported(said: str, what: object, table: Table, sensors: Collection[str]) -> Denial | None:
    """Why nobody may call what a device reports; None if no device reports it, or that device is away."""
    device = _REPORTS.get(what.code) if isinstance(what, ev.Call) else None
    if device == COMPUTER:
        return deny(Ground.COMPUTER_REPORTS, statement=said)
    there = device in sensors and device not in table.view().away
    return deny(Ground.DEVICE_REPORTS, statement=said, device=device) if there else None


def _to_deny(code: str, table: Table) -> str:
    """The role that denies what waits under a code, or says that a report was a mistake."""
    waiting = [one.role for one in table.view().pending if one.words and one.code == code]
    return max([AUTHORITY[RETRACTED], *waiting], key=LADDER.index)


def _to_take_back(table: Table) -> tuple[str, ...]:
    """The role that the last command needs; for what was reported, or carried out, the pit's at least."""
    match table.last_said:
        case ev.Call():
            return (AUTHORITY[RETRACTED],)
        case ev.Reconstructed() | ev.CannotReconstruct():
            return (PIT_SUPERVISOR,)
        case last:
            return needed(last, table)


def to_clear(code: str, ruling: str) -> tuple[str, ...]:
    """The roles that may clear an alarm: one of them, or a higher one, is needed."""
    if code in REPORTED:
        return (REPORTED[code],)
    role = max(AUTHORITY.get(ruling, SHIFT_MANAGER), PIT_SUPERVISOR, key=LADDER.index)
    return (role, ENGINEER) if CODES.get(code) == DEVICE else (role,)


def allows(role: str, roles: tuple[str, ...]) -> bool:
    """Whether a role is one of these or a higher one."""
    return any(at_least(role, wanted) for wanted in roles)


def lacks_role(said: str, roles: tuple[str, ...], role: str) -> Denial:
    """Why somebody in a role, or nobody, may not say something that needs one of these."""
    if not role:
        return deny(Ground.ROLE_NEEDED_NOBODY, statement=said, roles=roles)
    return deny(Ground.ROLE_NEEDED, statement=said, roles=roles, role=role)


def _ruled(table: Table) -> str:
    """The role that stands behind the ruling that is being carried out."""
    matters = table.view().matters
    return AUTHORITY[matters[0].finding.ruling] if matters else DEALER


_ANSWERS = {"pit": PIT_SUPERVISOR, "house": SHIFT_MANAGER}
