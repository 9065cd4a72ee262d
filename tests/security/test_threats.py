"""The threat model: it names every finding of the review, each with its test, or open with a reason and a place."""

from __future__ import annotations

import re
from pathlib import Path

from tests.places import ROOT

TEXT = (ROOT / "firmware_bridge/THREATS.md").read_text(encoding="utf-8")
ROWS = {
    finding: (state, text)
    for finding, state, text in re.findall(r"^\| (S\d\d) \| (stopped|open) \| (.+) \|$", TEXT, re.MULTILINE)
}
FILES = sorted(Path(__file__).parent.rglob("test_s[0-9]*.py"))
TESTED = {number.upper() for path in FILES for number in re.findall(r"s\d\d", path.name)}


def test_every_finding_has_a_state() -> None:
    """S01 to S36, each once."""
    assert [f"S{number:02}" for number in range(1, 37)] == re.findall(r"^\| (S\d\d) \|", TEXT, re.MULTILINE)
    assert 36 == len(ROWS)


def places(text: str) -> set[str]:
    """The places of the code that a text names, and that are there."""
    roots = (ROOT, ROOT / "firmware_bridge")
    return {name for name in re.findall(r"`([\w/.]+)`", text) if any((root / name).exists() for root in roots)}


def test_every_finding_has_a_test_of_its_number_or_is_open_for_a_reason() -> None:
    """The test is in a room of this folder, by what it protects; the reason says where the remedy would plug in."""
    assert set() == {finding for finding, (state, _) in ROWS.items() if state == "stopped"} - TESTED
    without = {finding: text for finding, (state, text) in ROWS.items() if state == "open" and finding not in TESTED}
    assert [] == [finding for finding, text in without.items() if "because" not in text or not places(text)]


def test_a_test_says_which_findings_it_is_of() -> None:
    """In its first words: those of its name, and others that it touches."""
    for path in FILES:
        told = set(re.findall(r"S\d\d", path.read_text(encoding="utf-8").partition(":")[0]))
        assert set(re.findall(r"s\d\d", path.name)) <= {one.lower() for one in told}, path.name


def test_hardware_that_is_not_there_has_its_place() -> None:
    """Each row says against what it would help, and where it plugs in."""
    table = TEXT.partition("## Hardware that is not there")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")][2:]
    assert {3} == {len(row) for row in rows}
    assert all(map(all, rows))
    told = " ".join(row[0] for row in rows)
    assert [] == [
        word for word in ("TPM", "Encrypted disk", "Secure element", "dm-verity", "Badge") if word not in told
    ]


def test_the_places_that_it_names_exist() -> None:
    """Files beside it, and those of the repository."""
    named = set(re.findall(r"`((?:program|journal|people|drivers)/[\w/.]*)`", TEXT))
    assert {"program/manifest.py", "journal/signed/signing.py", "people/guard.py"} <= named
    assert set() == {
        name for name in named if not any((root / name).exists() for root in (ROOT, ROOT / "firmware_bridge"))
    }
    linked = re.findall(r"\]\(([^)#]+)\)", (ROOT / ".github/SECURITY.md").read_text(encoding="utf-8"))
    assert [] == [path for path in linked if not (ROOT / ".github" / path).resolve().exists()]
