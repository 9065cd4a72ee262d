"""Which of several claims to a side wager or an insurance option stands, told and settled through the table.

The expected answer is worked out here a second time, from the words of the documents: `Wish` and `first` share nothing
with `gamecore.standing.claims`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Awarded, Claimed, Output
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table

MBS = [game for game, rules in GAMES.items() if rules.casino == "MBS"]
RWS = "rws-free-bet-2025"
BOX = 4
"""The playing area in question, in the middle of the layout; its Player is OWN."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Wish:
    """A Player who claims the wager: where their main wagers lie, and what they have of such wagers elsewhere."""

    player: str
    mains: tuple[tuple[int, int], ...]
    elsewhere: int = 0


def first(wishes: Sequence[Wish], *, from_front: bool, number: str, own: str) -> tuple[str | None, str]:
    """Whose wish comes first by the words of the documents, and the clause."""
    if any(wish.player == "OWN" for wish in wishes):
        return "OWN", own
    there = sorted((slot, wish.player) for wish in wishes for box, slot in wish.mains if box == BOX)
    if there:
        return there[0][1], f"{number}.1"
    far = {wish.player: min(abs(box - BOX) for box, _ in wish.mains) for wish in wishes if wish.mains}
    if not far:
        return wishes[0].player, f"{number}.5"
    near = [wish for wish in wishes if far.get(wish.player) == min(far.values())]
    if from_front:
        areas = {box for wish in near for box, _ in wish.mains if abs(box - BOX) == far[wish.player]}
        fronts = {
            min((slot, wish.player) for wish in near for box, slot in wish.mains if box == area) for area in areas
        }
        near = [wish for wish in near if wish.player in {player for _, player in fronts}]
    if len(near) == 1:
        return near[0].player, f"{number}.2"
    low = [wish.player for wish in near if wish.elsewhere == min(wish.elsewhere for wish in near)]
    return (low[0], f"{number}.3") if len(low) == 1 else (None, f"{number}.4")


# --- rounds as text --------------------------------------------------------------------------------------------------


def insured(game: str, wishes: Sequence[Wish], *, implied: bool) -> str:
    """A round in which OWN's insurance is claimed; FAR's, on box 7, is where each may have some already."""
    mains = {(BOX, 1): "OWN", (7, 3): "FAR", **{spot: wish.player for wish in wishes for spot in wish.mains}}
    boxes = sorted({box for box, _ in mains})
    draws = [*(f"draw {box}" for box in boxes), "draw dealer", *(f"draw {box}" for box in boxes)]
    elsewhere = [f"insure 7/3 {wish.elsewhere} by {wish.player}" for wish in wishes if wish.elsewhere]
    return "\n".join(
        [
            f"game: {game}",
            "fresh: no",
            f"shoe: {'9H ' * len(boxes)} AD {'8C ' * len(boxes)} KS",
            "",
            "place-bets",
            *(f"bet {box}/{slot} main 100 by {player}" for (box, slot), player in mains.items()),
            "no-more-bets",
            *draws,
            "offer insurance",
            *elsewhere[:1],
            *(f"insure {BOX}/1 {10 + len(wish.player)} by {wish.player}" for wish in wishes),
            *([] if implied else ["close insurance"]),
            *(["offer surrender", "close surrender"] if game == "mbs-pontoon-v5" and not implied else []),
            *(f"stand {box}" for box in boxes),
            "draw dealer",
            "settle",
        ]
    )


def paired(game: str, wishes: Sequence[Wish], *, implied: bool) -> str:
    """A round in which the Pair wager at OWN's place is claimed; what each has elsewhere lies on box 7."""
    mains = {(BOX, 1): "OWN", (7, 3): "FAR", **{spot: wish.player for wish in wishes for spot in wish.mains}}
    boxes = sorted({box for box, _ in mains})
    draws = [*(f"draw {box}" for box in boxes), "draw dealer", *(f"draw {box}" for box in boxes)]
    elsewhere = [f"bet 7/1 pair {wish.elsewhere} by {wish.player}" for wish in wishes if wish.elsewhere]
    return "\n".join(
        [
            f"game: {game}",
            "fresh: no",
            f"shoe: {'8H ' * len(boxes)} 9S {'8C ' * len(boxes)} KS",
            "",
            "place-bets",
            *(f"bet {box}/{slot} main 100 by {player}" for (box, slot), player in mains.items()),
            *elsewhere[:1],
            *(f"bet {BOX}/1 pair {10 + len(wish.player)} by {wish.player}" for wish in wishes),
            *([] if implied else ["no-more-bets"]),
            *draws,
            *(f"stand {box}" for box in boxes),
            "draw dealer",
            "settle",
        ]
    )


