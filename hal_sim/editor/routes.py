"""The position editor behind HTTP: what the harness page asks of it.

1. Everything is a POST with a JSON object, and changes nothing here: the page has the text, and sends it along. What
   cannot be played is ``refused`` with the reason; ``error`` with status 400 is for what is no such request.
2. ``look`` plays a text; ``begin`` writes the empty table of a game; ``change`` does one thing to a position and
   rewrites it; ``what-if`` plays a text and one statement more.
3. The playing is done in a thread: it takes a while, and others are served meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gamecore.rules.games import GAMES
from hal_sim.editor.arranged import arranged, header_of
from hal_sim.editor.looked import view_of_text
from hal_sim.editor.position import Position, PositionError, changed, read_position
from hal_sim.editor.what_if import stated, what_if
from hal_sim.harness.json_fields import Said, read_object, text_in
from hal_sim.harness.table_setup import WrongError

Answer = dict[str, object]


def editor_routes(at: str) -> list[Route]:
    """The routes of the editor under an address."""
    does: dict[str, Callable[[Said], Answer]] = {
        "look": lambda said: view_of_text(text_in(said, "text")),
        "begin": _begun,
        "change": _changed,
        "what-if": lambda said: what_if(text_in(said, "text"), text_in(said, "statement")),
    }
    return [Route(f"{at}/{name}", _post(do), methods=["POST"]) for name, do in does.items()]


def _begun(said: Said) -> Answer:
    """The empty table of a game."""
    game = text_in(said, "game")
    if game not in GAMES:
        raise WrongError(f"game: expected one of {', '.join(GAMES)}")
    boxes = said.get("boxes", GAMES[game].boxes.value[1])
    return _written(read_position({"game": game, "boxes": boxes}))


def _changed(said: Said) -> Answer:
    """A position after one thing was done to it."""
    position = read_position(said.get("position"))
    return _written(changed(position, stated(header_of(position), text_in(said, "statement")).what))


def _written(position: Position) -> Answer:
    """A position as text, and what the text comes to; what could not be dealt stays in the position."""
    made = arranged(position)
    left = [{"box": box, "card": str(card)} for box, card in made.left]
    more = {"position": position.as_json(), "left": left, "plain": True}
    return view_of_text(made.text) | more | ({"problem": made.problem, "legal": False} if made.problem else {})


def _post(do: Callable[[Said], Answer]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            said = await read_object(request)
            return JSONResponse({"ok": True, **await asyncio.to_thread(do, said)})
        except PositionError as error:
            return JSONResponse({"refused": str(error)})
        except (ValueError, RecursionError) as error:
            return JSONResponse({"error": str(error)}, HTTPStatus.BAD_REQUEST)

    return answer
