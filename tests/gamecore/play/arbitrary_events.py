"""Any event whatsoever, plausible or not, for a table in any state.

1. Every class of `gamecore.model.events.events` has a maker; a test checks that none is missing.
2. A place is any that the notation can name, also of boxes that no layout has; a card is any that it can write; an
   amount may be nothing, or more than all limits. Values are of the declared types.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gamecore.model.cards import JOKER, UNREAD, Card, card, deck
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.rules.codes import CODES

KINDS = ("main", "pair", "busted", "pot-of-gold", "rws-pairs", "boom-busted", "lucky-stash", "ace-race", "pandemonium")
NAMES = (None, None, "ann", "bob")
OFFERS = ("insurance", "surrender")
WHO = ("1", "2", "2/1", "3/2", "7", "pit", "house", "dealer", "all", "nobody", "99/9")
WORDS = (
    *("accept", "refuse", "continue", "withdraw", "first", "second", "third", "skipped", "stood", "unknown", "void"),
    *("unshuffled", "shuffled", "KD", "AS#17", "??", "JOKER", ""),
)
ROLES = ("pit-supervisor", "pit-manager", "shift-manager", "nobody")
DEVICES = ("shoe", "hub", "panel", "console", "meter", "lamp")


def a_place(chance: random.Random) -> Place:
    """Any place; mostly a box near the Dealer's left."""
    if chance.random() < 0.15:
        return chance.choice((DEALER, DEALER, BURN, DISCARD))
    box = chance.choice((1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 99))
    return Place(box, chance.choice((0, 0, 0, 1, 2, 4, 9)), chance.choice((0, 0, 1, 2, 3, 9)))


def a_spot(chance: random.Random) -> Place:
    """A betting spot; now and then any place."""
    if chance.random() < 0.1:
        return a_place(chance)
    return Place(chance.choice((1, 1, 2, 2, 3, 4, 5)), 0, chance.choice((0, 1, 1, 2, 3)))


def a_card(chance: random.Random) -> Card:
    """Any card that the notation can write."""
    odd = chance.random()
    if odd < 0.02:
        return chance.choice((JOKER, UNREAD))
    if odd < 0.04:
        return card(f"AS#{chance.randint(1, 3)}")
    return chance.choice(deck("A23456789TJQK"))


def an_amount(chance: random.Random) -> int:
    """Cents, from nothing to far beyond all limits."""
    return chance.choice((0, 1, 5_00, 25_00, 25_00, 25_00, 33_33, 50_00, 100_00, 10**9))


def _pull(chance: random.Random) -> events.CardsPulled:
    cards = tuple(a_card(chance) for _ in range(chance.choice((1, 2, 2, 2, 3, 6))))
    shown = tuple(chance.sample(cards, chance.randint(0, len(cards))))
    return events.CardsPulled(cards, shown, chance.random() < 0.2)


Maker = Callable[[random.Random], Event]

