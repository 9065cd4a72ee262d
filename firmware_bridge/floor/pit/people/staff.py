"""The people of a casino at one console of its floor.

1. They come from the newest roster in the archive that the floor has signed. A lower version than the one that is known
   is not taken: an older archive may have been restored. Roles come from the roster alone.
2. A login is checked as at a table: by staff number or name, with the same delays after wrong tries. A PIN is chosen
   and changed where people are kept, not here.
3. Tables ask for the roster too, and are given it as it was signed (`newer_than`).
4. A person has one login at this console: the newest. It ends when the roster gives them another role, or none.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.console.login.sessions import Session, Sessions
from firmware_bridge.console.web.log import NAME
from firmware_bridge.control.async_client import News
from firmware_bridge.people.accounts.people_file import Register
from firmware_bridge.people.accounts.roles import NOBODY, Person, fits
from firmware_bridge.people.accounts.roster import RosterError, read_roster
from firmware_bridge.people.login.lockouts import Lockouts, Origin
from firmware_bridge.texts.denials import Denial, Ground, deny, why_report


class FloorLogin:
    """By what a login at the floor holds: there is no daemon behind it."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.ended: Callable[[], None] | None = None
        self.heard: Callable[[News], None] | None = None
        self.up = True

    async def ask(self, do: str, **request: object) -> dict[str, object]:
        """Nothing is asked of anybody."""
        del do, request
        return {}

    async def close(self) -> None:
        """End it."""
        self.up = False

    def end(self, why: Denial) -> None:
        """End the login, and say why."""
        if self.up and self.heard is not None:
            self.heard({"ended": {"why": str(why), "refusal": why_report(why)}})
        self.up = False


class Staff:
    """Who may log in, and who has."""

    def __init__(self, casino: str, floor: bytes | None, sessions: Sessions, clock: Callable[[], float]) -> None:
        """Nobody is known yet; without a key of the floor nobody need log in."""
        self._casino, self._floor, self._sessions = casino, floor, sessions
        self._register = Register(Path())
        self._version, self._document = 0, b""
        self._lockouts = Lockouts(clock)
        self._logins: dict[str, FloorLogin] = {}
        self._log = logging.getLogger(NAME)

    @property
    def needed(self) -> bool:
        """Whether somebody must log in to do something."""
        return self._floor is not None

    def take_roster(self, document: bytes | None) -> None:
        """Take the newest roster of the archive."""
        if document is None or self._floor is None:
            return
        try:
            roster = read_roster(document, self._floor, self._casino)
        except RosterError as error:
            self._log.warning("the roster is not taken: %s", error)
            return
        if roster.version <= self._version:
            return
        self._version, self._register.people = roster.version, roster.people
        self._document = document
        self._log.info("roster %d of %s and %s", roster.version, roster.author, roster.second)
        for login in list(self._logins.values()):
            now = self._register.find(login.person.id)
            if now is None or now.role != login.person.role or not self._register.is_valid(now):
                login.end(deny(Ground.PERSON_CHANGED, person=login.person.known_as))

    def newer_than(self, version: int) -> bytes | None:
        """The roster as it was signed, if it is newer than a version."""
        return self._document if self._version > version else None

    async def log_in(self, session: Session, name: str, pin: str, origin: Origin) -> Denial | None:
        """Log somebody in by their PIN; returns why not."""
        person = self._register.find(name)
        known = name if person is None else person.id
        if denial := self._lockouts.refuses(known, origin, known=person is not None, key=False):
            return denial
        self._lockouts.begins(known, origin)
        right = await asyncio.to_thread(fits, NOBODY if person is None else person.pin, pin)
        if person is None or not right:
            self._lockouts.wrong(known, origin, known=person is not None)
            return deny(Ground.LOGIN_WRONG)
        self._lockouts.right(known, origin)
        return self._let_in(session, person)

    def log_in_known(self, session: Session, number: str) -> Denial | None:
        """Log in the person with a staff number, for whom another has vouched; returns why not."""
        person = next((one for one in self._register.people if one.id == number), None)
        return deny(Ground.LOGIN_WRONG) if person is None else self._let_in(session, person)

    def _let_in(self, session: Session, person: Person) -> Denial | None:
        if not self._register.is_valid(person):
            return deny(Ground.LOGIN_EXPIRED, person=person.known_as, day=person.until)
        before = self._logins.pop(person.id, None)
        if before is not None:
            before.end(deny(Ground.LOGGED_IN_ELSEWHERE, person=person.known_as, origin="another browser"))
        login = self._logins[person.id] = FloorLogin(person)
        self._sessions.login(session, person.known_as, person.role, login)
        return None
