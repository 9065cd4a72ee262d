"""The tables for questions: what the archive can be asked about people, devices, shuffles, alarms and rulings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware_bridge import VERSION
from firmware_bridge.floor.archive import alarms, migrations
from firmware_bridge.floor.archive.archive import Archive, Enrolled, Place
from firmware_bridge.floor.archive.dialects import Dialect, connect
from firmware_bridge.floor.archive.sightings import last_version, said_place
from firmware_bridge.floor.centre.folder import take_folder
from firmware_bridge.floor.intake.known import TakenBatch, Wrong
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.writer import Entry
from firmware_bridge.setup.centre_config import CentreConfig
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, House, made, rounds
from tests.firmware_bridge.floor.conftest import CASINO, TABLE
from tests.firmware_bridge.floor.postgres_rig import Cluster

VOID = """game: mbs-blackjack-v6
burn: no
fresh: no
shoe: 9H 7D 6S 2C KD

shuffle machine
load 9H 7D 6S 2C KD
place-bets
bet 1 main 100
no-more-bets
draw 1; draw dealer; draw 1
lay JOKER 2
expect void
"""
"""A card that no shoe dealt voids the round."""


def note(house: House, by: str, said: Mapping[str, object]) -> int:
    """A note in the journal; the number of its row."""
    house.books.journal.append([Entry(wall_clock(), by, "note", json.dumps(said))])
    return house.books.journal.n


def with_people(house: House) -> None:
    """The table has people from now on."""
    said = {"boot": "b", "version": "9", "program": "p", "table-name": "T7", "roles": {"Ann (12)": "dealer"}}
    house.books.journal.append([Entry(wall_clock(), "daemon", "start", json.dumps(said))])


def taken(archive: Archive, state: Path) -> Place:
    """Take a folder; the place of its journal."""
    assert all(isinstance(outcome, TakenBatch) for outcome in take_folder(archive, state, CASINO, TABLE))
    (place,) = archive.places()
    return place


def test_a_journal_says_where_it_belongs_once_a_head_covers_it(archive: Archive, tmp_path: Path) -> None:
    """The row of a start names the table and its shipper's key; unsigned, that proves nothing yet."""
    nkey, state = "U" + "A" * 55, tmp_path / "state"

    async def begin(*, signs: bool) -> None:
        house = House(state, parse(HEAD, GAMES).header, centre=CentreConfig("mbs/bj-9", nkey))
        (house.pump.close if signs else house.leaves)()

    asyncio.run(begin(signs=False))
    assert said_place(archive.dialect, taken(archive, state).journal) is None
    asyncio.run(begin(signs=True))
    place = taken(archive, state)
    assert ("mbs/bj-9", nkey) == said_place(archive.dialect, place.journal)
    assert VERSION == last_version(archive.dialect, place.journal)


def test_a_finding_has_its_time_dealer_and_shuffler(archive: Archive, tmp_path: Path) -> None:
    """A void round of a Dealer who has logged in, from a shuffler that has told its number."""

    def scene(house: House) -> None:
        with_people(house)
        note(house, "console", {"login": "Ann (12)", "role": "dealer", "origin": "screen"})
        note(house, "shuffler", {"device": "shuffler", "serial": "SH-1", "firmware": "2"})
        house.plays(VOID, new_table=True)
        note(house, "console", {"logout": "Ann (12)"})
        house.books.journal.sign()

    made(tmp_path / "state", scene)
    taken(archive, tmp_path / "state")
    execute = archive.dialect.execute
    ((code, ruling, dealer, shuffler, at, n),) = execute("SELECT code, ruling, dealer, shuffler, at, n FROM findings")
    assert ("foreign-card", "void", "12", "SH-1") == (code, ruling, dealer, shuffler)
    assert [(at,)] == execute("SELECT at FROM events WHERE n = ?", (n,))
    assert [("void", "12", "SH-1")] == execute("SELECT outcome, dealer, shuffler FROM rounds")
    assert [("login", "12", "Ann", "dealer"), ("logout", "12", "Ann", "")] == execute(
        "SELECT what, number, person, role FROM people_seen ORDER BY n"
    )
    assert [("shuffler", "SH-1", "2")] == execute("SELECT device, serial, firmware FROM devices")
    assert [("machine", 1, "SH-1")] == execute("SELECT method, times, serial FROM shuffles")
    assert [("9", "T7", 1)] == execute("SELECT version, called, people FROM starts WHERE people > 0")
    assert [("foreign-card", "void", alarms.TABLE, None)] == execute("SELECT code, ruling, source, cleared FROM alarms")


def test_an_alarm_is_cleared_before_or_after_its_round_is_written(archive: Archive, tmp_path: Path) -> None:
    """The note that clears it may come first; an alarm of a note is one too, and stays open by itself."""
    state = tmp_path / "state"

    def scene(house: House) -> None:
        with_people(house)
        house.plays(VOID, new_table=True)
        jumped = note(house, "daemon", {"alarm": "clock-jumped"})
        cleared = [{"n": jumped, "code": "clock-jumped", "clause": "", "times": 1}]
        said = {"cleared": cleared, "by": "Bob (7)", "role": "shift-manager", "reason": "set by hand"}
        note(house, "console", said)
        note(house, "daemon", {"alarm": "wrong-pins"})
        house.books.journal.sign()

    made(state, scene)
    place = taken(archive, state)
    execute = archive.dialect.execute
    told = "SELECT code, cleared_by, cleared_reason FROM alarms ORDER BY n"
    open_ones = [("foreign-card", None, None), ("clock-jumped", "Bob (7)", "set by hand"), ("wrong-pins", None, None)]
    assert open_ones == execute(told)
    ((n, clause, at),) = execute("SELECT n, clause, at FROM alarms WHERE code = 'foreign-card'")
    said = {"cleared": [{"n": n, "code": "foreign-card", "clause": clause, "times": 1}], "by": "Bob (7)", "reason": "x"}
    with archive.dialect.transaction():
        alarms.clear_alarms(archive.dialect, place, 1, n + 1, at, said)
        alarms.forget_round(archive.dialect, place.journal, 1, execute("SELECT first FROM rounds")[0][0])
        raised = alarms.Raised(1, n, at, "foreign-card", clause, "void", "3", None)
        alarms.raise_alarm(archive.dialect, place, raised)
    assert [("Bob (7)",)] == execute("SELECT cleared_by FROM alarms WHERE code = 'foreign-card'")


