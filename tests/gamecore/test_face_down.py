"""Leave to squeeze holds however a card comes to the box: late, told, or dealt while the round is held (RWS 3.12)."""

from typing import Any, cast

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES

HEAD = "game: rws-free-bet-2025\nboxes: 6\nfresh: no\n"


def cards_at(text: str, box: int) -> list[str]:
    """The cards of the first hand of a box, as anybody at the table may see them."""
    played = play_text(HEAD + text, "squeezed", GAMES)
    assert (None, ()) == (played.error, played.failures)
    (game_round,) = cast("list[dict[str, list[dict[str, Any]]]]", played.report["rounds"])
    return next(list(hand["cards"]) for hand in game_round["hands"] if hand["box"] == box)


TOLD_LATE = """shoe: 7H 9D 6S 8C KC
sensors: shoe bets discard panel

place-bets
bet 1 main 100
bet 3 main 50
squeeze 1
no-more-bets
draw 1; draw 3; draw dealer; draw 3
draw 1{exposed}
"""

IN_A_HOLD = """shoe: 7H 9D 6S 8C KC

place-bets
bet 1/1 main 100 by ANN
bet 3/1 main 50 by BOB
squeeze 3
no-more-bets
draw 1; draw 3; draw dealer
draw 3
move 8C 3 1; reconstructed
draw 3{exposed}
expect state held
"""


def test_a_told_card_that_comes_late_lies_face_down() -> None:
    """Unless it is dealt face up by mistake."""
    assert ["??", "??"] == cards_at(TOLD_LATE.format(exposed=""), 1)
    assert ["??", "KC"] == cards_at(TOLD_LATE.format(exposed=" exposed"), 1)


def test_a_card_dealt_face_up_in_a_hold_is_seen() -> None:
    """One dealt face down is not."""
    assert ["??", "??"] == cards_at(IN_A_HOLD.format(exposed=""), 3)
    assert ["??", "KC"] == cards_at(IN_A_HOLD.format(exposed=" exposed"), 3)
