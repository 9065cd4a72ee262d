"""The table as it stood: what is kept can be read, goes on as it would have, and runs nothing."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import pytest

from firmware_bridge.journal import pickled, segments, shape, signing, snapshot, store
from firmware_bridge.journal.pickled import SnapshotError
from firmware_bridge.journal.records import Recorder
from firmware_bridge.journal.recovery import Recovered, set_up
from firmware_bridge.journal.snapshot import Kept
from gamecore.notation.player import Played, play_text
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from gamecore.table import Table

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.deal"))
SAMPLE = 150


def played(file: Path) -> Played:
    """Return what happens in a scenario."""
    return play_text((ROOT / file).read_text(encoding="utf-8"), str(file), GAMES)


def kept(now: Recovered) -> Kept:
    """Return what a snapshot holds."""
    table, numbers = now.table, {"shoe": (7, 1)}
    return Kept(write_header(now.header), table.knows, table.history, now.translator, numbers, "boot", "", Recorder())


def differs(file: Path, after: int | None = None, chance: random.Random | None = None) -> str | None:
    """Return where a table that goes on from a snapshot differs from one that was never kept."""
    scenario = played(file)
    assert scenario.header is not None
    now = set_up(scenario.header)
    events = scenario.events
    count = after if after is not None else (chance or random.Random()).randrange(len(events) + 1)
    for event in events[:count]:
        now.table.apply(event)
    again = snapshot.load(snapshot.dump(kept(now)))
    again.table.rounds[:0] = now.table.knows.rounds[:-1]
    table = Table.resumed(again.table, again.history)
    for event in events[count:]:
        if repr(now.table.apply(event)) != repr(table.apply(event)):
            return f"{file} after {count}: {event}"
    return None if now.table.report() == table.report() else f"{file} after {count}: the report"


def test_a_table_goes_on_from_a_snapshot_as_if_it_had_never_been_away(seed: int) -> None:
    """A sample of the scenarios, each cut at a moment of chance: the same outputs, the same report."""
    chance = random.Random(seed)
    assert [] == [wrong for file in chance.sample(FILES, SAMPLE) if (wrong := differs(file, chance=chance))]


@pytest.mark.soak
@pytest.mark.parametrize("share", range(8))
def test_every_scenario_goes_on_from_every_moment(share: int) -> None:
    """Every file, cut after each of its events."""
    wrong = [
        found
        for file in FILES[share::8]
        for count in range(len(played(file).events) + 1)
        if (found := differs(file, count))
    ]
    assert [] == wrong


def test_past_rounds_are_kept_by_themselves() -> None:
    """A snapshot has the size of one round, whatever was played before."""
    file = next(file for file in FILES if len(played(file).report["rounds"]) > 1)  # type: ignore[arg-type]  # plain data
    scenario = played(file)
    assert scenario.header is not None
    now = set_up(scenario.header)
    for event in scenario.events:
        now.table.apply(event)
    rounds = list(now.table.knows.rounds)
    again = snapshot.load(snapshot.dump(kept(now)))
    assert (len(rounds), rounds[-1:]) == (len(now.table.knows.rounds), now.table.knows.rounds[-1:])
    assert [rounds[-1].number] == [each.number for each in again.table.rounds]
    assert again.table.round is again.table.rounds[-1]
    assert rounds[0].number == snapshot.load_round(pickled.dumped(rounds[0])).number


def test_the_format_stands_for_the_classes_of_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever changes a class gives snapshots another number: those of old software are not read."""
    assert snapshot.FORMAT == snapshot._format()
    assert 0 < snapshot.FORMAT < 2**63
    monkeypatch.setattr(Recorder, "__init__", lambda self: setattr(self, "another", 0))
    assert snapshot.FORMAT != snapshot._format()


def test_a_field_more_or_less_is_another_shape() -> None:
    """In the classes of the table and its rounds."""
    assert shape.STATE == shape.digest(shape._state())
    assert shape.STATE != shape.digest([line.replace("'controller', ", "") for line in shape._state()])


def test_what_other_software_has_kept_is_not_read_and_not_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what has another shape, nor what was kept before shapes were."""
    before = pickled.dumped({"a": 1})
    bare = before[16 + shape.SIZE :]
    monkeypatch.setattr(pickled, "STATE", b"another!")
    for data in (before, blake2b(bare, digest_size=16).digest() + bare):
        with pytest.raises(pickled.OtherShapeError):
            pickled.loaded(data)


# --- bytes of somebody else ------------------------------------------------------------------------------------------


class Evil:
    """An object that calls something when it is read."""

    def __init__(self, *made: object) -> None:
        self._made = made

    def __reduce__(self) -> tuple[object, ...]:
        return self._made[0], tuple(self._made[1:])


@pytest.mark.parametrize(
    "evil",
    [
        Evil(os.system, "true"),
        Evil(eval, "1"),
        Evil(getattr, 1, "real"),
        Evil(subprocess.Popen, ["true"]),
        Evil(Path, "x"),
        Evil(segments.remove, "x"),
        Evil(signing.replace, "x", b""),
        Evil(store.Journal, "x", ""),
        Evil(write_header, 1),
        Evil(play_text, "", "", {}),
        Evil(sys.exit, 1),
    ],
    ids=lambda evil: str(getattr(evil, "_made", (len,))[0].__qualname__),
)
def test_a_snapshot_makes_nothing_but_the_state(evil: Evil) -> None:
    """Functions, even our own, and foreign classes are refused before anything is called."""
    with pytest.raises(SnapshotError, match="holds no"):
        pickled.loaded(pickled.sealed(pickle.dumps(evil)))


@pytest.mark.parametrize(
    "opcodes",
    [
        b"cfirmware_bridge.journal.snapshot\nblake2b\n.",
        b"cfirmware_bridge.bridge.translate\ndeque\n.",
        b"cgamecore.table\ndeepcopy\n.",
        b"cgamecore.model.state\nTableState.__init__\n.",
        b"cposix\nsystem\n.",
        b"cnothing.at.all\nx\n.",
        b"cgamecore.nothing\nx\n.",
    ],
)
def test_a_module_of_ours_is_no_way_to_another(opcodes: bytes) -> None:
    """What a module of ours has imported, and what is inside a class, is not made either."""
    with pytest.raises(SnapshotError):
        pickled.loaded(pickled.sealed(opcodes))


def test_damaged_bytes_are_no_snapshot(seed: int) -> None:
    """A byte that is changed or missing is noticed; if the digest fits too, it is read or it is a `SnapshotError`."""
    chance = random.Random(seed)
    scenario = played(FILES[0])
    assert scenario.header is not None
    now = set_up(scenario.header)
    for event in scenario.events:
        now.table.apply(event)
    whole = snapshot.dump(kept(now))
    for _ in range(300):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
        cut = bytes(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data)
        with pytest.raises(SnapshotError, match="not as they were written"):
            snapshot.load(cut)
        with suppress(SnapshotError):
            snapshot.load(pickled.sealed(cut[16 + shape.SIZE :]))


@pytest.mark.parametrize("value", [None, 5, {"a": 1}])
def test_another_value_is_no_snapshot_and_no_round(value: object) -> None:
    """The bytes must hold what they are asked for."""
    for load in (snapshot.load, snapshot.load_round):
        with pytest.raises(SnapshotError):
            load(pickled.dumped(value))
