"""The doctor: what a daemon's health means, and that each problem has its remedy."""

from __future__ import annotations

import copy
import socket
from pathlib import Path
from typing import Any

import pytest

from drivers.faults import FOREIGN_DEVICE, IN_CLEAR, REMEDIES, SILENT, UNVERIFIED
from firmware_bridge.commands.service import computer_facts, doctor
from firmware_bridge.commands.service.doctor import Check, examine, of_health, of_machine, text

STATS = {"frames": 5000, "bad": 3, "duplicates": 1, "gaps": 2, "resent": 4, "bytes": 100_000}
LINK: dict[str, Any] = {
    "up": True,
    "driver": "shoe",
    "port": "serial:/dev/shoe",
    "authenticated": True,
    "edition": 2,
    "patience": 1,
    "proved": True,
    "serial": "S-1",
    "firmware": "1.2",
    "protocol": [1, 0],
    "station": {"downs": 2},
    "link": STATS,
}
HEALTH: dict[str, Any] = {
    "version": "0.1",
    "boot": "b",
    "uptime": 7200.0,
    "program": {"state": "whole", "digest": "d" * 64, "signer": "test", "wrong": None, "waits": None},
    "memory": 35_000_000,
    "table": {
        "game": "mbs-blackjack-v6",
        "state": "idle",
        "round": 7,
        "sensors": ["bets", "discard", "panel", "positions", "shoe"],
        "alarms": [],
    },
    "links": {name: dict(LINK) for name in ("shoe", "hub", "panel")},
    "journal": {"n": 5, "size": 1_000_000, "segments": 1, "stalled": None, "quarantined": 0},
    "anchors": {"runs": True, "targets": {"file:/a": {"n": 5, "problem": "away", "down": False}}},
    "disk": {"free": 20_000_000_000, "total": 30_000_000_000},
    "open": False,
    "roles": {"ann": "dealer"},
    "people": {"many": 1, "changeable": True, "left": False},
    "shufflers": [{"device": "shuffler", "method": "machine", "shoes": 40, "verdict": "none", "evidence": 0.25}],
}


def problems(path: str = "", value: object = None) -> list[Check]:
    """Return the problems of a health in which one value, by its dotted path, is another."""
    health = copy.deepcopy(HEALTH)
    if path:
        *way, last = path.split(".")
        place = health
        for key in way:
            place = place[key]
        place[last] = value
    return [check for check in of_health(health) if check.well is False]


def test_a_table_that_is_well_has_no_problem() -> None:
    """Every device is named with its firmware and protocol."""
    assert [] == problems()
    said = text(list(of_health(HEALTH)))
    assert "ok  device shoe: S-1, firmware 1.2, protocol 1.0" in said.splitlines()
    assert "all is well" == said.splitlines()[-1]


@pytest.mark.parametrize(
    ("path", "value", "name", "remedy"),
    [
        ("links.hub.up", False, "device hub", REMEDIES[SILENT]),
        ("links.hub.authenticated", False, "proof of hub", REMEDIES[UNVERIFIED]),
        ("links.hub.proved", False, "proof of hub", REMEDIES[UNVERIFIED]),
        ("links.hub.edition", 1, "cable of hub", REMEDIES[IN_CLEAR]),
        ("links.hub.link", STATS | {"bad": 100}, "link of hub", "cable"),
        ("links.hub.link", STATS | {"resent": 100}, "link of hub", "cable"),
        ("journal.stalled", "disk full", "journal", "space"),
        ("journal.quarantined", 1, "journal", "verify"),
        ("journal.archiving", "journal-000001.db: no room", "archive", "truedeal archive"),
        ("anchors.runs", False, "anchors", "truedeal-anchor"),
        ("anchors.targets", {"file:/a": {"n": 5, "problem": "away", "down": True}}, "anchor", "mount"),
        ("disk.free", 1000, "disk", "space"),
        ("memory", 900_000_000, "memory", "bundle"),
        ("links", {"shoe": LINK, "hub": LINK}, "sensor panel", "[devices.panel]"),
    ],
)
def test_each_problem_has_its_remedy(path: str, value: object, name: str, remedy: str) -> None:
    """One thing that is wrong is one problem."""
    (check,) = problems(path, value)
    assert (name, True) == (check.name, remedy in check.remedy)
    assert [f"!!  {name}: {check.said}", f"      {check.remedy}", "1 problem"] == text([check]).splitlines()


