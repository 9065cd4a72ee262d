"""The broker, NATS: the one file that imports its client.

1. A client proves itself by its nkey, and the broker by a certificate of the CA that was given: nothing else is talked
   to. Without a CA only the machine itself is.
2. Nothing is kept for later while the connection is away: the journal is the queue. What cannot be sent is a
   `BrokerError`, and so is an answer that does not come. If nobody is there to answer, that is known at once:
   `NobodyError`.
3. A connection that is gone stays gone: the caller makes another one, to any of the servers, when it sees fit. The
   broker is not trusted with anything: it can drop and delay, and nothing else.
4. A subscriber may let a few messages of each subject wait (`subscribe`): more are dropped as they come, before they
   cost anything. So a client that floods fills its own places, and nobody else's.
"""

from __future__ import annotations

import asyncio
import random
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from firmware_bridge.floor.wire.batch import FORMAT
from firmware_bridge.floor.wire.nkeys import Nkey

HEADER = "Td"
_CLOSING = 2.0  # seconds for the end of a connection
_PATIENCE = 5  # seconds for a server to let us in
_PING = 5  # seconds after which a silent broker is asked whether it is there


class BrokerError(Exception):
    """The broker is away, or whatever should answer is."""


class NobodyError(BrokerError):
    """Nobody hears what was asked."""


class BrokerMessage(NamedTuple):
    """A message: its subject, where the answer goes, the edition that its header names, its body."""

    subject: str
    reply: str
    edition: str
    body: bytes


class _Proving(Client):
    """The client with our key: it signs with the library that the journal uses, and needs no other."""

    def __init__(self, nkey: Nkey) -> None:
        super().__init__()
        self._public_nkey = nkey.public
        self._each = 0
        self._places: Counter[bytes] = Counter()  # messages that wait, by their subject
        self.dropped = 0

    def bound_each(self, each: int) -> None:
        """Let this many messages of a subject wait, from now on."""
        self._each = each

    def leave_place(self, subject: bytes) -> None:
        """Let another message of a subject wait: one waits no more."""
        self._places[subject] -= 1
        if self._places[subject] <= 0:
            del self._places[subject]

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        if self._each:
            if self._places[subject] >= self._each:
                self.dropped += 1
                return
            self._places[subject] += 1
        await super()._process_msg(sid, subject, reply, data, headers)


class Broker:
    """A connection to the broker."""

    def __init__(self, client: _Proving) -> None:
        """Take a client that is connected."""
        self._client = client

    @classmethod
    async def connect(cls, servers: list[str], nkey: Nkey, ca: Path | None, inbox: str, name: str) -> Broker:
        """Connect to one of the servers, in random order; the subjects of answers begin with `inbox`.

        Raises:
            BrokerError: no server lets us in.
        """
        problem = "no server is named"
        for server in random.sample(servers, len(servers)):
            client, wrong = _Proving(nkey), list[str]()

            async def noted(error: Exception, wrong: list[str] = wrong) -> None:
                wrong.append(str(error))

            try:
                async with asyncio.timeout(_PATIENCE):
                    await client.connect(
                        server,
                        name=name,
                        signature_cb=nkey.sign,
                        tls=None if ca is None else ssl.create_default_context(cafile=str(ca)),
                        inbox_prefix=inbox,
                        pending_size=0,
                        ping_interval=_PING,
                        max_outstanding_pings=2,
                        error_cb=noted,
                        allow_reconnect=False,
                        connect_timeout=_PATIENCE,
                    )
            except (nats.errors.Error, OSError, TimeoutError) as error:
                await _close(client)
                problem = " ".join(filter(None, [str(error) or type(error).__name__, *wrong]))
                continue
            return cls(client)
        raise BrokerError(problem)

    @property
    def is_away(self) -> bool:
        """Whether the connection is gone; another one must be made."""
        return not self._client.is_connected

    async def request(self, subject: str, body: bytes, timeout: float) -> bytes:  # noqa: ASYNC109  the client's own
        """Ask, and wait for the answer.

        Raises:
            NobodyError: nobody hears it.
            BrokerError: no answer came.
        """
        try:
            answer = await self._client.request(subject, body, timeout=timeout, headers={HEADER: FORMAT})
        except nats.errors.NoRespondersError as error:
            raise NobodyError("nobody hears it") from error
        except (nats.errors.Error, OSError, TimeoutError) as error:
            raise BrokerError(str(error) or type(error).__name__) from error
        return answer.data

    async def publish(self, subject: str, body: bytes) -> None:
        """Publish a message; nobody need hear it.

        Raises:
            BrokerError: it could not be said.
        """
        try:
            await self._client.publish(subject, body, headers={HEADER: FORMAT})
        except (nats.errors.Error, OSError) as error:
            raise BrokerError(str(error) or type(error).__name__) from error

    async def answer(self, reply: str, body: bytes) -> None:
        """Answer, if the connection is there; otherwise the table will ask again."""
        try:
            await self._client.publish(reply, body)
        except (nats.errors.Error, OSError):
            return

    @property
    def dropped(self) -> int:
        """How many messages were dropped because others of their subject waited."""
        return self._client.dropped

    async def subscribe(
        self, subject: str, queue: str, heard: Callable[[BrokerMessage], Awaitable[None]], each: int = 0
    ) -> None:
        """Subscribe to a subject; each message goes to one subscriber of the queue.

        With `each`, at most that many messages of each subject wait, on all subscriptions of this connection.
        """
        if each:
            self._client.bound_each(each)

        async def one(message: Msg) -> None:
            if each:
                self._client.leave_place(message.subject.encode())
            edition = (message.headers or {}).get(HEADER, "")
            await heard(BrokerMessage(message.subject, message.reply, edition, message.data))

        await self._client.subscribe(subject, queue=queue, cb=one)

    async def close(self) -> None:
        """End the connection."""
        await _close(self._client)


async def _close(client: Client) -> None:
    """Close a client, which waits for a server that may not be there."""
    with suppress(nats.errors.Error, OSError, TimeoutError):
        async with asyncio.timeout(_CLOSING):
            await client.close()
