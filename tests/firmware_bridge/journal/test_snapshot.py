"""The table as it stood: what is kept can be read, goes on as it would have, and runs nothing."""

from __future__ import annotations

import json
import random
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import pytest

from firmware_bridge.journal import snapshot
from firmware_bridge.journal.recovery import Recovered, set_up
from firmware_bridge.journal.rounds.round_records import Recorder
from firmware_bridge.journal.signed.sealed import OtherShapeError, SnapshotError, sealed
from firmware_bridge.journal.snapshot import Kept
from firmware_bridge.people.alarms import Alarm, Alarms
from firmware_bridge.program.accepted import Programs
from gamecore import history
from gamecore.model.events import events as ev
from gamecore.notation.playing.player import Played, play_text
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view import keeping
from gamecore.view.keeping import plain
from tests.places import TESTS

ROOT = TESTS
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.deal"))
SAMPLE = 150


def played(file: Path) -> Played:
    """Return what happens in a scenario."""
    return play_text((ROOT / file).read_text(encoding="utf-8"), str(file), GAMES)


def kept(now: Recovered) -> Kept:
    """Return what a snapshot holds."""
    return Kept(
        write_header(now.header),
        now.table.snapshot(),
        now.translator,
        {"shoe": (7, 1)},
        "boot",
        "",
        Recorder(),
        Programs(),
        Alarms([Alarm(3, "", "link-lost", "6.1", "refer", "")], roles=True),
        {"file:/a": (3, 70)},
    )


def differs(file: Path, after: int | None = None, chance: random.Random | None = None) -> str | None:
    """Return where a table that goes on from a snapshot differs from one that was never kept."""
    scenario = played(file)
    assert scenario.header is not None
    now = set_up(scenario.header)
    events = scenario.events
    count = after if after is not None else (chance or random.Random()).randrange(len(events) + 1)
    while count < len(events) and isinstance(events[count], ev.CardsDisclosed):
        count -= 1  # what a person says of a pull counts only if nothing has happened since
    for event in events[:count]:
        now.table.apply(event)
    again = snapshot.load(snapshot.dump(kept(now)))
    table = Table.resumed(again.table)
    now.table.forget_rounds(1)
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


def test_a_snapshot_has_the_last_round_alone() -> None:
    """It has the size of one round, whatever was played before."""
    file = next(file for file in FILES if len(played(file).report["rounds"]) > 1)  # type: ignore[arg-type]  # plain data
    scenario = played(file)
    assert scenario.header is not None
    now = set_up(scenario.header)
    for event in scenario.events:
        now.table.apply(event)
    rounds = list(now.table._state.rounds)
    again = Table.resumed(snapshot.load(snapshot.dump(kept(now))).table)
    assert rounds == now.table._state.rounds
    assert [rounds[-1].number] == [each.number for each in again._state.rounds]
    assert again._state.round is again._state.rounds[-1]
    assert plain(rounds[-1]) == plain(again._state.round)


def some_table() -> Recovered:
    """Return a table at the end of a scenario."""
    scenario = played(FILES[0])
    assert scenario.header is not None
    now = set_up(scenario.header)
    for event in scenario.events:
        now.table.apply(event)
    return now


def test_a_snapshot_is_plain_data_that_names_no_module() -> None:
    """A file that moves changes nothing: text without a module's name, in a schema with a number."""
    data = snapshot.dump(kept(some_table()))
    said = json.loads(data.partition(b"\n")[2])
    assert keeping.SCHEMA == snapshot.FORMAT == said["table"]["schema"]
    assert b"gamecore" not in data
    assert b"firmware_bridge" not in data


def test_another_shape_has_another_number() -> None:
    """What a snapshot holds, and the fields of every class in it, is in a file that has the number of the schema.

    If this fails, raise `SCHEMA` and add the file of the new number; the old one stays as it is.
    """
    said = json.loads(snapshot.dump(kept(some_table())).partition(b"\n")[2])
    named = {"numbers", "anchored"}  # by devices and anchors
    own = {key: sorted(value) if isinstance(value, dict) and key not in named else [] for key, value in said.items()}
    classes = {kind.__name__: list(names) for kind, names in keeping._FIELDS.items()}
    shape = {"snapshot": own, "classes": classes}
    golden = Path(__file__).parent / "snapshots" / f"{keeping.SCHEMA}.json"
    assert json.loads(golden.read_text(encoding="ascii")) == shape


