"""The file that names the anchors: read, or refused with what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.anchors import lines, status, targets
from firmware_bridge.anchors.targets import Anchors, FileTarget, SyslogTarget, TargetError
from firmware_bridge.journal.clock import since_boot
from firmware_bridge.journal.signed.signing import NOTHING, Head, Signer, written

AT = "2026-01-01T00:00:00.000000+00:00"


def load(folder: Path, text: str) -> Anchors:
    """Read a file with this text."""
    path = folder / targets.FILE
    path.write_text(text, encoding="utf-8")
    return targets.load(path)


def test_both_kinds_are_read(tmp_path: Path) -> None:
    """In the order of the file; without one there are none."""
    assert Anchors() == targets.load(tmp_path / "none")
    found = load(tmp_path, 'targets = ["file:/mnt/a", "syslog+tls:logs.example:6514", "syslog+tls:[::1]:1"]\nca = "/c"')
    wanted = (FileTarget(Path("/mnt/a")), SyslogTarget("logs.example", 6514), SyslogTarget("::1", 1))
    assert (wanted, Path("/c"), targets.STATUS) == (found.targets, found.ca, found.status)
    assert (FileTarget(Path("/mnt/a")),) == found.files
    assert ["file:/mnt/a", "syslog+tls:logs.example:6514"] == [str(one) for one in found.targets[:2]]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "targets: expected a list"),
        ("targets = []", "targets: expected a list"),
        ("targets = [7]", "expected file:/PATH"),
        ('targets = ["file:relative"]', "expected file:/PATH"),
        ('targets = ["syslog:h:514"]', "expected file:/PATH"),
        ('targets = ["syslog+tls:h"]', "expected file:/PATH"),
        ('targets = ["syslog+tls:h:0"]', "expected file:/PATH"),
        ('targets = ["syslog+tls:h:65536"]', "expected file:/PATH"),
        ('targets = ["syslog+tls:h:²"]', "expected file:/PATH"),
        ('targets = ["file:/a", "file:/a"]', "twice"),
        ('targets = ["file:/a"]\nca = "x"', "ca: expected an absolute path"),
        ('targets = ["file:/a"]\nkey = "x"', "key: no such key"),
        ("targets = [", "anchors.toml: "),
    ],
)
def test_what_is_none_is_refused(tmp_path: Path, text: str, why: str) -> None:
    """The message names key, value and what is allowed."""
    with pytest.raises(TargetError, match=why):
        load(tmp_path, text)


def test_a_line_of_syslog_has_its_length_before_it() -> None:
    """A host's name cannot break the line."""
    head = Signer(bytes(range(32))).sign(Head(bytes(16), 1, 2, 3, bytes(32), NOTHING, NOTHING, b""))
    frame = lines.syslog_frame(lines.NOTICE, "head", written(head), AT, ("a b\nc", 7))
    size, _, line = frame.partition(b" ")
    assert int(size) == len(line)
    assert line.startswith(b"<109>1 " + AT.encode() + b" abc truedeal 7 head - {")


def test_a_target_is_down_after_five_minutes(tmp_path: Path) -> None:
    """And a process that does not run is told at once."""
    anchors = Anchors((FileTarget(Path("/a")), FileTarget(Path("/b"))), status=tmp_path / "status")
    none = {"n": None, "problem": None, "down": False}
    assert {"runs": False, "targets": {"file:/a": none, "file:/b": none}} == status.anchors_health(anchors)
    assert None is status.anchors_health(Anchors())
    old, new = since_boot() - 301 * 10**9, since_boot()
    status.write(anchors.status, {"file:/a": {"n": 3, "problem": "away", "since": old}})
    assert {"n": 3, "problem": "away", "down": True} == status.anchors_health(anchors)["targets"]["file:/a"]  # type: ignore[index]
    status.write(anchors.status, {"file:/a": {"n": 3, "problem": "away", "since": new}})
    told = status.anchors_health(anchors)
    assert told == {"runs": True, "targets": {"file:/a": {"n": 3, "problem": "away", "down": False}, "file:/b": none}}
    anchors.status.write_text("[", encoding="ascii")
    assert False is status.anchors_health(anchors)["runs"]  # type: ignore[index]
