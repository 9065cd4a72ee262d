"""The console as an application: the page, its stream, its commands, and the data behind it.

1. `make` puts it together; `server.serve` listens. While it runs it watches the daemon, looks for expired sessions and
   takes samples of the daemon's health.
2. `Policy` stands before every route, even those of an `Extra`.
3. A GET of an unknown path gets the page, which says so; under `/api/`, `/static/` and `/extra/` the answer is JSON.
4. An unexpected error is 500, in one line, with the same headers; the log says where it arose.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from firmware_bridge.console.history.data_routes import Data
from firmware_bridge.console.live.daemon_link import OpenTable, Watch
from firmware_bridge.console.live.feed import Feed
from firmware_bridge.console.login.sessions import Sessions
from firmware_bridge.console.login.statements import CommandsApi, Parts
from firmware_bridge.console.settings import Extra, Settings
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.policy import NO_PAGES, STREAM, Policy, protect
from firmware_bridge.console.web.static_files import TYPES, StaticFiles
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

    async def unknown(request: Request, error: Exception) -> Response:
        answer = await _answered(request, error)
        path = request.url.path
        if answer.status_code != HTTPStatus.NOT_FOUND or request.method != "GET" or path.startswith(NO_PAGES):
            return answer
        page = StaticFiles(STATIC).answer(request, "index.html")
        return Response(page.body, HTTPStatus.NOT_FOUND, media_type=TYPES[".html"])

    app = Starlette(
        routes=_routes(parts, data),
        middleware=[Middleware(Policy, settings=settings, sessions=parts.sessions, by_itself=asked)],
        exception_handlers={Problem: _answered, HTTPException: unknown, Exception: _fault},
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


async def _answered(_: Request, error: Exception) -> Response:
    match error:
        case Problem():
            return error.response()
        case HTTPException(status_code=status):
            return JSONResponse({"error": HTTPStatus(status).phrase.lower()}, status, error.headers)
        case _:
            raise error


async def _fault(request: Request, _: Exception) -> Response:
    said, closes = {"error": "fault of the program"}, {"Connection": "close"}
    answer = JSONResponse(said, HTTPStatus.INTERNAL_SERVER_ERROR, closes)
    protect(answer.headers, request.url.path, tls=request.app.state.parts.settings.tls)
    return answer
