"""The watch of a shoe at a table: what it works out between cards changes nothing but when the work is done."""

import random

from gamecore.cards.shuffle_test import Verdict, Watch
from gamecore.model.cards import RANKS
from gamecore.model.events.events import CardDrawn, Event
from gamecore.notation.parser import parse
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table
from gamecore.view.keeping import plain, read, written
from tests.bench.shuffle_power import cut, riffled, shuffled

HEADER = parse("game: mbs-blackjack-v6\n\n", GAMES).header


def test_a_table_that_settles_its_watch_says_the_same(seed: int) -> None:
    """With the work done between cards or not, a table gives the same outputs and snapshots, also after a restart."""
    chance = random.Random(seed)
    early, late = (Table(GAMES[HEADER.game], table_config(HEADER)) for _ in range(2))
    events: list[Event] = [
        CardDrawn(member) for member in cut(riffled(shuffled(RANKS, 8, chance), chance), chance)[:60]
    ]
    for number, event in enumerate(events):
        assert early.apply(event) == late.apply(event)
        early.settle_watch()
        if number % 20 == 0:
            assert plain(early.snapshot()) == plain(late.snapshot())
            late = Table.resumed(read(written(late.snapshot())))


def test_the_whole_shoe_is_watched(seed: int) -> None:
    """A watch is over with the alarm and not before, and is made again as it was at any card."""
    chance = random.Random(seed)
    pack, previous = shuffled(RANKS, 2, chance), shuffled(RANKS, 2, chance)
    watch = Watch(RANKS, 2, previous)
    for member in pack:
        watch.see(member)
        assert not watch.over
    again = watch.as_of(40)
    assert 40 == again.cards
    for member in previous[:40]:
        if again.see(member) is Verdict.ALARM:
            break
    assert again.over