MAKERS: dict[type, Maker] = {
    events.CardDrawn: lambda c: events.CardDrawn(
        a_card(c), a_place(c) if c.random() < 0.5 else None, c.random() < 0.05
    ),
    events.CardsPulled: _pull,
    events.CardLaid: lambda c: events.CardLaid(a_card(c), a_place(c), c.random() < 0.2),
    events.CardLifted: lambda c: events.CardLifted(a_card(c), a_place(c)),
    events.CardMoved: lambda c: events.CardMoved(a_card(c), a_place(c), a_place(c)),
    events.CardsTurned: lambda c: events.CardsTurned(c.randint(0, 9)),
    events.CardPushedBack: lambda c: events.CardPushedBack(a_card(c)),
    events.ShoeOpened: lambda _: events.ShoeOpened(),
    events.CardsDisclosed: lambda c: events.CardsDisclosed((a_card(c),)),
    events.CuttingCardOut: lambda _: events.CuttingCardOut(),
    events.ShoeCounted: lambda c: events.ShoeCounted(c.choice((0, 51, 52, 415, 416, 417))),
    events.ShoeEmpty: lambda _: events.ShoeEmpty(),
    events.DiscardCounted: lambda c: events.DiscardCounted(c.choice((0, 1, 5, 416))),
    events.Shuffled: lambda c: events.Shuffled(c.choice(("machine", "riffle")), c.randint(0, 9)),
    events.Loaded: lambda c: events.Loaded(c.choice((0, 1, 52, 104, 384, 416, 417))),
    events.WagerPlaced: lambda c: events.WagerPlaced(a_spot(c), _kind(c), an_amount(c), c.choice(NAMES)),
    events.WagerRemoved: lambda c: events.WagerRemoved(
        a_spot(c), _kind(c), c.choice((None, an_amount(c))), c.choice(NAMES)
    ),
    events.PowerCut: lambda _: events.PowerCut(),
    events.PowerOn: lambda _: events.PowerOn(),
    events.Restarted: lambda _: events.Restarted(),
    events.LinkLost: lambda c: events.LinkLost(c.choice(DEVICES)),
    events.LinkBack: lambda c: events.LinkBack(c.choice(DEVICES)),
    events.PlaceBets: lambda _: events.PlaceBets(),
    events.NoMoreBets: lambda _: events.NoMoreBets(),
    events.Seat: lambda c: events.Seat(a_spot(c), c.choice(NAMES)),
    events.StandUp: lambda c: events.StandUp(a_spot(c)),
    events.Squeeze: lambda c: events.Squeeze(c.randint(0, 9)),
    events.Offer: lambda c: events.Offer(c.choice(OFFERS)),
    events.Close: lambda c: events.Close(c.choice(OFFERS)),
    events.Interim: lambda _: events.Interim(),
    events.Collect: lambda c: events.Collect(a_place(c)),
    events.Pay: lambda c: events.Pay(a_place(c)),
    events.Settle: lambda _: events.Settle(),
    events.Insure: lambda c: events.Insure(a_place(c), an_amount(c), c.choice(NAMES)),
    events.Agree: lambda c: events.Agree(a_place(c), c.choice(("insurance", _kind(c))), c.choice(("ann", "bob"))),
    events.EvenMoney: lambda c: events.EvenMoney(a_place(c)),
    events.Surrender: lambda c: events.Surrender(a_place(c)),
    events.Hit: lambda c: events.Hit(a_place(c)),
    events.Stand: lambda c: events.Stand(a_place(c)),
    events.Double: lambda c: events.Double(a_place(c), c.choice((None, an_amount(c)))),
    events.FreeDouble: lambda c: events.FreeDouble(a_place(c)),
    events.Split: lambda c: events.Split(a_place(c)),
    events.FreeSplit: lambda c: events.FreeSplit(a_place(c)),
    events.Rescue: lambda c: events.Rescue(a_place(c)),
    events.Jackpot: lambda c: events.Jackpot(a_place(c), c.choice((0, 5, 25, 1000))),
    events.Absent: lambda c: events.Absent(a_place(c)),
    events.Reconstructed: lambda _: events.Reconstructed(),
    events.CannotReconstruct: lambda _: events.CannotReconstruct(),
    events.Call: lambda c: events.Call(
        c.choice(sorted(CODES)), c.choice((None, a_place(c))), c.choice((None, None, None, 0, 1, 2, 99))
    ),
    events.Answer: lambda c: events.Answer(c.choice(WHO), tuple(c.choices(WORDS, k=c.choice((0, 1, 1, 1, 1, 2, 3))))),
    events.Approve: lambda c: events.Approve(c.choice(ROLES)),
    events.TakeBack: lambda _: events.TakeBack(),
    events.Retract: lambda c: events.Retract(c.choice(sorted(CODES))),
    events.SensorWrong: lambda c: events.SensorWrong(a_place(c)),
}


def _kind(chance: random.Random) -> str:
    return chance.choice(("main", "main", "main", *KINDS))


def anything(chance: random.Random) -> Event:
    """An event of any class."""
    return MAKERS[chance.choice(list(MAKERS))](chance)