def rows(text: str) -> list[Row]:
    """The rows of the settlement of the one round in a text."""
    played = play_text(text, "claims.deal", GAMES)
    assert played.error is None, played.error
    (game_round,) = cast("list[dict[str, list[Row]]]", played.report["rounds"])
    return game_round["wagers"]


def at_spot(text: str, kind: str) -> list[Row]:
    """The rows of the wager that is claimed."""
    return [row for row in rows(text) if (row["box"], row["slot"], row["kind"]) == (BOX, 1, kind)]


# --- properties ------------------------------------------------------------------------------------------------------


@st.composite
def wish_lists(draw: st.DrawFn) -> list[Wish]:
    """Two to four Players, one of them perhaps the owner; the main wagers of one are nobody else's.

    One of them may have such wagers elsewhere: on box 7, where that claim is the only one.
    """
    spots = [(box, slot) for box in range(1, 7) for slot in (1, 2, 3) if (box, slot) != (BOX, 1)]
    names = draw(
        st.lists(st.sampled_from(["ANN", "BERTA", "CY", "DOROTHEA", "OWN"]), min_size=2, max_size=4, unique=True)
    )
    free = draw(st.permutations(spots))
    richest = draw(st.sampled_from([*names, None]))
    wishes = []
    for index, name in enumerate(names):
        count = 0 if name == "OWN" else draw(st.integers(0, 2))
        own = tuple(free[3 * index : 3 * index + count])
        wishes.append(Wish(name, own, 5 if name == richest and name != "OWN" else 0))
    return wishes


def shuffled(wishes: list[Wish], chance: random.Random) -> list[Wish]:
    """Another order of the same wishes; those without a main wager keep theirs, for among them the first counts."""
    order = chance.sample(wishes, len(wishes))
    late = iter([wish for wish in wishes if not wish.mains])
    return [wish if wish.mains else next(late) for wish in order]


def key(row: Row) -> tuple[str, ...]:
    """A row as something that can be sorted."""
    return tuple(str(value) for value in row.values())


@pytest.mark.parametrize("game", MBS)
@given(wishes=wish_lists(), implied=st.booleans())
def test_the_insurance_that_stands_is_that_of_the_document(game: str, wishes: list[Wish], *, implied: bool) -> None:
    """One Insurance wager stands on the wager, or none; the others go back by the clause that decided."""
    number = "3.26.4" if game == "mbs-pontoon-v5" else "3.27.4"
    stands, clause = first(wishes, from_front=True, number=number, own=number.removesuffix("4") + "3")
    found = at_spot(insured(game, wishes, implied=implied), "insurance")
    assert [row["player"] for row in found if row["result"] == "win"] == ([stands] if stands else [])
    others = {wish.player for wish in wishes} - {stands}
    assert {(row["player"], row["net"], row["clause"]) for row in found if row["result"] == "returned"} == {
        (player, "0.00", clause) for player in others
    }


@pytest.mark.parametrize("game", MBS)
@given(wishes=wish_lists(), implied=st.booleans())
def test_the_side_wager_that_stands_is_that_of_the_document(game: str, wishes: list[Wish], *, implied: bool) -> None:
    """One Pair wager stands on the spot, or none; the others go back by the clause that decided."""
    stands, clause = first(wishes, from_front=False, number="3.17.2", own="3.16")
    found = at_spot(paired(game, wishes, implied=implied), "pair")
    assert [row["player"] for row in found if row["result"] == "win"] == ([stands] if stands else [])
    others = {wish.player for wish in wishes} - {stands}
    assert {(row["player"], row["net"], row["clause"]) for row in found if row["result"] == "returned"} == {
        (player, "0.00", clause) for player in others
    }


@pytest.mark.parametrize("round_of", [insured, paired])
@pytest.mark.parametrize("game", MBS)
@given(wishes=wish_lists(), seed=st.integers(0, 99))
def test_the_order_of_claims_changes_nothing(game: str, round_of: Any, wishes: list[Wish], seed: int) -> None:
    """The settlement is the same in whichever order claims were made, but among those without a wager on the round."""
    other = shuffled(wishes, random.Random(seed))
    said, again = (rows(round_of(game, order, implied=False)) for order in (wishes, other))
    assert sorted(map(key, said)) == sorted(map(key, again))


@pytest.mark.parametrize("round_of", [insured, paired])
@pytest.mark.parametrize("game", MBS)
@given(wishes=wish_lists())
def test_chips_in_are_chips_out(game: str, round_of: Any, wishes: list[Wish]) -> None:
    """Every claim has one row with its chips, the standing one first."""
    kind = "insurance" if round_of is insured else "pair"
    found = at_spot(round_of(game, wishes, implied=False), kind)
    assert {row["player"]: row["stake"] for row in found} == {
        wish.player: f"{10 + len(wish.player)}.00" for wish in wishes
    }
    assert len(found) == len(wishes)
    results = [row["result"] for row in found]
    assert results == sorted(results, key=lambda result: result == "returned")


