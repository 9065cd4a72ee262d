"""Sessions: who sits at which browser, and for how long.

1. A session is a random id of 256 bits in a cookie, and a token of as many that the page sends with each command.
   Another site can make a browser send the cookie, but does not know the token.
2. Nothing is kept of a session without a login: its id is a random word and a tag of it under the console's own secret,
   its token another tag. So nobody without a login takes room from somebody else. Only the streams that it reads now
   are known. A login makes a new id and token, and gives the session a connection of its own, by which the daemon knows
   who speaks.
3. A logged-in session ends `IDLE` seconds after it was last used or `LONGEST` seconds after it began, whichever is
   first; at logout; after `COMMANDS` commands; and when the daemon ends the connection or the login. Each time the
   browsers that read its stream are told why, and their streams end; after a logout they go on if reading is free. The
   daemon is told, so that the end of each login is in its journal.
4. Only what a person does keeps a session alive (`use`), not what a page asks for by itself. A session without a login,
   which gives no right, ends with the console.
5. A command carries an id that the session has not seen; the same one again is a replay. For all sessions without a
   login together, which may command on a table without roles, the last `REMEMBERED` ids are remembered.
6. The number of logged-in sessions is bounded by the places of the daemon's control socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast

from firmware_bridge.console.live.feed import Reader, written
from firmware_bridge.control.async_client import News
from firmware_bridge.shown.news_type import SessionNews
from firmware_bridge.texts.denials import Denial, Ground, deny, why_report
from gamecore.view.report import RefusalReport

IDLE = 15 * 60.0
LONGEST = 12 * 3600.0
COMMANDS = 50_000
REMEMBERED = 4096
SWEEP = 1.0
"""Seconds between two looks for sessions that have expired."""
LEAVING = 0.3
"""Seconds that the daemon has to hear of a logout."""
_BYTES = 32

EXPIRED = deny(Ground.SESSION_UNUSED)
TOO_LONG = deny(Ground.SESSION_TOO_LONG)
LOGGED_OUT = deny(Ground.LOGGED_OUT)
DAEMON_ENDED = deny(Ground.DAEMON_RESTARTED)
USED_UP = deny(Ground.SESSION_USED_UP)


class Line(Protocol):
    """By what a login holds: a connection to the daemon, or whatever else knows who is logged in."""

    ended: Callable[[], None] | None
    heard: Callable[[News], None] | None

    @property
    def up(self) -> bool:
        """Whether it still holds."""
        ...

    async def ask(self, do: str, **request: object) -> Mapping[str, object]:
        """Ask, and wait for the answer."""
        ...

    async def close(self) -> None:
        """End it."""
        ...


@dataclass(slots=True, eq=False)
class Session:
    """One browser's session."""

    began: float
    used: float
    id: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES), repr=False)
    name: str = ""
    role: str = ""
    connection: Line | None = field(default=None, repr=False)
    readers: set[Reader] = field(default_factory=set, repr=False)
    commands: set[str] = field(default_factory=set, repr=False)

    @property
    def logged_in(self) -> bool:
        """Whether somebody has logged in."""
        return self.connection is not None

    def knows(self, token: str) -> bool:
        """Whether this is the session's token."""
        return hmac.compare_digest(self.token.encode(), token.encode("utf-8", "surrogateescape"))

    def tell_readers(self, news: SessionNews) -> None:
        """Tell every browser that reads the session's stream."""
        line = written("session", news)
        for reader in list(self.readers):
            reader.put(line)


