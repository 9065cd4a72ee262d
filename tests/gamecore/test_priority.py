"""Whose side wager and whose insurance comes first, by the words of the five documents."""

from __future__ import annotations

import random
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.notation.player import play_text
from gamecore.rules.games import GAMES
from gamecore.standing.claims import Claim, First, first_insurance, first_side_wager

MBS = ("mbs-blackjack-v6", "mbs-free-bet-v3", "mbs-pontoon-v5", "mbs-ace-race-v4")
RWS = "rws-free-bet-2025"
BOX = 4
"""The playing area in question, in the middle of the layout."""

OTHERS_INSURANCE = """game: {game}
fresh: no
shoe: 9H AS KC

place-bets; bet 1 main 100 by ann; no-more-bets
draw 1; draw dealer; draw 1
offer insurance; insure 1/1 {amount} by bob
"""

mbs = pytest.mark.parametrize("game", MBS)


def claim(player: str, *wagers: tuple[int, int], total: int = 0) -> Claim:
    """Return a claim by a Player with these wagers (box, slot) on the round."""
    return Claim(player, wagers, total)


def side(game: str, *claims: Claim, controller: str | None = None, agreed: str | None = None) -> First:
    """Return whose side wager is taken on the playing area in question."""
    return first_side_wager(GAMES[game], BOX, controller, claims, agreed)


def insurance(game: str, *claims: Claim, owner: str | None = None, agreed: str | None = None) -> First:
    """Return who takes the insurance option on a wager of the playing area in question."""
    return first_insurance(GAMES[game], BOX, owner, claims, agreed)


def step(game: str, number: int) -> str:
    """Return the clause of a step of the insurance order: Pontoon counts it one lower."""
    return f"{'3.26' if game == 'mbs-pontoon-v5' else '3.27'}.4.{number}"


# --- side wagers ---------------------------------------------------------------------------------------------------


# holds: mbs-blackjack-v6 3.16
# holds: mbs-free-bet-v3 3.16
# holds: mbs-pontoon-v5 3.16
# holds: mbs-ace-race-v4 3.16
@mbs
def test_who_controls_the_area_with_a_wager_on_it_has_first_priority(game: str) -> None:
    """The Player who controls the area comes before another whose wager is nearer the Dealer, whoever was faster."""
    claims = claim("front", (BOX, 1), total=0), claim("seated", (BOX, 3), total=900)
    assert First("seated", "3.16") == side(game, *claims, controller="seated")
    assert First("seated", "3.16") == side(game, *reversed(claims), controller="seated")


# holds: mbs-blackjack-v6 3.16 3.17.2.1
# holds: mbs-free-bet-v3 3.16 3.17.2.1
# holds: mbs-pontoon-v5 3.16 3.17.2.1
# holds: mbs-ace-race-v4 3.16 3.17.2.1
@mbs
def test_a_wager_on_the_area_comes_before_one_beside_it(game: str) -> None:
    """A Player on the area comes before one on the next area, however little that one has on side wagers."""
    on_area, beside = claim("on", (BOX, 3), total=900), claim("beside", (BOX + 1, 1), total=0)
    assert First("on", "3.17.2.1") == side(game, beside, on_area, controller="silent")


# holds: mbs-blackjack-v6 3.17.2.1
# holds: mbs-free-bet-v3 3.17.2.1
# holds: mbs-pontoon-v5 3.17.2.1
# holds: mbs-ace-race-v4 3.17.2 3.17.2.1
@mbs
def test_of_those_on_the_area_the_wager_closest_to_the_dealer_comes_first(game: str) -> None:
    """Where the controlling Player does not claim, the lowest slot comes first, totals aside."""
    claims = claim("back", (BOX, 3)), claim("front", (BOX, 2), (7, 1), total=900), claim("far", (1, 1))
    assert First("front", "3.17.2.1") == side(game, *claims, controller="silent")


# holds: mbs-blackjack-v6 3.17.2.2
# holds: mbs-free-bet-v3 3.17.2.2
# holds: mbs-pontoon-v5 3.17.2.2
# holds: mbs-ace-race-v4 3.17.2.2
@mbs
@pytest.mark.parametrize(("near", "far"), [(3, 2), (5, 2), (2, 7), (6, 1)])
def test_of_those_elsewhere_the_closest_area_comes_first(game: str, near: int, far: int) -> None:
    """The number of areas between decides, to either side, whatever the slot, the total and the order."""
    claims = claim("far", (far, 1), total=0), claim("near", (near, 3), total=900)
    assert First("near", "3.17.2.2") == side(game, *claims)


