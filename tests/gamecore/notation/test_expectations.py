"""Whether a claim holds, and what is said when it does not."""

from typing import Any

import pytest

from gamecore.model.events import events as ev
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.expect.checks import check
from gamecore.notation.parser import parse
from gamecore.notation.syntax import Claim
from gamecore.rules.games import GAMES

FOUND = "there is misdealt-card clause 5.6 ruling reconstruct at 1.1 3/2"


class SomeTable:
    """A table as a claim sees it, with one round that has a finding, a question and two wagers."""

    state = State.PLAYER_TURN
    next_place: Place | None = Place(1, 1)
    rounds: list[dict[str, Any]]

    def __init__(self, **of_round: object) -> None:
        """A round with everything in it, but for what is given."""
        finding = {"code": "misdealt-card", "clause": "5.6", "ruling": "reconstruct", "places": ["1.1", "3/2"]}
        moves = [{"card": "9H", "from": "1", "to": "burn"}]
        spot = {"box": 1, "slot": 1, "hand": 1, "kind": "main", "player": None}
        row = {**spot, "result": "lose", "net": "-100.00", "clause": "4.3.1"}
        pending = {**row, "box": 2, "result": None, "net": None, "clause": None}
        usual = {"outcome": "open", "findings": [{**finding, "moves": moves}], "wagers": [row, pending]}
        self.rounds = [{**usual, **of_round}]

    def total(self, place: Place) -> tuple[int, bool] | None:
        """Return soft 17 at box 1, and nothing elsewhere."""
        return (17, True) if place.box == 1 else None

    def verify(self, command: ev.Command) -> Refused | None:
        """Refuse to settle, and nothing else."""
        return refuse(Reason.DEALER_MUST_DRAW, "3.30") if isinstance(command, ev.Settle) else None

    def report(self) -> dict[str, object]:
        """Return the round and one question."""
        asks = [{"who": "3/1", "options": ["accept", "refuse"], "clause": "5.8"}]
        return {"state": "player-turn", "rounds": self.rounds, "asks": asks}


class Idle(SomeTable):
    """A table before its first round."""

    def __init__(self) -> None:
        """No round has begun."""
        self.rounds = []


def claim(text: str) -> Claim:
    """Return the claim that a text makes."""
    what = parse(f"game: mbs-blackjack-v6\n\nexpect {text}", GAMES).statements[0].what
    assert isinstance(what, Claim)
    return what


@pytest.mark.parametrize(
    "text",
    [
        "state player-turn",
        "next 1",
        "next 1.1",
        "total 1 17",
        "total 1 soft 17",
        "finding misdealt-card",
        "finding misdealt-card clause 5.6 ruling reconstruct at 1",
        "finding misdealt-card at 3",
        "finding misdealt-card at 3/2",
        "ask 3 refuse|accept",
        "ask 3/1 accept|refuse",
        "move 9H 1.1 burn",
        "wager 1 main lose -100",
        "wager 1 main lose -100 clause 4.3.1",
        "wager 1.1/1 main lose -100.00",
        "refused settle",
    ],
)
def test_a_claim_that_is_true_holds(text: str) -> None:
    """A true claim gives no failure, and what it does not say is not checked."""
    assert None is check(claim(text), SomeTable())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("state held", "expected state held, but it is player-turn"),
        ("next 1.2", "expected next 1.2, but it is 1.1"),
        ("next none", "expected next none, but it is 1.1"),
        ("total 1 hard 17", "expected total 1 hard 17, but it is soft 17"),
        ("total 1 18", "expected total 1 18, but it is soft 17"),
        ("total 2 18", "expected total 2 18, but there are no cards"),
        (
            "finding misdealt-card clause 5.7",
            f"expected finding misdealt-card clause 5.7, but {FOUND}",
        ),
        (
            "findings none",
            f"expected findings none, but {FOUND}",
        ),
        ("ask 3 accept", "expected ask 3 accept, but the table asks 3/1 accept|refuse"),
        ("ask pit accept|refuse", "expected ask pit accept|refuse, but the table asks 3/1 accept|refuse"),
        ("move 9H burn 1", "expected move 9H burn 1, but the moves are 9H 1 burn"),
        ("wager 1 main win +150", "expected wager 1.1/1 main win +150, but it is lose -100 (4.3.1)"),
        ("wager 1 main lose -100 by Ann", "expected wager 1.1/1 main lose -100 by Ann, but it is lose -100 (4.3.1)"),
        ("wager 2 main win +150", "expected wager 2.1/1 main win +150, but it is not settled"),
        ("wager 1 pair win +150", "expected wager 1.1/1 pair win +150, but there is only main"),
        ("wager 1/2 main win +150", "expected wager 1.1/2 main win +150, but there is no wager"),
        ("void", "expected void, but the round is open"),
        ("refused stand 1", "expected refused stand 1, but 'stand 1' is allowed here"),
    ],
)
def test_a_failure_says_what_was_expected_and_what_is(text: str, expected: str) -> None:
    """A claim that does not hold is told with what was expected and what is."""
    assert expected == check(claim(text), SomeTable())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("findings none", None),
        ("finding late-wager", "expected finding late-wager, but there is no finding"),
        ("move 9H 1 burn", "expected move 9H 1 burn, but nothing is to be moved"),
        ("void", "expected void, but the round is not begun"),
        ("wager 1 main win +1", "expected wager 1.1/1 main win +1, but there is no wager"),
    ],
)
def test_before_the_first_round_there_is_nothing(text: str, expected: str | None) -> None:
    """A claim about a round cannot hold before the first one, and no finding is a true claim."""
    assert expected == check(claim(text), Idle())


def test_void_is_the_outcome_of_the_round() -> None:
    """A void round stays void until the next one."""
    assert None is check(claim("void"), SomeTable(outcome="void"))
