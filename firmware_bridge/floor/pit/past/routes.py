"""The routes of the past: every answer comes from the archive.

A request that cannot be understood is 400, an archive that does not answer 503; each says so in plain words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.request_bodies import command_id, read_object, text_of
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.pit.past import questions, trends, views
from firmware_bridge.floor.pit.past.asked import AskedError, asked
from firmware_bridge.floor.pit.settings import PitParts
from firmware_bridge.floor.wire.subjects import is_name

T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]
ROUNDS = 30
"""Rounds of a table that its page shows."""
AWAY = "The archive does not answer, or the question takes too long. Ask for less, or ask the people who look after it."


class PastApi:
    """The routes by which a page asks about the past."""

    def __init__(self, parts: PitParts) -> None:
        self._parts = parts

    def routes(self) -> list[Route]:
        """Every route."""
        gets: dict[str, Answer] = {
            "/api/past": self._page,
            "/api/past.csv": self._csv,
            "/api/trends": self._trends,
            "/api/tables/{name}/rounds": self._rounds,
            "/api/views": self._views,
        }
        posts: dict[str, Answer] = {"/api/views": self._save, "/api/views/remove": self._remove}
        return [
            *(Route(path, _plain(answer), methods=["GET"]) for path, answer in gets.items()),
            *(Route(path, _plain(answer), methods=["POST"]) for path, answer in posts.items()),
        ]

    async def _ask(self, question: Callable[[Archive], T]) -> T:
        return await self._parts.desk.ask(question)

    async def _page(self, request: Request) -> Response:
        what = asked(request.query_params)
        casino = self._parts.settings.casino
        return JSONResponse(await self._ask(lambda archive: questions.past_page(archive, casino, what)))

    async def _csv(self, request: Request) -> Response:
        """The whole search, over a connection of its own: a long answer keeps nobody else waiting."""
        settings, what = self._parts.settings, asked(request.query_params)
        archive = await asyncio.to_thread(Archive.open, settings.archive)
        lines = _closing(archive, questions.csv_lines(archive, settings.casino, what))
        first = await asyncio.to_thread(next, lines)
        headers = {"Content-Disposition": f'attachment; filename="{what.what}.csv"'}
        return StreamingResponse(chain([first], lines), media_type="text/csv; charset=utf-8", headers=headers)

    async def _trends(self, request: Request) -> Response:
        what = asked(request.query_params)
        casino = self._parts.settings.casino
        return JSONResponse(await self._ask(lambda archive: trends.trends(archive, casino, what)))

    async def _rounds(self, request: Request) -> Response:
        name, casino = request.path_params["name"], self._parts.settings.casino
        if not is_name(name):
            raise Problem(HTTPStatus.NOT_FOUND, "there is no such table")
        listed = await self._ask(lambda archive: questions.last_rounds(archive, casino, name, ROUNDS))
        return JSONResponse({"rounds": listed})

    # --- views --------------------------------------------------------------------------------------------------------

    async def _views(self, request: Request) -> Response:
        return JSONResponse({"views": await self._ask(partial(views.views, owner=_owner(request)))})

    async def _save(self, request: Request) -> Response:
        said = await read_object(request)
        self._once(request, command_id(said))
        name, address = text_of(said, "name", views.NAME), text_of(said, "address", views.ADDRESS)
        owner = _owner(request)
        listed = await self._ask(lambda archive: views.save_view(archive, owner, name, address))
        return JSONResponse({"ok": True, "views": listed})

    async def _remove(self, request: Request) -> Response:
        said = await read_object(request)
        self._once(request, command_id(said))
        owner, name = _owner(request), text_of(said, "name", views.NAME)
        return JSONResponse({"ok": True, "views": await self._ask(lambda a: views.remove_view(a, owner, name))})

    def _once(self, request: Request, id_: str) -> None:
        if self._parts.sessions.replayed(request.state.session, id_):
            raise Problem(HTTPStatus.CONFLICT, "this command has been given before")


def _owner(request: Request) -> str:
    """Whose views: those of the person who is logged in, else of everybody who is not."""
    session = request.state.session
    return session.name if session is not None else ""


def _closing(archive: Archive, lines: Iterator[str]) -> Iterator[str]:
    """The lines of an archive that is closed after the last of them."""
    with archive:
        yield from lines


def _plain(answer: Answer) -> Answer:
    """What answers, with every error in plain words."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except (AskedError, views.ViewError) as error:
            raise Problem(HTTPStatus.BAD_REQUEST, str(error)) from error
        except ArchiveError as error:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the archive does not answer", AWAY) from error

    return answered
