"""Changes of the list of people: proposed by one, confirmed by another.

1. A shift manager proposes. Another person of pit-manager or above confirms; it must not be about them.
2. ``add`` names somebody new; ``change`` gives somebody another name, role, last day or PIN; after ``expire`` nobody
   logs in under that number any more. A proposed PIN is the person's only until their next login: then they choose.
3. A proposal has a number, under which it is confirmed: nobody confirms one that they have not read. A proposal that is
   `LASTS` seconds old, or whose person has been changed since, is over. There are at most `MOST`, and one for each
   person: a newer one takes its place.
4. A proposal is a note in the journal too; a restart drops it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from firmware_bridge.people.accounts.people_file import MOST as MOST_PEOPLE
from firmware_bridge.people.accounts.people_file import Register
from firmware_bridge.people.accounts.roles import PIT_MANAGER, ROLES, SHIFT_MANAGER, Person, Pin, at_least
from firmware_bridge.people.login import pin_rules
from firmware_bridge.texts.denials import DeniedError, Ground, deny

ADD, CHANGE, EXPIRE = KINDS = ("add", "change", "expire")
LASTS, MOST = 900.0, 32
NAME = 40
"""Characters of the longest name."""
_NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,19}", re.ASCII)


class ProposalError(DeniedError):
    """Something cannot be proposed or confirmed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody proposes; what is None stays. An empty `until` is no last day."""

    kind: str
    number: str
    name: str | None = None
    role: str | None = None
    until: str | None = None
    pin: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits: the person as they are and as they would be, and who proposes it."""

    number: int
    kind: str
    before: Person | None
    after: Person
    by: str
    person: str
    at: float


@dataclass(slots=True)
class Proposals:
    """What waits at one table."""

    register: Register
    clock: Callable[[], float]
    _open: dict[str, Proposal] = field(default_factory=dict)
    _number: int = 0

    @property
    def open(self) -> list[Proposal]:
        """Every proposal that may still be confirmed, oldest first."""
        self._open = {id_: one for id_, one in self._open.items() if self.clock() - one.at < LASTS}
        return sorted(self._open.values(), key=lambda one: one.number)

    def checked(self, wanted: Wanted) -> tuple[Person | None, Person]:
        """The person before and after, the PIN as it was.

        Raises:
            ProposalError: it cannot be proposed.
        """
        if self.register.kept_at_centre():
            raise ProposalError(deny(Ground.PEOPLE_AT_CENTRE))
        before = next((one for one in self.register.people if one.id == wanted.number), None)
        if wanted.kind == ADD:
            if before is not None:
                raise ProposalError(deny(Ground.NUMBER_TAKEN, number=wanted.number, person=before.name))
            if wanted.name is None or wanted.role is None or wanted.pin is None:
                raise ProposalError(deny(Ground.NEW_PERSON_NEEDS))
            if len(self.register.people) >= MOST_PEOPLE:
                raise ProposalError(deny(Ground.LIST_FULL, most=MOST_PEOPLE))
            check_number(wanted.number)
        elif before is None:
            raise ProposalError(deny(Ground.NUMBER_UNKNOWN, number=wanted.number))
        check(wanted)
        if wanted.kind == EXPIRE and before is not None:
            return before, replace(before, until=(self.register.today() - timedelta(days=1)).isoformat())
        return before, _after(before, wanted)

    def put(self, wanted: Wanted, pin: Pin | None, by: str, person: str) -> Proposal:
        """Propose a change, with the kept form of its PIN.

        Raises:
            ProposalError: it cannot be proposed.
        """
        before, after = self.checked(wanted)
        if pin is not None:
            after = replace(after, pin=pin, pin_set=self.register.today().isoformat(), given=True)
        if after == before:
            raise ProposalError(deny(Ground.NOTHING_CHANGES))
        if len(self.open) >= MOST and after.id not in self._open:
            raise ProposalError(deny(Ground.PROPOSALS_FULL, most=MOST))
        self._number += 1
        made = Proposal(self._number, wanted.kind, before, after, by, person, self.clock())
        self._open[after.id] = made
        return made

    def take_up(self, number: int, person: str) -> Proposal:
        """Take the proposal that somebody confirms: it waits no longer.

        Raises:
            ProposalError: it cannot be confirmed, or not by them.
        """
        found = next((one for one in self.open if one.number == number), None)
        if found is None:
            raise ProposalError(deny(Ground.NO_SUCH_PROPOSAL))
        if person in {found.person, found.after.id}:
            raise ProposalError(deny(Ground.THIRD_CONFIRMS))
        del self._open[found.after.id]
        if found.before != next((one for one in self.register.people if one.id == found.after.id), None):
            raise ProposalError(deny(Ground.CHANGED_SINCE, number=found.after.id))
        return found


def may_propose(role: str) -> bool:
    """Whether a role proposes changes."""
    return at_least(role, SHIFT_MANAGER)


def may_confirm(role: str) -> bool:
    """Whether a role confirms changes, and reads the list."""
    return at_least(role, PIT_MANAGER)


def check_number(number: str) -> None:
    """Check a new staff number.

    Raises:
        ProposalError: it is none.
    """
    if not _NUMBER.fullmatch(number):
        raise ProposalError(deny(Ground.NUMBER_FORM))


def check(wanted: Wanted) -> None:
    """Check the parts of a proposal; a PIN is not repeated.

    Raises:
        ProposalError: one of them is wrong.
    """
    if wanted.kind not in KINDS:
        raise ProposalError(deny(Ground.KIND_FORM, kinds=KINDS))
    if wanted.name is not None and not (wanted.name.strip() and len(wanted.name) <= NAME and wanted.name.isprintable()):
        raise ProposalError(deny(Ground.NAME_FORM, most=NAME))
    if wanted.role is not None and wanted.role not in ROLES:
        raise ProposalError(deny(Ground.ROLE_FORM, kinds=tuple(ROLES)))
    if wanted.until:
        try:
            date.fromisoformat(wanted.until)
        except ValueError as error:
            raise ProposalError(deny(Ground.UNTIL_FORM)) from error
    weak = pin_rules.weakness(wanted.pin, wanted.number) if wanted.pin is not None else None
    if weak is not None:
        raise ProposalError(weak)


def _after(before: Person | None, wanted: Wanted) -> Person:
    """The person as they would be; the PIN of a new one is put in later."""
    if before is None:
        return Person(str(wanted.name), str(wanted.role), _NO_PIN, wanted.number, wanted.until or "")
    return replace(
        before,
        name=before.name if wanted.name is None else wanted.name,
        role=before.role if wanted.role is None else wanted.role,
        until=before.until if wanted.until is None else wanted.until,
        number=before.id,
    )


_NO_PIN = Pin(0, 0, 0, b"", b"")
