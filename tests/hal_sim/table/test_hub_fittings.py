"""A hub that says no more than a real one: every scenario ends in the report of the table that sees all.

In process every file is played with every fitting. On hardware it is a sample by seed, and every file in soak.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from gamecore.model.events.events import Event
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Claim, Header
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from hal_sim.devices.hub_fittings import Fitting, Hands
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from tests.places import TESTS

FILES = sorted(TESTS.rglob("*.deal"))
SAMPLE = 60
SKEW_MS = 20.0

#: Files in which a card is taken off a hand that is in play and put into the discard holder, though no ruling says so.
#: A hub that does not read there sees it leave and nothing more, so nothing is found until it is laid somewhere.
UNSEEN = frozenset(
    {
        "5.13-the-only-card-of-a-box-taken",
        "5.14-the-last-card-taken-late",
        "5.14-with-confirmation-a-device-proves-it",
        "5.16-a-card-taken-off-a-hand-late",
        "5.16-a-taken-card-comes-back",
        "5.2-a-taken-card-is-not-found",
        "5.7.1-a-taken-card-is-not-found",
        "5.9-a-card-taken-in-the-subsequent-deal",
        "5.10.2-a-players-card-swept-off-with-the-additional-card-is-put-back",
        "5.15-after-an-interim-settlement-a-card-at-an-empty-box",
        "5.15-the-wrong-card-is-discarded-from-a-wagered-box",
        "5.2-in-a-hold-the-cards-are-mixed-up-and-cannot-be-put-back",
        "5.7-a-players-card-swept-off-with-the-overdraw-is-put-back",
        "5.7-the-wrong-card-of-the-dealer-is-discarded-and-nobody-notices",
        "5.10.2-the-additional-card-is-cleared-with-a-players-card",
        "5.14-both-cards-taken-before-the-answer",
        "5.16-put-back-before-the-answer",
        "5.16.2-the-pair-wager-of-another-is-won-by-the-two-cards-it-had",
        "6.1-a-card-is-cleared-away-when-the-dealers-hand-is-complete",
        "6.1-a-card-of-a-pontoon-that-was-not-paid-yet-is-cleared-away",
        "5.7-the-overdraw-and-the-dealers-last-card-are-both-discarded",
        "5.7-an-equal-card-takes-the-place-of-the-one-that-was-swept",
        "5.15-the-equal-of-a-discarded-card-takes-its-place",
        "6.1-equal-cards-change-hands-and-the-layout-is-as-it-was",
    }
)
#: What such hands do cannot be told apart from something else: a hand that is swept at once cannot be taken back; cards
#: that are laid in another order make another list of moves; a card of the last round comes back in the next.
OTHERWISE = {
    Fitting.RACK_COUNTS: UNSEEN,
    Fitting.SWEPT: frozenset(
        {
            "3.25-a-surrender-pressed-by-mistake-is-taken-back",
            "3.25.8-a-rescue-is-taken-back",
            "5.7-an-answer-pressed-by-mistake-is-taken-back",
            "6.1-an-answer-is-taken-back",
        }
    ),
    Fitting.IN_THE_AIR: frozenset(
        {
            "5.6.2-a-pair-is-judged-by-the-order-of-the-deal-after-moves-in-a-hold",
            "5.6.2-in-a-hold-the-dealers-card-is-moved-too",
            "5.6.2-the-second-card-goes-away-and-back-and-the-hand-is-no-two-card-hand",
            "5.7-of-two-equal-cards-the-one-to-be-discarded-is-moved",
            "5.7-the-overdraw-and-the-dealers-last-card-are-both-discarded",
            "5.10.2-of-two-equal-cards-the-one-to-be-discarded-is-moved",
            "5.10.2-the-additional-card-is-cleared-with-a-players-card",
            "5.8-a-card-pulled-between-rounds-is-passed-over-by-a-fresh-one",
        }
    ),
}


class Fitted(InProcess):
    """A table in process whose hub has a fitting."""

    def __init__(self, header: Header, rules: Ruleset, fitting: Fitting) -> None:
        super().__init__(header, rules)
        self.seen: list[Event] = []
        self._hands = Hands(fitting, header)

    def happen(self, line: int, event: Event) -> None:
        """Let the hub see it."""
        self._see(line, self._hands.sightings(event))

    def check(self, claim: Claim, text: str) -> str | None:
        """Look when nobody holds a card."""
        self._see(0, self._hands.rest())
        return super().check(claim, text)

    def report(self) -> dict[str, object]:
        """Look when nobody holds a card."""
        self._see(0, self._hands.rest())
        return super().report()

    def _see(self, line: int, seen: list[Event]) -> None:
        self.seen += seen
        for event in seen:
            super().happen(line, event)


def playable(fitting: Fitting) -> list[Path]:
    """The files of which such a hub sees all that matters."""
    return [file for file in FILES if file.stem not in OTHERWISE[fitting]]


@cache
def reported(file: Path) -> dict[str, object]:
    """The report of the table that sees all."""
    return play_text(file.read_text(encoding="utf-8"), str(file.relative_to(TESTS)), GAMES).report


@pytest.mark.parametrize("fitting", Fitting)
def test_the_core_comes_to_the_same_report(fitting: Fitting) -> None:
    """Whether a card is seen to move, or only to be lifted and laid, to be swept away or to be in the air."""
    wrong = []
    for file in playable(fitting):
        text, name = file.read_text(encoding="utf-8"), str(file.relative_to(TESTS))
        fitted = play_text(text, name, GAMES, lambda header, rules: Fitted(header, rules, fitting))
        if reported(file) != fitted.report:
            wrong.append(name)
    assert [] == wrong


@pytest.mark.parametrize("fitting", Fitting)
def test_what_such_a_hub_cannot_see_is_still_so(fitting: Fitting) -> None:
    """Each file that is left out is there, and differs."""
    left_out = [file for file in FILES if file.stem in OTHERWISE[fitting]]
    assert {file.stem for file in left_out} == OTHERWISE[fitting]
    same = []
    for file in left_out:
        text, name = file.read_text(encoding="utf-8"), str(file.relative_to(TESTS))
        fitted = play_text(text, name, GAMES, lambda header, rules: Fitted(header, rules, fitting))
        if reported(file) == fitted.report:
            same.append(file)
    assert [] == same


def different(fitting: Fitting, files: list[Path], seed: int, skew_ms: float) -> list[str]:
    """The files whose reports differ from the core's, played at one simulated table."""
    wrong = []
    with SimTable(seed=seed, skew_ms=skew_ms) as table:

        def venue(header: Header, rules: Ruleset) -> Hardware:
            del rules
            return Hardware(table, header, fitting=fitting)

        for file in files:
            text, name = file.read_text(encoding="utf-8"), str(file.relative_to(TESTS))
            if reported(file) != play_text(text, name, GAMES, venue).report:
                wrong.append(name)
    return wrong