def test_a_table_without_people_raises_no_alarm(archive: Archive, tmp_path: Path) -> None:
    """Nobody there could clear one."""

    def scene(house: House) -> None:
        house.books.journal.append([Entry(wall_clock(), "daemon", "start", '{"boot": "b", "roles": {}}')])
        note(house, "daemon", {"alarm": "clock-jumped"})
        house.books.journal.sign()

    made(tmp_path / "state", scene)
    taken(archive, tmp_path / "state")
    assert [] == archive.dialect.execute("SELECT * FROM alarms")


def test_a_quarantine_is_an_alarm_until_two_people_release_it(archive: Archive, state: Path) -> None:
    """The centre raises it by itself; quarantined again, it is open again."""
    place = taken(archive, state)
    told = "SELECT casino, name, code, detail, cleared_by FROM alarms WHERE cleared IS NULL"
    for _ in range(2):
        archive.quarantine(place.journal, Wrong("fork", 7, "another one\0"), b"")
        ((*found, by),) = archive.dialect.execute(told)
        assert [CASINO, TABLE, alarms.QUARANTINED, "fork: another one\N{REPLACEMENT CHARACTER}"] == found
        assert by in {None, "Ann, Bob"}
        archive.release(place.journal, "Ann", "Bob", ends=False)
        assert [] == archive.dialect.execute(told)


def test_what_makes_no_sense_is_left_out(archive: Archive, tmp_path: Path) -> None:
    """Notes and shuffles of the right kind with anything in them."""

    def scene(house: House) -> None:
        with_people(house)
        told: tuple[dict[str, object], ...] = (
            {"login": 7},
            {"cleared": [7, {"n": "x"}, {"n": 2**70, "code": "a", "clause": ""}]},
            {"device": "x", "serial": None},
            {"alarm": ["x"]},
            {"people": 7},
        )
        for said in told:
            note(house, "console", said)
        rows = (
            '{"is":"Shuffled","method":7}',
            '{"is":"Shuffled","method":"a","times":99999999999999999999}',
            "{",
            "[]",
        )
        for kind in ("event", "note"):
            house.books.journal.append([Entry(wall_clock(), "console", kind, row) for row in rows])
        house.books.journal.sign()

    made(tmp_path / "state", scene)
    taken(archive, tmp_path / "state")
    for table in ("people_seen", "devices", "shuffles", "alarms", "clearings"):
        assert [] == archive.dialect.execute(f"SELECT * FROM {table}")  # noqa: S608  ours


def test_rounds_and_wagers_lie_in_the_partition_of_their_month(cluster: Cluster, template: str, tmp_path: Path) -> None:
    """Nothing lies where no month was made, and a month that has rows there already stops nobody."""
    with Archive.open(cluster.url(cluster.database(template))) as archive:
        archive.add_table(Enrolled(CASINO, TABLE, ""))
        made(tmp_path / "state", rounds(1))
        taken(archive, tmp_path / "state")
        month = wall_clock()[:7].replace("-", "_")
        for table in ("events", "rounds", "wagers"):
            assert [(0,)] == archive.dialect.execute(f"SELECT count(*) FROM {table}_otherwise")  # noqa: S608
            assert [(0,)] != archive.dialect.execute(f"SELECT count(*) FROM {table}_{month}")  # noqa: S608
        archive.dialect.execute(
            "INSERT INTO wagers SELECT journal, line, first, 99, said, stake, net, '2031-05-05' FROM wagers LIMIT 1"
        )
        archive.dialect.execute("SELECT prepare_month('2031-05-01')")
        assert [(1,)] == archive.dialect.execute("SELECT count(*) FROM wagers_otherwise")


def at_first_schema(dialect: Dialect) -> None:
    """An archive as the first release made it, with a round in it."""
    files = migrations._files(dialect.name)
    with dialect.transaction():
        dialect.execute(migrations._VERSIONS)
        dialect.script(files[1])
        dialect.execute("INSERT INTO schema_versions VALUES (?, ?)", (1, migrations._digest(files[1])))
        dialect.execute("INSERT INTO archive VALUES ('house', 'e')")
        round_ = (b"j", "mbs", "bj-7", 1, 1, 1, 1, "g", 5, 9, "a", "b", "void", "1")
        dialect.execute("INSERT INTO rounds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", round_)
        dialect.execute("INSERT INTO wagers VALUES (?, 1, 5, 1, '{}', 100, -100)", (b"j",))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_archive_of_the_first_schema_keeps_its_rounds(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Migrated, it has what it had, in the new tables."""
    address = f"sqlite:{tmp_path / 'old.db'}"
    if kind == "postgresql":
        running: Cluster = request.getfixturevalue("cluster")
        address = running.url(running.database())
    dialect = connect(address)
    at_first_schema(dialect)
    assert 1 not in migrations.migrate(dialect)
    assert [("bj-7", 5, "void", None)] == dialect.execute("SELECT name, first, outcome, dealer FROM rounds")
    assert [(5, 100, -100)] == dialect.execute("SELECT first, stake, net FROM wagers")
    migrations.check(dialect)
    dialect.close()
