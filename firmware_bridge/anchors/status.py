"""How ``truedeal anchor`` is, in a file that others read: one JSON object, replaced as a whole.

1. For each target: the number of the last head that it has, the last event of that, and since when something is wrong
   and what, by the time since the computer began, which two processes can compare.
2. A target that has been down for `DOWN` seconds is told by ``truedeal doctor`` and the page. It is no alarm: nothing
   at the table is wrong, and a head covers all before it. A process that does not run is told at once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from firmware_bridge.anchors.targets import Anchors
from firmware_bridge.journal.clock import since_boot

DOWN = 300.0
LASTS = 60.0
"""Seconds for which a status says that the process runs."""
_SECOND = 1_000_000_000


def write(path: Path, targets: dict[str, dict[str, object]]) -> None:
    """Say how it is."""
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps({"at": since_boot(), "targets": targets}) + "\n", encoding="ascii")
    new.replace(path)


def told(anchors: Anchors) -> dict[str, object] | None:
    """How every target is, for whoever asks; None if there are none."""
    if not anchors.targets:
        return None
    said = _read(anchors.status)
    now, at, targets = since_boot(), said.get("at"), said.get("targets")
    runs = isinstance(at, int) and 0 <= now - at < LASTS * _SECOND
    known = targets if isinstance(targets, dict) else {}
    return {"runs": runs, "targets": {str(one): _target(known.get(str(one)), now) for one in anchors.targets}}


def _target(said: Any, now: int) -> dict[str, object]:
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
