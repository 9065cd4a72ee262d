"""Changes of the list of people: proposed by one, confirmed by another.

1. A shift manager proposes; another person of pit-manager or above confirms, who is not the one that it is about.
2. ``add`` names somebody new, ``change`` another name, role, last day or PIN of somebody, ``expire`` lets nobody log in
   under a number any more. A PIN that is proposed is the person's only until their first login: then they choose.
3. A proposal has a number, under which it is confirmed: nobody confirms another one than they have read. One that is
   `LASTS` seconds old, or whose person was changed meanwhile, is over. There are at most `MOST`, of one person one.
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

ADD, CHANGE, EXPIRE = KINDS = ("add", "change", "expire")
LASTS, MOST = 900.0, 32
NAME = 40
"""Characters of the longest name."""
_NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,19}", re.ASCII)


class ProposalError(ValueError):
    """Why something cannot be proposed or confirmed."""


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
        before = next((one for one in self.register.people if one.id == wanted.number), None)
        if wanted.kind == ADD:
            if before is not None:
                raise ProposalError(f"{wanted.number} is the number of {before.name} already")
            if wanted.name is None or wanted.role is None or wanted.pin is None:
                raise ProposalError("a new person needs name, role and PIN")
            if len(self.register.people) >= MOST_PEOPLE:
                raise ProposalError(f"the list has {MOST_PEOPLE} people, which is the most")
            check_number(wanted.number)
        elif before is None:
            raise ProposalError(f"nobody has the number {wanted.number}")
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
            raise ProposalError("nothing would change")
        if len(self.open) >= MOST and after.id not in self._open:
            raise ProposalError(f"{MOST} proposals wait, which is the most")
        self._number += 1
        made = Proposal(self._number, wanted.kind, before, after, by, person, self.clock())
        self._open[after.id] = made
        return made

    def taken(self, number: int, person: str) -> Proposal:
        """The proposal that somebody confirms; it waits no longer.

        Raises:
            ProposalError: it cannot be confirmed, or not by them.
        """
        found = next((one for one in self.open if one.number == number), None)
        if found is None:
            raise ProposalError("there is no such proposal, or it is over")
        if person in {found.person, found.after.id}:
            raise ProposalError("another person must confirm it: not the one that proposed it, nor the one it is about")
        del self._open[found.after.id]
        if found.before != next((one for one in self.register.people if one.id == found.after.id), None):
            raise ProposalError(f"{found.after.id} was changed since: propose it again")
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
        raise ProposalError("number: expected a staff number of 1 to 20 letters, digits and -")


def check(wanted: Wanted) -> None:
    """Check the parts of a proposal; a PIN is not repeated.

    Raises:
        ProposalError: one of them is wrong.
    """
    if wanted.kind not in KINDS:
        raise ProposalError(f"kind: expected one of {', '.join(KINDS)}")
    if wanted.name is not None and not (wanted.name.strip() and len(wanted.name) <= NAME and wanted.name.isprintable()):
        raise ProposalError(f"name: expected at most {NAME} printable characters")
    if wanted.role is not None and wanted.role not in ROLES:
        raise ProposalError(f"role: expected one of {', '.join(ROLES)}")
    if wanted.until:
        try:
            date.fromisoformat(wanted.until)
        except ValueError as error:
            raise ProposalError("until: expected a day such as 2027-01-31") from error
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
