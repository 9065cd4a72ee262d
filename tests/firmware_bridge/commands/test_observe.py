"""The commands that ask a daemon, against a real one with simulated devices and roles."""

from __future__ import annotations

import argparse
import io
import json
import os
import stat
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firmware_bridge.commands.service import bundle, computer_facts, doctor
from firmware_bridge.commands.table import observe, speak
from firmware_bridge.control.client import ControlClient, read_path
from firmware_bridge.journal import schema
from hal_sim.table.sim_table import SimTable
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.firmware_bridge.table_with_roles import PEOPLE, PIN
from tests.patience import PATIENCE

KEPT = [one.pin.text for one in PEOPLE]


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


class Command:
    """Runs commands against one table."""

    def __init__(self, table: SimTable, capsys: pytest.CaptureFixture[str]) -> None:
        self.table = table
        self._capsys = capsys
        self._parser = argparse.ArgumentParser()
        commands = self._parser.add_subparsers()
        for module in (observe, doctor, bundle, speak):
            module.add(commands)

    def __call__(self, *args: str) -> Ran:
        """Run a command."""
        parsed = self._parser.parse_args([*args, "--control", str(self.table.control_path)])
        self._capsys.readouterr()
        status = parsed.run(parsed)
        return Ran(status, *self._capsys.readouterr())

    def json(self, *args: str) -> list[Any]:
        """Run a command that must succeed; the lines it prints."""
        ran = self(*args, "--json")
        assert (0, "") == (ran.status, ran.err)
        return [json.loads(line) for line in ran.out.splitlines()]


@pytest.fixture(scope="module")
def table(seed: int) -> Iterator[SimTable]:
    """Return a table where one round was void, and one is on and held; the tests are in the order that keeps it so."""
    guarded = SimTable(seed=seed)
    guarded.staff(PEOPLE, [])
    with guarded as table:
        with ControlClient(table.control_path) as dealer, ControlClient(table.control_path) as pit:
            assert dealer.ask(do="login", name="the dealer", pin=PIN)["ok"]
            assert pit.ask(do="login", name="the pit-manager", pin=PIN)["ok"]
            for statement in ("place-bets", "bet 2 main 50 by ann", "call foreign-card"):
                assert dealer.ask(do="say", statement=statement).get("ok"), statement
            assert pit.ask(do="say", statement="approve pit-manager").get("ok")
            assert pit.ask(do="clear", reason="seen").get("ok")
            for statement in ("place-bets", "bet 3 main 50 by ann", "call uncovered"):
                assert dealer.ask(do="say", statement=statement).get("ok"), statement
        yield table


