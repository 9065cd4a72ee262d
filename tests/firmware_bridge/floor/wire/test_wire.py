"""The wire: items, batches and marks as bytes, and bytes that are none."""

from __future__ import annotations

import contextlib
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.floor.wire import batch as batch_module
from firmware_bridge.floor.wire import items, marks, subjects
from firmware_bridge.floor.wire.batch import BYTES, ITEMS, Batch, BatchError, fits, pack, unpack
from firmware_bridge.floor.wire.items import Item, ItemError, columns_of
from firmware_bridge.floor.wire.marks import Mark, Seal
from firmware_bridge.journal.chain import Row, column_bytes, row_bytes
from tests.firmware_bridge.floor.batches import batches

COLUMN = st.none() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.binary()


@given(st.lists(COLUMN))
def test_columns_are_read_as_they_were_written(columns: list[object]) -> None:
    """Every number, text and byte string of a journal comes back."""
    assert tuple(columns) == columns_of(column_bytes(columns))


@given(st.binary())
def test_bytes_that_are_no_columns_are_an_item_error(data: bytes) -> None:
    """Whatever comes, it is columns or an ItemError."""
    with contextlib.suppress(ItemError):
        assert data == column_bytes(columns_of(data))


def test_a_row_is_read_with_its_edition() -> None:
    """Rows of both editions come back; a column that holds something else is none."""
    row = Row(7, "2026", "shoe", 1, 2, "event", "{}", b"\1", 3, "Ann", "dealer", "told")
    assert (row, 2) == items.row_of(row_bytes(row))
    assert (Row(*row[:8]), 1) == items.row_of(column_bytes(row[:8]))
    with pytest.raises(ItemError):
        items.row_of(column_bytes((*row[:7], "raw")))
    with pytest.raises(ItemError):
        items.row_of(column_bytes(row[:5]))


def test_a_batch_comes_back(made_journal: Path) -> None:
    """What was packed is unpacked, and is shorter on the way."""
    for one in batches(made_journal):
        body = pack(one)
        assert one == unpack(body)
        assert len(body) < sum(len(item.data) for item in one.items)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"p",
        b"x123",
        b"zabc",
        b"p" + bytes(batch_module._MOST + 1),
        b"z" + zlib.compress(bytes(2_000_000)),
        b"z" + zlib.compress(bytes(300)) + b"more",
        b"p" + bytes(16 + 2 * batch_module._MARK.size) + b"q\1\0\0\0x",
        b"p" + bytes(16 + 2 * batch_module._MARK.size) + b"e\5\0\0\0x",
        b"p" + bytes(16 + 2 * batch_module._MARK.size) + b"e\0\0\0\0" * (ITEMS + 1),
    ],
    ids=["nothing", "cut", "no kind", "no zlib", "long", "bomb", "behind", "no item", "item cut", "too many"],
)
def test_a_body_that_is_no_batch_is_refused(body: bytes) -> None:
    """Nothing that comes can be anything but a batch or a BatchError, and none of it fills the memory."""
    with pytest.raises(BatchError):
        unpack(body)


def test_random_damage_to_a_body_is_a_batch_or_an_error(made_journal: Path, seed: int) -> None:
    """A thousand damaged bodies: none raises anything else."""
    chance = random.Random(seed)
    body = pack(batches(made_journal)[0])
    for _ in range(1000):
        data = bytearray(body)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with contextlib.suppress(BatchError):
            assert isinstance(unpack(bytes(data)), Batch)


def test_a_batch_is_full_by_items_or_by_bytes_and_always_takes_one() -> None:
    """The longest item fits alone."""
    long = Item(items.EVENT, bytes(BYTES + 1))
    assert fits(0, 0, long)
    assert not fits(1, 10, long)
    assert not fits(ITEMS, 10, Item(items.EVENT, b"x"))
    assert fits(ITEMS - 1, 10, Item(items.EVENT, b"x"))


def test_marks_come_back_from_plain_data() -> None:
    """A mark and a seal are lists of numbers and hexadecimal text; anything else is none."""
    mark, seal = Mark(2, 3, 4, bytes([5] * 32), 6, bytes([7] * 32), 8), Seal(1, 2, bytes([3] * 32))
    assert mark == marks.mark_of(marks.written(mark))
    assert seal == marks.seal_of(marks.written(seal))
    for wrong in (None, [], [1, 2], ["1", 2, "00"], [1, 2, "00"], [1, 2, "zz"]):
        with pytest.raises(ValueError, match=r"no seal|no digest|non-hexadecimal"):
            marks.seal_of(wrong)
    with pytest.raises(ValueError, match="no mark"):
        marks.mark_of([1])


def test_the_centre_answers_only_where_the_speaking_table_hears() -> None:
    """The name comes from the subject; a reply to another table's subject is not given."""
    assert ("mbs", "bj-7", "ship") == subjects.speaker(subjects.spoken("mbs", "bj-7", subjects.SHIP))
    assert subjects.speaker("t.mbs.BJ.ship") is None
    assert subjects.may_answer("r.mbs.bj-7.abc", "mbs", "bj-7")
    for reply in ("", "r.mbs.bj-8.abc", "t.mbs.bj-7.ship", "r.mbs.bj-7", "r.mbs.bj-70.x"):
        assert not subjects.may_answer(reply, "mbs", "bj-7")