# holds: mbs-blackjack-v6 3.17.2.2
# holds: mbs-free-bet-v3 3.17.2.2
# holds: mbs-pontoon-v5 3.17.2.2
# holds: mbs-ace-race-v4 3.17.2.2
@mbs
def test_a_player_with_several_wagers_is_as_close_as_the_nearest_of_them(game: str) -> None:
    """Distance counts from the Player's nearest wager."""
    claims = claim("one", (2, 1)), claim("many", (1, 1), (7, 1), (5, 3), total=900)
    assert First("many", "3.17.2.2") == side(game, *claims)


# holds: mbs-blackjack-v6 3.17.2.3
# holds: mbs-free-bet-v3 3.17.2.3
# holds: mbs-pontoon-v5 3.17.2.3
# holds: mbs-ace-race-v4 3.17.2.3
@mbs
@pytest.mark.parametrize("spots", [((3, 1), (5, 1)), ((3, 1), (3, 2)), ((5, 3), (5, 1)), ((1, 1), (7, 3))])
def test_at_equal_distance_the_lowest_total_comes_first(game: str, spots: tuple[tuple[int, int], ...]) -> None:
    """On two areas or on one, the Player with the lowest total of such wagers comes first, whatever the slot."""
    left, right = spots
    assert First("less", "3.17.2.3") == side(game, claim("more", left, total=501), claim("less", right, total=500))
    assert First("less", "3.17.2.3") == side(game, claim("less", left, total=500), claim("more", right, total=501))


# holds: mbs-blackjack-v6 3.17.2.4
# holds: mbs-free-bet-v3 3.17.2.4
# holds: mbs-pontoon-v5 3.17.2.4
# holds: mbs-ace-race-v4 3.17.2.4
@mbs
def test_equal_claims_without_agreement_bar_everybody(game: str) -> None:
    """No wager is accepted, neither from a Player further away nor from one without a wager on the round."""
    equal = claim("left", (3, 1), total=500), claim("right", (5, 2), total=500)
    others = claim("more", (3, 2), total=600), claim("far", (1, 1)), claim("none")
    assert First(None, "3.17.2.4") == side(game, *others, *equal)
    assert First(None, "3.17.2.4") == side(game, *others, *equal, agreed="far")
    assert First(None, "3.17.2.4") == side(game, *others, *equal, agreed="none")


# holds: mbs-blackjack-v6 3.17.2.4
# holds: mbs-free-bet-v3 3.17.2.4
# holds: mbs-pontoon-v5 3.17.2.4
# holds: mbs-ace-race-v4 3.17.2.4
@mbs
@pytest.mark.parametrize("agreed", ["left", "right"])
def test_players_with_equal_claims_may_agree(game: str, agreed: str) -> None:
    """The one whom they agree upon places the wager."""
    equal = claim("left", (3, 1), total=500), claim("right", (5, 2), total=500)
    assert First(agreed, "3.17.2.4") == side(game, *equal, agreed=agreed)


# holds: mbs-blackjack-v6 3.17.2.5
# holds: mbs-free-bet-v3 3.17.2.5
# holds: mbs-pontoon-v5 3.17.2.5
# holds: mbs-ace-race-v4 3.17.2.5
@mbs
def test_without_a_wager_on_the_round_the_first_placed_comes_first(game: str) -> None:
    """Among Players without a wager the order of placing decides, not the total."""
    assert First("first", "3.17.2.5") == side(game, claim("first", total=900), claim("second", total=0))


# holds: mbs-blackjack-v6 3.17.2.2 3.17.2.5
# holds: mbs-free-bet-v3 3.17.2.2 3.17.2.5
# holds: mbs-pontoon-v5 3.17.2.2 3.17.2.5
# holds: mbs-ace-race-v4 3.17.2.2 3.17.2.5
@mbs
def test_a_wager_anywhere_on_the_round_comes_before_none(game: str) -> None:
    """However far the wager lies and however late it was claimed."""
    assert First("far", "3.17.2.2") == side(game, claim("none"), claim("far", (1, 3), total=900))


# holds: rws-free-bet-2025 3.9
def test_at_rws_any_player_may_place_a_side_bet() -> None:
    """There is no order but that of placing: a Player without any bet comes before the Seated Player if faster."""
    claims = claim("none"), claim("seated", (BOX, 1))
    assert First("none", "3.9") == side(RWS, *claims, controller="seated")
    assert First("seated", "3.9") == side(RWS, *reversed(claims), controller="seated")