@pytest.fixture
def command(table: SimTable, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs commands against the table."""
    return Command(table, capsys)


def test_status_says_how_the_table_stands(command: Command) -> None:
    """Game, round, devices, what is open and asked, the alarms, the journal."""
    lines = command("status").out.splitlines()
    assert "mbs-blackjack-v6, round 2: held" == lines[0]
    assert "devices: shoe up, shuffler up, hub up, panel up, meter up" in lines
    assert {"open: uncovered (6.1)", "asked: house"} <= set(lines)
    assert ["uncovered"] == [line.split()[2].rstrip(":") for line in lines if line.startswith("ALARM")]
    (told,) = command.json("status")
    assert ("held", 2) == (told["state"], told["health"]["table"]["round"])


def test_rounds_lists_what_is_over_and_what_is_on(command: Command) -> None:
    """The round that is on has no end and is open."""
    head, on, one = command("rounds").out.splitlines()
    assert ["Round", "Ended"] == head.split()[:2]
    assert ("2", "-", "open", "3", "uncovered") == tuple(on.split()[index] for index in (0, 1, 2, 3, -1))
    assert ("1", "void", "2", "foreign-card") == tuple(one.split()[index] for index in (0, 3, 4, -1))
    told = command.json("rounds", "--count", "5")
    assert [(2, "open", "uncovered"), (1, "void", "foreign-card")] == [
        (one["number"], one["outcome"], one["findings"]) for one in told
    ]


def test_rounds_are_chosen_by_what_they_had(command: Command) -> None:
    """What no round has lists none; what is no finding and no time is said."""
    chosen = [("--finding", "foreign-card"), ("--box", "2"), ("--from", "2001-01-01")]
    assert [1, 1, 2] == [len(command.json("rounds", *words)) for words in chosen]
    other = [("--finding", "late-wager"), ("--box", "4"), ("--to", "2001-01-01")]
    assert [0, 0, 0] == [len(command.json("rounds", *words)) for words in other]
    further = [("--clause", "5.1"), ("--outcome", "void"), ("--person", "the pit-manager")]
    assert [1, 1, 1] == [len(command.json("rounds", *words)) for words in further]
    none = [("--clause", "5.11"), ("--outcome", "settled"), ("--person", "the engineer")]
    assert [0, 0, 0] == [len(command.json("rounds", *words)) for words in none]
    assert Ran(1, "", "truedeal rounds: --finding: there is no 'bad-luck'\n") == command(
        "rounds", "--finding", "bad-luck"
    )


def test_a_round_is_drawn_as_it_lay(command: Command) -> None:
    """The one with this number, or the one that is on."""
    drawn = command("round", "1").out
    assert "Round 1, void" in drawn
    assert "! foreign-card: void (5.1.1)" in drawn
    assert "call foreign-card (console, the dealer)" in drawn
    now = command("round").out
    assert "Round 2, open" in now
    assert "main" in now
    (told,) = command.json("round", "1")
    assert told == command.json("round", "--first", str(told["first"]))[0]
    assert Ran(1, "", "truedeal round: there is no such round at hand\n") == command("round", "77")


def test_one_thread_reads_usb_one_checks_pins_and_one_reads_rounds(table: SimTable) -> None:
    """After a login, and with past rounds read, there is none beside them and the loop."""
    with ControlClient(table.control_path) as client:
        assert client.ask(do="login", name="the surveillance", pin=PIN)["ok"]
        assert client.ask(do="rounds", count=1)["rounds"]
    assert 4 == len(list(Path(f"/proc/{table.pid('daemon')}/task").iterdir()))


def test_watch_prints_what_happens(command: Command, table: SimTable) -> None:
    """As many lines as asked for, with the journal's number."""
    import threading  # noqa: PLC0415

    ready = threading.Event()

    class Client(ControlClient):
        """Says when it watches."""

        def ask(self, **request: object) -> dict[str, Any]:
            """Send a request and wait for its answer."""
            answer = super().ask(**request)
            ready.set()
            return answer

    def happen() -> None:
        """Let a press be refused once somebody watches."""
        ready.wait(PATIENCE)
        table.device("panel").event("Press", press=9, button="settle", option=0, place=[0, 0, 0], amount=0)

    thread = threading.Thread(target=happen)
    thread.start()
    with Client(read_path(table.control_path)) as client:
        assert 0 == observe.watch_table(client, argparse.Namespace(count=1, json=False))
    thread.join()
    out = command._capsys.readouterr().out
    assert "panel" in out
    assert "REFUSED" in out
    assert out.split()[0].isdigit()


def test_the_doctor_looks_at_everything(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose only problem is its alarms says so, with the remedy; the status tells of a problem."""
    monkeypatch.setattr(computer_facts, "clock_synchronised", lambda: True)
    monkeypatch.setattr(computer_facts, "undervoltage", lambda: None)
    monkeypatch.setattr(computer_facts, "usb_resets", lambda: 0)
    ran = command("doctor")
    assert (1, "1 problem") == (ran.status, ran.out.splitlines()[-1])
    assert "ok  device shoe: SIM-SHOE, firmware sim-1, protocol 2.0, key " in ran.out
    checks = json.loads(command("doctor", "--json").out)
    assert ["alarm"] == [check["name"] for check in checks if check["well"] is False]


def test_a_bundle_holds_what_helps_and_no_secret(command: Command, table: SimTable, tmp_path: Path) -> None:
    """Health, doctor, configuration, journal, log; for its owner alone, and never over another."""
    out = tmp_path / "bundle.tar.gz"
    config, log = str(table.config_path), str(table.directory / "daemon.log")
    args = ("bundle", "--out", str(out), "--config", config, "--log", log, "--log", str(tmp_path / "none"))
    ran = command(*args)
    assert (0, 0o600) == (ran.status, stat.S_IMODE(out.stat().st_mode))
    with tarfile.open(out) as archive:
        files = {Path(name).name: archive.extractfile(name) for name in archive.getnames()}
        read = {name: file.read().decode() for name, file in files.items() if file is not None}
    expected = {"health.json", "doctor.txt", "configuration.json", "journal.jsonl", "4-daemon.log", "missing.txt"}
    assert expected == set(read)
    whole = "".join(read.values())
    secrets = [
        *KEPT,
        *(text.rpartition("$")[2] for text in KEPT),
        *(table.key(name).hex() for name in table.names),
        table.secret.hex(),
        PIN,
    ]
    assert [] == [secret for secret in secrets if secret in whole]
    assert "the shift-manager" in read["configuration.json"]
    rows = [json.loads(line) for line in read["journal.jsonl"].splitlines()]
    over = next(row["n"] for row in rows if row["kind"] == "event" and "Approve" in row["body"])
    assert {True} == {("chain" in row) is (row["n"] <= over) for row in rows}
    assert 2 == command(*args).status


def test_an_alarm_is_cleared_from_the_command_line(
    command: Command, table: SimTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a name and a PIN that is typed; without them it is refused, and the panel's alarm stays."""
    assert 1 == command("clear", "looked", "at").status
    monkeypatch.setattr(sys, "stdin", io.StringIO("wrong\n"))
    assert Ran(1, "", "truedeal clear: name or PIN is wrong\n") == command(
        "clear", "looked", "at", "--name", "the shift-manager"
    )
    time.sleep(1.1)  # what a wrong try costs
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PIN}\n"))
    assert Ran(0, "ok\n", "") == command("say", "answer", "house", "continue", "--name", "the shift-manager")
    assert table.device("panel").state()["alarm"]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PIN}\n"))
    cleared = command("clear", "looked", "at", "--name", "the shift-manager")
    assert Ran(0, "cleared: uncovered\n", "") == cleared


