"""Sessions: who sits at which browser, and for how long.

1. A session is a random id of 256 bits in a cookie, and a token of as many that the page sends with each command.
   Another site can make a browser send the cookie, but does not know the token.
2. Of a session of nobody nothing is kept: its id is a random word and a tag of it under the console's own secret, its
   token another tag. So nobody without a login takes room from somebody else. Only what it reads is known, while it
   reads it. A login makes a new id and token and joins the session to a connection of its own; the daemon knows by it
   who speaks.
3. A session ends `IDLE` seconds after it was last used, and `LONGEST` seconds after it began, whichever is first; at
   logout; and, logged in, when the daemon ends the connection or the login. Each time the browsers that read its
   stream are told why, and their streams end. At logout they go on where reading is free. The daemon is told, so that
   the end of each login is in its journal.
4. What a page asks for by itself is no use: only what a person does keeps a session alive. `use` is called for that. A
   session of nobody, which gives no right, ends with the console.
5. A command carries an id that the session has not seen; the same one again is a replay. A session that has seen
   `COMMANDS` of them ends. For nobody, who may command on a table without roles, the last `REMEMBERED` are remembered
   together.
6. The daemon has so many places for those who have logged in: there are no more sessions than that.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.console.live.daemon_link import Connection, News
from firmware_bridge.console.live.feed import Reader, written

IDLE = 15 * 60.0
LONGEST = 12 * 3600.0
COMMANDS = 50_000
REMEMBERED = 4096
SWEEP = 1.0
"""Seconds between two looks for sessions that have expired."""
LEAVING = 0.3
"""Seconds in which the daemon hears of a logout."""
_BYTES = 32

EXPIRED = "nobody has used the session for a while"
TOO_LONG = "the session has lasted as long as one may"
LOGGED_OUT = "logged out"
DAEMON_ENDED = "the daemon was restarted: log in again"
USED_UP = "the session has taken as many commands as one may"


@dataclass(slots=True, eq=False)
class Session:
    """One browser's session."""

    began: float
    used: float
    id: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES), repr=False)
    name: str = ""
    role: str = ""
    connection: Connection | None = field(default=None, repr=False)
    readers: set[Reader] = field(default_factory=set, repr=False)
    commands: set[str] = field(default_factory=set, repr=False)

    @property
    def logged_in(self) -> bool:
        """Whether somebody has logged in."""
        return self.connection is not None

    def knows(self, token: str) -> bool:
        """Whether this is the session's token."""
        return hmac.compare_digest(self.token.encode(), token.encode("utf-8", "surrogateescape"))

    def tell_readers(self, **said: str) -> None:
        """Tell every browser that reads the session's stream."""
        line = written("session", said)
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
        """A session of nobody."""
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
        """A browser reads the stream of a session."""
        if not session.logged_in:
            session.readers = self._nobodys.setdefault(session.id, session.readers)
        session.readers.add(reader)

    def left(self, reader: Reader) -> None:
        """A browser reads no longer."""
        for readers in (*self._nobodys.values(), *(session.readers for session in self._sessions.values())):
            readers.discard(reader)
        self._nobodys = {id: readers for id, readers in self._nobodys.items() if readers}  # noqa: A001

    def use(self, session: Session) -> None:
        """A person does something."""
        session.used = self._clock()

    def login(self, session: Session, name: str, role: str, connection: Connection) -> None:
        """Somebody has logged in: the session gets another id, and begins anew."""
        self._forget(session)
        fresh = Session(self._clock(), self._clock())
        session.id, session.token, session.began, session.used = fresh.id, fresh.token, fresh.began, fresh.used
        session.commands.clear()
        session.name, session.role, session.connection = name, role, connection
        self._sessions[session.id] = session
        session.tell_readers(began=role)
        connection.ended = lambda: self.end(session, DAEMON_ENDED)
        connection.heard = lambda news: self._heard(session, news)
        if not connection.up:
            self.end(session, DAEMON_ENDED)

    def _heard(self, session: Session, news: News) -> None:
        """The daemon has ended a login, because the person has logged in elsewhere or was changed."""
        match news:
            case {"ended": {"why": str(why)}}:
                self.end(session, why)

    async def logout(self, session: Session) -> None:
        """Nobody sits there any more: the session gets another id, its browsers are told, and the daemon has heard."""
        if not self._reading_free:
            self.end(session, LOGGED_OUT)
        self._forget(session)
        nobody = self.begin()
        session.id, session.token = nobody.id, nobody.token
        session.name = session.role = ""
        if session.readers:
            self._nobodys[session.id] = session.readers
        session.tell_readers(ended=LOGGED_OUT)
        if self._closing:
            await asyncio.wait(self._closing)

    def replayed(self, session: Session, command: str) -> bool:
        """Whether the session has seen the id of a command before; from now on it has."""
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

    def end(self, session: Session, reason: str) -> None:
        """End a session, and tell the browsers that read its stream."""
        self._forget(session)
        session.name = session.role = ""
        session.tell_readers(ended=reason)
        for reader in session.readers:
            reader.close()
        session.readers.clear()

    async def close(self) -> None:
        """End all."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.wait([self._sweeper])
        for session in list(self._sessions.values()):
            self._forget(session)
        if self._closing:
            await asyncio.wait(self._closing)

    def sweep(self) -> None:
        """End what has expired."""
        for session in list(self._sessions.values()):
            if reason := self._over(session):
                self.end(session, reason)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep()

    def _over(self, session: Session) -> str:
        """Why a session is over; empty if it is not."""
        now = self._clock()
        if now - session.used >= IDLE:
            return EXPIRED
        if now - session.began >= LONGEST:
            return TOO_LONG
        return USED_UP if len(session.commands) >= COMMANDS else ""

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


def _ascii(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


async def _leave(connection: Connection) -> None:
    """Log out and end a connection."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(LEAVING):
            await connection.ask("logout")
    await connection.close()
