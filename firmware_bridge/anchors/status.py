"""How ``truedeal anchor`` is, in a file that others read: one JSON object, replaced as a whole.

1. Each target has the last event that its newest head covers, what is wrong, and since when. The time is that since the
   computer began, which two processes can compare.
2. ``truedeal doctor`` and the page name a target that has been down for `DOWN` seconds. It is no alarm: nothing at the
   table is wrong, and a head covers all before it. A process that has written nothing for `LASTS` seconds does not run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypedDict

from firmware_bridge.anchors.targets import Anchors
from firmware_bridge.journal.clock import since_boot

DOWN = 300.0
LASTS = 60.0
"""Seconds for which a status says that the process runs."""
_SECOND = 1_000_000_000


class AnchorHealth(TypedDict):
    """One place outside to which heads go."""

    n: int | None
    problem: str | None
    down: bool


class AnchorsHealth(TypedDict):
    """The process that takes heads outside."""

    runs: bool
    targets: dict[str, AnchorHealth]


def write(path: Path, targets: dict[str, dict[str, object]]) -> None:
    """Write the state of every target."""
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps({"at": since_boot(), "targets": targets}) + "\n", encoding="ascii")
    new.replace(path)


def anchors_health(anchors: Anchors) -> AnchorsHealth | None:
    """How every target is; None if there are none."""
    if not anchors.targets:
        return None
    said = _read(anchors.status)
    now, at, targets = since_boot(), said.get("at"), said.get("targets")
    runs = isinstance(at, int) and 0 <= now - at < LASTS * _SECOND
    known = targets if isinstance(targets, dict) else {}
    return {"runs": runs, "targets": {str(one): _target(known.get(str(one)), now) for one in anchors.targets}}


def _target(said: Any, now: int) -> AnchorHealth:
    match said:
        case {"n": int() | None as n, "problem": str(problem), "since": int(since)}:
            return {"n": n, "problem": problem or None, "down": bool(problem) and now - since >= DOWN * _SECOND}
        case _:
            return {"n": None, "problem": None, "down": False}


def _read(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text(encoding="ascii"))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
