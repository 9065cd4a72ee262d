"""The routes behind History, Health and Games.

1. Every route only reads. Work is done in worker threads; the journal is opened read-only and for a short time.
2. What is asked for wrongly is 400, what is not there 404, a journal or a daemon that cannot be read 503; each in plain
   words as ``error``.
3. Deal notation names cards that nobody saw: on a table with roles it is for surveillance and from pit-manager upwards,
   as at the control socket; others are told that it is kept from them. Before the daemon has said whether there are
   roles, there are.
4. Samples are taken while the console runs: who makes the application calls `start` and `close`.
5. However many browsers ask, the daemon is asked for its health once in `FRESH` seconds, and the journal for its plots
   once in `PLOTTED`: others get the same answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge.audit.journal_reader import UnreadableError
from firmware_bridge.commands.documents import sensor_coverage
from firmware_bridge.commands.service import doctor
from firmware_bridge.console.answers import RoundsPage
from firmware_bridge.console.history import rules_pages, samples
from firmware_bridge.console.history.search import Page, Search, WantedError, wanted
from firmware_bridge.console.history.steps import Rounds, Told
from firmware_bridge.console.settings import Settings
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.policy import is_number
from firmware_bridge.people.accounts.roles import PIT_MANAGER, SHIFT_MANAGER, SURVEILLANCE

T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]
_SEES_CARDS = frozenset({SURVEILLANCE, PIT_MANAGER, SHIFT_MANAGER})
FRESH, PLOTTED, AGAIN = 0.25, 10.0, 30.0
"""Seconds for which an answer about health is good, one with plots, and a look at the computer."""
_AT_ONCE = 2
"""Rounds that are rebuilt at the same time; others wait."""


def routes(settings: Settings) -> list[Route]:
    """The routes of a console."""
    return Data(settings).routes()


class Data:
    """What one console knows of the past, of health, and of the documents."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._search = None if settings.state is None else Search(settings.state)
        self._rounds = None if settings.state is None else Rounds(settings.state)
        self._samples = samples.Samples(settings.control)
        self._task: asyncio.Task[None] | None = None
        self._busy = asyncio.Semaphore(_AT_ONCE)
        self._looked: tuple[float, list[doctor.Check]] = (0.0, [])
        self._answers: dict[str, tuple[float, dict[str, Any]]] = {}
        self._asking = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Every path with what answers it."""
        answers: dict[str, Answer] = {
            "/api/rounds": self._list,
            "/api/rounds/{first}": self._one,
            "/api/health": self._health,
            "/api/health/samples": self._series,
            "/api/games": self._games,
            "/api/rulings/{game}": self._rulings,
            "/api/clauses/{game}": self._clauses,
            "/api/readings": self._readings,
        }
        return [Route(path, self._plain(answer), methods=["GET"]) for path, answer in answers.items()]

    def start(self) -> None:
        """Take samples from now on."""
        if self._task is None:
            self._task = asyncio.create_task(self._samples.run())

    async def close(self) -> None:
        """Take no more samples."""
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

    async def _one(self, request: Request) -> Response:
        rounds, said = _there(self._rounds), request.path_params["first"]
        if not is_number(said):
            raise Problem(HTTPStatus.NOT_FOUND, "a round is named by the number of its first event")
        first = int(said)
        segment = request.query_params.get("segment")
        async with self._busy:
            told: Told | None = await asyncio.to_thread(rounds.one, first, segment)
        if told is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"no round began with event {first}")
        return Response(told.sent(sees_cards=await self._sees_cards(request)), media_type="application/json")

    async def _sees_cards(self, request: Request) -> bool:
        """Whether who asks may know every card."""
        session = getattr(request.state, "session", None)
        if session is not None and session.role in _SEES_CARDS:
            return True
        if self._samples.roles is None:
            await asyncio.to_thread(self._samples.take_sample)
        return self._samples.roles is False

    # --- health ------------------------------------------------------------------------------------------------------

    async def _health(self, _: Request) -> Response:
        return JSONResponse(await self._shared("health", FRESH, lambda: health(self._settings.control, self._computer)))

    async def _shared(self, name: str, good: float, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
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

    def _plots(self, hours: int) -> dict[str, Any]:
        plots: dict[str, Any] = {"hours": hours, **self._samples.series(hours)}
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

    async def _readings(self, _: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(rules_pages.readings))


def _there(what: T | None) -> T:
    if what is None:
        remedy = "Start the console with --state, or with --config and the table's configuration."
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "this console was not told where the journal is", remedy)
    return what


def health(control: Path, computer: Callable[[], list[doctor.Check]]) -> dict[str, Any]:
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