# --- what the table says ---------------------------------------------------------------------------------------------


def told(text: str) -> list[Output]:
    """What comes out of the table as the statements of a text happen."""
    scenario = parse(text, GAMES)
    table = Table(GAMES[scenario.header.game], table_config(scenario.header))
    return [out for what in (entry.what for entry in scenario.statements) for out in table.apply(cast("Event", what))]


CLAIMED = """game: {game}

place-bets
bet 3/1 main 50 by ANN; bet 4/1 main 50 by BEN; bet 5/1 main 50 by CAT
"""


@pytest.mark.parametrize("game", MBS)
def test_each_claim_is_answered_with_who_comes_first(game: str) -> None:
    """While bets are open the table says whose claim comes first and by which clause, and at the end what stands."""
    claims = "bet 4/2 pair 5 by ZOE; bet 4/2 pair 5 by ANN; bet 4/2 pair 5 by CAT; agree 4/2 pair by CAT; no-more-bets"
    said = [out for out in told(f"{CLAIMED.format(game=game)}{claims}") if isinstance(out, Claimed | Awarded)]
    found = [(type(out), out.preference.first, out.preference.equal, out.preference.clause) for out in said]
    assert found == [
        (Claimed, "ANN", (), "3.17.2.2"),
        (Claimed, None, ("ANN", "CAT"), "3.17.2.4"),
        (Claimed, "CAT", ("ANN", "CAT"), "3.17.2.4"),
        (Awarded, "CAT", ("ANN", "CAT"), "3.17.2.4"),
    ]
    assert {out.preference.claims for out in said[1:]} == {("ZOE", "ANN", "CAT")}


@pytest.mark.parametrize("game", MBS)
def test_a_claim_that_is_taken_back_leaves_the_others(game: str) -> None:
    """Chips that leave are those of the Player named with them, else of the spot's own Player, by amount or whole."""
    chips = "bet 4/1 pair 5 by ZOE; bet 4/1 pair 10; bet 4/1 pair 20 by ANN; unbet 4/1 pair 4; unbet 4/1 pair by ZOE"
    (last,) = [out for out in told(f"{CLAIMED.format(game=game)}{chips}; no-more-bets") if isinstance(out, Awarded)]
    assert last.preference.claims == ("BEN", "ANN")
    assert last.preference.first == "BEN"
    gone = [out for out in told(f"{CLAIMED.format(game=game)}{chips}; unbet 4/1 pair") if isinstance(out, Claimed)]
    assert gone[-1].preference.claims == ("BEN", "ANN")


@pytest.mark.parametrize("game", MBS)
def test_a_fourth_side_wager_of_a_kind_on_one_box_goes_back(game: str) -> None:
    """Three Pair wagers stand; a fourth lies on another's spot and is a claim that comes second."""
    text = f"""game: {game}
fresh: no
shoe: 9H 7S 9C | KD

place-bets
bet 1 main 100 by ANN
bet 1/1 pair 5 by ANN; bet 1/2 pair 5 by BEN; bet 1/3 pair 5 by CAT; bet 1/1 pair 5 by DAN; bet 1/2 pair 5 by DAN
no-more-bets
draw 1; draw dealer; draw 1
stand 1
draw dealer
settle
"""
    pairs = [(row["player"], row["result"], row["clause"]) for row in rows(text) if row["kind"] == "pair"]
    won = [(player, "win", "3.15.1") for player in ("ANN", "BEN", "CAT")]
    assert pairs == [*won, ("DAN", "returned", "3.16"), ("DAN", "returned", "3.17.2.5")]


def test_rws_has_no_order_of_claims() -> None:
    """At RWS every side wager on a spot stands (3.9), and nobody takes part in another's insurance (3.15.2)."""
    text = f"""game: {RWS}
fresh: no
shoe: 9H AD 9C | KS

place-bets
bet 1 main 100 by ANN
bet 1/1 rws-pairs 5 by ANN; bet 1/1 rws-pairs 10 by BEN
expect refused agree 1/1 rws-pairs by BEN
no-more-bets
draw 1; draw dealer; draw 1
interim
offer insurance; insure 1/1 50
expect refused insure 1/1 50 by BEN
expect refused agree 1/1 insurance by BEN
close insurance
stand 1
draw dealer
settle
"""
    played = play_text(text, "rws.deal", GAMES)
    assert (played.error, played.failures) == (None, ())
    found = [(row["player"], row["kind"], row["result"]) for row in rows(text)[1:]]
    assert found == [("ANN", "insurance", "win"), ("ANN", "rws-pairs", "win"), ("BEN", "rws-pairs", "win")]
