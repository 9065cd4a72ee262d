"""The guard of one table: who is logged in where, the key switch, and the alarms.

1. A connection has a session. `login` gives it a name and a role; the session ends with the connection, or `logout`.
2. A PIN is checked beside the loop (`pins`), and wrong ones make the next try wait (`lockouts`). Anyone who tries is
   nobody until the check is done.
3. Each login, wrong try, clearing and turn of the key switch is a note in the journal, as JSON, the first two with
   their origin. Who gave a command stands in its row. Every fifth wrong try in a row is an alarm, raised by its note. A
   name that nobody has is not noted: it may be a PIN that was typed in the wrong place.
4. The key switch counts as off until it is seen to be turned on, and when the panel is lost.
5. What may be said is `permissions`' to decide; a table without roles has no guard, and everything is allowed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firmware_bridge.items import Note
from firmware_bridge.people import permissions
from firmware_bridge.people.alarms import Alarm, Alarms
from firmware_bridge.people.lockouts import UNKNOWN, Lockouts, Origin
from firmware_bridge.people.permissions import WRONG_PINS
from firmware_bridge.people.pins import Pins
from firmware_bridge.people.roles import NOBODY, Person
from gamecore.table import Table

PANEL = "panel"


@dataclass(slots=True)
class Session:
    """Who speaks over one connection, and from where. `reads`: it only reads, and is never told a card."""

    name: str = ""
    role: str = ""
    origin: Origin = field(default_factory=Origin)
    reads: bool = False
    gone: bool = False


class Guard:
    """Lets those act who may."""

    def __init__(self, people: Sequence[Person], alarms: Alarms, clock: Callable[[], float] = time.monotonic) -> None:
        """Guard a table for these people; `note` is set by who has a journal."""
        self._people = {person.name: person for person in people}
        self.lockouts = Lockouts(clock)
        self._pins = Pins()
        self.alarms = alarms
        self.key = False
        self.note: Callable[[Note], None] = lambda _: None

    def login(self, session: Session, name: str, pin: str, answer: Callable[[dict[str, object]], None]) -> None:
        """Check who somebody is; the answer comes when the PIN is checked, or at once if it is not looked at."""
        session.name = session.role = ""
        person = self._people.get(name)
        refused = self.lockouts.refuses(name, session.origin, known=person is not None, key=self.key)
        if refused is None and self._pins.busy(session.origin.uid):
            refused = "too many log in at once: try again"
        if refused is not None:
            answer({"refused": refused})
            return
        self.lockouts.begins(name, session.origin)

        def checked(right: bool) -> None:
            if person is None or not right:
                self._wrong(name, session.origin, known=person is not None)
                answer({"refused": "name or PIN is wrong"})
                return
            self.lockouts.right(name, session.origin)
            if session.gone:
                return
            session.name, session.role = person.name, person.role
            self._say(login=person.name, role=person.role, origin=str(session.origin))
            answer({"ok": True, "role": person.role})

        self._pins.check(session.origin.uid, person.pin if person is not None else NOBODY, pin, checked)

    def _wrong(self, name: str, origin: Origin, *, known: bool) -> None:
        told = name if known else UNKNOWN
        alarming = self.lockouts.wrong(name, origin, known=known)
        said = {"login-failed": told, "origin": str(origin)} | ({"alarm": WRONG_PINS} if alarming else {})
        self.note(Note(json.dumps(said, ensure_ascii=False), alarm=WRONG_PINS if alarming else ""))

    def close(self) -> None:
        """Check no PIN any more."""
        self._pins.close()

    def logout(self, session: Session) -> None:
        """Nobody speaks over this connection any more."""
        if session.name:
            self._say(logout=session.name)
        session.name = session.role = ""

    # --- what may be said --------------------------------------------------------------------------------------------

    def refuses(self, role: str, said: str, what: object, table: Table, *, pressed: bool = False) -> str | None:
        """Why a role may not say or press this now; None if it may."""
        roles = permissions.needed(what, table)
        if permissions.allows(role, roles):
            return None
        if pressed:
            return f"'{said}' needs {' or '.join(roles)}: turn the key switch"
        return permissions.refusal(said, roles, role)

    def turned(self, *, on: bool) -> None:
        """The key switch on the panel was turned."""
        self.key = on

    def lost(self, device: str) -> None:
        """A device is gone; a key switch that is not seen is off."""
        if device == PANEL:
            self.key = False

    # --- alarms ------------------------------------------------------------------------------------------------------

    def to_clear(self, session: Session, number: int | None, code: str | None = None) -> tuple[list[Alarm], str | None]:
        """The alarms that a connection clears, all or those of one event and one finding; or why it may not."""
        chosen = [
            alarm
            for alarm in self.alarms.open
            if (number is None or alarm.n == number) and (code is None or alarm.code == code)
        ]
        if not chosen:
            return [], "there is no such alarm" if number is not None else "there is no alarm"
        for alarm in chosen:
            roles = permissions.to_clear(alarm.code, alarm.ruling)
            if not permissions.allows(session.role, roles):
                return [], permissions.refusal(f"clear {alarm.code}", roles, session.role)
        return chosen, None

    def _say(self, **said: object) -> None:
        self.note(Note(json.dumps(said, ensure_ascii=False)))
