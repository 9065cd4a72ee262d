"""What the body of a request says: a JSON object, its texts, and the id of a command."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any

from starlette.requests import Request

from firmware_bridge.console.web.errors import Problem

_ID = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)


async def read_object(request: Request) -> dict[str, Any]:
    """The JSON object of a request.

    Raises:
        Problem: there is none.
    """
    try:
        said = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise Problem(HTTPStatus.BAD_REQUEST, "expected JSON") from error
    if not isinstance(said, dict):
        raise Problem(HTTPStatus.BAD_REQUEST, "expected a JSON object")
    return said


def text_of(said: dict[str, Any], key: str, longest: int) -> str:
    """A text of a request; what stands there is not repeated, for it may be a PIN.

    Raises:
        Problem: it is none, or too long.
    """
    text = said.get(key)
    if not isinstance(text, str) or not 0 < len(text) <= longest:
        raise Problem(HTTPStatus.BAD_REQUEST, f"{key}: expected a text of 1 to {longest} characters")
    return text


def command_id(said: dict[str, Any]) -> str:
    """The id by which a command is told from every other.

    Raises:
        Problem: it has none.
    """
    number = said.get("id")
    if not isinstance(number, str) or not _ID.fullmatch(number):
        raise Problem(HTTPStatus.BAD_REQUEST, "id: expected 8 to 64 letters, digits, - or _")
    return number
