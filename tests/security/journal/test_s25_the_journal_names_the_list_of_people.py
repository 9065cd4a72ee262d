"""S25: a change of the list of people behind the daemon's back is found, and the list of the journal counts."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.cli import main
from firmware_bridge.control.client import ControlClient
from firmware_bridge.people.accounts.roles import LEAST, make_pin
from tests.patience import PATIENCE
from tests.places import ROOT

FORGED, GOOD, BETTER, OTHER = "4711", "482913", "730582", "930475"
ROLES = {"ann": "shift-manager", "bob": "pit-manager", "cy": "dealer"}


def table(folder: Path, roles: dict[str, str] = ROLES) -> Path:
    """Write the configuration of a table without devices, its people as an earlier edition had them."""
    lines = ["[table]", 'game = "mbs-blackjack-v6"', f'state = "{folder}/s"', f'control = "{folder}/c"']
    lines += ["sensors = []", "[devices]"]
    if roles:
        lines.append("[roles]")
        lines += [f'{name} = {{role = "{role}", pin = "{make_pin(GOOD, LEAST).text}"}}' for name, role in roles.items()]
    path = folder / "table.toml"
    path.touch(mode=0o600)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@contextmanager
def running(config: Path) -> Iterator[Path]:
    """Run the daemon; its control socket."""
    command = [sys.executable, "-m", "firmware_bridge.cli", "run", "--tied", "--config", str(config)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None
        assert b"ready\n" == daemon.stdout.readline()
        yield config.parent / "c"
        daemon.terminate()
        assert 0 == daemon.wait(PATIENCE)


def login(control: Path, name: str, pin: str, **more: str) -> dict[str, Any]:
    """Log in, and ask for the alarms."""
    with ControlClient(control) as client:
        answer = client.ask(do="login", name=name, pin=pin, **more)
        status = client.ask(do="status") if answer.get("ok") else {}
        return answer | {"alarms": [one["code"] for one in status.get("alarms", ())]}


def rows(config: Path) -> list[dict[str, Any]]:
    """Return what the journal says of the people."""
    found = []
    for path in sorted((config.parent / "s").glob("journal-*.db")):
        with closing(sqlite3.connect(path)) as connection:
            found += [body for (body,) in connection.execute("SELECT body FROM events WHERE body LIKE '{\"people\"%'")]
    return [json.loads(body) for body in found]


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let somebody type PINs."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_roles_are_taken_over_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each person is a row; later the section says nothing any more, and is warned of."""
    config = table(tmp_path)
    with running(config) as control:
        assert login(control, "ann", GOOD)["ok"]
    assert [("taken over", name, role) for name, role in ROLES.items()] == [
        (one["people"], one["number"], one["role"]) for one in rows(config)
    ]
    table(tmp_path, {"ann": "shift-manager", "mallory": "shift-manager"})
    with running(config) as control:
        assert "wrong" in login(control, "mallory", GOOD)["refused"]
        assert [] == login(control, "bob", GOOD)["alarms"]
    assert len(ROLES) == len(rows(config))
    capsys.readouterr()
    main(["check", "--config", str(config)])
    assert "warning: roles: were taken over" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["another PIN", "garbage", "a role", "gone"])
def test_a_list_that_was_changed_is_an_alarm_and_the_one_of_the_journal_counts(tmp_path: Path, how: str) -> None:
    """Somebody with the disk gives themselves a PIN or a role; a file that is only gone is put back."""
    config, file = table(tmp_path), tmp_path / "s" / "people.json"
    with running(config):
        pass
    said = json.loads(file.read_text(encoding="utf-8"))
    ann, _, cy = said["people"]
    match how:
        case "another PIN":
            ann["pin"] = make_pin(FORGED, LEAST).text
        case "a role":
            cy["role"] = "shift-manager"
    file.write_text("}" if how == "garbage" else json.dumps(said), encoding="utf-8")
    if how == "gone":
        file.unlink()
    with running(config) as control:
        assert "wrong" in login(control, "ann", FORGED)["refused"]
        answer = login(control, "cy", GOOD)
        assert ("dealer", [] if how == "gone" else ["people-changed"]) == (answer["role"], answer["alarms"])
    assert "dealer" == json.loads(file.read_text(encoding="utf-8"))["people"][2]["role"]


def test_without_any_list_that_the_journal_names_nobody_is_let_in_until_root_names_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The planted one does not count, nor do the roles that were taken over before."""
    config, state = table(tmp_path), tmp_path / "s"
    with running(config):
        pass
    for path in (state / "people.kept").iterdir():
        path.unlink()
    (state / "people.json").unlink()
    with running(config) as control:
        assert "wrong" in login(control, "ann", GOOD)["refused"]
    typed(monkeypatch, OTHER)
    assert 0 == main(["people", "first", "1042", "Ann Lee", "shift-manager", "--config", str(config)])
    with running(config) as control:
        answer = login(control, "1042", OTHER, new=BETTER)
        assert (True, ["people-changed"]) == (answer["ok"], sorted(set(answer["alarms"])))
    assert ("first", "1042", "root") == tuple(
        next(one for one in reversed(rows(config)) if one["people"] == "first")[key]
        for key in ("people", "number", "by")
    )
    capsys.readouterr()


def test_a_table_begins_with_the_people_that_root_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the command line: PINs are typed, changes proposed and confirmed, and the list shows who may log in."""
    config, control = table(tmp_path, {}), str(tmp_path / "c")
    assert 1 == main(["check", "--config", str(config)])
    first = ["people", "first", "--config", str(config)]
    for pins, who in (((GOOD,), ["1", "Ann Lee", "shift-manager"]), ((OTHER,), ["2", "Bo Tan", "pit-manager"])):
        typed(monkeypatch, *pins)
        assert 0 == main([*first, *who])
    typed(monkeypatch, "123456")
    assert 1 == main([*first, "3", "Cy Ng", "dealer"])
    assert "count up" in capsys.readouterr().err
    assert 0 == main(["check", "--config", str(config)])

    def people(*words: str, pins: tuple[str, ...], name: str) -> tuple[int, str]:
        typed(monkeypatch, *pins)
        status = main(["people", *words, "--name", name, "--control", control])
        out, err = capsys.readouterr()
        return status, out + err

    with running(config):
        capsys.readouterr()
        status, said = people("list", pins=(GOOD,), name="1")
        assert (1, True) == (status, "truedeal people pin --name 1" in said)
        assert 0 == people("pin", pins=(GOOD, "831650"), name="1")[0]
        assert 0 == people("pin", pins=(OTHER, "641805"), name="Bo Tan")[0]
        status, said = people("add", "3", "Cy Ng", "dealer", pins=("831650", BETTER), name="1")
        assert (0, True) == (status, "truedeal people confirm 1" in said)
        assert 1 == people("confirm", "1", pins=("831650",), name="1")[0]
        assert 0 == people("confirm", "1", pins=("641805",), name="2")[0]
        status, said = people("expire", "2", pins=("831650",), name="1")
        status, said = people("list", pins=("641805",), name="2")
        assert ["1  Ann Lee, shift-manager", "2  Bo Tan, pit-manager", "3  Cy Ng, dealer (somebody"] == [
            line.partition(" else")[0] for line in said.splitlines()[:3]
        ]
        assert "proposal 2: expire 2  Bo Tan, pit-manager, until" in said.splitlines()[3]
    typed(monkeypatch, GOOD)
    assert 1 == main([*first, "9", "Mallory", "shift-manager"])
    assert "the table has people" in capsys.readouterr().err