def test_a_link_that_bears_more_is_told_and_is_no_problem() -> None:
    """Only a simulated device's can: the configuration of any other is refused."""
    assert [] == problems("links.hub.patience", 10)
    said = text(list(of_health({**HEALTH, "links": {"hub": LINK | {"patience": 10}}})))
    assert "--  patience of hub: bears 10 s, not 1: the device is simulated" in said.splitlines()


def test_a_device_that_is_away_is_told_with_its_own_remedy() -> None:
    """One that was refused is not looked for at its cable."""
    found = problems("links.hub", LINK | {"up": False, "station": {"downs": 0, "fault": FOREIGN_DEVICE}})
    assert [("device hub", REMEDIES[FOREIGN_DEVICE])] == [(check.name, check.remedy) for check in found]
    assert "foreign-device" in found[0].said


def test_a_socket_that_may_not_be_reached_is_no_daemon_to_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is not in the group is told to join it."""

    def refused(_: socket.socket, __: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "connect", refused)
    first = examine(str(tmp_path / "c"))[0]
    assert (False, True) == (first.well, "adduser" in first.remedy)


def test_few_frames_prove_nothing() -> None:
    """A link that has just begun is not called bad."""
    assert [] == problems("links.hub.link", STATS | {"frames": 10, "bad": 5})


def test_an_alarm_that_nobody_has_cleared_is_a_problem() -> None:
    """With its clause and the event that proved it."""
    alarm = {"n": 17, "code": "uncovered", "clause": "6.1"}
    (check,) = problems("table.alarms", [alarm])
    assert ("alarm", "uncovered (6.1), event 17", True) == (check.name, check.said, "truedeal clear" in check.remedy)


def test_what_the_sensors_do_not_cover_is_told_with_clause_and_sensor() -> None:
    """It is no problem: a person says it."""
    health = copy.deepcopy(HEALTH)
    health["table"]["sensors"] = ["panel", "shoe"]
    told = [check for check in of_health(health) if check.name == "not sensed"]
    assert {None} == {check.well for check in told}
    assert "late-wager (5.3, 6.1): needs the sensor bets, a person must say it" in [check.said for check in told]


@pytest.mark.parametrize(
    ("clock", "low", "resets", "wrong"),
    [
        (True, False, 0, []),
        (None, None, None, []),
        (False, True, 11, ["clock", "voltage", "USB resets"]),
    ],
)
def test_the_computer_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, clock: bool | None, low: bool | None, resets: int | None, wrong: list[str]
) -> None:
    """What it does not tell is no problem."""
    monkeypatch.setattr(computer_facts, "clock_synchronised", lambda: clock)
    monkeypatch.setattr(computer_facts, "undervoltage", lambda: low)
    monkeypatch.setattr(computer_facts, "usb_resets", lambda: resets)
    checks = list(of_machine())
    assert wrong == [check.name for check in checks if check.well is False]
    assert all(check.remedy for check in checks if check.well is False)


def test_no_daemon_is_a_problem_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the computer is looked at all the same."""
    monkeypatch.setattr(doctor, "of_machine", lambda: iter([Check("clock", True, "synchronised")]))
    checks = examine(str(tmp_path / "none.sock"))
    assert [("daemon", False), ("clock", True)] == [(check.name, check.well) for check in checks]
    assert "systemctl start truedeal" in checks[0].remedy
