"""One table of the pit: its own picture as it was heard last."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge.console.web.errors import Problem
from firmware_bridge.floor.pit.answers import TablePicture
from firmware_bridge.floor.pit.settings import PitParts
from firmware_bridge.shown.scene_type import Scene


class TableApi:
    """The routes of one table."""

    def __init__(self, parts: PitParts) -> None:
        self._parts = parts

    def routes(self) -> list[Route]:
        """Every route."""
        return [Route("/api/tables/{name}", self._picture, methods=["GET"])]

    async def _picture(self, request: Request) -> Response:
        found = self._parts.tiles.one(request.path_params["name"], time.time())
        if found is None:
            raise Problem(HTTPStatus.NOT_FOUND, "there is no such table", "Look for it in the pit.")
        tile, picture = found
        told: TablePicture = {"tile": tile, "picture": cast("Scene | None", picture)}
        return JSONResponse(told)
