"""The chain over the rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.journal.chain import GENESIS, LINKS, SIZE, Row, link, row_bytes

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
