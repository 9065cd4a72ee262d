"""Random misdeals of the initial deal: the moves mend the layout one by one, and the round becomes what it should be.

1. The test keeps the layout itself: it knows which card it laid where, and where the i-th card belongs.
2. The round after `reconstructed` is compared with one that was dealt properly from the same shoe.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.cards.difference import Wanted, shortest_moves
from gamecore.model.cards import Card, deck
from gamecore.model.config import TableConfig
from gamecore.model.events import events
from gamecore.model.events.events import Command
from gamecore.model.events.outputs import IrregularityFound, Move
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.states import State
from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from gamecore.table import Table

MISDEALS = 300
"""For each game, in each way of knowing the places."""

SENSED = frozenset({"shoe", "positions", "bets", "discard", "panel"})
TOLD = frozenset({"shoe", "bets", "panel"})
KINDS = ("permuted", "skipped", "empty box", "no burn")

Layout = Counter[tuple[Card, Place]]


class Deal:
    """An initial deal: the boxes, the proper order, the cards in the order of leaving the shoe."""

    def __init__(self, game: str, chance: random.Random, kind: str) -> None:
        """A deal with as many cards as happen to be out when the error is seen."""
        self.rules = GAMES[game]
        self.burn = kind == "no burn" or (chance.random() < 0.5 and self.rules.burn.value)
        most = self.rules.boxes.value[1]
        self.boxes = sorted(chance.sample(range(1, most + 1), chance.randint(1, most - 1)))
        first = [Place(box) for box in self.boxes]
        self.order = ([BURN] if self.burn else []) + [*first, DEALER, *first]
        # Equal cards are interchangeable, and a shoe in mid-use is not watched for its order.
        faces = deck(self.rules.ranks.value) * (1 if self.burn else 8)
        stock = chance.sample(faces if self.burn or chance.random() < 0.5 else faces[:2] * 8, len(self.order))
        self.cards = list(stock[: chance.randint(1, len(self.order) - (kind == "no burn"))])

    def table(self, sensors: frozenset[str]) -> Table:
        """A table with the wagers laid and the bets closed."""
        config = TableConfig(8, self.rules.boxes.value[1], {}, self.burn, self.burn, "machine", sensors)
        table = Table(self.rules, config)
        table.apply(events.PlaceBets())
        for box in self.boxes:
            table.apply(events.WagerPlaced(Place(box, 0, 1), "main", 25_00))
        table.apply(events.NoMoreBets())
        return table

    def wrong_places(self, kind: str, chance: random.Random) -> list[Place] | None:
        """Where the cards were laid instead; None if this kind of error cannot be made here."""
        places = self.order[: len(self.cards)]
        start = 1 if self.burn and kind != "no burn" else 0
        match kind:
            case "permuted":
                tail = places[start:]
                chance.shuffle(tail)
                places = places[:start] + tail
            case "skipped":
                skipped = chance.randrange(start, len(self.order))
                rest = [*self.order[:skipped], *self.order[skipped + 1 :], self.order[skipped]]
                places = rest[: len(self.cards)]
            case "empty box":
                free = [box for box in range(1, self.rules.boxes.value[1] + 1) if box not in self.boxes]
                places[chance.randrange(start, len(places)) if start < len(places) else 0] = Place(chance.choice(free))
            case _:
                places = self.order[1:][: len(self.cards)]
        return places if places != self.order[: len(places)] else None


def lay(table: Table, cards: Sequence[Card], places: Sequence[Place]) -> list[str]:
    """Lay the cards there; the codes that were found."""
    found: list[str] = []
    for card, place in zip(cards, places, strict=True):
        if table.view().senses_places:
            outputs = [*table.apply(events.CardDrawn(card)), *table.apply(events.CardLaid(card, place))]
        else:
            outputs = [*table.apply(events.CardDrawn(card, place))]
        found += [output.finding.code for output in outputs if isinstance(output, IrregularityFound)]
    return found


def after(layout: Layout, moves: Sequence[Move]) -> Layout:
    """The layout when these moves are made."""
    layout = layout.copy()
    for move in moves:
        assert layout[move.card, move.source] > 0, f"{move} takes a card that does not lie there"
        layout[move.card, move.source] -= 1
        layout[move.card, move.target] += 1
    return +layout


def seen(table: Table) -> object:
    """What the round looks like: the cards of every hand, what is burned, what is next."""
    view = table.view()
    hands = {number: [[str(c) for c in hand.cards] for hand in box.hands] for number, box in view.round.boxes.items()}
    drawn = [(str(card.card), card.place, card.counts_at) for card in view.round.dealt]
    dealer = [str(card) for card in view.round.dealer.cards]
    burned = [str(card) for card in view.burnt]
    return table.state, table.next_place, hands, dealer, burned, drawn, view.round.offers, view.next_cards


def check_moves(table: Table, layout: Layout, proper: Layout, chance: random.Random) -> None:
    """Each move shortens the list by itself, and what remains always leads to the proper layout."""
    stop = chance.choice((0, 1, 99, 99, 99))
    while True:
        moves = table.view().moves
        assert proper == after(layout, moves)
        assert len(moves) == (layout - proper).total()
        if not moves:
            return
        if stop == 0 and not table.view().senses_places:
            return
        refusal = table.verify(events.Reconstructed())
        assert table.view().senses_places == (refusal is not None)
        stop -= 1
        move = chance.choice(moves)
        table.apply(events.CardMoved(move.card, move.source, move.target))
        layout = after(layout, [move])
        assert len(table.view().moves) == len(moves) - 1


def misdeal(game: str, kind: str, sensors: frozenset[str], chance: random.Random) -> bool:
    """One misdeal from its error to its end; False where the error could not be made."""
    deal = Deal(game, chance, kind)
    places = deal.wrong_places(kind, chance)
    if places is None:
        return False
    table, twin = deal.table(sensors), deal.table(sensors)
    found = lay(table, deal.cards, places)
    lay(twin, deal.cards, deal.order[: len(deal.cards)])
    if not table.view().senses_places:
        assert [] == found
        if table.view().round.subsequent:
            return False
        code = {"no burn": "missing-burn", "empty box": "unwagered-box-dealt"}.get(kind, "misdealt-card")
        table.apply(events.Call(code, places[-1] if code == "misdealt-card" else None))
    assert State.HELD is table.state
    assert 1 == len(table.view().round.findings), table.view().round.findings
    finding = table.view().round.findings[0]
    assert "reconstruct" == finding.ruling
    assert finding.moves == table.view().moves or not table.view().moves
    layout = Counter(zip(deal.cards, places, strict=True))
    check_moves(table, layout, Counter(zip(deal.cards, deal.order, strict=False)), chance)
    asked = {int(ask.who) for ask in table.view().asks}
    end: list[Command] = [events.Reconstructed(), *([events.Answer("all", ("continue",))] if asked else [])]
    chance.shuffle(end)
    for event in end:
        if isinstance(event, events.Answer) and not table.view().asks:
            # A natural that is home has won, and nobody withdraws what has (RWS 3.16, 5.7.3).
            assert all(table.view().round.boxes[box].hands[0].natural for box in asked)
            continue
        assert None is table.verify(event)
        table.apply(event)
    assert seen(twin) == seen(table)
    assert not table.view().asks
    return True


@pytest.mark.parametrize("sensors", [SENSED, TOLD], ids=["sensed", "told"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_misdeal_is_reconstructed_to_the_card(game: str, kind: str, sensors: frozenset[str], seed: int) -> None:
    """The moves lead to the proper layout, and the round goes on as if it had been dealt properly."""
    made = 0
    for number in range(MISDEALS // len(KINDS)):
        try:
            made += misdeal(game, kind, sensors, random.Random(f"{seed}/{game}/{kind}/{number}"))
        except Exception as error:
            error.add_note(f"TRUEDEAL_SEED={seed}, {game}, {kind}, {sorted(sensors)}, misdeal {number}")
            raise
    assert made > MISDEALS // len(KINDS) // 3


# --- the shortest list ---------------------------------------------------------------------------------------------

FACES = deck("A2")[:3]
PLACES = (Place(1), Place(2), DEALER, BURN)


def fewest(lies: Sequence[tuple[str, Place]], belongs: Sequence[tuple[str, Place]]) -> int:
    """The fewest moves by trying every way: any card may go anywhere, until every place holds what it should."""
    goal = tuple(sorted(belongs))
    border = {tuple(sorted(lies))}
    reached = set(border)
    moves = 0
    while goal not in border:
        moves += 1
        border = {
            tuple(sorted([*layout[:index], (card, place), *layout[index + 1 :]]))
            for layout in border
            for index, (card, _) in enumerate(layout)
            for place in PLACES
        } - reached
        reached |= border
    return moves


@settings(max_examples=150)
@given(cards=st.lists(st.sampled_from(FACES), min_size=1, max_size=4), data=st.data())
def test_no_list_of_moves_is_shorter(cards: list[Card], data: st.DataObject) -> None:
    """The list is as long as the shortest that trying every way finds."""
    somewhere = st.lists(st.sampled_from(PLACES), min_size=len(cards), max_size=len(cards))
    lies, belongs = data.draw(somewhere), data.draw(somewhere)
    moves = shortest_moves([Wanted(*wanted) for wanted in zip(cards, lies, belongs, strict=True)])
    assert Counter(zip(cards, belongs, strict=True)) == after(Counter(zip(cards, lies, strict=True)), moves)
    faces = [card.face for card in cards]
    assert fewest(list(zip(faces, lies, strict=True)), list(zip(faces, belongs, strict=True))) == len(moves)


@pytest.mark.parametrize("game", GAMES)
def test_every_order_of_a_small_deal_is_reconstructed(game: str) -> None:
    """Two boxes, five different cards, laid in every order there is."""
    chance = random.Random(0)
    for places in sorted(set(permutations((Place(1), Place(2), DEALER, Place(1), Place(2))))):
        deal = Deal(game, chance, "permuted")
        deal.burn, deal.boxes = False, [1, 2]
        deal.order = [Place(1), Place(2), DEALER, Place(1), Place(2)]
        deal.cards = list(deck(deal.rules.ranks.value)[:5])
        table = deal.table(SENSED)
        found = lay(table, deal.cards, places)
        proper = list(places) == deal.order
        assert proper == (found == [])
        if not proper:
            needed = sum(here != there for here, there in zip(places, deal.order, strict=True))
            assert needed == len(table.view().moves)


@pytest.mark.parametrize(("answer", "target"), [("answer 3 refuse", "burn"), ("answer 3 KC", "3")])
def test_a_card_laid_before_its_ruling_is_moved_once(answer: str, target: str) -> None:
    """A card that was offered and laid at another box before the answer goes by one move where the answer sends it."""
    text = f"""game: mbs-pontoon-v5
fresh: no
shoe: 5H 7D 9S 6S 4C 5C 9D | KC 8H

place-bets; bet 1 main 100; bet 3 main 60; bet 5 main 40; no-more-bets
draw 1; draw 3; draw 5; draw dealer; draw 1; draw 3; draw 5
hit 1; pull 2 show 2
answer 1 8H
lay KC 5
{answer}
"""
    (game_round,) = cast("list[dict[str, list[dict[str, list[object]]]]]", play_text(text, "a", GAMES).report["rounds"])
    moves = [move for finding in game_round["findings"] for move in finding["moves"]]
    assert moves == [{"card": "KC", "from": "5", "to": target}]
