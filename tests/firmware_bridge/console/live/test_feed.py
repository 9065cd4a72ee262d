"""The queues of the browsers: order, bounds, and that of pictures only the newest counts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from firmware_bridge.console.live.feed import KEPT, Feed, Reader, written
from tests.patience import PATIENCE


def run(scene: Callable[[], Awaitable[None]]) -> None:
    """Run a scene in a loop."""

    async def main() -> None:
        await scene()

    asyncio.run(main())


async def taken(reader: Reader) -> list[tuple[str, object]]:
    """What waits for a browser, as kind and data."""
    waiting = await reader.next(0.0)
    found = []
    for part in (waiting or b"").decode().split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in part.splitlines())
        found.append((fields["event"], json.loads(fields["data"])))
    return found


def test_a_line_is_one_event() -> None:
    """Id, kind and data, then an empty line; no line feed of the data breaks it."""
    assert b'id: 7\nevent: seen\ndata: {"a":"x\\ny"}\n\n' == written("seen", {"a": "x\ny"}, 7)
    assert b"event: back\ndata: {}\n\n" == written("back", {})


def test_what_waits_is_taken_together_in_its_order() -> None:
    """A browser that was busy gets all of it at once."""

    async def scene() -> None:
        feed = Feed()
        reader = feed.begin()
        feed.news({"seen": {"n": 1}})
        feed.news({"link": {"device": "shoe", "up": False}})
        feed.scene({"roles": False})
        expected = [("seen", {"n": 1}), ("link", {"device": "shoe", "up": False}), ("scene", {"roles": False})]
        assert expected == await taken(reader)
        assert [] == await taken(reader)

    run(scene)


def test_what_was_seen_goes_out_with_its_picture() -> None:
    """A browser is woken once for both; without a picture what was seen goes out by itself soon."""

    async def scene() -> None:
        feed = Feed()
        reader = feed.begin()
        feed.news({"seen": {"n": 1}})
        assert [] == await taken(reader)
        feed.scene({"n": 1})
        assert ["seen", "scene"] == [kind for kind, _ in await taken(reader)]
        feed.news({"seen": {"n": 2}})
        assert b'id: 2\nevent: seen\ndata: {"n":2}\n\n' == await reader.next(PATIENCE)

    run(scene)


def test_of_pictures_the_newest_counts() -> None:
    """A picture that still waits is left out when a newer one comes, and none is behind its events."""

    async def scene() -> None:
        feed = Feed()
        reader = feed.begin()
        for number in range(3):
            feed.news({"seen": {"n": number}})
            feed.scene({"n": number})
        feed.gone("away")
        kinds = [(kind, said.get("n") if isinstance(said, dict) else None) for kind, said in await taken(reader)]
        assert [("seen", 0), ("seen", 1), ("seen", 2), ("scene", 2), ("gone", None)] == kinds

    run(scene)


def test_a_full_queue_cuts_the_browser() -> None:
    """It is closed and emptied, a writer that can is told to end its line, and others are not touched."""

    async def scene() -> None:
        cut: list[bool] = []
        reader, other = Reader(most=100), Reader(most=1000)
        reader.cut = lambda: cut.append(True)
        for _ in range(5):
            reader.put(b"x" * 30)
            other.put(b"x" * 30)
        assert [True] == cut
        assert reader.closed
        assert await reader.next(0.0) is None
        assert b"x" * 150 == await other.next(0.0)

    run(scene)


def test_a_picture_never_cuts() -> None:
    """There is at most one, so that the bound is for events alone."""

    async def scene() -> None:
        reader = Reader(most=10)
        for number in range(100):
            reader.picture(b"%03d" % number * 100)
        assert b"099" * 100 == await reader.next(0.0)

    run(scene)


def test_what_waits_at_the_end_is_still_sent() -> None:
    """A stream that ends says its last words, and nothing after them."""

    async def scene() -> None:
        reader = Reader()
        reader.put(b"last")
        reader.close()
        reader.put(b"never")
        reader.picture(b"never")
        assert [b"last", None, None] == [await reader.next(0.0) for _ in range(3)]

    run(scene)


@pytest.mark.parametrize("size", [0, 1000, 100_000])
def test_so_much_is_kept(size: int) -> None:
    """A browser that comes back after longer gets what there is, which always fits into a queue."""

    async def scene() -> None:
        feed, count = Feed(), 2 * KEPT // (size + 30)
        for number in range(count):
            feed.news({"seen": {"n": number, "event": "x" * size}})
        reader = feed.begin(0)
        assert not reader.closed
        found = [said["n"] for _, said in await taken(reader) if isinstance(said, dict)]
        assert list(range(found[0], count)) == found
        assert 0 < found[0]
        assert [count - 1] == [said["n"] for _, said in await taken(feed.begin(count - 2)) if isinstance(said, dict)]
        assert [] == await taken(feed.begin())

    run(scene)


def test_cards_are_hidden_in_events() -> None:
    """Whatever the daemon sends to a table without roles, no card leaves by the stream's events."""

    async def scene() -> None:
        feed = Feed()
        reader = feed.begin()
        feed.news({"seen": {"n": 1, "event": "draw KD 1", "findings": [{"cards": ["QH"]}]}})
        reader.wake()
        assert [("seen", {"n": 1, "event": "draw ?? 1", "findings": [{"cards": ["??"]}]})] == await taken(reader)

    run(scene)
