"""Who is on duty at a table: those who have logged in there lately, for the list at its own screen.

1. Somebody is on duty for `SHIFT` seconds after their last login here, as long as they may log in. The newest are
   first, at most `MOST`. After a start the journal's last hour says who they are.
2. Only initials, staff number and role are told: anyone at the screen can read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from firmware_bridge.people.accounts.people_file import Register
from firmware_bridge.people.accounts.roles import Person

SHIFT = 12 * 3600.0
MOST = 12


class OnDuty:
    """The people who are on duty at one table."""

    def __init__(self, register: Register, clock: Callable[[], float]) -> None:
        """Begin with nobody on duty."""
        self._register = register
        self._clock = clock
        self._since: dict[str, float] = {}  # by staff number, the newest last

    def logged_in(self, person: Person) -> None:
        """Note that somebody has logged in."""
        self._since.pop(person.id, None)
        self._since[person.id] = self._clock()

    def remember(self, tries: Iterable[tuple[float, Mapping[str, Any]]]) -> None:
        """Take up what the journal says of the last hour, oldest first: how many seconds ago, and its note."""
        people = {one.known_as: one for one in self._register.people}
        for ago, said in tries:
            person = people.get(str(said.get("login", "")))
            if person is not None:
                self._since.pop(person.id, None)
                self._since[person.id] = self._clock() - ago

    def people_on_duty(self) -> list[dict[str, object]]:
        """Initials, staff number and role of each, the newest first."""
        people = {one.id: one for one in self._register.people if self._register.is_valid(one)}
        least = self._clock() - SHIFT
        here = [people[id] for id, since in reversed(self._since.items()) if since >= least and id in people]  # noqa: A001
        return [{"initials": initials(one.name), "number": one.id, "role": one.role} for one in here[:MOST]]


def initials(name: str) -> str:
    """The first letters of the first three parts of a name; a name without spaces or hyphens has one."""
    return "".join(part[0] for part in name.replace("-", " ").split()[:3]).upper()
