"""Training behind HTTP: what joins the console as an extra.

1. Under ``/api/training/`` reading is a GET, doing is a POST; the console's policy stands before both. What is done is
   a job for the thread that plays, as in the harness.
2. The course of a game is read in a thread of its own: that takes some seconds, once.
3. What is told of a person is told to anyone at this computer: training listens at loopback alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge.console.settings import Extra
from gamecore.rules.games import GAMES
from hal_sim.harness.json_fields import Said, read_object, text_in
from hal_sim.harness.player_thread import TablePlayer
from hal_sim.harness.table_setup import RefusedError, WrongError
from hal_sim.training.progress import Progress, person_name
from hal_sim.training.trainer import Trainer, injected_kinds

NAME = "training"
STATIC = Path(__file__).parent / "static"
PATIENCE = 60.0
Endpoint = Callable[[Request], Awaitable[Response]]


def training_extra(player: TablePlayer, trainer: Trainer) -> Extra:
    """What joins the console."""
    at = f"/api/{NAME}"
    does: dict[str, Callable[[Said], dict[str, object]]] = {
        "begin": lambda said: _begin(trainer, said),
        "hint": lambda _: {"hint": trainer.hint()},
        "end": lambda _: _end(trainer),
        "erase": lambda said: {"erased": trainer.progress.erase(text_in(said, "person"))},
    }
    routes = [
        Route(f"{at}/state", _state(player, trainer), methods=["GET"]),
        Route(f"{at}/course", _course(trainer), methods=["GET"]),
        *(Route(f"{at}/{name}", _post(player, trainer, do), methods=["POST"]) for name, do in does.items()),
    ]
    return Extra(NAME, routes, STATIC, "training.js", by_itself=(f"{at}/state",))


def _end(trainer: Trainer) -> dict[str, object]:
    trainer.end()
    return {}


def _begin(trainer: Trainer, said: Said) -> dict[str, object]:
    person = person_name(text_in(said, "person"))
    if not person:
        raise WrongError("person: whose progress is it?")
    if "lesson" in said:
        trainer.begin_lesson(person, text_in(said, "lesson"))
    else:
        rounds = said.get("rounds")
        if type(rounds) is not int:
            raise WrongError("rounds: expected a whole number")
        trainer.begin_practice(person, text_in(said, "game"), rounds, text_in(said, "errors"))
    return {}


def _training_state(trainer: Trainer) -> dict[str, object]:
    return {"now": trainer.shown_lesson(), "people": people_told(trainer.progress)}


def people_told(progress: Progress) -> list[dict[str, object]]:
    """Everybody with their lessons, newest first."""
    return [
        {
            "name": person,
            "entries": [
                {
                    "lesson": one.lesson,
                    "at": one.at,
                    "score": one.score,
                    "seconds": one.seconds,
                    "passed": one.passed,
                }
                for one in progress.of(person)
            ],
        }
        for person in progress.people()
    ]


def _state(player: TablePlayer, trainer: Trainer) -> Endpoint:
    async def answer(_: Request) -> Response:
        return JSONResponse(await asyncio.wrap_future(player.submit(lambda: _training_state(trainer))))

    return answer


def _course(trainer: Trainer) -> Endpoint:
    async def answer(request: Request) -> Response:
        game = request.query_params.get("game", "")
        if game not in GAMES:
            return JSONResponse({"error": "game: there is no such game"}, HTTPStatus.BAD_REQUEST)
        lessons = await asyncio.to_thread(trainer.course.of, game)
        errors = [{"name": kind.name, "code": kind.code} for kind in injected_kinds(game)]
        return JSONResponse({"lessons": [one.as_json() for one in lessons], "errors": errors})

    return answer


def _post(player: TablePlayer, trainer: Trainer, do: Callable[[Said], dict[str, object]]) -> Endpoint:
    async def answer(request: Request) -> Response:
        try:
            said = await read_object(request)
            async with asyncio.timeout(PATIENCE):
                job = player.submit(lambda: {"ok": True, **do(said), **_training_state(trainer)})
                return JSONResponse(await asyncio.wrap_future(job))
        except RefusedError as error:
            return JSONResponse({"refused": str(error)})
        except (ValueError, RecursionError) as error:
            return JSONResponse({"error": str(error)}, HTTPStatus.BAD_REQUEST)

    return answer
