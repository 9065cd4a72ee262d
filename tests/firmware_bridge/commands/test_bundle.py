"""What a bundle takes where nothing is named, and of which segments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.commands.service.bundle_contents import Parts
from firmware_bridge.journal.writer import Entry, Journal

AT = "2025-01-01T00:00:00.000000+00:00"


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder where programs are found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_without_a_log_that_of_the_service_is_taken(tools: Path) -> None:
    """As the system keeps it, without cards and without keys."""
    tool = tools / "journalctl"
    tool.write_text(f"#!/bin/sh\necho draw KD; echo key {'ab' * 32}; echo $1\n", encoding="ascii")
    tool.chmod(0o755)
    parts = Parts()
    parts.service_log()
    assert {"logs/0-journalctl": b"draw ??\nkey (left out)\n--unit=truedeal\n"} == parts.files


@pytest.mark.parametrize("script", [None, "exit 0", "exit 1"])
def test_a_log_that_is_not_kept_is_missing(tools: Path, script: str | None) -> None:
    """And the bundle says so."""
    if script is not None:
        (tools / "journalctl").write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
        (tools / "journalctl").chmod(0o755)
    parts = Parts()
    parts.service_log()
    assert ({}, ["log"]) == (parts.files, [line.partition(":")[0] for line in parts.missing])


@pytest.mark.parametrize(("count", "expected"), [(1, [7]), (3, [5, 6, 7]), (100, [1, 2, 3, 4, 5, 6, 7])])
def test_the_last_rows_are_taken_of_as_many_segments_as_they_lie_in(
    tmp_path: Path, count: int, expected: list[int]
) -> None:
    """A segment that has just begun does not leave the bundle empty."""
    journal = Journal(tmp_path, AT)
    journal.append([Entry(AT, "daemon", "note", "before")] * 3)
    journal.rotate(AT, (1, b""))
    journal.append([Entry(AT, "daemon", "note", "after")] * 2)
    parts = Parts()
    parts.journal(tmp_path, count)
    journal.close()
    assert expected == [json.loads(line)["n"] for line in parts.files["journal.jsonl"].decode().splitlines()]
