"""S14: every byte of a finished segment, and every readable one of the open one and of the files beside it, is covered.

1. A finished segment has the digest of its file in the next one's first row: any other byte is named.
2. In the open segment a change is named, or every row of every table and the tables themselves read the same; in a file
   beside it, or it reads the same.
3. The seed of the open segment's key is covered by the next start: another one is not the key that the segment names.
   An auditor has none, and `verify` does not look for it.
4. ``-shm`` is worth nothing: it is SQLite's index of the log, memory that those who have the file open share. The
   first who opens the file empties it and makes it again from the log: what lies there is never believed. While the
   daemon runs, somebody who writes into it can spoil what is read, by the daemon too; they have its rights then.
5. The suite changes a sample of the bytes; the soak all of them, and `TRUEDEAL_TAMPERINGS` says how many of the edits.
6. An editor who has the disk edits with and without the key of the open segment. With it they can sign what is in that
   segment again, which only a head that was kept elsewhere contradicts: the edits are compared with one. That head says
   nothing of the heads before it, nor of older snapshots, which the daemon does not use as long as it has the newest.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import pytest

from firmware_bridge.audit.journal_reader import UnreadableError
from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.chain import Row, link
from firmware_bridge.journal.signed import covered, keys, signing
from firmware_bridge.journal.signed.signing import AnyHead
from firmware_bridge.people.permissions import KEY_LOST
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, made, rounds

EDITS, SOAK = 300, 10_000
BYTES = 150
"""Bytes that the suite changes in each file."""
LOG, INDEX = "-wal", "-shm"
BESIDE = (LOG, INDEX)
SEED = "keys/000002.seed"
FILES = [
    *("journal-000001.db", "journal-000002.db", f"journal-000001.db{LOG}", f"journal-000001.db{INDEX}"),
    *(signing.HEAD, signing.PUBLIC),
]
_TABLES = ("events", "heads", "rounds", "findings", "rulings", "snapshots", "sqlite_schema")


TOLD = ROUND.replace("stand 1\n", "call uncovered\nanswer house continue\nstand 1\n")
"""A round in which somebody reports what no sensor sees, and somebody rules."""


def told(house: House) -> None:
    """A round with a finding and what was said about it."""
    house.plays(HEAD + LOAD + TOLD)


@cache
def small() -> Path:
    """A journal of two small segments, each with a round, a finding that was told, and its ruling."""
    state = Path(mkdtemp(prefix="truedeal-")) / "state"
    usual, writer.LONG = writer.LONG, 12
    try:
        made(state, told)
        made(state, told)
    finally:
        writer.LONG = usual
    assert 2 == len(segments.segments(state))
    for path in segments.segments(state):
        assert [] not in held(path)
    return state


@cache
def in_its_log() -> Path:
    """A journal whose rows are still in the log beside its file, as a loss of power leaves it after a round."""
    state = Path(mkdtemp(prefix="truedeal-")) / "state"

    def scene(house: House) -> None:
        rounds(1)(house)
        shutil.copytree(state, state.with_name("kept"))

    made(state, scene)
    assert segments.is_beside(state.with_name("kept") / "journal-000001.db")
    return state.with_name("kept")


def held(path: Path) -> list[object]:
    """All that a file holds, as it is read."""
    if path.name == signing.HEAD:
        return [signing.published(path)]
    if path.name == signing.PUBLIC:
        return [bytes.fromhex(path.read_text(encoding="ascii"))]
    whole = path.with_name(path.name.removesuffix(LOG).removesuffix(INDEX))
    with closing(segments.open_for_reading(whole)) as connection:
        return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in _TABLES]  # noqa: S608  ours


def reads_the_same(path: Path, before: list[object]) -> bool:
    """Whether a change has hit nothing that anybody reads."""
    try:
        return held(path) == before
    except (sqlite3.Error, ValueError):
        return False


def source(name: str) -> Path:
    """The journal in which a file is changed."""
    return in_its_log() if name.endswith(BESIDE) else small()


def flipped(name: str, places: list[int], folder: Path) -> list[int]:
    """Change one byte after the other; those that nobody names."""
    state = folder / "state"
    shutil.copytree(source(name), state)
    path = state / name
    whole, before = path.read_bytes(), held(path)
    wrong = []
    for place in places:
        if name.endswith(BESIDE):  # a reader may have taken it into the file
            shutil.copytree(source(name), state, dirs_exist_ok=True)
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        try:
            named = not verify(state).whole
        except UnreadableError:
            named = True
        if not named and not (name != "journal-000001.db" and reads_the_same(path, before)):
            wrong.append(place)
    return wrong


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_is_named(tmp_path: Path, seed: int, name: str) -> None:
    """Or hits what nobody reads, in the open segment."""
    size = (source(name) / name).stat().st_size
    places = sorted(Random(seed).sample(range(size), min(BYTES, size)))
    assert [] == flipped(name, places, tmp_path)


def test_the_index_of_the_log_is_never_believed(tmp_path: Path, seed: int) -> None:
    """Whatever lies there: other bytes, or those of another file. Every row reads the same, and nothing is named."""
    name, chance = f"journal-000001.db{INDEX}", Random(seed)
    before = held(source(name) / name)
    index = (source(name) / name).read_bytes()
    for number, data in enumerate((bytes(len(index)), chance.randbytes(len(index)), index[::-1], b"", b"x")):
        state = tmp_path / str(number)
        shutil.copytree(source(name), state)
        (state / name).write_bytes(data)
        assert before == held(state / name)
        assert [] == verify(state).problems


def test_a_changed_byte_of_the_seed_is_named_at_the_next_start(tmp_path: Path) -> None:
    """Each of them, and a seed that is shorter or longer: a start says that the key is lost, and verify after it."""
    seed = (small() / SEED).read_bytes()
    flips = [seed[:place] + bytes([seed[place] ^ 1 << place % 8]) + seed[place + 1 :] for place in range(len(seed))]
    wrong = []
    for number, data in enumerate([*flips, seed[:-1], seed + b"x", b""]):
        state = tmp_path / str(number) / "state"
        shutil.copytree(small(), state)
        (state / SEED).write_bytes(data)
        house = made(state, lambda _: None)
        codes = {alarm.code for alarm in house.books.alarms.open}
        if KEY_LOST not in codes or verify(state).whole:
            wrong.append(number)
    assert [] == wrong


def test_a_changed_letter_in_the_list_of_tables_is_named(tmp_path: Path) -> None:
    """SQLite itself takes one case for the other there."""
    name, listed = "journal-000002.db", b"indexevents_of_devicesevents"
    begins = (small() / name).read_bytes().index(listed)
    assert [] == flipped(name, list(range(begins, begins + len(listed))), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("name", FILES)
def test_every_changed_byte_is_named(tmp_path: Path, name: str) -> None:
    """The same, every one."""
    assert [] == flipped(name, list(range((source(name) / name).stat().st_size)), tmp_path)


# --- edits by somebody who has the disk -------------------------------------------------------------------------------

_COLUMNS = {
    "events": ("at", "device", "kind", "body", "person", "role", "how", "mono"),
    "rounds": ("outcome", "boxes", "report", "last", "state"),
    "findings": ("round", "n", "code", "clause", "ruling", "places", "cards", "whose", "how", "person", "role"),
    "rulings": ("round", "finding", "n", "at", "who", "what", "person", "role"),
    "heads": ("n", "records", "snapshot"),
    "snapshots": ("state", "format"),
}


def edit(path: Path, chance: Random) -> str:
    """Change, remove or double something in a table; what was done, or nothing where it made no difference."""
    before = held(path)
    table = chance.choice(sorted(_COLUMNS))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (row,) = chance.choice(connection.execute(f"SELECT rowid FROM {table}").fetchall())  # noqa: S608  ours
        if chance.random() < 0.3:
            done = f"DELETE FROM {table} WHERE rowid = {row}"  # noqa: S608
        else:
            column = chance.choice(_COLUMNS[table])
            kind = "state" in column or column in {"records", "snapshot"}
            value = f"x'{chance.randbytes(32).hex()}'" if kind else str(chance.randrange(1, 10**6))
            done = f"UPDATE {table} SET {column} = {value} WHERE rowid = {row}"  # noqa: S608
        connection.execute(done)
    return done if held(path) != before else ""


def sign_anew(state: Path, path: Path) -> None:
    """Make chain, digests and heads of the open segment again, with its key."""
    (seed,) = (one.read_bytes() for one in (state / keys.FOLDER).iterdir())
    signer = signing.Signer(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        said = segments.beginning(connection)
        try:
            chain = bytes.fromhex(str(said["chain"]))
        except (LookupError, ValueError):
            return
        chains = {}
        for *values, _ in connection.execute("SELECT * FROM events ORDER BY n").fetchall():
            chains[values[0]] = chain = link(chain, Row(*values))
            connection.execute("UPDATE events SET chain = ? WHERE n = ?", (chain, values[0]))
        records = covered.record_digests(connection)[-1]
        kept = {n: rest for n, *rest in connection.execute("SELECT n, format, state FROM snapshots").fetchall()}
        last = None
        for head in covered.heads(connection):
            digest = covered.snapshot_digest(*kept[head.n]) if head.n in kept else signing.NOTHING
            known = head._replace(chain=chains.get(head.n, head.chain), records=records, snapshot=digest)
            last = signer.sign(known)
            connection.execute(
                "UPDATE heads SET chain = ?, records = ?, snapshot = ?, signature = ? WHERE number = ?",
                (last.chain, records, digest, last.signature, head.number),
            )
    if last is not None:
        signing.publish(state, last)


def edited(folder: Path, chance: Random, kept: AnyHead, *, with_key: bool) -> str:
    """Edit a journal; what was done, if neither verify nor the head that was kept elsewhere has named it."""
    state = folder / "state"
    shutil.copytree(small(), state)
    try:
        path = chance.choice(segments.segments(state)) if not with_key else segments.segments(state)[-1]
        before = proved(path)
        done = edit(path, chance)
        if with_key:
            sign_anew(state, path)
            done = done if _differs(path, before) else ""
        verdict = verify(state, given=[kept])
        return done if verdict.whole else ""
    except UnreadableError:
        return ""
    finally:
        shutil.rmtree(state)


def proved(path: Path) -> list[object]:
    """What the last head of a segment covers."""
    events, _, *records, snapshots, tables = held(path)
    assert isinstance(snapshots, list)
    return [[row[:-1] for row in events], *records, snapshots[-1:], tables]  # type: ignore[attr-defined]  # rows


def _differs(path: Path, before: list[object]) -> bool:
    try:
        return proved(path) != before
    except (sqlite3.Error, ValueError):
        return True


def unnamed(folder: Path, seed: int, count: int) -> list[str]:
    """Edit as many times; what was not named."""
    kept = signing.published(small() / signing.HEAD)
    assert kept is not None
    found = []
    for number in range(count):
        with_key = number % 2 == 1
        done = edited(folder, Random(f"{seed} {number}"), kept, with_key=with_key)
        found += [f"{number}, {'with' if with_key else 'without'} the key: {done}"] if done else []
    return found


def test_every_edit_is_named(tmp_path: Path, seed: int) -> None:
    """By verify, with the head that was kept elsewhere."""
    assert [] == unnamed(tmp_path, seed, int(os.environ.get("TRUEDEAL_TAMPERINGS", EDITS)))


@pytest.mark.soak
def test_very_many_edits_are_named(tmp_path: Path, seed: int) -> None:
    """The same, very many times."""
    assert [] == unnamed(tmp_path, seed + 1, int(os.environ.get("TRUEDEAL_TAMPERINGS", SOAK)))
