"""Unshuffled cards, told from a fair shuffle by the order in which the cards come out of the shoe.

How it works

1. Several alternatives to the fair shuffle bet against it (`book`): factory order, sorted orders, and the order in
   which these cards last went into the discard holder, forwards and backwards, in runs that begin anywhere (`runs`)
   or riffled once, twice and so on. Riffled cards are packets dealt into one another (Bayer and Diaconis 1992), and
   each alternative foretells every card by how likely it is as the next one of some packet: of decks that are packed
   alike (`packs`, `makers`), of one deck (`single`), of several decks in a known order (`ring`). A shelf shuffler
   leaves runs that fall and rise (`shelves`).
2. All start with one unit of wealth between them. At each card a stake is multiplied by q/p: the chance that the
   alternative gave to this card, over the chance that it has in a fair shuffle. `ShuffleTest.wealth` is what they own
   together. It is the evidence against the shuffle.
3. Wealth of 1,000 is an advisory, of 1,000,000 an alarm (`sequential`). The test may be looked at after every card.
4. It is valid only for cards that should be in random order. It is not asked while cards lie in the shoe that were
   riffled once under 5.19, until they are re-shuffled under 5.19.1, nor where cards are shuffled continuously.

What is promised: of properly shuffled shoes at most one in a thousand ever brings an advisory, at most one in a million
an alarm, however many cards are dealt and whenever one looks.

The proof. Its premises:

P1. The shoe holds exactly the set of cards that the test was told, and in a proper shuffle all orders of it are equally
    likely, whatever was known before: also whatever `previous` was. So after any cards, a remaining face has the chance
    p = (cards left of it) / (cards left).
P2. Whether a card is skipped (unread, foreign, in excess) does not depend on what a card of the set shows. Then the
    cards seen are still in random order, and p still holds when skipped cards count as remaining. The same is true of
    cards whose order is unknown, if they are told in an order that does not depend on what they show.
P3. What an alternative says to the next card depends on cards seen earlier, and on nothing else: q is settled before
    the card comes. Over the faces that remain q adds up to one, and a face that does not remain has none of it. An
    alternative that foretells a rank or a suit shares its chance among the remaining cards of it as a fair shuffle
    would. So q/p is the same for all of them and may be taken from the counts of ranks or suits.
P4. The shares of wealth at the start are fixed, not negative, and add up to one.

Its steps:

S1. In a fair shuffle a stake is expected to keep its value at every card: the sum over the remaining faces of
    p x (q/p) is the sum of q, which is one (P1, P2, P3).
S2. Between cards, an alternative may be let go, with what it owns set aside, or begin with a part that was set aside
    for it. That changes no sum. So the whole wealth, whatever cards have come, is expected after the next card to be
    what it is now: it is a martingale. It is never negative, and starts at one (P4).
S3. Stop at the first card at which the wealth is c or more, or else at the end of the shoe. The shoe ends, so by S2,
    card by card, the wealth expected at the stop is one. It is at least c where c was reached and never negative
    elsewhere, so one is at least c times the chance that c is ever reached. That chance is at most 1/c (Ville's
    inequality).
S4. Doubles are rounded. What an alternative foretells adds up to one but for one part in a million million, and a shoe
    has at most a few hundred cards: the wealth is off by less than one part in a billion. The limits are raised by one
    part in a million.

The premises on p and q and the step S2 are tested card by card on small sets, S3 on every order of a small set, and the
rate of advisories is measured, in `tests/gamecore/test_shuffle_proof.py`. The power is measured by
`tests/bench/shuffle_power.py`.

What alternatives keep of what they could know is a matter of power alone: nothing in the proof asks them to be right.

What it cannot find: an order that it does not know; cards riffled so often that little order is left; a single packet
of a few cards in a shuffled shoe. The bound is for one test of one shoe: a test that is restarted has its own.
"""

from __future__ import annotations

from gamecore.cards.shuffle_test.book import Order
from gamecore.cards.shuffle_test.sequential import ADVISORY_AT, ALARM_AT, ShuffleTest, Verdict
from gamecore.cards.shuffle_test.watch import Watch

__all__ = ["ADVISORY_AT", "ALARM_AT", "Order", "ShuffleTest", "Verdict", "Watch"]
