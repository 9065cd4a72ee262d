"""How soon the test of the shuffle finds cards that were not shuffled: ``python -m tests.bench.shuffle_power``.

1. A row is a set of cards, a column what was done to them. A cell is the median number of cards to the alarm and the
   percentage of shoes in which the alarm came at all; "-" where it came in half of the shoes or fewer.
2. The shoes of the cells are cut at a random place before they are dealt, and dealt until the alarm comes or the test
   is over. Those of rules 5 and 6 are not cut, and dealt to the end.
3. Factory order: decks one after another, spades and diamonds up, clubs and hearts down. Sorted: all decks sorted
   together by suit and rank. Repeated: a random order, dealt again forwards or backwards, known to the test.
4. A riffle is that of Gilbert, Shannon and Reeds, of the whole shoe at once: cut by a binomial, then cards fall from
   the two packets in proportion to what is left of each. Riffles start from factory order ("fresh") or from the last
   order ("last"); the number says how many.
5. The time of a card is measured on fair shuffles with a known last order, where all alternatives work. Making the
   test counts as part of it.
6. Below the table stand the advisories and alarms that fair shuffles of one deck brought, in shoes of their own.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence

from gamecore.cards.shuffle_test import ShuffleTest, Verdict, Watch
from gamecore.model.cards import RANKS, SUITS, Card, card, deck

SETS = {52: RANKS, 48: RANKS.replace("T", "")}
DECKS = (1, 2, 4, 6, 8, 10)
RIFFLES = (1, 2, 3, 4)

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


def cell(found: Sequence[int | None]) -> str:
    """The median number of cards and the percentage found."""
    ordered = sorted(number for number in found if number is not None)
    percent = 100 * len(ordered) // len(found)
    middle = len(found) // 2
    return f"{ordered[middle] if middle < len(ordered) else '-'} {percent}%"


def microseconds(ranks: str, decks: int, chance: random.Random, cards: int) -> float:
    """The time of a card in fair shoes of at least `cards` cards together."""
    taken, seen = 0.0, 0
    while seen < cards:
        pack, order = shuffled(ranks, decks, chance), shuffled(ranks, decks, chance)
        start = time.perf_counter()
        test = ShuffleTest(ranks, decks, order)
        for member in pack:
            test.see(member)
        taken += time.perf_counter() - start
        seen += len(pack)
    return taken / seen * 1e6


def table(shoes: int, seed: int) -> list[str]:
    """The figures as a table for the README."""
    names = list(columns(RANKS, 1, random.Random(seed)))
    lines = [f"| cards | {' | '.join(names)} | µs a card |", f"| --- |{' --- |' * (len(names) + 1)}"]
    for size, ranks in SETS.items():
        for decks in DECKS:
            chance = random.Random(f"{seed} {size} {decks}")
            cells = []
            for make in columns(ranks, decks, chance).values():
                found: list[int | None] = []
                for _ in range(shoes):
                    pack, previous = make()
                    found.append(cards_to_alarm(ranks, decks, cut(pack, chance), previous))
                cells.append(cell(found))
            spent = microseconds(ranks, decks, chance, 10_000)
            lines.append(f"| {decks} x {size} | {' | '.join(cells)} | {spent:.1f} |")
    return lines


def fair(shoes: int, seed: int) -> str:
    """What fair shoes of one deck, with a known last order, brought."""
    chance = random.Random(f"{seed} fair")
    verdicts: Counter[Verdict] = Counter()
    for _ in range(shoes):
        test = ShuffleTest(RANKS, 1, shuffled(RANKS, 1, chance))
        for member in shuffled(RANKS, 1, chance):
            test.see(member)
        verdicts[test.verdict] += 1
    alarms = verdicts[Verdict.ALARM]
    return f"{shoes} fair shoes of 1 x 52: {verdicts[Verdict.ADVISORY] + alarms} advisories, {alarms} of them alarms"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="How soon unshuffled cards are found.")
    parser.add_argument("--shoes", type=int, default=300, help="shoes in each cell (300)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of all chance (1)")
    options = parser.parse_args(arguments)
    print(f"{options.shoes} shoes in each cell, seed {options.seed}: median cards to the alarm, percent found")
    print("\n".join(table(options.shoes, options.seed)))
    print(fair(50 * options.shoes, options.seed))


if __name__ == "__main__":
    main()
