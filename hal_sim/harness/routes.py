"""The harness behind HTTP: what joins the console as an extra.

1. Under ``/api/harness/`` reading is a GET, doing is a POST; the console's policy stands before both.
2. A POST is a job for the thread that plays. Its answer is the daemon's: ``ok`` with what reached the table, or
   ``refused`` with the reason; ``error`` with status 400 is for what is no such request. An answer that is not an
   error or refused by the harness also says how the harness stands.
3. The recording is a file in deal notation to be saved. The position editor touches no table (`hal_sim.editor`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge.console.settings import Extra
from firmware_bridge.console.web.errors import Problem
from gamecore.notation.syntax import NotationError
from hal_sim.editor.routes import editor_routes
from hal_sim.harness import requests
from hal_sim.harness.harness_state import about
from hal_sim.harness.json_fields import Said, read_object
from hal_sim.harness.player_thread import TablePlayer
from hal_sim.harness.requests import Job
from hal_sim.harness.scenario_player import Library
from hal_sim.harness.table_setup import RefusedError, WrongError

NAME = "harness"
STATIC = Path(__file__).parent / "static"
SCRIPT = "harness.js"
PATIENCE = 60.0
"""Seconds in which the playing thread must have taken up a job and done it."""
T = TypeVar("T")
Read = Callable[[TablePlayer, Said], Job]


def extra(player: TablePlayer, library: Library) -> Extra:
    """What joins the console."""
    at = f"/api/{NAME}"
    does: dict[str, Read] = {
        "act": requests.act,
        "pull": requests.pull,
        "press": requests.press,
        "key": requests.key,
        "cable": requests.cable,
        "power": requests.power,
        "noise": requests.noise,
        "robot": requests.robot,
        "scenario": lambda player, said: requests.scenario(player, said, library),
        "table": requests.table,
    }
    routes = [
        Route(f"{at}/state", _state(player), methods=["GET"]),
        Route(f"{at}/about", _about, methods=["GET"]),
        Route(f"{at}/scenarios", _scenarios(library), methods=["GET"]),
        Route(f"{at}/recording", _recording(player), methods=["GET"]),
        *editor_routes(f"{at}/editor"),
        *(Route(f"{at}/{name}", _post(player, read), methods=["POST"]) for name, read in does.items()),
    ]
    return Extra(NAME, routes, STATIC, SCRIPT, by_itself=(f"{at}/state",))


Endpoint = Callable[[Request], Awaitable[Response]]


def _state(player: TablePlayer) -> Endpoint:
    async def answer(_: Request) -> Response:
        now = player.state()
        return JSONResponse(now if now is not None else await _done(player.submit(player.fresh)))

    return answer


async def _about(_: Request) -> Response:
    return JSONResponse(about())


def _scenarios(library: Library) -> Endpoint:
    async def answer(_: Request) -> Response:
        return JSONResponse({"scenarios": await asyncio.to_thread(library.files)})

    return answer


def _recording(player: TablePlayer) -> Endpoint:
    async def answer(_: Request) -> Response:
        text = await _done(player.submit(player.text))
        name = f"{player.game.header.game}-{player.game.header.seed}.deal"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, headers=headers, media_type="text/plain; charset=utf-8")

    return answer


def _post(player: TablePlayer, read: Read) -> Endpoint:
    async def answer(request: Request) -> Response:
        try:
            job = read(player, await read_object(request))
            said = await _done(player.submit(lambda: {**job(), "state": player.fresh()}))
        except WrongError as error:
            return JSONResponse({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        except RefusedError as error:
            return JSONResponse({"refused": str(error)})
        except NotationError as error:
            return JSONResponse({"refused": error.message})
        return JSONResponse(said)

    return answer


async def _done(job: Future[T]) -> T:
    """What became of a job.

    Raises:
        Problem: the playing thread does not come to it, or the simulated table fails.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.wrap_future(job)
    except TimeoutError as error:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the simulated table is busy") from error
    except (OSError, RuntimeError) as error:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, f"the simulated table fails: {error}") from error
