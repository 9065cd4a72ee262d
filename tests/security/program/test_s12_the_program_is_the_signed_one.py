"""S12: a program that was changed begins no round, and a new one only when two people have accepted it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from drivers.panel import Press
from drivers.wire import Spot
from firmware_bridge import VERSION
from firmware_bridge.cli import main
from firmware_bridge.commands.service.check import problems
from firmware_bridge.commands.service.doctor import of_health
from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal import schema
from firmware_bridge.journal.recovery import recover
from firmware_bridge.journal.writer import Journal
from firmware_bridge.program.accepted import Programs
from firmware_bridge.program.admission import Admission
from firmware_bridge.program.running import CHANGED, DEVELOPMENT, UNKNOWN, WHOLE, Running
from firmware_bridge.pump.record_writer import RecordWriter
from firmware_bridge.setup.config import Config
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from hal_sim.table.sim_table import SimTable
from tests.firmware_bridge.program.signed import Program
from tests.firmware_bridge.pump_rig import AT, HEADER
from tests.firmware_bridge.restarted_daemon import Started, all_rows, kept
from tests.firmware_bridge.restarted_daemon import scene as in_loop
from tests.firmware_bridge.table_with_roles import Post, at_post

PYC = "firmware_bridge/__pycache__/cli.cpython-311.pyc"
OLD, NEW = "a" * 64, "b" * 64


def starts(state: Path) -> Iterator[dict[str, object]]:
    """The rows of the daemon's starts."""
    return (json.loads(row.body or "") for row in all_rows(state) if row.kind == schema.START)


def run_once(folder: Path, program: str, *events: ev.Event, then: Callable[[Started], object] = str) -> Programs:
    """Start a daemon, let things happen, and kill it; what it knew of programs."""

    def act() -> Programs:
        daemon = Started(folder, program=program)
        daemon.pump.gate.bars.append(daemon.books.programs.waits)
        assert [None] * len(events) == daemon.happen(*events)
        then(daemon)
        daemon.killed()
        return daemon.books.programs

    return in_loop(act)


def run_with(folder: Path, program: Program) -> tuple[Started, Running, list[str | None]]:
    """Start a daemon whose program is this one; what a round's beginning is answered during and after the check."""

    async def scene() -> tuple[Started, Running, list[str | None]]:
        running = Running(program.makers, program.folder, program.folder)
        daemon = Started(folder, program=running.digest)
        admission = Admission(running, daemon.pump)
        done = asyncio.Event()
        daemon.pump.watchers.append(lambda news: done.set() if "program" in news else None)
        admission.check(asyncio.get_running_loop())
        answers = daemon.happen(ev.PlaceBets())
        await done.wait()
        daemon.pump.process_queue()
        answers += daemon.happen(ev.PlaceBets())
        daemon.killed()
        return daemon, running, answers

    return asyncio.run(scene())


def test_the_start_names_the_digest_and_the_check_lets_rounds_begin(tmp_path: Path) -> None:
    """No round while it is being checked, any afterwards; what was refused is in the journal with its reason."""
    program = Program(tmp_path)
    program.write("large", bytes(30_000_000))
    program.sign()
    daemon, running, answers = run_with(tmp_path / "table", program)
    assert (WHOLE, "test") == (running.state, running.signer)
    assert ["the program is being checked: try again in a moment", None] == answers
    assert [running.digest] == [said["program"] for said in starts(daemon.state)]
    kinds = (schema.REFUSED, schema.NOTE)
    rows = [(row.kind, json.loads(row.body or "")) for row in all_rows(daemon.state) if row.kind in kinds]
    assert (schema.REFUSED, {"said": "place-bets", "refused": answers[0]}) == rows[0]
    assert (schema.NOTE, {"program": "whole", "digest": running.digest, "wrong": None}) == rows[1]


@pytest.mark.parametrize("change", ["byte code", "one more", "other key", "no list", "other version"])
def test_a_changed_program_holds_the_table(tmp_path: Path, change: str) -> None:
    """It is put before the shift manager, and no round begins; what is wrong is told."""
    program = Program(tmp_path)
    match change:
        case "byte code":
            program.write(PYC, b"pays 5 to 1")
        case "one more":
            program.write("usercustomize.py", b"")
        case "other key":
            (program.makers / "test.pub").write_text("00" * 32, encoding="ascii")
        case "no list":
            (program.folder / "manifest.json").unlink()
        case _:
            program.sign("9.9.9")
    daemon, running, answers = run_with(tmp_path / "table", program)
    assert CHANGED == running.state
    assert running.wrong
    assert f"the program is not what its maker has signed: {running.wrong}" == answers[-1]
    assert [ev.Call("uncovered", device="computer")] == kept(daemon.state)
    assert (UNKNOWN if change == "no list" else running.digest) == next(starts(daemon.state))["program"]