# --- insurance -----------------------------------------------------------------------------------------------------


# holds: mbs-blackjack-v6 3.27.3
# holds: mbs-free-bet-v3 3.27.3
# holds: mbs-pontoon-v5 3.26.3
# holds: mbs-ace-race-v4 3.27.3
@mbs
def test_another_player_insures_up_to_half_of_the_wager(game: str) -> None:
    """Half of that wager is taken from another Player at the table, and a cent more is refused."""
    half, more = (play_text(OTHERS_INSURANCE.format(game=game, amount=amount), game, GAMES) for amount in (50, "50.01"))
    assert None is half.error
    assert "not more than half" in str(more.error)
    rows = cast("list[dict[str, list[dict[str, str]]]]", half.report["rounds"])[0]["wagers"]
    assert [("insurance", "bob", "50.00")] == [
        (row["kind"], row["player"], row["stake"]) for row in rows if row["kind"] == "insurance"
    ]


# holds: mbs-blackjack-v6 3.27.3
# holds: mbs-free-bet-v3 3.27.3
# holds: mbs-pontoon-v5 3.26.3
# holds: mbs-ace-race-v4 3.27.3
@mbs
def test_the_option_is_its_own_players_until_he_declines(game: str) -> None:
    """Who has the wager comes before all others; without him another may take the option."""
    own, other = claim("own", (BOX, 3), total=900), claim("other", (BOX, 1))
    clause = "3.26" if game == "mbs-pontoon-v5" else "3.27"
    assert First("own", clause) == insurance(game, other, own, owner="own")
    assert First("other", step(game, 1)) == insurance(game, other, owner="own")


# holds: mbs-blackjack-v6 3.27.4.1
# holds: mbs-free-bet-v3 3.27.4.1
# holds: mbs-pontoon-v5 3.26.4.1
# holds: mbs-ace-race-v4 3.27.4.1
@mbs
def test_on_the_same_area_insurance_goes_from_front_to_back(game: str) -> None:
    """The wager nearest the Dealer comes first, before any on another area, totals aside."""
    claims = claim("beside", (5, 1)), claim("back", (BOX, 3)), claim("front", (BOX, 2), total=900)
    assert First("front", step(game, 1)) == insurance(game, *claims, owner="own")


# holds: mbs-blackjack-v6 3.27.4.2
# holds: mbs-free-bet-v3 3.27.4.2
# holds: mbs-pontoon-v5 3.26.4.2
# holds: mbs-ace-race-v4 3.27.4.2
@mbs
@pytest.mark.parametrize(("near", "far"), [(3, 2), (5, 2), (2, 7), (6, 1)])
def test_elsewhere_insurance_goes_to_the_closest_area(game: str, near: int, far: int) -> None:
    """The closest wager comes first, to either side, whatever slot and total."""
    claims = claim("far", (far, 1)), claim("near", (near, 3), total=900)
    assert First("near", step(game, 2)) == insurance(game, *claims, owner="own")


# holds: mbs-blackjack-v6 3.27.4.2
# holds: mbs-free-bet-v3 3.27.4.2
# holds: mbs-pontoon-v5 3.26.4.2
# holds: mbs-ace-race-v4 3.27.4.2
@mbs
def test_on_the_closest_area_insurance_goes_from_front_to_back(game: str) -> None:
    """Of two Players on the closest area the front one comes first, though his total is higher."""
    claims = claim("back", (5, 2)), claim("front", (5, 1), total=900)
    assert First("front", step(game, 2)) == insurance(game, *claims, owner="own")


@mbs
def test_between_two_areas_at_equal_distance_the_lowest_insurance_total_comes_first(game: str) -> None:
    """A Player to the left and one to the right are equally distant: the lowest total decides."""
    claims = claim("more", (3, 1), total=501), claim("less", (5, 1), total=500)
    assert First("less", step(game, 3)) == insurance(game, *claims, owner="own")
    assert First("less", step(game, 3)) == insurance(game, *reversed(claims), owner="own")


