"""Static files of a folder, and nothing else.

1. Only a path of plain names is looked up: none that begins with a dot, none with a slash or a zero in it, none behind
   a link that leads elsewhere.
2. The type of each kind of file is written here, and does not depend on the machine; no other kind is served.
3. A file is read whenever it is asked for; a browser that already has it, by its tag, is told so instead.
"""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.console.web.errors import Problem

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".deal": "text/plain; charset=utf-8",
}


class StaticFiles:
    """Serves the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def serve(self, request: Request) -> Response:
        """The file that the path of a request names."""
        return self.answer(request, request.path_params["path"])

    def answer(self, request: Request, path: str) -> Response:
        """One file."""
        found = self._find(path)
        data = found.read_bytes()
        tag = f'"{hashlib.blake2s(data, digest_size=16).hexdigest()}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(data, headers=headers, media_type=TYPES[found.suffix])

    def _find(self, path: str) -> Path:
        names = path.split("/")
        found = self._folder.joinpath(*names)
        plain = all(name and not name.startswith(".") and "\0" not in name for name in names)
        if not plain or found.suffix not in TYPES or not found.is_file() or found.resolve() != found:
            raise Problem(HTTPStatus.NOT_FOUND, "there is no such file")
        return found
