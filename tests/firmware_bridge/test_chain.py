"""The chain over the rows, and the signed head."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.journal import signing
from firmware_bridge.journal.chain import GENESIS, LINKS, SIZE, Row, link, row_bytes
from firmware_bridge.journal.signing import Head, Signer

texts = st.text(st.characters(codec="utf-8"), max_size=8)
wholes = st.none() | st.integers(-(2**63), 2**63 - 1)
rows = st.builds(
    Row,
    st.integers(1, 2**40),
    texts,
    texts,
    wholes,
    wholes,
    texts,
    st.none() | texts,
    st.none() | st.binary(max_size=8),
    wholes,
    st.none() | texts,
    st.none() | texts,
    st.none() | texts,
)


@given(rows, rows)
def test_no_two_rows_have_the_same_bytes(one: Row, other: Row) -> None:
    """Not even when the end of one column could be the beginning of the next."""
    assert (one == other) == (row_bytes(one) == row_bytes(other))


@given(rows, texts.filter(bool))
def test_what_moves_between_columns_is_another_row(row: Row, text: str) -> None:
    """Each column has its length."""
    assert row_bytes(row._replace(at=row.at + text)) != row_bytes(row._replace(device=text + row.device))


def test_text_and_bytes_and_nothing_differ() -> None:
    """Each column has its type."""
    row = Row(1, "", "", None, None, "", None, None)
    made = {row_bytes(row), row_bytes(row._replace(body="")), row_bytes(row._replace(raw=b""))}
    assert 3 == len(made)


@given(st.lists(rows, min_size=2, max_size=6), st.data())
def test_a_change_anywhere_changes_the_end(chained: list[Row], data: st.DataObject) -> None:
    """A row that is changed, removed or put elsewhere gives another last digest, unless the rows are the same."""
    at = data.draw(st.integers(0, len(chained) - 1))
    how = data.draw(st.sampled_from(["changed", "removed", "swapped"]))
    other = list(chained)
    match how:
        case "changed":
            other[at] = other[at]._replace(n=other[at].n + 1)
        case "removed":
            del other[at]
        case _:
            other[at], other[at - 1] = other[at - 1], other[at]
    assert (chained == other) == (end(chained) == end(other))


def end(chained: list[Row]) -> bytes:
    """Return the last digest of a chain."""
    digest = GENESIS
    for row in chained:
        digest = link(digest, row)
    return digest


def test_the_digest_is_pinned() -> None:
    """A journal of today can be verified by any later software."""
    row = Row(7, "2025-01-01T00:00:00.000000+00:00", "shoe", 3, 1000, "event", '{"is":"PlaceBets"}', b"\x10\x00")
    first = "e6073c3b7ccd4938613c0aa2e7945f655b49ed9296d2aa8212abc0f3fc6c2ed0"
    second = "3f095c80387fe3e9de21b562bde8479129749934b5fc9c398b2e87afafc92cab"
    whole = row._replace(mono=123_456_789, person="4711", role="dealer", how="told")
    assert (SIZE, first) == (len(link(GENESIS, row)), LINKS[1](GENESIS, whole).hex())
    assert (link, second) == (LINKS[2], link(GENESIS, whole).hex())


# --- the head --------------------------------------------------------------------------------------------------------


def test_a_head_is_verified_by_its_key(tmp_path: Path) -> None:
    """Any other number, digest, signature or key does not fit."""
    head = Signer(tmp_path).sign(7, bytes(range(32)))
    (tmp_path / "other").mkdir()
    other = Signer(tmp_path / "other").sign(7, bytes(range(32)))
    assert signing.verify(head)
    wrong = [
        head._replace(n=8),
        head._replace(chain=bytes(32)),
        head._replace(signature=other.signature),
        head._replace(key=other.key),
        head._replace(signature=b""),
        head._replace(key=b"short"),
    ]
    assert [False] * len(wrong) == [signing.verify(each) for each in wrong]


def test_the_key_is_made_once_and_for_the_daemon_alone(tmp_path: Path) -> None:
    """The public key lies beside it."""
    first, second = Signer(tmp_path), Signer(tmp_path)
    assert first.public == second.public == bytes.fromhex((tmp_path / signing.PUBLIC).read_text(encoding="ascii"))
    assert 0o600 == (tmp_path / signing.KEY).stat().st_mode & 0o777


@pytest.mark.parametrize("data", [b"", b"short", bytes(33)])
def test_a_key_that_is_none_is_made_anew(tmp_path: Path, data: bytes) -> None:
    """A table never stands still for it, and what was there is kept."""
    (tmp_path / signing.KEY).write_bytes(data)
    signer = Signer(tmp_path)
    assert signing.verify(signer.sign(1, GENESIS))
    damaged = tmp_path / f"{signing.KEY}.damaged"
    assert data == (damaged.read_bytes() if damaged.exists() else b"")


def test_a_published_head_is_read_or_there_is_none(tmp_path: Path) -> None:
    """Text that is no head is none."""
    path = tmp_path / signing.HEAD
    head = Signer(tmp_path).sign(7, bytes(range(32)))
    assert None is signing.published(path)
    signing.publish(tmp_path, head)
    assert head == signing.published(path)
    whole = json.loads(path.read_text(encoding="ascii"))
    for text in ("", "{", "[]", "null", json.dumps({**whole, "chain": "xyz"}), json.dumps({"n": 1})):
        path.write_text(text, encoding="ascii")
        assert None is signing.published(path)


@dataclass
class Steps:
    """What is done to files, in order."""

    done: list[str]


def test_a_file_is_replaced_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new text is synchronised before it gets its name, and the name after it: one of the two is always there."""
    steps = Steps([])
    fsync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.done.append("synced " + Path(f"/proc/self/fd/{handle}").readlink().name)
        fsync(handle)

    def replaced(self: Path, target: Path) -> Path:
        steps.done.append(f"{self.name} becomes {target.name}")
        return replace(self, target)

    signer = Signer(tmp_path)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    signing.publish(tmp_path, signer.sign(1, GENESIS))
    new = f"{signing.HEAD}.new"
    assert [f"synced {new}", f"{new} becomes {signing.HEAD}", f"synced {tmp_path.name}"] == steps.done


def test_a_head_names_its_key(tmp_path: Path) -> None:
    """Who has copied the public key can hold it against the head's."""
    signer = Signer(tmp_path)
    assert Head(1, GENESIS, signer.sign(1, GENESIS).signature, signer.public) == signer.sign(1, GENESIS)