# holds: mbs-blackjack-v6 3.27.4.4
# holds: mbs-free-bet-v3 3.27.4.4
# holds: mbs-pontoon-v5 3.26.4.4
# holds: mbs-ace-race-v4 3.27.4.4
@mbs
def test_equal_insurance_claims_bar_everybody_unless_they_agree(game: str) -> None:
    """Without an agreement between the two no wager is accepted from anybody."""
    equal = claim("left", (3, 1), total=500), claim("right", (5, 1), total=500)
    others = claim("far", (1, 1)), claim("none")
    assert First(None, step(game, 4)) == insurance(game, *others, *equal, owner="own")
    assert First(None, step(game, 4)) == insurance(game, *others, *equal, owner="own", agreed="none")
    assert First("right", step(game, 4)) == insurance(game, *others, *equal, owner="own", agreed="right")


# holds: mbs-blackjack-v6 3.27.4.5
# holds: mbs-free-bet-v3 3.27.4.5
# holds: mbs-pontoon-v5 3.26.4.5
# holds: mbs-ace-race-v4 3.27.4.5
@mbs
def test_without_a_wager_on_the_round_the_first_insurance_placed_comes_first(game: str) -> None:
    """Players without a wager come after all others, in the order of placing."""
    none = claim("first", total=900), claim("second")
    assert First("first", step(game, 5)) == insurance(game, *none, owner="own")
    assert First("far", step(game, 2)) == insurance(game, *none, claim("far", (1, 3)), owner="own")


# holds: rws-free-bet-2025 3.15.2
def test_at_rws_nobody_takes_part_in_anothers_insurance() -> None:
    """An Insurance Bet is its own Player's, and nobody's if he declines."""
    own, other = claim("own", (BOX, 2)), claim("other", (BOX, 1))
    assert First("own", "3.15.2") == insurance(RWS, other, own, owner="own")
    assert First(None, "3.15.2") == insurance(RWS, other, owner="own")
    assert First(None, "3.15.2") == insurance(RWS, other, owner="own", agreed="other")


# --- properties ----------------------------------------------------------------------------------------------------


@st.composite
def several_claims(draw: st.DrawFn) -> list[Claim]:
    """Draw claims of different Players, no two of whom have their wager at the same spot."""
    spots = draw(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 3)), unique=True, max_size=8))
    players = draw(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1))
    owners = [draw(st.sampled_from(players)) for _ in spots]
    totals = st.sampled_from((0, 500, 1000))
    return [
        Claim(player, tuple(spot for spot, owner in zip(spots, owners, strict=True) if owner == player), draw(totals))
        for player in players
    ]


mbs_games = st.sampled_from(MBS)
agreements = st.none() | st.sampled_from("abcdef")


def both(game: str, claims: list[Claim], who: str | None, agreed: str | None) -> tuple[First, First]:
    """Return the outcome for a side wager and for insurance."""
    return side(game, *claims, controller=who, agreed=agreed), insurance(game, *claims, owner=who, agreed=agreed)


@given(game=mbs_games, claims=several_claims(), agreed=agreements, order=st.randoms(use_true_random=False))
def test_the_order_of_claims_matters_to_those_without_a_wager_alone(
    game: str, claims: list[Claim], agreed: str | None, order: random.Random
) -> None:
    """As long as one claimant has a wager on the round, the order of placing decides nothing."""
    other = order.sample(claims, len(claims))
    if any(claim.wagers for claim in claims):
        assert both(game, claims, None, agreed) == both(game, other, None, agreed)
    else:
        assert [claims[0].player] * 2 == [first.player for first in both(game, claims, None, agreed)]


@given(game=st.sampled_from(sorted(GAMES)), claims=several_claims(), who=agreements, agreed=agreements)
def test_the_first_is_a_claimant_or_nobody_by_the_clause_that_says_so(
    game: str, claims: list[Claim], who: str | None, agreed: str | None
) -> None:
    """Nobody is first by the clause on equal claims alone, or at RWS where the option is another's."""
    by_equal = {(None, "3.17.2.4"), (None, step(game, 4))}
    nobody = {(None, "3.15.2")} if game == RWS else by_equal
    players = {claim.player for claim in claims}
    for first in both(game, claims, who, agreed):
        assert first.player in players or (first.player, first.clause) in nobody


@given(game=mbs_games, claims=several_claims(), agreed=agreements)
def test_nobody_further_away_comes_first(game: str, claims: list[Claim], agreed: str | None) -> None:
    """Whoever is first has a wager as close as the closest claimant's."""

    def distance(of: Claim) -> int:
        return min((abs(box - BOX) for box, _ in of.wagers), default=99)

    by_player = {claim.player: claim for claim in claims}
    for first in both(game, claims, None, agreed):
        if first.player is not None:
            assert min(map(distance, claims)) == distance(by_player[first.player])
