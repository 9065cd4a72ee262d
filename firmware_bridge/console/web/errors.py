"""What can go wrong at the console, and what a person does about it.

1. A `ConsoleError` ends the start: it is one line for the person who starts the process.
2. A `Problem` is the answer to one request. It has a status, what is wrong and, where a person can do something, the
   remedy; the page shows both.
3. The error tree::

       ValueError
       └── ConsoleError   the console cannot start like this
       Exception
       └── Problem        a request cannot be granted
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import JSONResponse

from firmware_bridge.control.async_client import GONE

GONE_REMEDY = "Continue with the panel. It restarts by itself; if not: systemctl status truedeal."


class ConsoleError(ValueError):
    """Why the console cannot start, in one line."""


class Problem(Exception):  # noqa: N818  it is an answer
    """Why a request is not granted."""

    def __init__(self, status: HTTPStatus, error: str, remedy: str = "") -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.remedy = remedy

    def response(self) -> JSONResponse:
        """The answer to the browser."""
        said = {"error": self.error, "remedy": self.remedy} if self.remedy else {"error": self.error}
        return JSONResponse(said, self.status)


def daemon_gone(reason: str = GONE) -> Problem:
    """The answer while no daemon can be asked."""
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, reason, GONE_REMEDY)
