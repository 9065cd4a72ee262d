"""Whether a journal is whole: heads, keys, segments that were set aside, a daemon that runs meanwhile."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from firmware_bridge.audit.outside_heads import read_head
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments
from firmware_bridge.journal.chain import GENESIS, Row, link
from firmware_bridge.journal.signed import covered, signing
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, copied, made, rounds
from tests.firmware_bridge.audit.tampering import unpacked


def newest(state: Path) -> Path:
    """The segment that is being written."""
    return segments.segments(state)[-1]


def execute(path: Path, statement: str, *values: object) -> None:
    """Change a segment."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement, values)


def files(state: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {str(path.relative_to(state)): path.read_bytes() for path in sorted(state.rglob("*")) if path.is_file()}


def test_a_whole_journal_is_whole(journal: Path, truedeal: Command) -> None:
    """Segments at hand and in the archive are one chain, signed to its end, and nothing is written."""
    before = files(journal)
    kept = json.dumps(json.loads((journal / signing.HEAD).read_text(encoding="ascii")))
    status, printed, complaint = truedeal("verify", journal, "--head", kept)
    assert (0, "whole: 218 events in 5 segments") == (status, printed.splitlines()[-1][:31])
    assert "10 rounds rebuilt, heads kept elsewhere reach event 218" in printed
    assert "note: the key is the one in the folder" in complaint
    assert before == files(journal)


def test_the_first_event_is_named_with_segment_and_time(journal: Path, tmp_path: Path, truedeal: Command) -> None:
    """The exit status is 1, and the line says which event, where and when."""
    state = copied(journal, tmp_path / "state")
    execute(newest(state), "UPDATE events SET body = 'x' WHERE n = 200")
    with closing(sqlite3.connect(newest(state))) as connection:
        ((at,),) = connection.execute("SELECT at FROM events WHERE n = 200").fetchall()
    status, printed, _ = truedeal("verify", state)
    assert (1, f"NOT WHOLE: event 200 changed in journal-000005.db, {at}:") == (
        status,
        printed.partition(": it")[0] + ":",
    )


def test_a_folder_without_a_journal_cannot_be_read(tmp_path: Path, truedeal: Command) -> None:
    """The exit status is 2, with one line."""
    assert (2, "", f"truedeal verify: {tmp_path}: it holds no journal\n") == truedeal("verify", tmp_path)


def rewritten(state: Path, n: int) -> None:
    """Change an event of the newest segment and make all later digests again, as anyone without the key can."""
    with closing(sqlite3.connect(newest(state), isolation_level=None)) as connection:
        connection.execute("UPDATE events SET at = '2000-01-01' WHERE n = ?", (n,))
        chain = GENESIS
        for *values, stored in connection.execute("SELECT * FROM events ORDER BY n").fetchall():
            row = Row(*values)
            chain = stored if row.n < n else link(chain, row)
            connection.execute("UPDATE events SET chain = ? WHERE n = ?", (chain, row.n))


def first_head(state: Path) -> signing.Head:
    """The first head of the newest segment."""
    with closing(sqlite3.connect(newest(state))) as connection:
        return covered.heads(connection)[0]


def test_digests_made_anew_do_not_fit_the_heads(journal: Path, tmp_path: Path) -> None:
    """The first event after the last head that fits is named."""
    state = copied(journal, tmp_path / "state")
    rewritten(state, 205)
    first = verify(state).first
    assert first is not None
    assert ("changed", True) == (first.what, first.n <= 205)


def test_heads_removed_too_leave_the_published_one(journal: Path, tmp_path: Path) -> None:
    """Removing the heads of the segment too is caught by the published head."""
    state = copied(journal, tmp_path / "state")
    rewritten(state, 205)
    execute(newest(state), "DELETE FROM heads")
    first = verify(state).first
    assert first is not None
    assert ("changed", True) == (first.what, "published head does not fit" in first.detail)


def test_a_recorded_round_without_its_head_is_missed(journal: Path, tmp_path: Path) -> None:
    """Changing an event, rechaining, removing the heads and putting back an older one is found and named."""
    state = copied(journal, tmp_path / "state")
    head = first_head(state)
    n = head.n
    rewritten(state, 205)
    execute(newest(state), "DELETE FROM heads WHERE n > ?", n)
    signing.publish(state, head)
    first = verify(state).first
    assert first is not None
    assert ("changed", n + 1, "journal-000005.db") == (first.what, first.n, first.segment)


def test_another_key_is_named(journal: Path, tmp_path: Path) -> None:
    """Heads that somebody else has signed prove nothing."""
    state = copied(journal, tmp_path / "state")
    head = signing.published(state / signing.HEAD)
    assert isinstance(head, signing.Head)
    forged = signing.Signer(bytes(32)).sign(head)
    change = "UPDATE heads SET signature = ?, key = ? WHERE number = ?"
    execute(newest(state), change, forged.signature, forged.key, head.number)
    own = bytes.fromhex((state / signing.PUBLIC).read_text())
    assert "another key" in str(verify(state, key=own).first)
    assert not verify(state, key=forged.key).whole


def test_a_wrong_signature_is_named(journal: Path, tmp_path: Path) -> None:
    """A head whose signature is not that of its digest."""
    state = copied(journal, tmp_path / "state")
    execute(newest(state), "UPDATE heads SET signature = zeroblob(64) WHERE number = (SELECT max(number) FROM heads)")
    assert "signature of the signed head" in str(verify(state).first)


def test_a_tail_is_missed_by_a_head_kept_elsewhere(journal: Path, tmp_path: Path, truedeal: Command) -> None:
    """A cut with an older head put back is caught by the records, and without them by the head that was kept."""
    state = copied(journal, tmp_path / "state")
    kept = tmp_path / "kept.json"
    shutil.copy(state / signing.HEAD, kept)
    head = first_head(state)
    n = head.n
    for table in ("events", "heads", "snapshots"):
        execute(newest(state), f"DELETE FROM {table} WHERE n > ?", n)  # noqa: S608  one of three
    signing.publish(state, head)
    assert [("cut", n + 1)] == [(problem.what, problem.n) for problem in verify(state).problems]
    execute(newest(state), "DELETE FROM rounds WHERE last > ?", n)
    assert verify(state).whole
    for given in (kept, kept.read_text()):
        status, printed, _ = truedeal("verify", state, "--head", given)
        assert (1, f"NOT WHOLE: event {n + 1} cut") == (status, printed[: 21 + len(str(n + 1))])


def test_a_published_head_that_is_gone_is_missed(journal: Path, tmp_path: Path) -> None:
    """Without it nobody could tell a cut."""
    state = copied(journal, tmp_path / "state")
    (state / signing.HEAD).unlink()
    assert [("cut", 219)] == [(problem.what, problem.n) for problem in verify(state).problems]


def test_a_head_that_is_none_is_refused(journal: Path, tmp_path: Path, truedeal: Command) -> None:
    """A file or a text that is no head, and a key that is none, are errors of the caller."""
    for words in (("--head", tmp_path / "none"), ("--head", '{"n": 1}'), ("--key", "xyz")):
        assert 2 == truedeal("verify", journal, *words)[0]
    head = read_head(json.dumps({"n": 1, "chain": "00", "signature": "00", "key": "00"}), journal)
    assert [signing.Head1(1, b"\0", b"\0", b"\0")] == head.heads


def test_a_journal_is_read_while_it_is_written(tmp_path: Path) -> None:
    """The daemon's own connection is open, and what it has committed is seen."""

    async def scene() -> None:
        house = House(tmp_path / "state", parse(HEAD, GAMES).header)
        rounds(2)(house)
        assert (True, house.books.journal.n) == ((verdict := verify(tmp_path / "state")).whole, verdict.last)
        assert [] == replay(tmp_path / "state").differences
        rounds(1)(house)
        assert verify(tmp_path / "state").whole
        house.pump.close()

    asyncio.run(scene())


def test_a_killed_daemon_leaves_a_whole_journal(tmp_path: Path) -> None:
    """What it left beside the file belongs to it, and a copied folder is read without its index too."""
    made(tmp_path / "state", rounds(1), killed=True)
    for path in (tmp_path / "state").glob("*-shm"):
        path.unlink()
    before = files(tmp_path / "state")
    assert verify(tmp_path / "state").whole
    assert before == files(tmp_path / "state")


def test_a_segment_set_aside_at_the_start_is_named(tmp_path: Path) -> None:
    """The daemon went on without it; what is damaged in it is named, and what follows is a chain again."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + "place-bets\nbet 1 main 100\n"), killed=True)
    n = verify(state).last - 1
    execute(newest(state), "UPDATE events SET body = 'x' WHERE n = ?", n)
    made(state, rounds(1))
    verdict = verify(state)
    aside = "journal-000001.db.quarantined was set aside as damaged"
    assert [aside] == [note for note in verdict.notes if "aside" in note]
    assert [("changed", n)] == [(problem.what, problem.n) for problem in verdict.problems]


def test_a_segment_set_aside_that_is_whole_is_no_loss(journal: Path, tmp_path: Path) -> None:
    """Everything that it holds fits: the journal is whole."""
    state = tmp_path / "state"
    shutil.copytree(journal, state)
    unpacked(state)

    async def scene() -> None:
        house = House(state, parse(HEAD, GAMES).header)
        rounds(1)(house)
        kept = house.books.kept(house.pump.header, house.pump.table, house.pump._translator)
        house.books.journal.quarantine("2026-01-01T00:00:00.000000+00:00", kept)
        rounds(2)(house)
        house.pump.close()

    asyncio.run(scene())
    verdict = verify(state)
    assert ([], 1) == (verdict.problems, sum("aside" in note for note in verdict.notes))
    assert ([], 13) == ((replayed := replay(state)).differences, replayed.rounds)