@pytest.mark.parametrize("skew_ms", [0.0, SKEW_MS])
@pytest.mark.parametrize("fitting", Fitting)
def test_hardware_equals_core(fitting: Fitting, skew_ms: float, seed: int) -> None:
    """A sample of the scenarios, over the wire."""
    count = SAMPLE // 4 if skew_ms else SAMPLE
    sample = random.Random(seed).sample(playable(fitting), count)
    assert [] == different(fitting, sample, seed, skew_ms)


@pytest.mark.soak
@pytest.mark.parametrize("fitting", Fitting)
def test_hardware_equals_core_in_every_scenario(fitting: Fitting, seed: int) -> None:
    """All of them."""
    assert [] == different(fitting, playable(fitting), seed, 0.0)


# --- what a hub sees -------------------------------------------------------------------------------------------------


ROUND = """game: mbs-blackjack-v6
fresh: no
shoe: 9H 8S 6S KD 7D 6C 3H KC

place-bets; bet 1 main 100; bet 3 main 100; no-more-bets
draw 1; draw 3; draw dealer; draw 1; draw 3
hit 1; draw 1; stand 3
draw dealer; draw dealer
settle
"""
MOVED = """game: mbs-blackjack-v6
fresh: no
shoe: 9H 8S 6S KD 7D 6C

place-bets; bet 1 main 100; bet 3 main 100; no-more-bets
draw 1; draw dealer; draw 3
move 8S dealer 3; move 6S 3 dealer
"""


def cards_handled(text: str, fitting: Fitting) -> list[str]:
    """What the hub sees of cards, in short."""
    tables: list[Fitted] = []

    def venue(header: Header, rules: Ruleset) -> Fitted:
        tables.append(Fitted(header, rules, fitting))
        return tables[0]

    play_text(text, "seen", GAMES, venue)
    seen = [(type(event).__name__, event) for event in tables[0].seen]
    return [
        f"{kind.removeprefix('Card').lower()} {getattr(event, 'card', '')} {getattr(event, 'place', '')}".strip()
        for kind, event in seen
        if kind in {"CardDrawn", "CardLaid", "CardLifted", "CardMoved"}
    ]


def test_a_hand_that_is_over_is_swept() -> None:
    """The bust one at once, the others at the end; nothing arrives anywhere, and nothing goes twice."""
    lifted = [words for words in cards_handled(ROUND, Fitting.SWEPT) if words.startswith("lifted")]
    assert ["lifted 9H 1", "lifted KD 1", "lifted 6C 1"] == lifted[:3]
    assert {f"lifted {rest}" for rest in ("6S dealer", "3H dealer", "KC dealer", "8S 3", "7D 3")} == set(lifted[3:])
    assert 8 == len(lifted)


def test_several_cards_are_in_the_air() -> None:
    """All are lifted before the first is laid, and one that lies is taken up while a card comes from the shoe."""
    words = cards_handled(MOVED, Fitting.IN_THE_AIR)
    assert ["lifted 8S dealer", "lifted 6S 3", "laid 6S dealer", "laid 8S 3"] == words[-4:]
    assert ["drawn 9H", "laid 9H 1", "drawn 8S", "lifted 9H 1", "laid 8S dealer", "laid 9H 1"] == words[:6]


def test_nobody_reads_the_discard_holder() -> None:
    """A card that goes there is only seen to leave."""
    text = MOVED + "move 9H 1 discard\n"
    assert ["lifted 6S 3", "laid 6S dealer", "lifted 9H 1"] == cards_handled(text, Fitting.RACK_COUNTS)[-3:]
