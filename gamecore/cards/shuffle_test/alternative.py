"""One way in which cards can be unshuffled: it foretells each card, and bets on what it foretells.

1. Cards that were riffled k times are up to 2**k packets, each still in its old order, dealt into one another. So the
   next card continues one of a few packets. A *thread* is such a packet as far as it is known: the set of nodes of
   the walk (`gamecore.cards.shuffle_test.orders`) that may come next in it.
2. Three voices foretell the next card: `newest`, the thread that moved last; `together`, all threads with equal
   shares; `chance`, the fair shuffle itself. Inside a thread all nodes are equally likely. A voice that has no thread
   to speak of speaks as chance does.
3. The voices are mixed by credit: each card is credited to the voices in proportion to how much of it each foretold.
   Older credit fades, and a constant floor remains, so that a voice which was wrong for long is soon heard again.
   The credit depends on earlier cards alone.
4. A card that threads await moves the one that awaited it most. Of the others, those that awaited it at least half as
   much and the one that moved last lend their nodes to its next step, because the card may have been theirs. A card
   that no thread awaits opens a new thread. When there are too many threads, the one that has been still the longest is
   forgotten.
5. A symbol of which no card remains is taken out of all threads, so that all that is foretold can come.
6. Only part of the wealth is at stake: at each card a small part of the idle wealth joins the stake, and a small part
   of the stake retires. So a run of unshuffled cards that begins in the middle of the shoe is found too.
"""

from __future__ import annotations

from gamecore.cards.shuffle_test.orders import Walk

# How much each voice is heard before it has earned credit, in cards.
NEWEST_FLOOR = 1.5
TOGETHER_FLOOR = 2.0
CHANCE_FLOOR = 1.0
# Each card's credit counts this much more than the one before it: the last two dozen cards count most.
GROWTH = 1.04
# A thread lends its nodes if it awaited the card at least half as much as the first did.
LENDING = 0.5
# The part of the idle wealth that joins the stake at each card, and of the stake that retires, and what then remains.
MOVES = 1 / 128
STAYS = 127 / 128


class Alternative:
    """One alternative to the fair shuffle: the order it walks, the wealth it starts with, the threads it may hold."""

    __slots__ = (
        "_chance",
        "_follow",
        "_grain",
        "_idle",
        "_most",
        "_newest",
        "_remain",
        "_shows",
        "_speaks",
        "_stake",
        "_threads",
        "_together",
    )

    def __init__(self, walk: Walk, wealth: float, most_threads: int) -> None:
        self._shows = walk.shows
        self._follow = walk.follow
        self._most = most_threads
        self._stake = self._idle = wealth / 2
        # In the order in which they moved: the newest is at the end.
        self._threads = [walk.start]
        # Whether the thread at the end is the one that the last card moved or opened.
        self._speaks = True
        # All nodes whose symbols remain: all bits are set at first.
        self._remain = -1
        # The credit of the three voices, and how much the next card's credit counts.
        self._newest = self._together = self._chance = 0.0
        self._grain = 1.0

    @property
    def wealth(self) -> float:
        """The wealth at stake and the idle wealth."""
        return self._stake + self._idle

    def see(self, symbol: int, count: int, cards: int) -> float:
        """Take the next card, of whose symbol `count` among `cards` were left before it came, and give the wealth."""
        shown = self._shows[symbol]
        threads = self._threads
        # What a voice says is its credit times a multiple of what chance says. The floors, in cards of credit, are
        # enough to be heard at the start and little against two dozen cards.
        grain = self._grain
        newest = self._newest + NEWEST_FLOOR * grain
        together = self._together + TOGETHER_FLOOR * grain
        chance = self._chance + CHANCE_FLOOR * grain
        credit = newest + together + chance

        awaiting = [nodes for nodes in threads if nodes & shown]
        shares: list[float] = []
        if awaiting:
            share = total = 0.0
            # Not sum(): from Python 3.12 on it rounds otherwise than a loop does.
            for nodes in awaiting:
                share = (nodes & shown).bit_count() / nodes.bit_count()
                shares.append(share)
                total += share
            lift = cards / count
            together *= total * lift / len(threads)
            if self._speaks:
                # The newest thread is the last: if it awaits this symbol, `share` is its share.
                newest *= share * lift if threads[-1] & shown else 0.0
        else:
            if threads:
                together = 0.0
            if self._speaks:
                newest = 0.0
        foretold = newest + together + chance

        earned = grain / foretold
        self._newest += newest * earned
        self._together += together * earned
        self._chance += chance * earned
        self._grain = grain * GROWTH
        stake = self._stake * (foretold / credit)
        idle = self._idle
        self._stake = joined = stake * STAYS + idle * MOVES
        self._idle = retired = idle * STAYS + stake * MOVES
        self._move(shown, awaiting, shares, count == 1)
        return joined + retired

    def _move(self, shown: int, awaiting: list[int], shares: list[float], last_of_symbol: bool) -> None:
        """Move the thread that awaited the card most, or open a new one."""
        threads = self._threads
        came = shown
        if awaiting:
            # The one that moved last lends always: it is the likeliest to go on, even if it awaits many cards.
            first = awaiting[-1]
            came &= first
            if len(awaiting) > 1:
                most = max(shares)
                enough = LENDING * most
                for number, share in enumerate(shares):
                    if share >= enough:
                        came |= awaiting[number] & shown
                        if share == most:
                            first = awaiting[number]
            threads.remove(first)
        if last_of_symbol:
            others = ~shown
            self._remain &= others
            if awaiting:
                self._threads = threads = [nodes for thread in threads if (nodes := thread & others)]
        following = self._follow(came) & self._remain
        if following:
            self._speaks = True
            threads.append(following)
            if len(threads) > self._most:
                del threads[0]
        else:
            self._speaks = False
