"""The archivist: what each message of a table is answered, and that no table stops another."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.anchors.receipts import is_proved
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.backups import begin_epoch
from firmware_bridge.floor.archive.receipts import sign_keys, strike_off
from firmware_bridge.floor.centre.archivist import Archivist, Came
from firmware_bridge.floor.centre.ingester_key import RESTORED, IngesterKey, make_key
from firmware_bridge.floor.intake.known import Wrong
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire.answers import Answer
from firmware_bridge.floor.wire.batch import FORMAT, Batch, pack
from firmware_bridge.floor.wire.live import CentreAlarm
from firmware_bridge.floor.wire.marks import Mark
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.batches import batches
from tests.firmware_bridge.floor.conftest import CASINO
from tests.patience import PATIENCE, eventually


class Asking:
    """An archivist and two tables that speak to it."""

    def __init__(self, url: str, folder: Path) -> None:
        """Enrol the tables."""
        self.url = url
        self.alarms: list[CentreAlarm] = []
        self.key = folder / "receipts.key"
        self.archivist = Archivist(url, IngesterKey(self.key), self.alarms.append)
        self.sent: dict[str, list[Batch]] = {}
        self._answers: queue.Queue[tuple[str, Answer]] = queue.Queue()
        with Archive.open(url) as archive:
            for name in ("one", "two"):
                made(folder / name, rounds(1))
                archive.add_table(Enrolled(CASINO, name, ""))
                archive.add_journal(CASINO, name, Source(folder / name).root())
                self.sent[name] = batches(folder / name)

    def say(self, name: str, body: bytes, edition: str = FORMAT) -> None:
        """A table says something."""
        came = Came(CASINO, name, edition, body, lambda answer: self._answers.put((name, answer)))
        assert self.archivist.add(came)

    def answer(self) -> tuple[str, Answer]:
        """The next answer, and to whom."""
        return self._answers.get(timeout=PATIENCE)

    def asked(self, name: str, body: bytes, edition: str = FORMAT) -> str:
        """What a table is told."""
        self.say(name, body, edition)
        return self.answer()[1].said


@pytest.fixture
def asking(url: str, tmp_path: Path) -> Iterator[Asking]:
    """Return an archivist that is not started yet."""
    made_one = Asking(url, tmp_path)
    yield made_one
    if made_one.archivist.is_alive():
        made_one.archivist.end()
        made_one.archivist.join(PATIENCE)


def test_rows_that_the_archive_refuses_stop_no_other_table(asking: Asking) -> None:
    """Two tables in one group, of which the database refuses one: that one is quarantined, the other is taken."""
    journal = asking.sent["one"][0].journal
    with Archive.open(asking.url) as archive:
        clash = "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?)"
        archive.dialect.execute(clash, (journal, 1, 1, 1, 2, b"", ""))
    for name in ("one", "two"):
        asking.say(name, pack(asking.sent[name][0]))
    asking.archivist.start()
    said = dict([asking.answer(), asking.answer()])
    assert {"one": "quarantined", "two": "ok"} == {name: answer.said for name, answer in said.items()}
    assert asking.sent["two"][0].last.n == said["two"].have.n


def test_what_each_message_is_answered(asking: Asking) -> None:
    """Asked, sent, sent again, of a later edition, of another's journal, of nobody's."""
    asking.archivist.start()
    (first, *_) = asking.sent["one"]
    ask = pack(Batch(first.journal, first.last, first.last, ()))
    assert "ok" == asking.asked("one", ask)
    assert "ok" == asking.asked("one", pack(first))
    assert "behind" == asking.asked("one", pack(first))
    assert "too-new" == asking.asked("one", pack(first), "2")
    assert "unknown" == asking.asked("two", pack(first))
    assert "unknown" == asking.asked("one", b"")
    cut = pack(Batch(first.journal, Mark(), Mark(), ()))
    assert "quarantined" == asking.asked("one", cut)
    assert "quarantined" == asking.asked("one", ask)


def test_a_hole_that_stays_quarantines(asking: Asking) -> None:
    """A table that goes on behind what came is told the mark; the third time within a minute it is quarantined."""
    asking.archivist.start()
    (first, *_) = asking.sent["one"]
    late = pack(first._replace(after=first.last))
    assert ["behind", "behind", "quarantined"] == [asking.asked("one", late) for _ in range(3)]
    assert "ok" == asking.asked("two", pack(asking.sent["two"][0]))


def test_two_people_release_a_journal(asking: Asking) -> None:
    """It goes on from its mark, or ends there; one person is not enough, and a journal that is well is not released."""
    asking.archivist.start()
    (first, *_) = asking.sent["one"]
    with Archive.open(asking.url) as archive:
        with pytest.raises(ValueError, match="no such journal is quarantined"):
            archive.release(first.journal, "Ann", "Bob", ends=False)
        archive.quarantine(first.journal, Wrong("fork", 1, "another past"), b"bytes")
        with pytest.raises(ValueError, match="two different people"):
            archive.release(first.journal, "Ann", " ann ", ends=False)
        assert "quarantined" == asking.asked("one", pack(first))
        archive.release(first.journal, "Ann", "Bob", ends=False)
        assert "ok" == asking.asked("one", pack(first))
        assert [("open", "Ann", "Bob", "fork: another past")] == archive.dialect.execute(
            "SELECT decision, person, second, reason FROM releases"
        )
        assert [("fork",), ("late",)] == archive.dialect.execute("SELECT reason FROM aside ORDER BY number")


def test_a_quarantine_is_loud_and_what_comes_later_is_kept_aside(asking: Asking) -> None:
    """The consoles hear of it, the archive has the alarm, and the bytes of every later batch are kept."""
    asking.archivist.start()
    (first, *_) = asking.sent["one"]
    forged = pack(first._replace(last=first.last._replace(chain=bytes(32))))
    assert "quarantined" == asking.asked("one", forged)
    assert "quarantined" == asking.asked("one", pack(first))
    assert "ok" == asking.asked("two", pack(asking.sent["two"][0]))
    (alarm,) = asking.alarms
    assert (CASINO, "one", "quarantined") == (alarm.casino, alarm.table, alarm.code)
    with Archive.open(asking.url) as archive:
        found = archive.dialect.execute("SELECT reason, data FROM aside ORDER BY number")
        assert [("chain", forged), ("late", pack(first))] == [(reason, bytes(data)) for reason, data in found]
        assert [("one", "quarantined")] == archive.dialect.execute("SELECT name, code FROM alarms")


def test_a_receipt_comes_when_the_seal_rises_and_only_listed_ingesters_count(asking: Asking, tmp_path: Path) -> None:
    """Signed by the ingester, which the floor vouches for; struck off, its receipts prove nothing."""
    floor = make_key(tmp_path / "floor.key")
    public = bytes(make_key(asking.key).verify_key)
    with Archive.open(asking.url) as archive:
        IngesterKey(asking.key).sign_in(archive)
        listed = sign_keys(archive, floor)
    assert (public,) == listed.keys
    asking.archivist.start()
    (first, *_) = asking.sent["one"]
    asking.say("one", pack(first))
    answer = asking.answer()[1]
    assert answer.receipt is not None
    assert answer.keys == listed
    assert (answer.sealed.head, answer.sealed.n, answer.sealed.chain) == answer.receipt.register
    assert is_proved(answer.receipt, answer.keys, bytes(floor.verify_key))
    assert not is_proved(answer.receipt._replace(n=answer.receipt.n - 1), answer.keys, bytes(floor.verify_key))
    assert not is_proved(answer.receipt, answer.keys, public)
    asking.say("one", pack(Batch(first.journal, first.last, first.last, ())))
    assert answer.receipt == asking.answer()[1].receipt
    with Archive.open(asking.url) as archive:
        assert strike_off(archive, public)
        assert not strike_off(archive, public)
        assert not is_proved(answer.receipt, sign_keys(archive, floor), bytes(floor.verify_key))


def test_an_archive_that_was_restored_is_not_worked_with_until_somebody_says_so(
    asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has fewer commits than the ingester knows of: no answer, until another epoch has begun."""
    asking.archivist.start()
    assert "ok" == asking.asked("one", pack(asking.sent["one"][0]))
    asking.archivist.end()
    asking.archivist.join(PATIENCE)
    with Archive.open(asking.url) as archive:
        archive.dialect.execute("UPDATE ingesters SET commits = 0")
    asking.archivist = Archivist(asking.url, IngesterKey(asking.key))
    asking.say("two", pack(asking.sent["two"][0]))
    asking.archivist.start()
    eventually(lambda: RESTORED in capsys.readouterr().err)
    with Archive.open(asking.url) as archive:
        begin_epoch(archive)
    assert "ok" == asking.asked("two", pack(asking.sent["two"][0]))