def test_what_other_software_has_kept_is_not_read_and_not_damaged() -> None:
    """Neither another schema, nor a class with a field more, with one less, or in another order."""
    said = json.loads(snapshot.dump(kept(some_table())).partition(b"\n")[2])
    whole = said["table"]
    names = whole["classes"]
    assert keeping.is_snapshot(snapshot.load(sealed(said)).table)
    fields = names["Round"]
    other = [["another", *fields], fields[1:], fields[::-1]]
    changes: list[dict[str, object]] = [{"classes": {**names, "Round": told}} for told in other]
    changes.append({"schema": 1})
    for change in changes:
        with pytest.raises(OtherShapeError):
            snapshot.load(sealed({**said, "table": {**whole, **change}}))


def test_no_two_classes_of_the_state_have_one_name() -> None:
    """A class is kept by its name alone."""
    modules = [module for name, module in sys.modules.items() if name.startswith("gamecore.model.")]
    kinds = [kind for module in (history, *modules) for kind in vars(module).values() if isinstance(kind, type)]
    ours = {kind for kind in kinds if kind.__module__ in {module.__name__ for module in (history, *modules)}}
    names = [kind.__name__ for kind in ours]
    assert sorted(set(names)) == sorted(names)


# --- bytes of somebody else ------------------------------------------------------------------------------------------


def with_table(table: object) -> bytes:
    """Return a snapshot that has something else in the place of its table."""
    said = json.loads(snapshot.dump(kept(some_table())).partition(b"\n")[2])
    return sealed({**said, "table": table})


@pytest.mark.parametrize(
    "node",
    [
        ["os.system", "true"],
        ["Popen", "true"],
        ["eval", "1"],
        ["Table"],
        ["TableState.__init__"],
        ["gamecore.model.round.Round"],
        ["Ruleset", "nothing"],
        ["State", "__class__"],
        ["State", "NOTHING"],
        ["Watch", "A", 1, "os.system", ""],
        ["list", {"a": 1}],
        ["list", [7]],
        ["list", [-1]],
        ["list", ["os.system"]],
        ["dict", 1],
        [5],
        [],
        "list",
        None,
    ],
    ids=str,
)
def test_a_snapshot_makes_nothing_but_the_state(node: object) -> None:
    """Functions, foreign classes and what is no value are refused."""
    with pytest.raises(SnapshotError):
        snapshot.load(with_table({"schema": keeping.SCHEMA, "classes": {}, "nodes": [node], "value": [0]}))


def test_a_class_of_another_room_is_not_made() -> None:
    """Whatever it is said to hold."""
    for name in ("Table", "Journal", "Path", "type"):
        said = {"schema": keeping.SCHEMA, "classes": {name: []}, "nodes": [[name]], "value": [0]}
        with pytest.raises(SnapshotError):
            snapshot.load(with_table(said))


def _seal(text: bytes) -> bytes:
    """Return a text with the digest that fits it."""
    return blake2b(text, digest_size=16).hexdigest().encode("ascii") + b"\n" + text


def test_damaged_bytes_are_no_snapshot(seed: int) -> None:
    """A byte that is changed or missing is noticed; if the digest fits too, it is read or it is a `SnapshotError`."""
    chance = random.Random(seed)
    whole = snapshot.dump(kept(some_table()))
    for _ in range(300):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
        cut = bytes(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data)
        with pytest.raises(SnapshotError, match="not as they were written"):
            snapshot.load(cut)
        with suppress(SnapshotError):
            snapshot.load(_seal(cut.partition(b"\n")[2]))


@pytest.mark.parametrize("value", [None, 5, {"a": 1}])
def test_another_value_is_no_snapshot(value: object) -> None:
    """The bytes must hold what they are asked for."""
    with pytest.raises(SnapshotError):
        snapshot.load(sealed(value))


def test_a_table_is_no_snapshot_and_a_round_no_table() -> None:
    """Each is read as what it is."""
    now = some_table()
    with pytest.raises(SnapshotError):
        snapshot.load(sealed(keeping.written(now.table.snapshot())))
    with pytest.raises(SnapshotError):
        snapshot.load(with_table(keeping.written(now.table._state.round)))