class Sessions:
    """Every session of one console."""

    def __init__(self, clock: Callable[[], float], *, reading_free: bool = True) -> None:
        self._clock = clock
        self._reading_free = reading_free
        self._secret = secrets.token_bytes(_BYTES)
        self._sessions: dict[str, Session] = {}
        self._nobodys: dict[str, set[Reader]] = {}  # who reads as nobody now
        self._said: dict[str, None] = {}  # the last commands of nobody
        self._closing: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many have logged in."""
        return len(self._sessions)

    def start(self) -> None:
        """Look for expired sessions from now on."""
        self._sweeper = asyncio.create_task(self._sweep())

    def find(self, id: str) -> Session | None:  # noqa: A002  what it is called
        """The session with this id, if it has not ended."""
        session = self._sessions.get(id)
        if session is None:
            word, _, tag = id.partition(".")
            return self._nobody(id) if hmac.compare_digest(self._tag("id", word), _ascii(tag)) else None
        if reason := self._over(session):
            self.end(session, reason)
            return None
        return session

    def begin(self) -> Session:
        """Make a session without a login."""
        word = secrets.token_urlsafe(_BYTES)
        return self._nobody(f"{word}.{self._tag('id', word).decode()}")

    def _nobody(self, id: str) -> Session:  # noqa: A002
        """The session of nobody with this id."""
        now = self._clock()
        return Session(now, now, id, self._tag("token", id).decode(), readers=self._nobodys.get(id, set()))

    def _tag(self, what: str, word: str) -> bytes:
        """A tag that only this console can make."""
        made = hmac.digest(self._secret, f"{what} {word}".encode("utf-8", "surrogateescape"), "sha256")
        return made.hex().encode()

    def reads(self, session: Session, reader: Reader) -> None:
        """Note that a browser reads the stream of a session."""
        if not session.logged_in:
            session.readers = self._nobodys.setdefault(session.id, session.readers)
        session.readers.add(reader)

    def left(self, reader: Reader) -> None:
        """Forget a browser that reads no longer."""
        for readers in (*self._nobodys.values(), *(session.readers for session in self._sessions.values())):
            readers.discard(reader)
        self._nobodys = {id: readers for id, readers in self._nobodys.items() if readers}  # noqa: A001

    def use(self, session: Session) -> None:
        """Keep a session alive: a person does something."""
        session.used = self._clock()

    def login(self, session: Session, name: str, role: str, connection: Line) -> None:
        """Give a session to somebody who has logged in: it gets another id and token, and begins anew."""
        self._forget(session)
        fresh = Session(self._clock(), self._clock())
        session.id, session.token, session.began, session.used = fresh.id, fresh.token, fresh.began, fresh.used
        session.commands.clear()
        session.name, session.role, session.connection = name, role, connection
        self._sessions[session.id] = session
        session.tell_readers({"began": role})
        connection.ended = lambda: self.end(session, DAEMON_ENDED)
        connection.heard = lambda news: self._end_by_news(session, news)
        if not connection.up:
            self.end(session, DAEMON_ENDED)

    def _end_by_news(self, session: Session, news: News) -> None:
        """The daemon has ended a login, because the person has logged in elsewhere or was changed."""
        match news:
            case {"ended": {"why": str(why), "refusal": dict() as refusal}}:
                self._end(session, {"ended": why, "refusal": cast("RefusalReport", refusal)})

    async def logout(self, session: Session) -> None:
        """Log a session out: give it another id and token, tell its browsers, and wait until the daemon has heard."""
        if not self._reading_free:
            self.end(session, LOGGED_OUT)
        self._forget(session)
        nobody = self.begin()
        session.id, session.token = nobody.id, nobody.token
        session.name = session.role = ""
        if session.readers:
            self._nobodys[session.id] = session.readers
        session.tell_readers(_ended(LOGGED_OUT))
        if self._closing:
            await asyncio.wait(self._closing)

    def replayed(self, session: Session, command: str) -> bool:
        """Whether the session has seen the id of a command before; the id is remembered."""
        if not session.logged_in:
            said = f"{session.id} {command}"
            if said in self._said:
                return True
            self._said[said] = None
            if len(self._said) > REMEMBERED:
                del self._said[next(iter(self._said))]
            return False
        if command in session.commands:
            return True
        session.commands.add(command)
        return False

    def end(self, session: Session, reason: Denial) -> None:
        """End a session, and tell the browsers that read its stream."""
        self._end(session, _ended(reason))

    def _end(self, session: Session, news: SessionNews) -> None:
        self._forget(session)
        session.name = session.role = ""
        session.tell_readers(news)
        for reader in session.readers:
            reader.close()
        session.readers.clear()

    async def close(self) -> None:
        """End every login and stop looking for expired sessions."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.wait([self._sweeper])
        for session in list(self._sessions.values()):
            self._forget(session)
        if self._closing:
            await asyncio.wait(self._closing)

    def sweep(self) -> None:
        """End every session that has expired."""
        for session in list(self._sessions.values()):
            if reason := self._over(session):
                self.end(session, reason)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep()

    def _over(self, session: Session) -> Denial | None:
        """Why a session is over; None if it is not."""
        now = self._clock()
        if now - session.used >= IDLE:
            return EXPIRED
        if now - session.began >= LONGEST:
            return TOO_LONG
        return USED_UP if len(session.commands) >= COMMANDS else None

    def _forget(self, session: Session) -> None:
        """Forget a session's id and close its connection."""
        self._sessions.pop(session.id, None)
        self._nobodys.pop(session.id, None)
        connection, session.connection = session.connection, None
        if connection is not None:
            connection.ended = None
            task = asyncio.create_task(_leave(connection))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)


def _ended(why: Denial) -> SessionNews:
    return {"ended": str(why), "refusal": why_report(why)}


def _ascii(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


async def _leave(connection: Line) -> None:
    """Log out and end a connection."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(LEAVING):
            await connection.ask("logout")
    await connection.close()
