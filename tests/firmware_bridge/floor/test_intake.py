"""The intake: what of a journal is taken, what is behind, and what quarantines it."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.floor.intake.intake import judge_end
from firmware_bridge.floor.intake.known import Behind, Known, TakenBatch, Wrong
from firmware_bridge.floor.shipping import segment_items
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire import batch as batch_module
from firmware_bridge.floor.wire import items
from firmware_bridge.floor.wire.batch import Batch
from firmware_bridge.floor.wire.items import Item
from firmware_bridge.floor.wire.marks import Mark, Seal
from firmware_bridge.journal import segments
from firmware_bridge.journal.chain import row_bytes
from tests.firmware_bridge.audit.journals import House, made, rounds
from tests.firmware_bridge.floor.batches import batches, centre_of

Tamper = Callable[[Batch], Batch]


def chained(batch: Batch) -> Batch:
    """The same batch as a table would send it that has chained its rows again."""
    chain = batch.after.chain
    for item in batch.items:
        if item.kind == items.EVENT:
            chain = blake2b(chain + item.data, digest_size=32).digest()
    return batch._replace(last=batch.last._replace(chain=chain))


def with_row(batch: Batch, place: int, **changes: object) -> Batch:
    """A batch with a row changed."""
    row, _ = items.row_of(batch.items[place].data)
    changed = Item(items.EVENT, row_bytes(row._replace(**changes)))  # type: ignore[arg-type]
    return batch._replace(items=(*batch.items[:place], changed, *batch.items[place + 1 :]))


def with_first_row(batch: Batch, **changes: object) -> Batch:
    """A batch whose segment says something else of itself, chained again."""
    row, _ = items.row_of(batch.items[0].data)
    said = json.loads(row.body or "") | changes
    return chained(with_row(batch, 0, body=json.dumps(said, separators=(",", ":"))))


def without(batch: Batch, kind: bytes) -> Batch:
    """A batch without its last item of a kind."""
    place = max(place for place, item in enumerate(batch.items) if item.kind == kind)
    return batch._replace(items=(*batch.items[:place], *batch.items[place + 1 :]))


def with_last(batch: Batch, kind: bytes) -> Batch:
    """A batch whose last item of a kind has another byte in its middle: its end may be the length of a text."""
    place = max(place for place, item in enumerate(batch.items) if item.kind == kind)
    data = batch.items[place].data
    middle = len(data) // 2
    changed = Item(kind, data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    return batch._replace(items=(*batch.items[:place], changed, *batch.items[place + 1 :]))


def headless(batch: Batch) -> Batch:
    """The events of a batch alone."""
    return batch._replace(items=tuple(item for item in batch.items if item.kind == items.EVENT))


def swapped(batch: Batch) -> Batch:
    """A batch with two rows in the place of each other."""
    return batch._replace(items=(*batch.items[:5], batch.items[6], batch.items[5], *batch.items[7:]))


CASES: dict[str, tuple[Tamper, str]] = {
    "a row is changed": (lambda one: with_row(one, 5, device="other"), "signature"),
    "a row is changed that no head covers yet": (lambda one: headless(with_row(one, 5, device="other")), "chain"),
    "a row is changed and all is chained again": (lambda one: chained(with_row(one, 5, device="other")), "signature"),
    "two rows are swapped": (swapped, "chain"),
    "a row is removed": (lambda one: one._replace(items=(*one.items[:5], *one.items[6:])), "chain"),
    "a row has another number": (lambda one: with_row(one, 5, n=3), "chain"),
    "a record is changed": (lambda one: with_last(one, items.RECORD), "signature"),
    "a record is removed": (lambda one: without(one, items.RECORD), "signature"),
    "a head is forged": (lambda one: with_last(one, items.HEAD), "signature"),
    "a head is left out": (lambda one: one._replace(items=tuple(_without_a_head(one))), "signature"),
    "bytes are none": (lambda one: one._replace(items=(Item(items.EVENT, b"\7\7"),)), "body"),
    "a record is none": (lambda one: one._replace(items=(*one.items[:2], Item(items.RECORD, b"\0"))), "body"),
    "the segment is another journal's": (lambda one: with_first_row(one, journal="00" * 16), "chain"),
    "the segment follows something else": (lambda one: with_first_row(one, follows=3), "chain"),
    "the segment has another number": (lambda one: with_first_row(one, segment=9), "chain"),
    "the key is another one": (lambda one: with_first_row(one, key="11" * 32), "signature"),
    "nothing certifies the key": (lambda one: with_first_row(one, certificate=None), "key-lost"),
    "the key is none": (lambda one: with_first_row(one, key=None), "chain"),
    "the table has another past": (lambda one: one._replace(after=one.after._replace(chain=bytes(32))), "fork"),
}


def _without_a_head(batch: Batch) -> list[Item]:
    heads = [place for place, item in enumerate(batch.items) if item.kind == items.HEAD]
    return [item for place, item in enumerate(batch.items) if place != heads[1]]


@pytest.fixture(scope="module")
def sent(made_journal: Path) -> list[Batch]:
    """Return the whole journal in batches, one a segment."""
    return batches(made_journal)


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_named_and_nothing_is_taken(made_journal: Path, sent: list[Batch], case: str) -> None:
    """The second segment of a journal is tampered with on its way; the first stays as it is."""
    tamper, reason = CASES[case]
    centre = centre_of(made_journal)
    centre.give(sent[0])
    before = centre.known
    outcome = centre.give(tamper(sent[1]))
    assert isinstance(outcome, Wrong), outcome
    assert reason == outcome.reason
    assert before == centre.known


def test_what_comes_again_or_too_early_is_behind(made_journal: Path, sent: list[Batch]) -> None:
    """A batch twice, one that was passed over, and the first once more: nothing is written, nothing is wrong."""
    centre = centre_of(made_journal)
    assert isinstance(centre.give(sent[1]), Behind)
    assert isinstance(centre.give(sent[0]), TakenBatch)
    assert isinstance(centre.give(sent[0]), Behind)
    assert isinstance(centre.give(sent[2]), Behind)
    assert isinstance(centre.give(sent[1]), TakenBatch)
    assert isinstance(centre.give(sent[0]), Behind)


def test_nothing_of_a_segment_is_taken_once_the_next_has_begun(made_journal: Path, sent: list[Batch]) -> None:
    """A key that was erased at the table counts no more: what it signs later is refused."""
    centre = centre_of(made_journal)
    for one in sent[:3]:
        centre.give(one)
    head = next(item for item in reversed(sent[1].items) if item.kind == items.HEAD)
    late = Batch(sent[0].journal, centre.known.mark, centre.known.mark, (head,))
    outcome = centre.give(late)
    assert isinstance(outcome, Wrong)
    assert "signature" == outcome.reason


@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_cut_repeat_and_order_gives_the_same_journal(made_journal: Path, seed: int) -> None:
    """Batches of any size, sent again, late or out of order: each row is there once, in order."""
    chance = random.Random(seed)
    centre, source = centre_of(made_journal), Source(made_journal)
    old: list[Batch] = []
    with pytest.MonkeyPatch.context() as patch:
        while True:
            size = chance.randint(1, 40)
            patch.setattr(segment_items, "fits", lambda count, _size, _item, most=size: count < most)
            batch = source.batch_after(centre.known.mark)
            if batch is None:
                break
            for one in chance.sample(old, min(len(old), chance.randint(0, 2))):
                assert isinstance(centre.give(one), Behind)
            assert isinstance(centre.give(batch_module.unpack(batch_module.pack(batch))), TakenBatch)
            old.append(batch)
    source.close()
    whole = centre_of(made_journal)
    whole.take_all(made_journal)
    assert (whole.rows, whole.known) == (centre.rows, centre.known)
    assert whole.known.mark.n == whole.known.seal.n


# --- lines ------------------------------------------------------------------------------------------------------------


def with_tail(state: Path) -> None:
    """A journal that ends with events that no head covers."""

    def scene(house: House) -> None:
        rounds(1)(house)
        house.plays("game: mbs-blackjack-v6\nburn: no\nfresh: no\n\nplace-bets\nbet 1 main 100\n")

    made(state, scene, killed=True)


def damage(state: Path) -> None:
    """The newest segment cannot be read any more; the table starts again."""
    path = segments.segments(state)[-1]
    path.with_name(f"{path.name}-wal").unlink(missing_ok=True)
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    path.write_bytes(data)
    made(state, rounds(1), boot="two")


def test_a_table_that_lost_its_unsigned_tail_begins_a_new_line(tmp_path: Path) -> None:
    """Numbers that were sent are given again behind the seal: honest damage, told with how many rows it replaced."""
    state = tmp_path / "state"
    with_tail(state)
    centre = centre_of(state)
    centre.take_all(state)
    mark, seal = centre.known.mark, centre.known.seal
    assert mark.n > seal.n
    damage(state)
    outcomes = centre.take_all(state)
    assert all(isinstance(outcome, TakenBatch) for outcome in outcomes), outcomes
    assert [mark.n - seal.n] == [one.replaced for one in outcomes if isinstance(one, TakenBatch) and one.replaced]
    assert 2 == centre.known.mark.line
    again = batches(state)[0]
    assert isinstance(centre.give(again), Behind)


def test_going_on_behind_the_seal_is_a_fork(tmp_path: Path) -> None:
    """A segment that follows damage, but goes back behind a head that the centre has verified."""
    state, other = tmp_path / "state", tmp_path / "other"
    made(state, rounds(1))
    shutil.copytree(state, other)
    made(state, rounds(2), boot="one")
    centre = centre_of(state)
    centre.take_all(state)
    damage(other)
    outcomes = centre.take_all(other)
    assert ["fork"] == [one.reason for one in outcomes if isinstance(one, Wrong)]


def test_a_fork_is_found_where_it_begins(tmp_path: Path) -> None:
    """Two tables go on from the same folder: the centre has one, and refuses the other."""
    state, other = tmp_path / "state", tmp_path / "other"
    made(state, rounds(1))
    shutil.copytree(state, other)
    made(state, rounds(1), boot="two")
    made(other, rounds(2), boot="three")
    centre = centre_of(state)
    centre.take_all(state)
    outcomes = centre.take_all(other)
    assert ["fork"] == [one.reason for one in outcomes if isinstance(one, Wrong)]


@pytest.mark.parametrize(
    ("n", "chain", "reason"),
    [(9, 1, "roll-back"), (10, 2, "fork"), (10, 1, None), (11, 2, None)],
    ids=["before the seal", "another event at the seal", "at the seal", "behind the seal"],
)
def test_the_end_of_a_journal_is_judged_by_the_seal(n: int, chain: int, reason: str | None) -> None:
    """Only of what was sealed the centre promises something."""
    known = Known(bytes(16), bytes(32), Mark(n=12), Seal(3, 10, bytes([1] * 32)))
    wrong = judge_end(known, Mark(n=n, chain=bytes([chain] * 32)))
    assert reason == (None if wrong is None else wrong.reason)
