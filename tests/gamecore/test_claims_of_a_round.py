"""Claims as the round that is on gives them, and side wagers beyond what a box may hold."""

from typing import cast

import pytest

from gamecore.notation.parser import parse
from gamecore.notation.player import Played, Player, play_text
from gamecore.notation.venue import InProcess
from gamecore.rules.games import GAMES
from gamecore.standing.claims import Claim, first_insurance, insurance_claim, side_claim
from gamecore.table import Table

MBS = [game for game, rules in GAMES.items() if rules.casino == "MBS"]

DEALT = """game: {game}
fresh: no
shoe: 9H 8H 7H 6H AS | 9C 8C 7C 6C

place-bets
bet 1/1 main 100 by ANN; bet 2/1 main 100 by BEN; bet 3/1 main 100 by CAT; bet 4/1 main 100 by ANN
bet 1/1 pair 5 by ANN; bet 4/1 pair 10 by ANN; bet 2/1 pair 20 by BEN
no-more-bets
draw 1; draw 2; draw 3; draw 4; draw dealer; draw 1; draw 2; draw 3; draw 4
offer insurance
insure 1/1 50
insure 2/1 30 by ANN
insure 4/1 20 by BEN
"""


def table_of(text: str) -> Table:
    """The table at the end of a scenario."""
    scenario = parse(text, GAMES)
    rules = GAMES[scenario.header.game]
    venue = InProcess(scenario.header, rules)
    assert Player(scenario.header, rules, venue).run(scenario) is None
    return venue.table


# holds: mbs-blackjack-v6 3.27.4.3
# holds: mbs-free-bet-v3 3.27.4.3
# holds: mbs-pontoon-v5 3.26.4.3
# holds: mbs-ace-race-v4 3.27.4 3.27.4.3
@pytest.mark.parametrize("game", MBS)
def test_insurance_on_boxes_that_a_player_controls_does_not_count_against_him(game: str) -> None:
    """At equal distance the lowest total comes first, without the Player's own playing areas."""
    game_round = table_of(DEALT.format(game=game))._state.round
    ann, ben = (insurance_claim(game_round, player) for player in ("ANN", "BEN"))
    assert Claim("ANN", ((1, 1), (4, 1)), 3000) == ann
    assert Claim("BEN", ((2, 1),), 2000) == ben
    assert "BEN" == first_insurance(GAMES[game], 3, "CAT", [ann, ben]).player


@pytest.mark.parametrize("game", MBS)
def test_a_side_claim_counts_all_wagers_of_its_kind(game: str) -> None:
    """The total of a Player's Pair wagers, wherever they lie."""
    game_round = table_of(DEALT.format(game=game))._state.round
    assert [1500, 2000, 0] == [side_claim(game_round, player, "pair").total for player in ("ANN", "BEN", "CAT")]


def rows(played: Played) -> list[tuple[object, ...]]:
    """Player, kind, result and clause of every row."""
    (game_round,) = cast("list[dict[str, list[dict[str, object]]]]", played.report["rounds"])
    return [(row["player"], row["kind"], row["result"], row["clause"]) for row in game_round["wagers"]]


# holds: mbs-blackjack-v6 3.17.1
# holds: mbs-free-bet-v3 3.17.1
# holds: mbs-pontoon-v5 3.17.1
# holds: mbs-ace-race-v4 3.17.1
@pytest.mark.parametrize("game", MBS)
def test_a_fourth_side_wager_of_a_kind_on_one_box_goes_back(game: str) -> None:
    """Three Pair wagers stand, and what was placed later than those is returned."""
    text = f"""game: {game}
fresh: no
shoe: 9H 7S 9C | KD

place-bets
bet 1 main 100 by ANN
bet 1/1 pair 5 by ANN; bet 1/2 pair 5 by BEN; bet 1/3 pair 5 by CAT; bet 1/1 pair 5 by DAN
no-more-bets
draw 1; draw dealer; draw 1
"""
    offers = "" if game == "mbs-pontoon-v5" else "offer surrender; close surrender\n"
    played = play_text(f"{text}{offers}stand 1\ndraw dealer\nsettle\n", "fourth.deal", GAMES)
    pairs = [(player, result, clause) for player, kind, result, clause in rows(played) if kind == "pair"]
    won = [(player, "win", "3.15.1") for player in ("ANN", "BEN", "CAT")]
    assert [*won, ("DAN", "returned", "3.17.1")] == pairs
