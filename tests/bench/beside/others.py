"""The same policy with two independent programs: gymnasium's Blackjack-v1 and PyPI's blackjack21."""

from __future__ import annotations

from collections.abc import Callable

import blackjack21
import gymnasium

from tests.bench.rounds import DECKS, DRAWS_BELOW

SEATS = 7


def gym_rounds(hands: int, seed: int) -> Callable[[], int]:
    """Return a run of this many episodes of one Player against the Dealer, who draws from an endless deck."""
    env = gymnasium.make("Blackjack-v1")
    env.reset(seed=seed)

    def run() -> int:
        for _ in range(hands):
            (total, _, _), _ = env.reset()
            ended = False
            while not ended:
                (total, _, _), _, ended, _, _ = env.step(int(total < DRAWS_BELOW))
        return hands

    return run


def blackjack21_rounds(rounds: int) -> Callable[[], int]:
    """Return a run of this many rounds of seven Players from a shoe that is shuffled again when it runs low."""

    def run() -> int:
        shoe = blackjack21.Deck(blackjack21.DEFAULT_SUITS, count=DECKS)
        reset = blackjack21.shoe_reset_hook(shoe)
        table = blackjack21.Table([(f"p{seat}", 25) for seat in range(SEATS)], shoe, on_round_reset=reset)
        for _ in range(rounds):
            table.start_game()
            hand = table.current_hand
            while hand is not None:
                if hand.total < DRAWS_BELOW:
                    table.hit()
                else:
                    table.stand()
                hand = table.current_hand
        return rounds * SEATS

    return run