def test_a_program_from_elsewhere_says_development(seed: int) -> None:
    """In the row of its start, in doctor and on the page; it may play."""
    with SimTable(seed=seed, usb=False) as table:
        with ControlClient(str(table.control_path)) as client:
            health, scene = client.ask(do="health")["health"], client.ask(do="scene")["scene"]
        said = {check.code: check for check in of_health(health)}["program-development"]
        assert (None, True) == (said.well, said.said.startswith(DEVELOPMENT))
        assert DEVELOPMENT == scene["program"]["state"]
        assert [DEVELOPMENT] == [start["program"] for start in starts(table.state_path)]


def test_a_new_program_begins_a_round_when_two_have_accepted_it(tmp_path: Path) -> None:
    """An engineer and a shift manager, by name, in the journal; nobody else, and neither alone."""
    for program in (OLD, NEW):
        run_once(tmp_path, program)

    async def scene(post: Post) -> None:
        Admission(Running(tmp_path), post.pump)
        dealer, engineer, manager = [await post.client(role) for role in ("dealer", "engineer", "shift-manager")]
        waits = f"the program {VERSION} {NEW[:16]} is not accepted yet: needs engineer and shift-manager"
        assert waits == (await dealer.ask("say", statement="place-bets"))["refused"]
        assert waits == await post.says("panel", Press(1, "bets", 0, Spot(0), 0))
        assert "needs engineer" in str((await dealer.ask("accept", program=NEW))["refused"])
        assert f"the program that waits is {NEW[:16]}" == (await engineer.ask("accept", program=OLD))["refused"]
        half = await engineer.ask("accept", program=NEW[:16])
        assert (half["waits"] or "").endswith("needs shift-manager")
        assert "second person" in str((await engineer.ask("accept", program=NEW))["refused"])
        assert "refused" in await dealer.ask("say", statement="place-bets")
        assert {"ok": True, "waits": None} == await manager.ask("accept", program=NEW)
        assert {"ok": True} == await dealer.ask("say", statement="place-bets")
        said = [note for note in post.notes() if "program-accepted" in note]
        assert [("the engineer", "engineer"), ("the shift-manager", "shift-manager")] == [
            (note["person"], note["role"]) for note in said
        ]

    at_post(tmp_path, scene)
    assert run_once(tmp_path, NEW).waits() is None
    assert run_once(tmp_path, OLD).waits() is not None


def test_what_was_accepted_outlasts_segments_and_snapshots(tmp_path: Path) -> None:
    """The table as it is kept at the beginning of a segment holds it."""

    def rotate(daemon: Started) -> None:
        daemon.books.journal.rotate(AT, daemon.books.kept(HEADER, daemon.pump.table, daemon.pump._translator))

    for program in (OLD, NEW):
        run_once(tmp_path, program, then=rotate)
    journal = Journal(tmp_path / "state", AT)
    programs = RecordWriter(journal, recover(journal, HEADER)).programs
    journal.close()
    assert (f"{VERSION} {NEW}", f"{VERSION} {OLD}") == (programs.running, programs.accepted)


def test_a_round_in_play_goes_on_under_a_new_program(tmp_path: Path) -> None:
    """It waits between rounds only."""
    run_once(tmp_path, OLD, ev.PlaceBets(), ev.WagerPlaced(Place(1, 0, 1), "main", 100_00))
    assert run_once(tmp_path, NEW, ev.NoMoreBets()).waits() is not None


def test_identity_prints_what_a_regulator_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Digest and answer of a folder; status 1 and each difference where it is not what was signed."""
    program = Program(tmp_path)
    command = ["identity", "--folder", str(program.folder), "--makers", str(program.makers), "--json"]
    assert 0 == main([*command, "--challenge", "7 of clubs"])
    said = json.loads(capsys.readouterr().out)
    digest = Running(program.makers, program.folder, program.folder).digest
    assert ("whole", digest, "test", VERSION) == tuple(said[key] for key in ("state", "digest", "signer", "version"))
    program.write(PYC, b"pays 5 to 1")
    assert 1 == main([*command, "--challenge", "7 of clubs"])
    changed = json.loads(capsys.readouterr().out)
    assert ([f"{PYC}: has changed"], digest) == (changed["wrong"], changed["digest"])
    assert said["answer"] != changed["answer"]
    assert 1 == main([*command, "--challenge", "x" * 65])
    assert "1 to 64 bytes" in capsys.readouterr().err
    assert 1 == main(["identity"])
    assert "state: development" in capsys.readouterr().out


def test_check_names_a_maker_whom_the_table_does_not_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first round is refused."""
    program = Program(tmp_path)
    (program.makers / "test.pub").unlink()
    found = partial(Running, home=program.folder, installed=program.folder)
    monkeypatch.setattr("firmware_bridge.program.running.Running", found)
    config = Config(HEADER, tmp_path / "state", tmp_path / "control", (), makers=program.makers)
    assert "signed by the key 'test', which this table does not trust" in " ".join(problems(config))
