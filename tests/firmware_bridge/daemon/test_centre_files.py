"""What the shipper keeps for a table: a roster is taken between rounds and journalled, a receipt is compared."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from firmware_bridge.anchors.anchoring import CENTRE, Anchoring
from firmware_bridge.anchors.receipts import CentreKeys, Receipt
from firmware_bridge.anchors.receipts import written as receipt_file
from firmware_bridge.daemon.centre_files import CentreFiles, ReceiptFile
from firmware_bridge.journal import schema
from firmware_bridge.journal.last_named import named
from firmware_bridge.people.accounts.central_roster import ALONE, FILE, HEARD, REFUSED, CentralRoster
from firmware_bridge.people.accounts.journal_digest import DIGEST
from firmware_bridge.people.accounts.people_file import Register, enter
from firmware_bridge.people.accounts.proposals import ADD, ProposalError, Wanted
from firmware_bridge.people.accounts.roles import DEALER, LEAST, PIT_MANAGER, SHIFT_MANAGER, Person, make_pin
from firmware_bridge.people.accounts.roster import Roster, sign_roster
from firmware_bridge.people.guard import Guard, Login, Session
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.patience import eventually_on_loop

FLOOR = SigningKey(bytes(32))
CASINO = "mbs"
PIN = "4711 is it"
BETS, REST = ROUND.split("no-more-bets")
ANN = Person("Ann", SHIFT_MANAGER, make_pin(PIN, LEAST), "12")
BEN = Person("Ben", PIT_MANAGER, ANN.pin, "13")
CY = Person("Cy", DEALER, ANN.pin, "14")


class Table:
    """A table with people whose roster is kept at the centre."""

    def __init__(self, folder: Path, people: tuple[Person, ...] = (), version: int = 0) -> None:
        """Start it."""
        self.folder = folder / "people"
        self.folder.mkdir(exist_ok=True)
        self.state = folder / "state"
        self.house = House(self.state, parse(HEAD, GAMES).header)
        pump = self.house.pump
        self.guard = Guard(Register(self.state, people), self.house.books.alarms)
        pump.guard = self.guard
        key = bytes(FLOOR.verify_key)
        self.central = CentralRoster(self.folder / FILE, key, CASINO, self.guard.register, version)
        self.files = CentreFiles(pump, asyncio.get_running_loop().call_soon, None, self.central)

    def lays(self, version: int, *people: Person, casino: str = CASINO, key: SigningKey = FLOOR) -> None:
        """The shipper brings a roster."""
        said = Roster(casino, version, "2026-01-01T00:00:00.000000+00:00", "Ann (12)", "Ben (13)", people)
        new = self.folder / "new"
        new.write_bytes(sign_roster(said, key))
        new.replace(self.folder / FILE)

    def looks(self) -> list[str]:
        """Look for a roster; who is on the list then."""
        self.files.look_at_files()
        self.house.pump.process_queue()
        return self.people

    @property
    def people(self) -> list[str]:
        """The numbers of those who may log in today."""
        register = self.guard.register
        return [one.id for one in register.people if register.is_valid(one)]

    def notes(self, word: str) -> list[dict[str, Any]]:
        """The notes of the journal that have a word."""
        bodies = [row.body or "" for row in all_rows(self.state) if row.kind == schema.NOTE]
        return [told for told in (json.loads(body) for body in bodies if body.startswith("{")) if word in told]


def at_table(folder: Path, act: Callable[[Table], Any], people: tuple[Person, ...] = ()) -> None:
    """Do something at a table."""

    async def main() -> None:
        table = Table(folder, people)
        done = act(table)
        if done is not None:
            await done
        table.house.pump.close()

    asyncio.run(main())


def test_a_roster_is_taken_when_the_head_of_a_round_is_on_the_disk(tmp_path: Path) -> None:
    """Nothing of it happens in a round; then each person is a row, and one names version and both names."""

    async def act(table: Table) -> None:
        table.house.plays(HEAD + LOAD + BETS)
        table.lays(1, ANN, BEN, CY)
        assert [] == table.looks()
        table.house.plays(HEAD + "no-more-bets" + REST)
        await eventually_on_loop(lambda: ["12", "13", "14"] == table.people)

    at_table(tmp_path, act)
    digest = named(tmp_path / "state", DIGEST)
    assert 1 == named(tmp_path / "state", schema.ROSTER)
    register, notes = enter(tmp_path / "state", ())
    assert ((ANN, BEN, CY), digest, []) == (register.people, register.digest, notes)
    rows = [row for row in all_rows(tmp_path / "state") if '"centre"' in (row.body or "")]
    assert [("daemon", "daemon")] * 3 == [(row.device, row.how) for row in rows]
    told = [json.loads(row.body or "") for row in rows]
    assert ("12", "Ann (12)", "Ben (13)") == (told[0]["number"], told[0]["by"], told[0]["second"])
    assert not any("scrypt" in (row.body or "") for row in all_rows(tmp_path / "state"))


def _noted(ended: list[str], name: str, _: dict[str, object]) -> None:
    ended.append(name)


def test_who_is_no_longer_named_has_a_last_day_and_is_logged_out(tmp_path: Path) -> None:
    """Somebody who was taken off, or has another role, cannot go on; others stay logged in."""

    async def act(table: Table) -> None:
        ended: list[str] = []
        sessions = {name: Session() for name in ("12", "14")}
        answers: list[dict[str, object]] = []
        for name, session in sessions.items():
            session.tell = partial(_noted, ended, name)
            table.guard.login(session, Login(name, PIN), answers.append)
        await eventually_on_loop(lambda: 2 == len(answers))
        assert all(answer.get("ok") for answer in answers), answers
        table.lays(3, ANN, BEN)
        assert ["12", "13"] == table.looks()
        assert ["14"] == ended
        table.guard.close()

    at_table(tmp_path, act, (ANN, BEN, CY))


@pytest.mark.parametrize(
    ("lays", "why"),
    [
        (lambda table: table.lays(4, ANN, BEN), "version 4 is older than 5, which was taken"),
        (lambda table: table.lays(6, ANN, BEN, casino="other"), "the roster of other, not of mbs"),
        (lambda table: table.lays(6, ANN, BEN, key=SigningKey(b"1" * 32)), "no roster that this floor has signed"),
        (lambda table: table.lays(6, CY), "version 6 leaves nobody who could change the list"),
        (lambda table: (table.folder / FILE).write_bytes(b"{"), "no roster that this floor has signed"),
        (lambda table: os.mkfifo(table.folder / FILE), " is no file"),
    ],
    ids=["older", "elsewhere", "forged", "nobody-left", "no-json", "a-pipe"],
)
def test_what_is_not_taken_is_a_row_once(tmp_path: Path, lays: Callable[[Table], None], why: str) -> None:
    """The list stays as it is, and the journal says why, not at every round."""

    def act(table: Table) -> None:
        table.central.version = 5
        lays(table)
        assert ["12", "13"] == table.looks()
        table.central.forget_look()
        table.looks()
        (told,) = table.notes(REFUSED)
        assert str(told[REFUSED]).endswith(why)

    at_table(tmp_path, act, (ANN, BEN))


def test_people_are_changed_here_only_when_the_centre_was_not_heard_for_an_hour(tmp_path: Path) -> None:
    """Within the hour a change is refused, and a PIN that is due does not bar its owner; then two people may."""

    def act(table: Table) -> None:
        heard = table.folder / HEARD
        heard.touch()
        wanted = Wanted(ADD, "15", "Di", DEALER, None, "829164")
        assert "15" == table.guard.proposals.checked(wanted)[1].id  # no roster was taken yet
        table.central.version = 1
        with pytest.raises(ProposalError, match="changed at the centre"):
            table.guard.proposals.checked(wanted)
        refused: list[object] = []
        table.guard.change("changed", CY, by="Ann (12)", second="Ben (13)", done=refused.append)
        assert "changed at the centre" in str(refused[0])
        table.central.clock = lambda: heard.stat().st_mtime + ALONE + 1
        assert "15" == table.guard.proposals.checked(wanted)[1].id

    at_table(tmp_path, act, (ANN, BEN))


def test_a_receipt_that_does_not_agree_is_reported_after_the_round(tmp_path: Path) -> None:
    """The daemon compares what the centre has signed at each round's end, and holds nothing for it."""
    ingester = SigningKey(b"2" * 32)
    keys = CentreKeys(1, (bytes(ingester.verify_key),)).signed(FLOOR)
    path = tmp_path / "centre.json"

    async def main() -> None:
        house = House(tmp_path / "state", parse(HEAD, GAMES).header)
        journal = house.books.journal
        file = ReceiptFile(path, bytes(FLOOR.verify_key), journal.id, Anchoring(house.pump, ()))
        CentreFiles(house.pump, asyncio.get_running_loop().call_soon, file, None)

        def notes() -> list[Any]:
            house.pump.process_queue()
            bodies = [row.body or "" for row in all_rows(tmp_path / "state")]
            return [body for body in bodies if body.startswith(f'{{"{CENTRE}"')]

        for n, chain, expected in ((journal.n, journal.chain, 0), (journal.n + 1000, bytes(32), 1)):
            receipt = Receipt(journal.id, 0, n, chain, 0, "0" * 16).signed(ingester)
            path.write_bytes(receipt_file(receipt, keys))
            house.plays(HEAD + LOAD + ROUND)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert expected == len(notes())
        house.plays(HEAD + LOAD + ROUND)
        house.pump.close()

    asyncio.run(main())
