"""The console of the floor as an application: the page, its stream, and what lies behind it.

1. `make_pit` puts it together. While it runs it hears the broker, asks the archive which tables there are, sends what
   has changed, escalates alarms, and looks for expired sessions.
2. It is served as the table's console is: the same policy before every route, the same sessions, stream and faults. The
   modules of that page are under ``/static/``, the floor's own under ``/floor/``.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from firmware_bridge.console.login.sessions import Sessions
from firmware_bridge.console.web.app import STATIC as TABLE_STATIC
from firmware_bridge.console.web.faults import handlers
from firmware_bridge.console.web.policy import STREAM, Policy
from firmware_bridge.console.web.static_files import StaticFiles
from firmware_bridge.console.web.stream import Stream
from firmware_bridge.floor.metrics import serve_metrics
from firmware_bridge.floor.pit.archive_desk import ArchiveDesk
from firmware_bridge.floor.pit.escalation.ladder import Ladder
from firmware_bridge.floor.pit.escalation.routes import AlarmApi
from firmware_bridge.floor.pit.escalation.watch import EscalationWatch
from firmware_bridge.floor.pit.feed import PitFeed
from firmware_bridge.floor.pit.figures import PitFigures
from firmware_bridge.floor.pit.hearing import Hearing
from firmware_bridge.floor.pit.past.routes import PastApi
from firmware_bridge.floor.pit.people.openid import OpenId
from firmware_bridge.floor.pit.people.staff import Staff
from firmware_bridge.floor.pit.roll import Roll
from firmware_bridge.floor.pit.session_routes import SessionApi
from firmware_bridge.floor.pit.settings import PitParts, PitSettings
from firmware_bridge.floor.pit.table_routes import TableApi
from firmware_bridge.floor.pit.tiles import Tiles

STATIC = Path(__file__).parent / "static"
ALONE = 60.0
"""Seconds after which an alarm that nobody has taken up escalates."""


def make_pit(settings: PitSettings) -> Starlette:
    """Put a console together; `app.state.parts` are its parts; its state says whether it is alive."""
    tiles = Tiles()
    sessions = Sessions(settings.clock, reading_free=not settings.tls)
    figures = PitFigures(tiles)
    staff = Staff(settings.casino, settings.floor_key, sessions, settings.clock)
    parts = PitParts(
        settings,
        sessions,
        tiles,
        PitFeed(settings.casino, tiles, figures),
        ArchiveDesk(settings.archive),
        staff,
        OpenId(settings.provider) if settings.provider else None,
    )
    feed = parts.feed
    heard = lambda there: feed.show_centre(broker=there)  # noqa: E731
    hearing = Hearing(settings.casino, settings.ears, tiles, heard, staff.newer_than)
    roll = Roll(
        settings.casino, ArchiveDesk(settings.archive), tiles, staff, lambda there: feed.show_centre(archive=there)
    )

    ladder = settings.ladder or Ladder(settings.casino, ALONE)
    watch = EscalationWatch(ladder, settings.ways, ArchiveDesk(settings.archive), tiles, figures)

    @contextlib.asynccontextmanager
    async def runs(_: Starlette) -> AsyncIterator[None]:
        for part in (parts.sessions, feed, hearing, roll, watch):
            part.start()
        looks = lambda: figures.put_present(len(feed))  # noqa: E731
        asked = None if settings.metrics is None else await serve_metrics(figures.all, *settings.metrics, looks)
        try:
            yield
        finally:
            if asked is not None:
                asked.close()
            feed.close()
            for closing in (hearing, roll, watch, parts.desk, parts.sessions):
                await closing.close()

    app = Starlette(
        routes=[*_routes(parts), *AlarmApi(parts, watch).routes()],
        middleware=[Middleware(Policy, settings=settings, sessions=parts.sessions)],
        exception_handlers=handlers(StaticFiles(STATIC), tls=settings.tls),
        lifespan=runs,
    )
    app.state.parts = parts
    app.state.alive = lambda: all(part.alive for part in (feed, hearing, roll, watch))
    return app


def _routes(parts: PitParts) -> list[BaseRoute]:
    files = StaticFiles(STATIC)

    async def page(request: Request) -> Response:
        return files.answer(request, "index.html")

    return [
        Route("/", page),
        Route("/static/{path:path}", StaticFiles(TABLE_STATIC).serve),
        Route("/floor/{path:path}", files.serve),
        Route(STREAM, Stream(parts.feed, parts.sessions), methods=["GET"]),
        *SessionApi(parts).routes(),
        *TableApi(parts).routes(),
        *PastApi(parts).routes(),
    ]
