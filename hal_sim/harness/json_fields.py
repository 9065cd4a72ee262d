"""The object of a request and its fields, read from JSON, for every page of the simulator.

A text that is missing or of another type is a `WrongError` that names its field.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from hal_sim.harness.table_setup import WrongError

Said = dict[str, Any]


async def read_object(request: Request) -> Said:
    """Return the JSON object of a request.

    Raises:
        WrongError: it is none.
    """
    try:
        said = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise WrongError("expected JSON") from error
    if not isinstance(said, dict):
        raise WrongError("expected a JSON object")
    return said


def text_in(said: Said, name: str, default: str | None = None) -> str:
    """Return a field that is a text.

    Raises:
        WrongError: it is none.
    """
    value = said.get(name, default)
    if not isinstance(value, str):
        raise WrongError(f"{name}: expected a text")
    return value
