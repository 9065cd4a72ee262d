"""One connection to a socket of the daemon: its lines, its budget, its end.

1. The requests of one connection are answered in order. Each turn of the loop answers one request of all connections
   together (`Turns`), so that devices are heard between any two. While a login is checked, the next request of that
   connection waits.
2. A budget delays and refuses nothing: a request beyond it waits, and nothing more is read meanwhile. Reading has
   `READS` requests a second, commands have `COMMANDS`; unused ones add up for one second, or for `STORE` seconds after
   a login. A request that cannot be understood counts as reading. All connections of one user without a login share
   `SHARE` of the loop's processor time (`Share`), whatever they ask and however often they reconnect.
3. At most `WAITERS` requests of a connection wait for their answer at once; one more is refused. An `id` has at most
   `ID` characters. A line longer than `LONGEST` ends the connection, and so do more than `UNREAD` bytes of answers and
   news that nobody reads. While answers pile up, no request is taken.
4. A connection without a login that watches nothing and waits for nothing is ended after `IDLE` seconds. One whose
   other end has said that it will ask nothing more is answered for another `LEAVING` seconds.
5. On a table without roles everybody may do everything: at the control socket only the turn, the bounds of 3 and
   `LEAVING` hold. The reading socket keeps its budget, its share and `IDLE`.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import thread_time

from firmware_bridge.control.request_values import Asked, Request, RequestError, of
from firmware_bridge.control.requests import LOGIN, REQUESTS, Requests
from firmware_bridge.people.guard import Session
from firmware_bridge.shown.news_type import News
from firmware_bridge.texts.denials import Ground, deny, refusal_answer
from gamecore.notation.syntax import NotationError

LONGEST = 65536
"""Bytes of the longest request, with the line feed that ends it."""
UNREAD = 1024 * 1024
"""Bytes that may wait to be read."""
READS, COMMANDS = 20.0, 10.0
"""Requests a second."""
STORE = 10.0
"""Seconds whose requests may come at once from somebody who has logged in; others may send one second's."""
SHARE, CREDIT = 0.05, 0.05
"""The share of the loop's time, and the seconds of it that may be used at once."""
WAITERS, ID, IDLE, LEAVING = 32, 64, 60.0, 5.0
_write = json.JSONEncoder(separators=(",", ":")).encode


class Share:
    """The loop's time for one user's connections without a login; it is charged after it was used."""

    def __init__(self, now: float) -> None:
        """Begin with the whole credit."""
        self._left, self._at = CREDIT, now

    def delay(self, now: float) -> float:
        """Return the seconds after which there is time again; 0 if there is some now."""
        self._left, self._at = min(CREDIT, self._left + (now - self._at) * SHARE), now
        return max(0.0, -self._left / SHARE)

    def pay(self, seconds: float) -> None:
        """Charge the seconds that were used."""
        self._left -= seconds


class Turns:
    """Answers one request in each turn of the loop, for all connections together."""

    def __init__(self) -> None:
        """Nobody asks."""
        self._ready: deque[Visitor] = deque()
        self._shares: dict[int, Share] = {}

    def share(self, uid: int) -> Share:
        """The share of a user."""
        found = self._shares.get(uid)
        if found is None:
            found = self._shares[uid] = Share(asyncio.get_running_loop().time())
        return found

    def enqueue(self, visitor: Visitor) -> None:
        """Give a connection a turn, after those that came before."""
        self._ready.append(visitor)
        if len(self._ready) == 1:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        visitor = self._ready.popleft()
        if self._ready:
            asyncio.get_running_loop().call_soon(self._next)
        visitor.serve()


