"""The routes behind History, Health and Games.

1. Every route only reads; `audit_routes` has those that go through the whole journal. Worker threads do the work; the
   journal is opened read-only and for a short time.
2. A request that cannot be understood is 400, one for what is not there 404, one for a journal that cannot be read 503;
   each says so in plain words as ``error``. Health is answered even if no daemon answers: that is one of its checks.
3. Deal notation names cards that nobody saw: on a table with roles it is for surveillance and for pit managers and
   above, as at the control socket; others are told that it is kept from them. Until the daemon has said that there are
   no roles, there are.
4. Samples are taken while the console runs: the application calls `start` and `close`.
5. However many browsers ask, these routes ask the daemon for its health at most once in `FRESH` seconds, and the
   journal for its plots at most once in `PLOTTED`: the others get the same answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from firmware_bridge.audit.journal_reader import UnreadableError
from firmware_bridge.commands.documents import sensor_coverage
from firmware_bridge.commands.service import doctor
from firmware_bridge.console.answers import HealthPage, Plots, RoundsPage
from firmware_bridge.console.history import rules_pages, samples
from firmware_bridge.console.history.audit_routes import Audits
from firmware_bridge.console.history.note_index import NoteIndex
from firmware_bridge.console.history.search import Page, Search
from firmware_bridge.console.history.search_csv import search_csv
from firmware_bridge.console.history.steps import Rounds, SentRound
from firmware_bridge.console.history.wanted import WantedError, wanted
from firmware_bridge.console.settings import Settings
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, SURVEILLANCE
from firmware_bridge.setup import house_documents

T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]
_SEES_CARDS = frozenset({SURVEILLANCE, PIT_MANAGER, SHIFT_MANAGER})
FRESH, PLOTTED, AGAIN = 0.25, 10.0, 30.0
"""Seconds for which an answer about health, one with plots, and the checks of the computer are good."""
_AT_ONCE = 2
"""The most rounds that are rebuilt at the same time; others wait."""


def routes(settings: Settings) -> list[Route]:
    """The routes of a console."""
    return Data(settings).routes()


class Data:
    """What one console knows of the past, of health, and of the documents."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        notes = None if settings.state is None else NoteIndex(settings.state)
        self._search = None if settings.state is None else Search(settings.state, notes=notes)
        self._rounds = None if settings.state is None else Rounds(settings.state, notes)
        self.audits = Audits(settings, self._sees_cards)
        self._samples = samples.Samples(settings.control)
        self._task: asyncio.Task[None] | None = None
        self._busy = asyncio.Semaphore(_AT_ONCE)
        self._looked: tuple[float, list[doctor.Check]] = (0.0, [])
        self._answers: dict[str, tuple[float, Mapping[str, object]]] = {}
        self._asking = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Every path with what answers it."""
        answers: dict[str, Answer] = {
            "/api/rounds": self._list,
            "/api/rounds.csv": self._csv,
            "/api/rounds/{key}": self._one,
            "/api/health": self._health,
            "/api/health/samples": self._series,
            "/api/games": self._games,
            "/api/rulings/{game}": self._rulings,
            "/api/clauses/{game}": self._clauses,
            "/api/readings": self._readings,
            "/api/words/{game}/{clause}": self._words,
        }
        return [Route(path, self._plain(answer), methods=["GET"]) for path, answer in answers.items()]

    def start(self) -> None:
        """Take samples from now on."""
        if self._task is None:
            self._task = asyncio.create_task(self._samples.run())

    async def close(self) -> None:
        """Take no more samples, and end audits that are under way."""
        await self.audits.close()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _plain(self, answer: Answer) -> Answer:
        """What answers, with every error in plain words."""

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except Problem as problem:
                return problem.response()
            except (WantedError, rules_pages.NoGameError) as error:
                return Problem(HTTPStatus.BAD_REQUEST, str(error)).response()
            except UnreadableError as error:
                remedy = "'truedeal verify' says what became of the journal."
                return Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), remedy).response()

        return answered

    # --- history -----------------------------------------------------------------------------------------------------

    async def _list(self, request: Request) -> Response:
        search, asked = _there(self._search), wanted(dict(request.query_params))
        page: Page = await asyncio.to_thread(search.page, asked)
        told: RoundsPage = {
            "rounds": page.rounds,
            "next": page.next,
            "back_to": page.back_to,
            "unread": page.unread,
        }
        return JSONResponse(told)

    async def _csv(self, request: Request) -> Response:
        search, asked = _there(self._search), wanted(dict(request.query_params))
        lines = search_csv(_there(self._settings.state), search, asked)
        first = await asyncio.to_thread(next, lines)  # what cannot be read is answered before anything is sent
        headers = {"Content-Disposition": 'attachment; filename="rounds.csv"'}
        return StreamingResponse(chain([first], lines), media_type="text/csv; charset=utf-8", headers=headers)

    async def _one(self, request: Request) -> Response:
        rounds, named = _there(self._rounds), request.path_params["key"]
        segment = request.query_params.get("segment")
        async with self._busy:
            told: SentRound | None = await asyncio.to_thread(rounds.by_key, named, segment)
        if told is None:
            raise Problem(HTTPStatus.NOT_FOUND, "there is no such round", "Look for it in the list.")
        return Response(told.sent(sees_cards=await self._sees_cards(request)), media_type="application/json")

    async def _sees_cards(self, request: Request) -> bool:
        """Whether the one who asks may know every card."""
        session = getattr(request.state, "session", None)
        if session is not None and session.role in _SEES_CARDS:
            return True
        if self._samples.roles is None:
            await asyncio.to_thread(self._samples.take_sample)
        return self._samples.roles is False

    # --- health ------------------------------------------------------------------------------------------------------

    async def _health(self, _: Request) -> Response:
        return JSONResponse(await self._shared("health", FRESH, lambda: health(self._settings.control, self._computer)))

    async def _shared(self, name: str, good: float, make: Callable[[], Mapping[str, object]]) -> Mapping[str, object]:
        """An answer that is made once for everybody who asks within some seconds."""
        async with self._asking:
            at, answer = self._answers.get(name, (0.0, {}))
            if not answer or time.monotonic() - at > good:
                answer = await asyncio.to_thread(make)
                self._answers[name] = time.monotonic(), answer
            return answer

    def _computer(self) -> list[doctor.Check]:
        """What the computer tells of itself; looked at again after some time."""
        at, checks = self._looked
        if not checks or time.monotonic() - at > AGAIN:
            checks = list(doctor.of_machine())
            self._looked = time.monotonic(), checks
        return checks

    async def _series(self, request: Request) -> Response:
        text = request.query_params.get("hours", "24")
        hours = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
        if hours not in samples.WINDOWS:
            raise Problem(HTTPStatus.BAD_REQUEST, f"hours: expected one of {', '.join(map(str, samples.WINDOWS))}")
        return JSONResponse(await self._shared(f"plots {hours}", PLOTTED, lambda: self._plots(hours)))

    def _plots(self, hours: int) -> Plots:
        plots: Plots = {"hours": hours, "pace": None, **self._samples.series(hours)}
        if self._settings.state is None:
            return plots
        with suppress(UnreadableError):
            plots["pace"] = samples.pace(self._settings.state, hours, time.time())
        return plots

    # --- documents ---------------------------------------------------------------------------------------------------

    async def _games(self, _: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(rules_pages.games))

    async def _rulings(self, request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(rules_pages.rulings, request.path_params["game"]))

    async def _clauses(self, request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(rules_pages.clauses, request.path_params["game"]))

    async def _words(self, request: Request) -> Response:
        state, game, clause = _there(self._settings.state), request.path_params["game"], request.path_params["clause"]
        words = await asyncio.to_thread(house_documents.in_force, state, game)
        return JSONResponse({"words": words.get(clause)})

    async def _readings(self, _: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(rules_pages.readings))


def _there(what: T | None) -> T:
    if what is None:
        remedy = "Start the console with --state, or with --config and the table's configuration."
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "this console was not told where the journal is", remedy)
    return what


def health(control: Path, computer: Callable[[], list[doctor.Check]]) -> HealthPage:
    """How the daemon is, what is wrong and what to do, and what the sensors cover."""
    try:
        told = samples.ask(control)
    except (ConnectionError, TimeoutError) as error:
        checks = [doctor.no_daemon(str(error) or "it does not answer"), *computer()]
        return {"health": None, "checks": [asdict(check) for check in checks], "coverage": []}
    table = told["table"]
    return {
        "health": told,
        "checks": [asdict(check) for check in (*doctor.of_health(told), *computer())],
        "coverage": [asdict(one) for one in sensor_coverage.coverage(table["game"], table["sensors"])],
    }
