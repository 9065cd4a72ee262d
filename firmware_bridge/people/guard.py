"""The guard of one table: who is logged in where, the key switch, and the alarms.

1. A connection has a session. `login` gives it a name and a role; the session ends with the connection, or `logout`.
2. Checking a PIN takes a tenth of a second by design, and the loop waits for it: logins are rare, wrong tries end in a
   lock-out, and what the devices see meanwhile they keep. So the daemon needs no thread for it.
3. Each login, wrong try, lock-out, clearing and turn of the key switch is a note in the journal, as JSON. Who gave a
   command stands in its row. A name that nobody has is not noted: it may be a PIN that was typed in the wrong place.
4. The key switch counts as off until it is seen to be turned on, and when the panel is lost.
5. What may be said is `permissions`' to decide; a table without roles has no guard, and everything is allowed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_bridge.people import permissions
from firmware_bridge.people.alarms import Alarm, Alarms
from firmware_bridge.people.roles import DEALER, NOBODY, Person, Tries, fits
from gamecore.table import Table

UNKNOWN = "unknown name"
PANEL = "panel"


@dataclass(slots=True)
class Session:
    """Who speaks over one connection."""

    name: str = ""
    role: str = ""


class Guard:
    """Lets those act who may."""

    def __init__(self, people: Sequence[Person], alarms: Alarms, clock: Callable[[], float] = time.monotonic) -> None:
        """Guard a table for these people; `note` is set by who has a journal."""
        self._people = {person.name: person for person in people}
        self._tries = Tries(clock)
        self.alarms = alarms
        self.key = False
        self.note: Callable[[str], None] = lambda _: None

    def login(self, session: Session, name: str, pin: str) -> dict[str, object]:
        """Check who somebody is; the answer."""
        person = self._people.get(name)
        known = name if person is not None else UNKNOWN
        session.name = session.role = ""
        if not self._tries.begins(known):
            return {"refused": f"locked out for {self._tries.locked(known) or 1} seconds after wrong tries"}
        right = fits(person.pin if person is not None else NOBODY, pin)
        if person is None or not right:
            self._wrong(known)
            return {"refused": "name or PIN is wrong"}
        self._tries.right(known)
        session.name, session.role = person.name, person.role
        self._say(login=person.name, role=person.role)
        return {"ok": True, "role": person.role}

    def _wrong(self, known: str) -> None:
        self._say(**{"login-failed": known})
        if self._tries.wrong(known):
            self._say(**{"locked-out": known, "seconds": self._tries.locked(known)})

    def logout(self, session: Session) -> None:
        """Nobody speaks over this connection any more."""
        if session.name:
            self._say(logout=session.name)
        session.name = session.role = ""

    # --- what may be said --------------------------------------------------------------------------------------------

    def refuses(self, session: Session, said: str, what: object, table: Table) -> str | None:
        """Why a connection may not say this; None if it may."""
        roles = permissions.needed(what, table)
        if not permissions.allows(permissions.with_key(session.role, key=self.key), roles):
            return permissions.refusal(said, roles, session.role)
        return None

    def panel_refuses(self, said: str, what: object, table: Table) -> str | None:
        """Why a press may not mean this; None if it may."""
        roles = permissions.needed(what, table)
        if permissions.allows(permissions.with_key(DEALER, key=self.key), roles):
            return None
        return f"'{said}' needs {' or '.join(roles)}: turn the key switch"

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
        role = permissions.with_key(session.role, key=self.key)
        for alarm in chosen:
            roles = permissions.to_clear(alarm.code, alarm.ruling)
            if not permissions.allows(role, roles):
                return [], permissions.refusal(f"clear {alarm.code}", roles, session.role)
        return chosen, None

    def _say(self, **said: object) -> None:
        self.note(json.dumps(said, ensure_ascii=False))
