"""Journals that edition 1 has written are read: rounds that are over stay as they were kept, a round in play goes on.

The journals were really recorded with that edition (`edition_1/README.md`). The round in play is `LAST`, cut at the
moment that the name of its folder says; before it lies a round whose cards were put back by word alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.verify import verify
from firmware_bridge.commands import audit
from firmware_bridge.console.history.steps import Rounds
from firmware_bridge.journal import schema, segments, snapshot, writer
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.event_codec import encode
from firmware_bridge.journal.rounds.editions import Editions
from firmware_bridge.journal.rounds.round_reader import last_rounds
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.audit.journals import House
from tests.firmware_bridge.restarted_daemon import all_rows

RECORDED = Path(__file__).parent / "edition_1" / "journals.tar.xz"
HEAD = "game: mbs-blackjack-v6\nburn: no\nfresh: no\nlimits: main 25-5000\n"
TOLD = "game: mbs-blackjack-v6\nburn: no\nfresh: no\nsensors: shoe panel\n"
BEFORE_SPLIT = "draw 3; draw dealer; draw 1; draw 2; draw 3; split 1"
SPLIT = "draw 1.1; draw 1.1; stand 1.1; draw 1.2; stand 1.2; stand 2; stand 3"
END = """draw dealer; draw dealer; settle
expect wager 1.1 main win +100
expect wager 1.2 main stand-off 0
expect wager 2 main win +50
expect wager 3 main lose -50
"""
LAST = {
    "bets-open": f"no-more-bets; draw 1; draw 3; move 9D 3 2; reconstructed; {BEFORE_SPLIT}; {SPLIT}; {END}",
    "held": f"expect refused reconstructed; move 9D 3 2; reconstructed; {BEFORE_SPLIT}; {SPLIT}; {END}",
    "lifted": f"lay 9D 2; reconstructed; {BEFORE_SPLIT}; {SPLIT}; {END}",
    "told": f"expect state initial-deal; {BEFORE_SPLIT}; {SPLIT}; {END}",
    "split": f"expect total 1.1 8; {SPLIT}; {END}",
    "dealers-turn": f"expect state dealer-turn; {END}",
}
"""What is played on after each cut, to the same settlement."""
CARDS = ["8H", "9D", "TS", "6C", "8C", "TH", "7S", "3D", "9S", "KH", "TD", "2D"]
DRAWN = {"bets-open": 0, "held": 2, "lifted": 2, "told": 2, "split": 7, "dealers-turn": 10}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the recorded journals."""
    folder = tmp_path_factory.mktemp("edition-1")
    with tarfile.open(RECORDED) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def journal(recorded: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Return a journal by its name, to be written."""
    return lambda name: shutil.copytree(recorded / name, tmp_path / name)


def in_house(
    state: Path, scene: Callable[[House], None] = lambda _: None, text: str = HEAD, boot: str = "one"
) -> House:
    """Start the present software on a journal, let something happen, and close it."""

    async def run() -> House:
        house = House(state, parse(f"{text}\n", GAMES).header, boot, is_open=True)
        scene(house)
        await asyncio.sleep(0)
        house.pump.close()
        return house

    return asyncio.run(run())


def reports(state: Path) -> list[tuple[int, dict[str, Any]]]:
    """The rounds of every segment as they were kept: the first event, and the report."""
    found = []
    for path in segments.segments(state):
        with closing(segments.open_for_reading(path)) as connection:
            chosen = connection.execute("SELECT first, report FROM rounds ORDER BY id")
            found += [(first, json.loads(report)) for first, report in chosen]
    return found


# --- rounds that are over --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["finished", "judged-otherwise"])
def test_rounds_that_are_over_stay_as_they_were_kept(journal: Callable[[str], Path], name: str) -> None:
    """Their records, wagers and findings are those of edition 1 after the upgrade; nothing is in doubt or damaged."""
    state = journal(name)
    before = reports(state)
    house = in_house(state, text=_configured(state))
    assert before == reports(state)
    assert (State.COMPLETE, ()) == (house.pump.table.state, house.pump.table.view().matters)
    assert before[-1][1]["wagers"] == house.pump.table.round_report()["wagers"]
    assert not list(state.glob("*.quarantined"))
    assert "note" not in [row.kind for row in all_rows(state) if "earlier edition" in (row.body or "")]


def _configured(state: Path) -> str:
    """The table that stands at the end of a journal, as its configuration has it."""
    rows = [row for row in all_rows(state) if row.kind == schema.START]
    return str(json.loads(rows[-1].body or "")["table"])


def test_the_journal_goes_on_in_a_segment_of_its_own_edition(journal: Callable[[str], Path]) -> None:
    """It begins with the table as it stands; a second start reads that, and brings no third segment."""
    state = journal("finished")
    in_house(state)
    in_house(state)
    first, second = segments.segments(state)
    with closing(segments.open_for_reading(first)) as connection:
        assert 1 == segments.edition(connection)
        assert [] == segments.snapshots(connection, snapshot.FORMAT)
    with closing(segments.open_for_reading(second)) as connection:
        begun = segments.beginning(connection)
        assert (schema.EDITION, writer.UPGRADE) == (segments.edition(connection), begun["reason"])
        assert len(segments.snapshots(connection, snapshot.FORMAT)) > 1


@pytest.mark.parametrize("name", ["finished", "judged-otherwise"])
def test_old_rounds_are_verified_and_replayed(journal: Callable[[str], Path], name: str) -> None:
    """Chain and signatures hold; what would be judged otherwise is told and is no difference."""
    state = journal(name)
    for upgraded in (False, True):
        if upgraded:
            in_house(state, text=_configured(state))
        assert verify(state).first is None
        replayed = replay(state)
        assert [] == replayed.differences
        assert len(reports(state)) == replayed.rounds
        assert bool(replayed.not_judged) == (name == "judged-otherwise")
        assert all("kept by edition 1, not judged again" in told for told in replayed.not_judged)


def test_one_round_that_is_judged_otherwise_spoils_no_other(journal: Callable[[str], Path]) -> None:
    """Of the third table the first round would be held for ever now; the two after it are rebuilt as they were kept."""
    state = journal("judged-otherwise")
    replayed = replay(state)
    begun = [first for first, _ in reports(state)]
    assert 9 == replayed.rounds == len(begun)
    assert f"event {begun[6]}, round 1" in replayed.not_judged[-1]
    assert "kept is 'settled', the events give 'open'" in replayed.not_judged[-1]
    assert not [told for told in replayed.not_judged for first in begun[7:] if told.startswith(f"event {first},")]


def test_the_console_says_whose_record_stands(journal: Callable[[str], Path]) -> None:
    """Every old round has its steps; where they do not lead to its record, the edition is told."""
    state = journal("judged-otherwise")
    looking = Rounds(state)
    told = []
    for one in last_rounds(state, 20):
        first = one["first"]
        assert isinstance(first, int)
        found = looking.one(first)
        assert found is not None
        sent = json.loads(found.sent(sees_cards=True))
        assert sent["steps"]
        told.append((sent["true"], sent["kept_by"]))
    assert {(True, None), (False, 1)} == set(told)
    assert len(replay(state).not_judged) == told.count((False, 1))


def test_old_rounds_are_exported(journal: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    """As lines, as tables, and in deal notation; what does not play again is said with its reason."""
    state = journal("finished")

    def run(*words: str) -> int:
        parser = argparse.ArgumentParser(prog="truedeal")
        audit.add(parser.add_subparsers(dest="command"))
        args = parser.parse_args(["export", str(state), "--format", *words])
        return int(args.run(args))

    for format_ in ("jsonl", "rounds-csv", "findings-csv"):
        assert 0 == run(format_)
        assert len(capsys.readouterr().out.splitlines()) > 3
    assert 1 == run("deal", "--out", str(state.with_name("evening.deal")))
    assert "edition 1 has kept it" in capsys.readouterr().err
    assert "reconstructed" in state.with_name("evening-1.deal").read_text(encoding="utf-8")


# --- tampering -------------------------------------------------------------------------------------------------------


def change(state: Path, statement: str) -> None:
    """Change a closed journal."""
    with closing(sqlite3.connect(segments.segments(state)[0])) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE events SET body = \'{"is":"Stand","place":"2"}\' WHERE n = 20',
        "UPDATE events SET kind = 'note' WHERE n = 30",
        "DELETE FROM events WHERE n = 25",
        "UPDATE events SET body = replace(body, '}', ',\"edition\":2}') WHERE n = 1",
    ],
)
def test_an_old_row_that_was_changed_is_found(journal: Callable[[str], Path], statement: str) -> None:
    """Before the upgrade and after it; the daemon does not believe it either."""
    state = journal("finished")
    upgraded = state.with_name("upgraded")
    shutil.copytree(state, upgraded)
    in_house(upgraded)
    for folder in (state, upgraded):
        change(folder, statement)
        assert verify(folder).first is not None
    in_house(state)
    assert list(state.glob("*.quarantined"))


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE rounds SET ended = began WHERE id = 2", "ended"),
        ("UPDATE rounds SET outcome = 'void' WHERE id = 2", "outcome"),
        ("UPDATE rounds SET number = 7 WHERE id = 2", "number"),
        ("UPDATE findings SET ruling = 'void' WHERE id = 1", "findings"),
        ("UPDATE rounds SET report = replace(report, '\"settled\"', '\"void\"') WHERE id = 2", "outcome"),
    ],
)
def test_an_old_record_that_was_changed_is_found(journal: Callable[[str], Path], statement: str, said: str) -> None:
    """What does not depend on the rules is compared, whichever edition has kept it."""
    state = journal("finished")
    change(state, statement)
    assert said in replay(state).sorted[0].detail


def test_money_that_was_changed_in_an_old_record_is_told(journal: Callable[[str], Path]) -> None:
    """It cannot be told from another judgement, so a person is shown both."""
    state = journal("finished")
    change(state, 'UPDATE rounds SET report = replace(report, \'"net":"100.00"\', \'"net":"900.00"\') WHERE id = 1')
    (told,) = replay(state).not_judged
    assert "900.00" in told


# --- a round in play -------------------------------------------------------------------------------------------------


def played_on(name: str) -> Callable[[House], None]:
    """Play the last round to its end from where it was cut."""
    cards = " ".join(CARDS[DRAWN[name] :])
    return lambda house: house.plays(f"{HEAD}shoe: {cards}\n\n{LAST[name]}")


@pytest.mark.parametrize("name", LAST)
def test_a_round_in_play_survives_the_upgrade(journal: Callable[[str], Path], name: str) -> None:
    """Wherever edition 1 was killed, the round goes on to the settlement that its cards make, and is kept once."""
    state = journal(name)
    house = in_house(state, played_on(name))
    assert State.COMPLETE == house.pump.table.state
    assert [1, 2] == [report["number"] for _, report in reports(state)]
    assert verify(state).first is None
    replayed = replay(state)
    assert ([], [], 2) == (replayed.differences, replayed.not_judged, replayed.rounds)


@pytest.mark.parametrize("name", LAST)
def test_the_steps_of_a_round_over_the_upgrade_are_whole(journal: Callable[[str], Path], name: str) -> None:
    """From its first row, which edition 1 has written, to its last."""
    state = journal(name)
    in_house(state, played_on(name))
    first = reports(state)[-1][0]
    found = Rounds(state).one(first)
    assert found is not None
    sent = json.loads(found.sent(sees_cards=True))
    assert (True, first) == (sent["true"], sent["steps"][0]["n"])


@pytest.mark.parametrize("name", LAST)
def test_a_daemon_that_is_killed_after_the_upgrade_goes_on(journal: Callable[[str], Path], name: str) -> None:
    """Before anything else is durable, and again."""
    state = journal(name)

    async def killed() -> None:
        for _ in range(2):
            House(state, parse(f"{HEAD}\n", GAMES).header).leaves()

    asyncio.run(killed())
    assert State.COMPLETE == in_house(state, played_on(name)).pump.table.state


def test_the_power_fails_with_the_upgrade(journal: Callable[[str], Path]) -> None:
    """Under another boot id the round is held, and the Players are asked."""

    def asked(house: House) -> None:
        assert State.HELD == house.pump.table.state
        assert "power-failure" == house.pump.table.view().matters[0].finding.code
        house.plays(f"{HEAD}\nanswer all continue")
        played_on("split")(house)

    assert State.COMPLETE == in_house(journal("split"), asked, boot="two").pump.table.state


def test_a_told_place_survives_the_upgrade(journal: Callable[[str], Path]) -> None:
    """A person had said where the next card will lie."""

    def scene(house: House) -> None:
        assert [False, [2, 0, 0, False]] == house.pump._translator.kept()

    in_house(journal("told-place"), scene, TOLD)


def test_what_cannot_be_applied_is_put_before_the_shift_manager(journal: Callable[[str], Path]) -> None:
    """Nobody can tell whether a command that is refused now was taken then: the round is held once, a note says why."""
    state = journal("slip")

    def scene(house: House) -> None:
        view = house.pump.table.view()
        assert (State.HELD, ["uncovered"]) == (house.pump.table.state, [m.finding.code for m in view.matters])

    in_house(state, scene)
    in_house(state, scene)
    notes = [row.body or "" for row in all_rows(state) if row.kind == schema.NOTE]
    (said,) = [note for note in notes if "earlier edition" in note]
    assert "stand 3, is refused" in said
    calls = [row for row in all_rows(state) if '"is":"Call"' in (row.body or "")]
    assert 1 == len(calls)

    def goes_on(house: House) -> None:
        house.plays(f"{HEAD}\nanswer house continue")
        played_on("split")(house)

    assert State.COMPLETE == in_house(state, goes_on).pump.table.state


def test_what_is_in_doubt_outlives_a_daemon_that_is_killed_before_it_says_so(
    journal: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first row of the new segment tells it."""
    state = journal("slip")

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr("firmware_bridge.daemon.startup._what_happened", die)
        with pytest.raises(KeyboardInterrupt):
            in_house(state)
    assert 2 == len(segments.segments(state))
    assert State.HELD == in_house(state).pump.table.state


# --- what was refused then -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "taken"), [(1, 1), (schema.EDITION, 2)])
def test_a_second_claim_to_an_insurance_option_is_as_its_edition_took_it(edition: int, taken: int) -> None:
    """Edition 1 refused it, though its row is in the journal; the present one lets the better claim stand."""
    said = json.dumps({"follows": 0} | ({} if edition == 1 else {"edition": edition}))
    scenario = play_text(
        f"{HEAD}shoe: 9H AD 8C\n\nseat 1/1 A; place-bets; bet 1 main 100; no-more-bets\n"
        "draw 1; draw dealer; draw 1; offer insurance",
        "insurance",
        GAMES,
    )
    assert scenario.header is not None
    table = Table(GAMES[scenario.header.game], table_config(scenario.header))
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in schema.TABLES:
            connection.execute(statement)
        begin = Row(1, "", "daemon", None, None, schema.SEGMENT, said, None)
        connection.execute(schema.INSERT_EVENT, (*begin, b""))
        editions = Editions(connection)
        claims = [ev.Insure(Place(1, 0, 1), 50_00, "B"), ev.Insure(Place(1, 0, 1), 40_00, "C")]
        for n, event in enumerate([*scenario.events, *claims], start=2):
            row = Row(n, "", "console", None, None, schema.EVENT, encode(event), None)
            found = editions.event(row, table)
            if found is not None:
                assert not editions.apply(row, found, table).refused
    assert taken == len(table.view().round.boxes[1].insurance)
    assert "" == editions.doubt
