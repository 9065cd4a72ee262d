"""S02: keys evolve and are erased, what no head covers is told before it is signed, a roll-back is found outside."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.chain import Row, link
from firmware_bridge.journal.signed import covered, keys, signing
from firmware_bridge.people.permissions import RECOVERED
from firmware_bridge.pump.items import CONSOLE, Item, Note
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, copied, long_journal, made, rounds
from tests.firmware_bridge.restarted_daemon import all_rows

__all__ = ["truedeal"]  # pytest finds it by its name here


def laundered(state: Path) -> None:
    """Change a stake, make the chain again, and take away every head, record and snapshot after the first head."""
    path = segments.segments(state)[-1]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        first = covered.heads(connection)[0]
        connection.execute("UPDATE events SET body = replace(body, '10000', '90000') WHERE n > ?", (first.n,))
        chain = first.chain
        for *values, _ in connection.execute("SELECT * FROM events WHERE n > ? ORDER BY n", (first.n,)).fetchall():
            chain = link(chain, Row(*values))
            connection.execute("UPDATE events SET chain = ? WHERE n = ?", (chain, values[0]))
        for table in ("rulings", "findings", "rounds"):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608  one of three
        for table in ("heads", "snapshots"):
            connection.execute(f"DELETE FROM {table} WHERE n > ?", (first.n,))  # noqa: S608  one of two
    signing.publish(state, first)


def test_a_laundered_past_is_marked_before_it_is_signed(tmp_path: Path, truedeal: Command) -> None:
    """Without the key it is an alarm at the next start; a head that was kept elsewhere proves it wrong for ever."""
    state = tmp_path / "state"
    made(state, rounds(3))
    kept = tmp_path / "kept.json"
    shutil.copy(state / signing.HEAD, kept)
    laundered(state)

    def cleared(house: House) -> None:
        """A round can begin when somebody has cleared it."""
        (alarm,) = house.books.alarms.open
        house.pump.enqueue(Item(CONSOLE, Note(json.dumps({"cleared": [{"n": alarm.n, "code": alarm.code}]}))))
        rounds(1)(house)

    made(state, cleared)
    notes = [json.loads(row.body or "") for row in all_rows(state) if (row.body or "").startswith('{"alarm"')]
    assert [(RECOVERED, 3)] == [(note["alarm"], note["rounds"]) for note in notes]
    (signed, *_) = (row.n for row in all_rows(state) if (row.body or "").startswith('{"alarm"'))
    with closing(segments.open_for_reading(segments.segments(state)[-1])) as connection:
        assert signed <= covered.heads(connection)[1].n
    assert 1 == truedeal("verify", state, "--head", kept)[0]


def test_what_a_crash_leaves_of_one_round_is_no_alarm(tmp_path: Path) -> None:
    """Its head is the only one that is promised."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + LOAD + "place-bets\nbet 1 main 50\n"), killed=True)
    made(state, lambda _: None)
    assert [] == [row for row in all_rows(state) if (row.body or "").startswith('{"alarm"')]
    assert verify(state).whole


def test_no_old_key_lies_beside_the_past(tmp_path: Path) -> None:
    """A thief of the disk can sign what comes, and nothing that was."""
    state = tmp_path / "state"
    long_journal(state)
    last = segments.number_of(segments.segments(state)[-1])
    assert (5, [f"{last:06d}.seed"]) == (last, [path.name for path in (state / keys.FOLDER).iterdir()])
    assert verify(state).whole


def test_a_past_that_is_signed_with_the_stolen_key_is_found(tmp_path: Path) -> None:
    """The key of the newest segment is not that of an older one."""
    state = tmp_path / "state"
    long_journal(state)
    (seed,) = (path.read_bytes() for path in (state / keys.FOLDER).iterdir())
    signer, path = signing.Signer(seed), segments.segments(state)[1]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for head in covered.heads(connection):
            forged = signer.sign(head)
            change = "UPDATE heads SET signature = ?, key = ? WHERE number = ?"
            connection.execute(change, (forged.signature, forged.key, head.number))
    assert {"changed"} <= {problem.what for problem in verify(state).problems}


def test_a_whole_folder_that_was_put_back_is_found_with_an_outside_head(tmp_path: Path, truedeal: Command) -> None:
    """Also after the daemon has gone on from there."""
    state, old = tmp_path / "state", tmp_path / "old"
    made(state, rounds(1))
    shutil.copytree(state, old)
    made(state, rounds(2))
    kept = tmp_path / "kept.json"
    shutil.copy(state / signing.HEAD, kept)
    shutil.rmtree(state)
    shutil.copytree(old, state)
    assert 1 == truedeal("verify", state, "--head", kept)[0]
    made(state, rounds(4))
    assert (1, True) == (truedeal("verify", state, "--head", kept)[0], verify(state).whole)


def test_a_segment_that_others_read_ends_at_the_next_shoe(tmp_path: Path) -> None:
    """Its log cannot go into the file meanwhile: the journal goes on where it is."""
    usual, writer.LONG = writer.LONG, 10

    async def scene() -> None:
        house = House(tmp_path / "state", parse(HEAD, GAMES).header)
        with closing(sqlite3.connect(house.books.journal.path, isolation_level=None)) as reading:
            reading.execute("BEGIN")
            reading.execute("SELECT * FROM events").fetchone()
            rounds(2)(house)
            assert 1 == len(segments.segments(tmp_path / "state"))
        rounds(2)(house)
        assert 1 < len(segments.segments(tmp_path / "state"))
        house.pump.close()

    try:
        asyncio.run(scene())
    finally:
        writer.LONG = usual
    assert verify(copied(tmp_path / "state", tmp_path / "copy")).whole
