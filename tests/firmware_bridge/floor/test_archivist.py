"""The archivist: what each message of a table is answered, and that no table stops another."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.centre.archivist import Archivist, Came
from firmware_bridge.floor.intake.known import Wrong
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire.answers import Answer
from firmware_bridge.floor.wire.batch import FORMAT, Batch, pack
from firmware_bridge.floor.wire.marks import Mark
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.batches import batches
from tests.firmware_bridge.floor.conftest import CASINO
from tests.patience import PATIENCE


class Asking:
    """An archivist and two tables that speak to it."""

    def __init__(self, url: str, folder: Path) -> None:
        """Enrol the tables."""
        self.url = url
        self.archivist = Archivist(url)
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
        assert [(1,)] == archive.dialect.execute("SELECT count(*) FROM aside")
