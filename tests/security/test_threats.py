"""The threat model: it names every finding of the review, and what it calls stopped has its test."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "firmware_bridge/THREATS.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (S\d\d) \| (stopped|open) \| .+ \|$", TEXT, re.MULTILINE))


def test_every_finding_has_a_state() -> None:
    """S01 to S36, each once."""
    assert [f"S{number:02}" for number in range(1, 37)] == re.findall(r"^\| (S\d\d) \|", TEXT, re.MULTILINE)
    assert 36 == len(ROWS)


def test_what_is_stopped_has_a_test_of_its_number() -> None:
    """In this folder, named by what it protects."""
    tested = {number for path in Path(__file__).parent.glob("test_s*.py") for number in re.findall(r"s\d\d", path.name)}
    assert set() == {finding for finding, state in ROWS.items() if state == "stopped"} - {one.upper() for one in tested}


def test_the_places_that_it_names_exist() -> None:
    """Files beside it, and those of the repository."""
    named = set(re.findall(r"`((?:program|journal|people|drivers)/[\w/.]*)`", TEXT))
    assert {"program/manifest.py", "journal/signing.py", "people/guard.py"} <= named
    assert set() == {
        name for name in named if not any((root / name).exists() for root in (ROOT, ROOT / "firmware_bridge"))
    }
    linked = re.findall(r"\]\(([^)#]+)\)", (ROOT / ".github/SECURITY.md").read_text(encoding="utf-8"))
    assert [] == [path for path in linked if not (ROOT / ".github" / path).resolve().exists()]
