"""The centre's receipt as an anchor: kept at the table, read by the daemon's child, compared and only reported."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from firmware_bridge.anchors import receipts, targets
from firmware_bridge.anchors.anchoring import CENTRE, Anchoring
from firmware_bridge.anchors.reading import print_anchors
from firmware_bridge.anchors.receipts import CentreKeys, Receipt, ReceiptError, keys_of, read_file, receipt_of, written
from firmware_bridge.anchors.register import Register
from firmware_bridge.anchors.targets import Anchors, TargetError
from firmware_bridge.floor.shipping.kept_receipt import FILE, FLOOR, KeptReceipt
from tests.firmware_bridge.audit.journals import House, made, rounds

FLOOR_KEY, INGESTER, OTHER = (SigningKey(bytes([number] * 32)) for number in (1, 2, 3))
PUBLIC = bytes(FLOOR_KEY.verify_key)
KEYS = CentreKeys(1, (bytes(INGESTER.verify_key),)).signed(FLOOR_KEY)
RECEIPT = Receipt(bytes(16), 3, 40, bytes([7] * 32), 30, "0123456789abcdef").signed(INGESTER)


def test_a_receipt_and_its_keys_come_back() -> None:
    """From plain data, and from the file."""
    assert RECEIPT == receipt_of(json.loads(json.dumps(RECEIPT.plain())))
    assert KEYS == keys_of(json.loads(json.dumps(KEYS.plain())))
    assert Register(3, 40, bytes([7] * 32)) == RECEIPT.register


@pytest.mark.parametrize("change", [{"n": 41}, {"head": 4}, {"backed": 40}, {"journal": bytes([1] * 16)}])
def test_what_was_changed_proves_nothing(tmp_path: Path, change: dict[str, object]) -> None:
    """Any field of a receipt, the signer, the list and who vouches for it."""
    path = tmp_path / FILE
    path.write_bytes(written(RECEIPT, KEYS))
    assert (RECEIPT, KEYS) == read_file(path, PUBLIC)
    changed = RECEIPT._replace(**change)  # type: ignore[arg-type]
    stranger = CentreKeys(2, (bytes(OTHER.verify_key),)).signed(OTHER)
    for wrong in (
        written(changed, KEYS),
        written(RECEIPT.signed(OTHER), KEYS),
        written(RECEIPT, stranger),
        b"{}",
        b"[",
    ):
        path.write_bytes(wrong)
        assert read_file(path, PUBLIC) is None


@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)),
    st.sampled_from(sorted(RECEIPT.plain())),
)
def test_whatever_comes_is_a_receipt_or_an_error(value: object, field: str) -> None:
    """No data raises anything else."""
    with contextlib.suppress(ReceiptError):
        receipt_of({**RECEIPT.plain(), field: value})
    with contextlib.suppress(ReceiptError):
        keys_of({**KEYS.plain(), "keys": value})


def test_the_highest_receipt_is_kept(tmp_path: Path) -> None:
    """A centre that was restored says less, which changes nothing; what is not proved neither."""
    (tmp_path / FLOOR).write_text(PUBLIC.hex(), encoding="ascii")
    kept = KeptReceipt(tmp_path)
    assert kept.keep_highest(RECEIPT, KEYS)
    assert not kept.keep_highest(RECEIPT, KEYS)
    lower = RECEIPT._replace(head=2).signed(INGESTER)
    assert not kept.keep_highest(lower, KEYS)
    assert not kept.keep_highest(RECEIPT._replace(head=9), KEYS)
    assert not kept.keep_highest(RECEIPT._replace(head=9).signed(OTHER), KEYS)
    later = RECEIPT._replace(head=4).signed(INGESTER)
    again = KeptReceipt(tmp_path)
    assert again.keep_highest(later, CentreKeys(2, KEYS.keys).signed(FLOOR_KEY))
    assert not again.keep_highest(RECEIPT._replace(head=5).signed(INGESTER), KEYS)
    found = read_file(tmp_path / FILE, PUBLIC)
    assert found is not None
    assert later == found[0]


def test_without_the_key_of_the_floor_nothing_is_kept(tmp_path: Path) -> None:
    """A table that was enrolled without one keeps no receipt."""
    assert not KeptReceipt(tmp_path).keep_highest(RECEIPT, KEYS)
    assert not (tmp_path / FILE).exists()


def test_the_child_prints_a_receipt_about_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That of another journal, or none, is no line."""
    path = tmp_path / FILE
    anchors = Anchors(centre=path, centre_key=PUBLIC)
    assert 0 == print_anchors(anchors, bytes(16), tied=False)
    path.write_bytes(written(RECEIPT, KEYS))
    assert 0 == print_anchors(anchors, bytes([9] * 16), tied=False)
    assert "" == capsys.readouterr().out
    assert 0 == print_anchors(anchors, bytes(16), tied=False)
    assert {"centre": [3, 40, "07" * 32]} == json.loads(capsys.readouterr().out)


def test_a_journal_behind_the_receipt_is_reported_and_nothing_is_held(tmp_path: Path) -> None:
    """One row for each receipt, no alarm, and the next round begins."""
    notes: list[object] = []

    def scene(house: House) -> None:
        anchoring = Anchoring(house.pump, [])
        rounds(1)(house)
        journal = house.books.journal
        head = Register(journal.head_number, journal.n, b"")
        for held in (
            Register(head.number + 9, head.n, bytes(32)),
            Register(1, 1, bytes(32)),
            Register(1, 1, bytes(32)),
        ):
            anchoring.report_centre(held)
            house.pump.process_queue()
        assert not anchoring.waits
        rounds(1)(house)
        notes.extend(json.loads(row.body or "") for row, _ in journal.rows() if CENTRE in (row.body or "")[:10])
        assert () == house.books.alarms.open

    made(tmp_path / "state", scene)
    assert ["the journal ends before it", "the journal has another event there"] == [
        note[CENTRE] for note in notes if isinstance(note, dict)
    ]


def test_the_centre_stands_in_the_file_of_anchors(tmp_path: Path) -> None:
    """With its key, alone or beside others; one without the other is refused."""
    file = tmp_path / targets.FILE
    file.write_text(f'centre = "/var/centre.json"\ncentre_key = "{PUBLIC.hex()}"\n', encoding="utf-8")
    found = targets.load(file)
    assert (Path("/var/centre.json"), PUBLIC, ()) == (found.centre, found.centre_key, found.targets)
    for wrong in ('centre = "/var/x"', 'centre_key = "00"', 'centre = "x"\ncentre_key = "' + "a" * 64 + '"'):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(TargetError):
            targets.load(file)


def test_a_long_file_is_not_read_whole(tmp_path: Path) -> None:
    """What is too long proves nothing."""
    path = tmp_path / FILE
    path.write_bytes(b" " * receipts._LONGEST + written(RECEIPT, KEYS))
    assert read_file(path, PUBLIC) is None
