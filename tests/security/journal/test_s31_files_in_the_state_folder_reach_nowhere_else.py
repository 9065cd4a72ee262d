"""S31: a link in the state folder is not followed, and a small archive does not fill the disk of an auditor."""

from __future__ import annotations

import gzip
from pathlib import Path

from firmware_bridge.journal import folder_lock
from firmware_bridge.journal.archive import compressed_segments


def test_a_link_in_place_of_the_reserve_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """What it leads to keeps its bytes, whether it has the size of a reserve or not."""
    state, victim = tmp_path / "state", tmp_path / "victim"
    state.mkdir()
    for content in (b"precious", bytes(folder_lock.ROOM)):
        victim.write_bytes(content)
        (state / folder_lock.RESERVE).unlink(missing_ok=True)
        (state / folder_lock.RESERVE).symlink_to(victim)
        folder_lock.keep_reserve(state)
        assert content == victim.read_bytes()
        kept = state / folder_lock.RESERVE
        assert (False, folder_lock.ROOM) == (kept.is_symlink(), kept.stat().st_size)


def test_a_reserve_that_is_kept_is_not_written_again(tmp_path: Path) -> None:
    """A start costs no wear."""
    folder_lock.keep_reserve(tmp_path)
    before = (tmp_path / folder_lock.RESERVE).stat().st_mtime_ns
    folder_lock.keep_reserve(tmp_path)
    assert before == (tmp_path / folder_lock.RESERVE).stat().st_mtime_ns


def test_an_archive_that_holds_more_than_a_segment_can_is_told_and_fills_no_disk(tmp_path: Path) -> None:
    """Half a megabyte of gzip that would be half a gigabyte of zeros."""
    bomb, target = tmp_path / "journal-000001.db.gz", tmp_path / "unpacked"
    with gzip.open(bomb, "wb") as packed:
        for _ in range(512):
            packed.write(bytes(1024 * 1024))
    assert "the archive holds more than a segment can" == compressed_segments.unpack(bomb, target)
    assert target.stat().st_size <= compressed_segments.FOLD * bomb.stat().st_size + 2 * compressed_segments.SLACK
