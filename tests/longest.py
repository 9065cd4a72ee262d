"""Which tests take long: a record that a whole run writes, and that orders the next.

1. `--record-longest` makes a run write `longest.json`: how long each test took that took `LONG` seconds or more; for a
   test with parameters, the longest of them. Write it on a quiet machine, after a change that makes tests longer or
   shorter.
2. Files with long tests come first, so that no worker waits for one at the end. The tests of a file stay together:
   they share what the file sets up.
3. `--quick` leaves out what stands there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("longest.json")
LONG = 1.0
"""Seconds."""


def recorded() -> dict[str, float]:
    """Return the record: seconds by test."""
    record: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return record


def function_of(nodeid: str) -> str:
    """Return the test without its parameters."""
    return nodeid.partition("[")[0]


def put_longest_first(items: list[pytest.Item], record: dict[str, float]) -> None:
    """Order files by their longest test."""
    by_file: defaultdict[str, float] = defaultdict(float)
    for name, seconds in record.items():
        file = name.partition("::")[0]
        by_file[file] = max(by_file[file], seconds)
    items.sort(key=lambda item: -by_file[item.nodeid.partition("::")[0]])


def write_record(reports: list[pytest.TestReport]) -> None:
    """Write the record of a whole run."""
    took: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        took[report.nodeid] += report.duration
    longest: defaultdict[str, float] = defaultdict(float)
    for nodeid, seconds in took.items():
        name = function_of(nodeid)
        longest[name] = max(longest[name], seconds)
    noted = {name: round(seconds, 1) for name, seconds in sorted(longest.items()) if seconds >= LONG}
    FILE.write_text(json.dumps(noted, indent=1) + "\n", encoding="utf-8")