def test_a_daemon_that_is_killed_comes_back_with_its_alarm(table: SimTable, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody has cleared is on after the restart; each login is in the journal."""
    with ControlClient(table.control_path) as client:
        client.ask(do="login", name="the dealer", pin=PIN)
        client.ask(do="say", statement="call uncovered")
        before = client.ask(do="status")["alarms"]
    table.kill()
    table.start_daemon()
    table.wait_up()
    with ControlClient(read_path(table.control_path)) as client:
        assert before == client.ask(do="status")["alarms"]
        assert "held" == client.ask(do="status")["state"]
    assert "uncovered" in [alarm["code"] for alarm in before]
    log = (table.directory / "daemon.log").read_text(encoding="utf-8")
    notes = [row.body for row in all_rows(table.directory / "state") if row.kind == schema.NOTE]
    assert f'{{"login": "the dealer", "role": "dealer", "origin": "uid {os.getuid()}"}}' in notes
    assert [] == [secret for secret in (PIN, *KEPT) if secret in log]
    assert ("", "") == tuple(capsys.readouterr())


def test_where_no_daemon_answers_it_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With a hint what to look at; the path may come from the environment."""
    args = argparse.Namespace(control=None, json=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUEDEAL_CONTROL", str(tmp_path / "none.sock"))
        assert 2 == observe.asking("status", args, observe.show_status)
    err = capsys.readouterr().err
    assert (True, True) == (str(tmp_path / "read.sock") in err, "systemctl status truedeal" in err)
