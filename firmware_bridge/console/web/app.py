"""The console as an application: the page, its stream, its commands, and the data behind it.

1. `make` puts it together; `server.serve` listens. While it runs it watches the daemon, looks for expired sessions and
   takes samples of the daemon's health.
2. `Policy` stands before every route, even those of an `Extra`.
3. What goes wrong is answered by `faults`.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from firmware_bridge.console.history.data_routes import Data
from firmware_bridge.console.live.daemon_link import OpenTable, Watch
from firmware_bridge.console.live.feed import Feed
from firmware_bridge.console.login.sessions import Sessions
from firmware_bridge.console.login.statements import CommandsApi, Parts
from firmware_bridge.console.settings import Extra, Settings
from firmware_bridge.console.web.faults import handlers
from firmware_bridge.console.web.policy import STREAM, Policy
from firmware_bridge.console.web.static_files import StaticFiles
from firmware_bridge.console.web.stream import Stream
from firmware_bridge.control.client import read_path

STATIC = Path(__file__).parent.parent / "static"


def make(settings: Settings, extra: Sequence[Extra] = ()) -> Starlette:
    """Put a console together; `app.state.parts` are its parts."""
    feed = Feed()
    data = Data(settings)
    parts = Parts(
        settings,
        Sessions(settings.clock, reading_free=not settings.tls),
        feed,
        Watch(read_path(settings.control), feed),
        OpenTable(settings.control),
        tuple(extra),
    )

    @contextlib.asynccontextmanager
    async def runs(_: Starlette) -> AsyncIterator[None]:
        parts.sessions.start()
        parts.watch.start()
        data.start()
        try:
            yield
        finally:
            parts.feed.close()
            await data.close()
            await parts.watch.close()
            await parts.open_table.close()
            await parts.sessions.close()

    asked = tuple(path for one in extra for path in one.by_itself)

    app = Starlette(
        routes=_routes(parts, data),
        middleware=[Middleware(Policy, settings=settings, sessions=parts.sessions, by_itself=asked)],
        exception_handlers=handlers(StaticFiles(STATIC), tls=settings.tls),
        lifespan=runs,
    )
    app.state.parts = parts
    return app


def _routes(parts: Parts, data: Data) -> list[BaseRoute]:
    files = StaticFiles(STATIC)

    async def page(request: Request) -> Response:
        return files.answer(request, "index.html")

    routes: list[BaseRoute] = [
        Route("/", page),
        Route("/static/{path:path}", files.serve),
        Route(STREAM, Stream(parts.feed, parts.sessions), methods=["GET"]),
        *CommandsApi(parts).routes(),
        *data.routes(),
        *data.audits.routes(),
    ]
    for extra in parts.extras:
        routes += extra.routes
        if extra.static is not None:
            routes.append(Route(f"/extra/{extra.name}/{{path:path}}", StaticFiles(extra.static).serve))
    return routes
