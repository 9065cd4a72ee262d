"""What a browser is answered where a request goes wrong.

1. A `Problem` is answered as it says. A GET of an unknown path gets the page, which says so; under ``/api/``,
   ``/static/`` and ``/extra/`` the answer is JSON.
2. An unexpected error is 500, in one line, with the same headers; the log says where it arose.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.policy import NO_PAGES, protect
from firmware_bridge.console.web.static_files import TYPES, StaticFiles

Handler = Callable[[Request, Exception], Awaitable[Response]]


def handlers(files: StaticFiles, *, tls: bool) -> dict[Any, Handler]:
    """What answers each kind of error; the page is ``index.html`` of `files`."""

    async def unknown(request: Request, error: Exception) -> Response:
        answer = await _answered(request, error)
        path = request.url.path
        if answer.status_code != HTTPStatus.NOT_FOUND or request.method != "GET" or path.startswith(NO_PAGES):
            return answer
        page = files.answer(request, "index.html")
        return Response(page.body, HTTPStatus.NOT_FOUND, media_type=TYPES[".html"])

    async def fault(request: Request, _: Exception) -> Response:
        said, closes = {"error": "fault of the program"}, {"Connection": "close"}
        answer = JSONResponse(said, HTTPStatus.INTERNAL_SERVER_ERROR, closes)
        protect(answer.headers, request.url.path, tls=tls)
        return answer

    return {Problem: _answered, HTTPException: unknown, Exception: fault}


async def _answered(_: Request, error: Exception) -> Response:
    match error:
        case Problem():
            return error.response()
        case HTTPException(status_code=status):
            return JSONResponse({"error": HTTPStatus(status).phrase.lower()}, status, error.headers)
        case _:
            raise error
