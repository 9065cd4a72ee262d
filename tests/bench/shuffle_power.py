"""How soon the test of the shuffle finds cards that were not shuffled: ``python -m tests.bench.shuffle_power``.

1. A row is a set of cards, a column what was done to them. A cell is the median number of cards to the alarm and the
   percentage of shoes in which the alarm came at all; "-" where it came in half of the shoes or fewer.
2. The shoes of the cells are cut at a random place before they are dealt, and dealt until the alarm comes or the test
   is over. Those of rules 5, 6 and 7 are not cut, those of rules 6 and 7 dealt to the end.
3. Factory order: decks one after another, spades and diamonds up, clubs and hearts down. Sorted: all decks sorted
   together by suit and rank. Repeated: a random order, dealt again forwards or backwards, known to the test.
4. A riffle is that of Gilbert, Shannon and Reeds, of the whole shoe at once: cut by a binomial, then cards fall from
   the two packets in proportion to what is left of each. Riffles start from factory order ("fresh") or from the last
   order ("last"); the number says how many.
5. The second table has eight decks in which the last order is left in other ways: in packets that stuck together and
   lie in a random order; in a strip shuffle (packets of 10 to 40 cards are taken off the top and laid on one another);
   out of a shelf shuffler (Diaconis, Fulman and Holmes 2013); and in mid-shoe: after that number of cards the others
   come as they lay ("part"), or a fresh deck comes unshuffled ("deck"). In mid-shoe the cards are counted from where
   the order begins.
6. The time of a card is measured on fair shuffles with a known last order, where all alternatives work: what stands on
   its way, and what is done between cards, on average and for the worst card. It is the processor's time of the
   thread, so that other programs do not count. The worst are told without the first shoe, which makes tables.
7. Every row has chance of its own by the seed: `--rows "8 x 52"` prints the row that the whole table has, `--rows
   others` the second table. What fair shoes bring is counted by `tests.bench.fair_shoes`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import deque
from collections.abc import Callable, Sequence

from gamecore.cards.shuffle_test import ShuffleTest, Verdict, Watch
from gamecore.model.cards import RANKS, SUITS, Card, card, deck

SETS = {52: RANKS, 48: RANKS.replace("T", "")}
DECKS = (1, 2, 4, 6, 8, 10)
RIFFLES = (1, 2, 3, 4, 5)
MID_SHOE = (26, 60, 104, 208)
SHELVES = (5, 10, 16)
ROWS = tuple(f"{decks} x {size}" for size in SETS for decks in DECKS)
OTHERS = "others"
"""The second table, among the rows."""

Pack = list[Card]
Shoe = tuple[Pack, Pack]
"""The cards in the order in which they come, and the last order as far as the test knows it."""


def factory_order(ranks: str, decks: int) -> Pack:
    """Decks as one maker packs them, one after another."""
    up = [card(rank + suit) for suit in "SD" for rank in ranks]
    down = [card(rank + suit) for suit in "CH" for rank in reversed(ranks)]
    return (up + down) * decks


def sorted_order(ranks: str, decks: int) -> Pack:
    """All decks sorted together by suit and rank."""
    return [card(rank + suit) for suit in SUITS for rank in ranks for _ in range(decks)]


def shuffled(ranks: str, decks: int, chance: random.Random) -> Pack:
    """All decks in a fair order."""
    pack = list(deck(ranks)) * decks
    chance.shuffle(pack)
    return pack


def cut(pack: Pack, chance: random.Random) -> Pack:
    """The pack, cut at a random place."""
    place = chance.randrange(len(pack))
    return pack[place:] + pack[:place]


def riffled(pack: Pack, chance: random.Random, times: int = 1) -> Pack:
    """The pack after riffles as Gilbert, Shannon and Reeds describe them."""
    for _ in range(times):
        middle = chance.getrandbits(len(pack)).bit_count()
        left, right = pack[:middle][::-1], pack[middle:][::-1]
        pack = []
        while left or right:
            packet = left if chance.random() * (len(left) + len(right)) < len(left) else right
            pack.append(packet.pop())
    return pack


def stuck(pack: Pack, size: int, chance: random.Random) -> Pack:
    """The pack in packets of a size, which lie in a random order."""
    packets = [pack[first : first + size] for first in range(0, len(pack), size)]
    chance.shuffle(packets)
    return [member for packet in packets for member in packet]


def stripped(pack: Pack, chance: random.Random) -> Pack:
    """The pack after a strip shuffle."""
    laid: Pack = []
    left = pack
    while left:
        size = chance.randint(10, 40)
        laid, left = left[:size] + laid, left[size:]
    return laid


def shelved(pack: Pack, shelves: int, chance: random.Random) -> Pack:
    """The pack out of a shelf shuffler: each card upon or below those on a shelf, the shelves piled up."""
    laid: list[deque[Card]] = [deque() for _ in range(shelves)]
    for member in pack:
        shelf = chance.choice(laid)
        if chance.random() < 0.5:
            shelf.append(member)
        else:
            shelf.appendleft(member)
    chance.shuffle(laid)
    return [member for shelf in laid for member in shelf]


def part_shuffled(pack: Pack, before: int, chance: random.Random) -> Pack:
    """The pack with a number of shuffled cards before the others, which lie as they lay."""
    first = chance.sample(range(len(pack)), before)
    return [pack[place] for place in first] + [pack[place] for place in sorted(set(range(len(pack))) - set(first))]


def deck_among_others(ranks: str, decks: int, before: int, chance: random.Random) -> Pack:
    """Shuffled decks with a fresh one among them, after a number of cards."""
    others = shuffled(ranks, decks - 1, chance)
    return others[:before] + factory_order(ranks, 1) + others[before:]


def cards_to_alarm(ranks: str, decks: int, cards: Sequence[Card], previous: Sequence[Card] = ()) -> int | None:
    """The number of cards to the alarm as a table watches them, or None if none comes."""
    watch = Watch(ranks, decks, previous)
    for number, member in enumerate(cards, start=1):
        if watch.see(member) is Verdict.ALARM:
            return number
        if watch.over:
            return None
    return None


def columns(ranks: str, decks: int, chance: random.Random) -> dict[str, Callable[[], Shoe]]:
    """What is done to the cards, by name."""

    def fresh(times: int) -> Shoe:
        return riffled(factory_order(ranks, decks), chance, times), []

    def last(times: int) -> Shoe:
        order = shuffled(ranks, decks, chance)
        return riffled(order if chance.random() < 0.5 else order[::-1], chance, times), order

    made: dict[str, Callable[[], Shoe]] = {
        "factory": lambda: fresh(0),
        "sorted": lambda: (sorted_order(ranks, decks), []),
        "repeated": lambda: last(0),
    }
    for times in RIFFLES:
        # mypy cannot tell the type of a default in a lambda; the default binds this turn's number.
        made[f"fresh {times}"] = lambda times=times: fresh(times)  # type: ignore[misc]
        made[f"last {times}"] = lambda times=times: last(times)  # type: ignore[misc]
    return made


def mid_shoe(chance: random.Random) -> dict[str, tuple[int, Callable[[], Shoe]]]:
    """Other ways in which an order of eight decks is left, by name: after how many cards it begins, and the shoe."""

    def last(make: Callable[[Pack], Pack]) -> Shoe:
        order = shuffled(RANKS, 8, chance)
        return make(order), order

    made: dict[str, tuple[int, Callable[[], Shoe]]] = {
        "packets of 10": (0, lambda: last(lambda order: stuck(order, 10, chance))),
        "packets of 20": (0, lambda: last(lambda order: stuck(order, 20, chance))),
        "strip shuffle": (0, lambda: last(lambda order: stripped(order, chance))),
    }
    for shelves in SHELVES:
        # As above: the default binds this turn's number.
        pile = lambda shelves=shelves: last(lambda order: shelved(order, shelves, chance))  # noqa: E731
        made[f"{shelves} shelves"] = (0, pile)
    for before in MID_SHOE:
        part = lambda before=before: last(lambda order: part_shuffled(order, before, chance))  # noqa: E731
        made[f"part after {before}"] = (before, part)
    for before in MID_SHOE:
        fresh = lambda before=before: last(lambda _: deck_among_others(RANKS, 8, before, chance))  # noqa: E731
        made[f"deck after {before}"] = (before, fresh)
    return made


def cell(found: Sequence[int | None]) -> str:
    """The median number of cards and the percentage found."""
    ordered = sorted(number for number in found if number is not None)
    percent = 100 * len(ordered) // len(found)
    middle = len(found) // 2
    return f"{ordered[middle] if middle < len(ordered) else '-'} {percent}%"


def microseconds(ranks: str, decks: int, chance: random.Random, cards: int) -> str:
    """The time of a card in fair shoes of at least `cards` cards together: on its way, between, and the worst."""
    ways: list[int] = []
    betweens: list[int] = []
    first = 0
    while len(ways) < cards + first:
        pack, order = shuffled(ranks, decks, chance), shuffled(ranks, decks, chance)
        first = first or len(pack)
        test = ShuffleTest(ranks, decks, order)
        for member in pack:
            start = time.thread_time_ns()
            test.see(member)
            seen = time.thread_time_ns()
            test.settle()
            betweens.append(time.thread_time_ns() - seen)
            ways.append(seen - start)
    ways, betweens = ways[first:], betweens[first:]
    means = f"{sum(ways) / len(ways) / 1000:.1f} | {sum(betweens) / len(betweens) / 1000:.1f}"
    return f"{means} | {max(ways) / 1000:.0f} | {max(betweens) / 1000:.0f}"


def table(shoes: int, seed: int, rows: Sequence[str] = ROWS) -> list[str]:
    """The figures as a table for the README, with these of its rows."""
    names = list(columns(RANKS, 1, random.Random(seed)))
    times = "µs on a card's way | between | worst on the way | worst between"
    lines = [f"| cards | {' | '.join(names)} | {times} |", f"| --- |{' --- |' * (len(names) + 4)}"]
    for row in rows:
        decks, size = (int(part) for part in row.split(" x "))
        ranks = SETS[size]
        chance = random.Random(f"{seed} {size} {decks}")
        cells = []
        for make in columns(ranks, decks, chance).values():
            found: list[int | None] = []
            for _ in range(shoes):
                pack, previous = make()
                found.append(cards_to_alarm(ranks, decks, cut(pack, chance), previous))
            cells.append(cell(found))
        spent = microseconds(ranks, decks, chance, 10_000)
        lines.append(f"| {row} | {' | '.join(cells)} | {spent} |")
    return lines


def second_table(shoes: int, seed: int) -> list[str]:
    """The figures of the other ways."""
    chance = random.Random(f"{seed} mid-shoe")
    lines = ["| eight decks | cards to the alarm |", "| --- | --- |"]
    for name, (before, make) in mid_shoe(chance).items():
        found: list[int | None] = []
        for _ in range(shoes):
            pack, previous = make()
            cards = cards_to_alarm(RANKS, 8, pack, previous)
            found.append(None if cards is None else cards - before)
        lines.append(f"| {name} | {cell(found)} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="How soon unshuffled cards are found.")
    parser.add_argument("--shoes", type=int, default=300, help="shoes in each cell (300)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of all chance (1)")
    parser.add_argument("--rows", nargs="+", choices=[*ROWS, OTHERS], default=[*ROWS, OTHERS], help="these alone")
    options = parser.parse_args(arguments)
    print(f"{options.shoes} shoes in each cell, seed {options.seed}: median cards to the alarm, percent found")
    sets = [row for row in options.rows if row != OTHERS]
    if sets:
        print("\n".join(table(options.shoes, options.seed, sets)))
    if OTHERS in options.rows:
        print("\n".join(second_table(options.shoes, options.seed)))


if __name__ == "__main__":
    main()
