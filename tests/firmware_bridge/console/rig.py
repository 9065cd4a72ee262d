"""A console for tests: the real application and server over a real control socket, all in the test's own loop.

1. `at_console` runs a scene at a table with roles unless it is given nobody. Nothing may go wrong behind its back.
2. A `Browser` is what a page does, over a real connection: it asks for its session first, and sends its token.
3. `Events` reads a browser's stream, event by event.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from firmware_bridge.console.settings import Address, Extra, Settings, Tls
from firmware_bridge.console.web.app import make
from firmware_bridge.console.web.server import bind, serve, url
from firmware_bridge.console.web.tls import names
from firmware_bridge.people.accounts.roles import Person
from tests.firmware_bridge.table_with_roles import PEOPLE, PIN, Post, at_post
from tests.patience import PATIENCE

TOKEN = "X-Truedeal-Token"  # noqa: S105  the name of a header


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream."""

    kind: str
    data: Any
    id: str = ""


class Events:
    """What one browser hears."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()
        self.heard: list[Event] = []

    async def next(self, *kinds: str) -> Event:
        """The next event, of one of these kinds if any is named; what is passed over is in `heard`."""
        async with asyncio.timeout(PATIENCE):
            while True:
                event = await self._read()
                self.heard.append(event)
                if not kinds or event.kind in kinds:
                    return event

    async def _read(self) -> Event:
        fields: dict[str, str] = {}
        async for line in self._lines:
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "event" in fields:
                return Event(fields["event"], json.loads(fields["data"]), fields.get("id", ""))
            else:
                fields.clear()
        raise EOFError("the stream has ended")

    async def ended(self) -> bool:
        """Read to the end; whether there is one."""
        try:
            while True:
                await self.next()
        except (EOFError, httpx.HTTPError):
            return True


class Browser:
    """One browser, with its cookies."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.session: dict[str, Any] = {}
        self.headers: dict[str, str] = {}

    async def begin(self) -> dict[str, Any]:
        """Ask for the session."""
        self._keep_session(await self.client.get("/api/session"))
        return self.session

    def _keep_session(self, answer: httpx.Response) -> None:
        if answer.is_success:
            self.session = answer.json()
            self.headers = {TOKEN: self.session["token"]}

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Read something."""
        return await self.client.get(path, headers=headers)

    async def post(self, path: str, **said: object) -> httpx.Response:
        """Send something, with the session's token."""
        return await self.client.post(path, json=said, headers=self.headers)

    async def login(self, role: str, pin: str = PIN) -> httpx.Response:
        """Log in in a role."""
        answer = await self.post("/api/login", name=f"the {role}", pin=pin)
        self._keep_session(answer)
        return answer

    async def logout(self) -> httpx.Response:
        """Log out."""
        answer = await self.post("/api/logout")
        self._keep_session(answer)
        return answer

    async def say(self, statement: str, **more: object) -> httpx.Response:
        """Give a command."""
        return await self.post("/api/say", **{"id": secrets.token_hex(16), "statement": statement, **more})

    @contextlib.asynccontextmanager
    async def stream(self, **headers: str) -> AsyncIterator[Events]:
        """Read the stream."""
        async with self.client.stream("GET", "/api/stream", headers=headers) as response:
            yield Events(response)


@dataclass(slots=True)
class Console:
    """A console that runs, and the table behind it."""

    post: Post
    app: Starlette
    url: str
    verify: ssl.SSLContext | bool = True
    now: list[float] = field(default_factory=lambda: [0.0])
    stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)

    async def browser(self, **headers: str) -> Browser:
        """A browser with a session of its own."""
        client = httpx.AsyncClient(base_url=self.url, headers=headers, verify=self.verify, timeout=PATIENCE)
        browser = Browser(await self.stack.enter_async_context(client))
        await browser.begin()
        return browser

    def later(self, seconds: float) -> None:
        """Let time pass for the sessions, and let them be looked at."""
        self.now[0] += seconds
        self.app.state.parts.sessions.sweep()


Scene = Callable[[Console], Awaitable[None]]


def at_console(
    folder: Path,
    scene: Scene,
    people: Sequence[Person] = PEOPLE,
    extra: Sequence[Extra] = (),
    tls: Tls | None = None,
    address: Address | None = None,
) -> None:
    """Run a scene at a console of its own."""

    async def at_the_post(post: Post) -> None:
        async with running(post, extra, tls, address) as console:
            await scene(console)

    at_post(folder, at_the_post, people, PATIENCE * 2)


@contextlib.asynccontextmanager
async def running(
    post: Post, extra: Sequence[Extra] = (), tls: Tls | None = None, address: Address | None = None
) -> AsyncIterator[Console]:
    """A console that serves, until it is left."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    now, ended, ready = [0.0], asyncio.Event(), asyncio.Event()
    where = address or Address(port=0)
    hosts = frozenset({where.name}) | (names(tls) if tls else frozenset())
    app = make(Settings(post.path, post.state, hosts, tls is not None, clock=lambda: now[0]), extra)
    bound = bind(where)
    serving = asyncio.create_task(serve(app, bound, ended, tls, ready.set))
    await ready.wait()
    verify = ssl.create_default_context(cafile=str(tls.certificate)) if tls else True
    console = Console(post, app, url(where, bound, tls=tls is not None).rstrip("/"), verify, now)
    try:
        async with console.stack:
            yield console
    finally:
        ended.set()
        await serving
