"""The guard of one table: who is logged in where, the key switch, and the alarms.

1. A connection has a session. `login` gives it a person and a role; it ends with the connection, or `logout`. One
   person is logged in once: the next login ends the one before, which is told why. With `keep` the next login is
   refused instead and told where the other is, so that it ends none unasked. A confirmed change of the person ends it,
   too.
2. A PIN is checked beside the loop (`login.pin_thread`), and wrong ones make the next try wait (`lockouts`). Anyone who
   tries is nobody until the check is done.
3. Each login, logout, wrong try, clearing and turn of the key switch is a note in the journal, as JSON; a login and a
   wrong try have their origin. Who gave a command stands in its row. Every fifth wrong try in a row is an alarm, raised
   by its note. A name that nobody has is noted as `UNKNOWN`: it may be a PIN that was typed in the wrong place.
4. The key switch counts as off until it is seen to be turned on, and when the panel is lost. It lets one press through
   that needs it (`permissions.WITH_KEY`), within `KEY` seconds after it was turned on; then it must be turned off
   before it counts again.
5. A PIN that is due (`pin_rules`) is exchanged with the login, which carries the new one; that is a change of the list
   (`accounts.people_file`). Without it there is no login between rounds. In a round there is, with a warning, and so
   where people are kept at the centre.
6. `permissions` decides who may say what, and `two_names` who may confirm what somebody has said. A table without roles
   has no guard: anyone may say anything.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from firmware_bridge.people import permissions
from firmware_bridge.people.accounts.people_file import Register, row
from firmware_bridge.people.accounts.proposals import Proposals
from firmware_bridge.people.accounts.roles import DEALER, NOBODY, PIT_SUPERVISOR, Person, Pin
from firmware_bridge.people.alarms import Alarm, Alarms
from firmware_bridge.people.login import pin_rules
from firmware_bridge.people.login.lockouts import UNKNOWN, Lockouts, Origin
from firmware_bridge.people.login.on_duty import OnDuty
from firmware_bridge.people.login.pin_thread import Pins
from firmware_bridge.people.permissions import WRONG_PINS
from firmware_bridge.people.table_changes import Tables
from firmware_bridge.people.two_names import same
from firmware_bridge.pump.items import Note, Reply
from firmware_bridge.shown.news_type import EndedNews
from firmware_bridge.texts.denials import Denial, Ground, Why, deny, refusal_answer, why_report
from gamecore.table import Table

PANEL = "panel"
KEY = 10.0
"""Seconds for which the key switch counts."""


@dataclass(slots=True)
class Session:
    """Who speaks over one connection, and from where. `reads`: it only reads, and is never told a card.

    `name` is how the journal calls the person, `person` the staff number; `tell` reaches the connection.
    """

    name: str = ""
    role: str = ""
    person: str = ""
    origin: Origin = field(default_factory=Origin)
    reads: bool = False
    gone: bool = False
    tell: Callable[[dict[str, object]], None] = field(default=lambda _: None, repr=False)

    def leave(self) -> None:
        """Forget who spoke over this connection."""
        self.name = self.role = self.person = ""


Answer = Callable[[dict[str, object]], None]
Keep = Callable[[Note, Reply], None]


@dataclass(frozen=True, slots=True)
class Login:
    """What somebody says of themselves; `new` is the PIN that they want from now on, `keep` ends no login elsewhere."""

    name: str
    pin: str = field(repr=False)
    new: str | None = field(default=None, repr=False)
    keep: bool = False


class Guard:
    """Decides who may act at one table."""

    def __init__(
        self,
        register: Register,
        alarms: Alarms,
        clock: Callable[[], float] = time.monotonic,
        *,
        two_persons: bool = True,
    ) -> None:
        """Guard a table for these people; the pump sets `note`, `keep` and `author`.

        `note` writes a row. `keep` writes the row of a change and calls back when it is durable, or why it is not.
        `author` says whose word a row was, and in which role.
        """
        self.two_persons = two_persons
        self._clock = clock
        self._turned: float | None = None  # when the key was turned on, until it was used
        self.register = register
        self.lockouts = Lockouts(clock)
        self.duty = OnDuty(register, clock)
        self.pins = Pins()
        self.alarms = alarms
        self.key = False
        self.proposals = Proposals(register, clock)
        self.tables = Tables(clock)
        self.note: Callable[[Note], None] = lambda _: None
        self.keep: Keep = lambda _, done: done(None)
        self.author: Callable[[int], tuple[str, str] | None] = lambda _: None
        self._sessions: dict[str, Session] = {}

    def login(self, session: Session, said: Login, answer: Answer, *, in_round: bool = False) -> None:
        """Check who somebody is; the answer comes when the PIN is checked, or at once if it is not looked at."""
        self._leave(session)
        person = self.register.find(said.name)
        name = said.name if person is None else person.known_as
        refused = self.lockouts.refuses(name, session.origin, known=person is not None, key=self.key)
        if refused is None and self.pins.busy(session.origin.uid):
            refused = deny(Ground.LOGINS_BUSY)
        if refused is not None:
            answer(refusal_answer(refused))
            return
        self.lockouts.begins(name, session.origin)

        def checked(right: bool) -> None:
            if person is None or not right:
                self._wrong(name, session.origin, known=person is not None)
                answer(refusal_answer(deny(Ground.LOGIN_WRONG)))
                return
            self.lockouts.right(name, session.origin)
            if self.register.find(person.id) != person:
                answer(refusal_answer(deny(Ground.ENTRY_CHANGED)))
            elif not session.gone:
                self._proved(session, person, said, answer, in_round=in_round)

        self.pins.check(session.origin.uid, person.pin if person is not None else NOBODY, said.pin, checked)

    def _proved(self, session: Session, person: Person, said: Login, answer: Answer, *, in_round: bool) -> None:
        """Somebody has proved who they are; they are let in, unless they may not or must choose another PIN first."""
        today = self.register.today()
        due = pin_rules.due(person, today)
        if not self.register.is_valid(person):
            answer(refusal_answer(deny(Ground.LOGIN_EXPIRED, person=person.known_as, day=person.until)))
        elif said.keep and (other := self._sessions.get(person.id)) is not None and not other.gone:
            where = str(other.origin)
            elsewhere = deny(Ground.LOGGED_IN_ELSEWHERE, person=person.known_as, origin=where)
            answer(refusal_answer(elsewhere) | {"elsewhere": where})
        elif said.new is not None:
            self._renew(session, person, said, answer)
        elif due is not None and not in_round and not self.register.kept_at_centre():
            answer(refusal_answer(due) | {"renew": True})
        else:
            warning = pin_rules.warning(person, today)
            warned: dict[str, object] = (
                {} if warning is None else {"warning": str(warning), "warned": why_report(warning)}
            )
            self._let_in(session, person, answer, warned)

    def _renew(self, session: Session, person: Person, said: Login, answer: Answer) -> None:
        """Somebody wants another PIN."""
        chosen = str(said.new)
        same_one = deny(Ground.PIN_IS_OLD_ONE) if chosen == said.pin else None
        wrong = same_one or pin_rules.weakness(chosen, person.id)
        if wrong is not None:
            answer(refusal_answer(wrong) | {"renew": True})
            return

        def made(pin: Pin) -> None:
            if self.register.find(person.id) != person:
                done(deny(Ground.ENTRY_CHANGED))
                return
            new = replace(person, pin=pin, pin_set=self.register.today().isoformat(), given=False)
            self.change("PIN chosen", new, by=person.known_as, second="", done=done)

        def done(refused: Why | None) -> None:
            if refused is not None:
                answer(refusal_answer(refused))
            elif not session.gone:
                self._let_in(session, person, answer, {})

        self.pins.make(session.origin.uid, chosen, made)

    def _let_in(self, session: Session, person: Person, answer: Answer, more: dict[str, object]) -> None:
        self._end(person.id, deny(Ground.LOGGED_IN_ELSEWHERE, person=person.known_as, origin=str(session.origin)))
        session.name, session.role, session.person = person.known_as, person.role, person.id
        self._sessions[person.id] = session
        self.duty.logged_in(person)
        self._say(login=person.known_as, role=person.role, origin=str(session.origin))
        answer(
            {"ok": True, "role": person.role}
            | ({"name": person.known_as} if person.known_as != person.name else {})
            | more
        )

    def change(self, what: str, person: Person, *, by: str, second: str, done: Reply) -> None:
        """Add or change somebody; `done` hears when it is durable and in force, or why it is not."""
        register = self.register
        people = register.with_one(person)
        wrong = deny(Ground.CHANGE_BEING_WRITTEN) if register.writing else None
        if register.kept_at_centre():
            wrong = deny(Ground.PEOPLE_AT_CENTRE)
        elif register.stuck(people):
            wrong = deny(Ground.NOBODY_LEFT)
        if wrong is not None:
            done(wrong)
            return
        try:
            digest = register.write_next(people)
        except OSError as error:
            done(deny(Ground.LIST_NOT_WRITTEN, detail=error.strerror or str(error)))
            return
        register.writing = True

        def kept(refused: Why | None) -> None:
            register.writing = False
            if refused is None:
                register.put_in_force(people, digest)
                if second:
                    self._end(person.id, deny(Ground.PERSON_CHANGED, person=person.known_as))
            done(refused)

        said = row(what, person, digest, by=by, second=second)
        self.keep(Note(json.dumps(said, ensure_ascii=False)), kept)

    def take_list(self, people: tuple[Person, ...], digest: str) -> None:
        """Put another list in force, now that the journal names it; a login ends whose person it has changed."""
        before = {one.id: one for one in self.register.people}
        self.register.put_in_force(people, digest)
        for one in people:
            was = before.get(one.id)
            if was is not None and replace(was, pin_set=one.pin_set, given=one.given) != one:
                self._end(one.id, deny(Ground.PERSON_CHANGED, person=one.known_as))

    def _end(self, person: str, why: Denial) -> None:
        """End the login of a person, if there is one, and say why."""
        session = self._sessions.get(person)
        if session is not None:
            self._leave(session, str(why))
            ended: EndedNews = {"why": str(why), "refusal": why_report(why)}
            session.tell({"ended": ended})

    def _leave(self, session: Session, why: str = "") -> None:
        """End the login of a connection, if there is one."""
        if self._sessions.get(session.person) is session:
            del self._sessions[session.person]
        if why:
            self._say(logout=session.name, why=why)
        session.leave()

    def gone(self, session: Session) -> None:
        """End the login of a connection that has ended."""
        self._leave(session)

    def _wrong(self, name: str, origin: Origin, *, known: bool) -> None:
        told = name if known else UNKNOWN
        alarming = self.lockouts.wrong(name, origin, known=known)
        said = {"login-failed": told, "origin": str(origin)} | ({"alarm": WRONG_PINS} if alarming else {})
        self.note(Note(json.dumps(said, ensure_ascii=False), alarm=WRONG_PINS if alarming else ""))

    def close(self) -> None:
        """Stop checking PINs."""
        self.pins.close()

    def logout(self, session: Session) -> None:
        """End the login of a connection, and note it."""
        if session.name:
            self._say(logout=session.name)
        self._leave(session)

    # --- what may be said --------------------------------------------------------------------------------------------

    def refuses(self, role: str, said: str, what: object, table: Table, *, pressed: bool = False) -> Denial | None:
        """Why a role may not say or press this now; None if it may."""
        roles = permissions.needed(what, table)
        if permissions.allows(role, roles):
            return None
        if not pressed:
            return permissions.lacks_role(said, roles, role)
        if not self._with_key(what, roles):
            return deny(Ground.SAY_AT_CONSOLE, statement=said, roles=roles)
        return deny(Ground.TURN_KEY_AGAIN if self.key else Ground.TURN_KEY_ON, statement=said, roles=roles)

    def turned(self, *, on: bool) -> None:
        """Take note that the key switch on the panel was turned."""
        self.key = on
        self._turned = self._clock() if on else None

    @property
    def key_counts(self) -> bool:
        """Whether the key switch lets a press through now."""
        return self._turned is not None and self._clock() - self._turned <= KEY

    def key_used(self) -> None:
        """Take note that the key switch has let a press through: it counts no longer."""
        self._turned = None

    def needs_key(self, what: object, table: Table) -> bool:
        """Whether something that a dealer may not press may be pressed with the key switch."""
        roles = permissions.needed(what, table)
        return not permissions.allows(DEALER, roles) and self._with_key(what, roles)

    @staticmethod
    def _with_key(what: object, roles: tuple[str, ...]) -> bool:
        return isinstance(what, permissions.WITH_KEY) and permissions.allows(PIT_SUPERVISOR, roles)

    def lost(self, device: str) -> None:
        """Take the key switch as off if the panel is gone."""
        if device == PANEL:
            self.turned(on=False)

    # --- alarms ------------------------------------------------------------------------------------------------------

    def to_clear(
        self, session: Session, number: int | None, code: str | None = None
    ) -> tuple[list[Alarm], Denial | None]:
        """The alarms that a connection clears, all or those of one event and one finding; or why it may not."""
        chosen = [
            alarm
            for alarm in self.alarms.open
            if (number is None or alarm.n == number) and (code is None or alarm.code == code)
        ]
        if not chosen:
            return [], deny(Ground.NO_SUCH_ALARM if number is not None else Ground.NO_ALARM)
        for alarm in chosen:
            refused = self._refuses_to_clear(session, alarm)
            if refused is not None:
                return [], refused
        return chosen, None

    def _refuses_to_clear(self, session: Session, alarm: Alarm) -> Denial | None:
        """Why a person may not clear an alarm; with a reporter who has the role any other of the pit may."""
        roles = permissions.to_clear(alarm.code, alarm.ruling)
        name, role = (self.author(alarm.n) if self.two_persons else None) or ("", "")
        with_reporter = permissions.allows(role, roles) and permissions.allows(session.role, (PIT_SUPERVISOR,))
        if not permissions.allows(session.role, roles) and not with_reporter:
            return permissions.lacks_role(f"clear {alarm.code}", roles, session.role)
        reported = same(name, session.name)
        return deny(Ground.OTHER_CLEARS, person=session.name, code=alarm.code) if reported else None

    def _say(self, **said: object) -> None:
        self.note(Note(json.dumps(said, ensure_ascii=False)))