@dataclass(slots=True)
class Budget:
    """A rate of requests a second, and how many are left now."""

    rate: float
    left: float
    at: float

    def spend_one(self, now: float, most: float) -> float:
        """Spend one and return 0, or return the seconds after which there is one; `most` may add up."""
        self.left = min(most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1.0:
            return (1.0 - self.left) / self.rate
        self.left -= 1.0
        return 0.0


class Visitor(asyncio.BufferedProtocol):
    """One connection."""

    def __init__(self, requests: Requests, turns: Turns, session: Session, gone: Callable[[Visitor], None]) -> None:
        """Answer by `requests`; `gone` is called when the connection has ended."""
        self.session = session
        session.tell = self._send
        self._requests = requests
        self._turns = turns
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._filled = 0
        self._request: tuple[object, Request | str] | None = None  # one that was read and waits for its budget
        self._waits = False  # for a turn, for the budget, for a PIN, or until its answers are read
        self._full = False
        self._said_all = False
        self._unanswered = 0
        now = self._loop.time()
        self._budgets = {True: Budget(COMMANDS, COMMANDS, now), False: Budget(READS, READS, now)}
        self._timer = self._loop.call_later(IDLE, self._end_if_idle)
        self._used = now

    # --- what the loop says ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  what a stream has
        self._transport = transport

    def get_buffer(self, _: int) -> memoryview:
        """Where the next bytes go."""
        if not self._buffer:
            self._buffer = bytearray(LONGEST)
        return memoryview(self._buffer)[self._filled :]

    def buffer_updated(self, count: int) -> None:
        """Bytes have come."""
        self._filled += count
        self._ask_for_turn()

    def eof_received(self) -> bool:
        """Answer what was asked, within `LEAVING` seconds: nothing more will be asked."""
        self._said_all = True
        self._timer.cancel()
        self._timer = self._loop.call_later(LEAVING, self.end)
        self._ask_for_turn()
        return True

    def pause_writing(self) -> None:
        """Take no more requests: answers pile up until they are read."""
        self._full = True

    def resume_writing(self) -> None:
        """Take requests again: the answers were read."""
        self._full = False
        self._ask_for_turn()

    def connection_lost(self, _: Exception | None) -> None:
        """Forget the connection: nobody is there any more."""
        self._timer.cancel()
        self._transport = None
        self.session.gone = True
        self._requests.gone(self.session, self._news)
        self._gone(self)

    # --- one request after the other ---------------------------------------------------------------------------------

    def _ask_for_turn(self) -> None:
        """Wait for a turn if there is something to ask; read on if there is not."""
        if self._transport is None or self._waits:
            return
        if self._full:
            self._transport.pause_reading()
        elif self._request is not None or self._buffer.find(b"\n", 0, self._filled) >= 0:
            self._waits = True
            self._transport.pause_reading()
            self._turns.enqueue(self)
        elif self._said_all:
            if not self._unanswered:
                self._transport.close()
        elif self._filled >= LONGEST:
            self._transport.abort()  # more than a line holds
        elif not self._transport.is_closing():
            self._transport.resume_reading()

    def serve(self) -> None:
        """Answer one request, if there is time and a budget for it."""
        self._waits = False
        if self._transport is None or self._transport.is_closing():
            return
        share = None if self._free or self.session.role else self._turns.share(self.session.origin.uid)
        delay = 0.0 if share is None else share.delay(self._loop.time())
        if not delay:
            began = thread_time()
            delay = self._answer_next()
            if share is not None:
                share.pay(thread_time() - began)
        if delay:
            self._waits = True
            self._loop.call_later(delay, self._turns.enqueue, self)
        else:
            self._ask_for_turn()

    def _answer_next(self) -> float:
        """Answer the next request and return 0, or return the seconds for which it must wait for its budget."""
        if self._request is None:
            self._request = self._read()
        number, request = self._request
        delay = self._delay("" if isinstance(request, str) else str(request.get("do")))
        if not delay:
            self._request = None
            self._used = self._loop.time()
            if isinstance(request, str):
                self._send({"id": number, "error": request})
            else:
                self._answer(number, request)
        return delay

    @property
    def _free(self) -> bool:
        """Whether everybody may do everything here."""
        return self._requests.open and not self.session.reads

    def _delay(self, do: str) -> float:
        """Seconds for which a request must wait."""
        if self._free:
            return 0.0
        budget = self._budgets[do in REQUESTS and REQUESTS[do].commands]
        return budget.spend_one(self._loop.time(), budget.rate * (STORE if self.session.role else 1.0))

    def _read(self) -> tuple[object, Request | str]:
        """The next request and its number; of one that cannot be understood, why."""
        end = self._buffer.index(b"\n", 0, self._filled)
        line = bytes(self._buffer[:end])
        rest = self._filled - end - 1
        self._buffer[:rest] = self._buffer[end + 1 : self._filled]
        self._filled = rest
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise RequestError("a request is a JSON object")
            number = request.get("id")
            if len(_write(number)) > ID:
                raise RequestError(f"id: expected at most {ID} characters")
        except RecursionError:
            return None, "the request is nested too deeply"
        except ValueError as error:
            return None, str(error)
        return number, request

    def _answer(self, number: object, request: Request) -> None:
        """Answer a request, now or later."""
        if self._unanswered >= WAITERS:
            self._send({"id": number, **refusal_answer(deny(Ground.REQUESTS_FULL, most=WAITERS))})
            return
        self._unanswered += 1

        def answer(said: dict[str, object]) -> None:
            self._unanswered -= 1
            self._send({"id": number, **said})
            if request.get("do") == LOGIN:
                self._waits = False
            if request.get("do") == LOGIN or self._said_all:
                self._ask_for_turn()

        try:
            do = of(request, "do", str)
            if do == LOGIN:
                self._waits = True
            self._requests.answer_request(do, Asked(request, answer, self.session, self._news))
        except (ValueError, NotationError) as error:
            answer({"error": getattr(error, "message", None) or str(error)})

    def _news(self, news: News) -> None:
        """Tell something that has happened."""
        self._send(self._requests.news_for(self.session, news))

    def _send(self, said: Mapping[str, object]) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > UNREAD:
            self._transport.abort()
            return
        self._transport.write(_write(said).encode() + b"\n")

    # --- its end -----------------------------------------------------------------------------------------------------

    def turn_away(self, why: str) -> None:
        """Say why, and end the connection."""
        self._send({"id": None, "error": why})
        self.end()

    def end(self) -> None:
        """End the connection once what was sent has gone out."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _end_if_idle(self) -> None:
        """Send somebody away who only holds a place."""
        idle = self._loop.time() - self._used
        counts = self._requests.needs(self.session, self._news) or self._unanswered
        if not counts and idle >= IDLE:
            self.turn_away(f"nothing was asked for {IDLE:g} seconds")
            return
        self._timer = self._loop.call_later(IDLE if counts else IDLE - idle, self._end_if_idle)
