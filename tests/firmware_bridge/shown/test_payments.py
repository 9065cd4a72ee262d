"""What to pay and what to take, before the round is settled and after it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.panel.messages import LINE_LENGTH, Press, Text
from drivers.wire import Spot
from firmware_bridge.inputs.panel_presses import turns_page
from firmware_bridge.shown.advice import advise
from firmware_bridge.shown.device_outputs import Show
from firmware_bridge.shown.panel_picture import BLINK, picture
from firmware_bridge.shown.payments import on_the_way, pages, payments, settlement, sums, texts
from firmware_bridge.shown.scene import scene
from firmware_bridge.texts.languages import LANGUAGES
from gamecore.model.events import events as ev
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from tests.firmware_bridge.positions import table_after, watch_rounds
from tests.firmware_bridge.pump_rig import PumpRig, Run, press
from tests.gamecore.play.random_dealer import Robot

RWS = "rws-free-bet-2025"
BETS = "fresh: no\nshoe: 9H 7D AS KC TD 9C 8H 3S JD 4C\n\nplace-bets\nbet 1 main 100\nbet 2 main 100\nbet 2 pair 10\n"
DEAL = "no-more-bets\ndraw 1; draw 2; draw dealer; draw 1; draw 2\n"
READY = f"{BETS}{DEAL}offer insurance; insure 1 50; close insurance\nstand 1; stand 2; draw dealer\n"
SQUEEZED = f"{BETS.replace('bet 2 pair 10', '')}no-more-bets\nsqueeze 1\n{DEAL.replace('no-more-bets', '')}"


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_the_guide_is_what_the_settlement_does(game: str, seed: int) -> None:
    """Whenever a round can be settled: the same rows as after it, the sums are theirs, every reason has its words."""
    wrong: list[object] = []

    def watch(robot: Robot) -> None:
        view = robot.table.view()
        if view.state is not State.SETTLEMENT or not robot.table.can(ev.Settle()) or _hides(robot):
            return
        settled = robot.table.copied()
        settled.apply(ev.Settle())
        rows, added = payments(view), sums(payments(view))
        if view.settlement_preview != settled.view().round.rows:
            wrong.append((view.settlement_preview, settled.view().round.rows))
        if added.pay + added.paid - added.take - added.taken != sum(row.net or 0 for row in view.settlement_preview):
            wrong.append(added)
        wrong.extend(one.reason for one in rows if one.reason not in texts())
        wrong.extend(line for page in range(10) for line in _lines(robot, page) if len(line) > LINE_LENGTH)

    watch_rounds(game, seed, 2, watch)
    assert [] == wrong


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_what_is_told_on_the_way_is_what_the_settlement_says(game: str, seed: int) -> None:
    """Hands paid or collected, side wagers of an interim: the amounts of the end; none is counted twice."""
    told: set[tuple[object, ...]] = set()
    wrong: list[object] = []

    def watch(robot: Robot) -> None:
        view = robot.table.view()
        told.update((view.played, *row._replace(clause="")) for row in view.on_the_way)
        if view.state is State.COMPLETE:
            ended = {(view.played, *row._replace(clause="")) for row in view.round.rows}
            wrong.extend(one for one in told if one[0] == view.played and one not in ended)
        if settlement(view) is not None and on_the_way(view):
            wrong.append("told twice")

    watch_rounds(game, seed, 3, watch)
    assert [] == wrong


def test_an_interim_marks_what_it_has_settled() -> None:
    """The pair wager is taken, the natural paid and the bust collected: each with its amount, before the settlement."""
    bets = "place-bets\nbet 1 main 100; bet 1 pair 10; bet 2 main 100; bet 3 main 40\nno-more-bets\n"
    deal = "draw 1; draw 2; draw 3; draw dealer; draw 1; draw 2; draw 3\noffer surrender; close surrender\n"
    text = f"fresh: no\nshoe: TH AH 9H 6S 5C KD 9S 8D\n\n{bets}{deal}"
    before = scene(table_after(text))
    after = scene(table_after(f"{text}interim; pay 2; hit 1; draw 1; collect 1\n"))
    assert ([], [""]) == (before["on_the_way"], [side["act"] for side in before["boxes"][0]["sides"]])
    assert [
        (1, "main", "take", "100.00", "bust, 23"),
        (1, "pair", "take", "10.00", "no pair"),
        (2, "main", "pay", "150.00", "Blackjack"),
    ] == [(one["box"], one["kind"], one["act"], one["amount"], one["reason"]["en"]) for one in after["on_the_way"]]
    assert ["take"] == [side["act"] for side in after["boxes"][0]["sides"]]


def _hides(robot: Robot) -> bool:
    return any(hand.face_down for box in robot.table.view().round.boxes.values() for hand in box.hands)


def _lines(robot: Robot, page: int) -> tuple[str, str]:
    seen = picture(robot.table, page=page)
    return seen.upper, seen.lower


def test_every_wager_is_paid_taken_or_left_with_its_reason() -> None:
    """Nineteen and seventeen against twenty, a pair that is none, insurance without a Blackjack."""
    guide = settlement(table_after(READY).view())
    assert guide is not None
    assert [
        (1, "main", "take", "100.00", "19 v 20", "4.3.1"),
        (1, "insurance", "take", "50.00", "no Blackjack", "3.27"),
        (2, "main", "take", "100.00", "17 v 20", "4.3.1"),
        (2, "pair", "take", "10.00", "no pair", "3.15.1"),
    ] == [
        (one["box"], one["kind"], one["act"], one["amount"], one["reason"]["en"], one["clause"])
        for one in guide["rows"]
    ]
    assert ("0.00", "260.00", "260.00") == (guide["pay"], guide["take"], guide["house"])


def test_what_was_settled_on_the_way_is_in_no_sum_of_now() -> None:
    """A pair taken at the interim settlement is ticked."""
    guide = settlement(table_after(READY.replace("stand 1;", "interim; stand 1;")).view())
    assert guide is not None
    assert ("250.00", "10.00", [False, False, False, True]) == (
        guide["take"],
        guide["taken"],
        [one["before"] for one in guide["rows"]],
    )


def test_after_the_settlement_the_same_list_stands_in_the_past() -> None:
    """Until bets open again."""
    before, after = (settlement(table_after(text).view()) for text in (READY, f"{READY}settle\n"))
    assert before is not None
    assert after is not None
    assert (False, True, before["rows"]) == (before["done"], after["done"], after["rows"])
    assert settlement(table_after(f"{READY}settle\nplace-bets\n").view()) is None


def test_nothing_is_told_before_every_hand_is_played() -> None:
    """Neither in the offers nor in a Player's turn."""
    assert [] == payments(table_after(f"{BETS}{DEAL}").view())


def test_a_box_with_a_card_face_down_is_left_out() -> None:
    """RWS 3.12: an amount would tell what the hand is; the line asks for the cards to be turned."""
    text = f"{SQUEEZED}offer insurance; close insurance; stand 1; stand 2; draw dealer\n"
    hidden, turned = table_after(text, RWS).view(), table_after(f"{text}turn 1\n", RWS).view()
    assert ([2], [1, 2]) == (pages(hidden), pages(turned))
    assert ("turn", "settle") == (advise(hidden).key, advise(turned).key)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_wager_has_its_words(lang: str) -> None:
    """A reason for winning and losing, a short name for the panel, a name for the natural."""
    kinds = {side.kind for rules in GAMES.values() for side in rules.side_wagers} | {"insurance"}
    wanted = {f"reason.{kind}.{how}" for kind in kinds for how in ("win", "lose")}
    wanted |= {f"short.{kind}" for kind in (*kinds, "main", "super-bonus")} | {"reason.super-bonus.win"}
    wanted |= {f"natural.{rules.natural.value}" for rules in GAMES.values()}
    assert set() == {key for key in wanted if not texts().get(key, {}).get(lang)}


# --- the panel -------------------------------------------------------------------------------------------------------


def test_the_panel_shows_the_sums_and_box_by_box() -> None:
    """The lamp of the box blinks; after the last one the sums come again."""
    table = table_after(READY)
    shown = [picture(table, page=page) for page in range(4)]
    assert [
        ("PAY 0 TAKE 260 THEN SETTLE", "DONE = BOX BY BOX"),
        ("BOX 1 PAY 0 TAKE 150", "MAIN -100 INS -50"),
        ("BOX 2 PAY 0 TAKE 110", "MAIN -100 PAIR -10"),
        ("PAY 0 TAKE 260 THEN SETTLE", "DONE = BOX BY BOX"),
    ] == [(seen.upper, seen.lower) for seen in shown]
    assert [[], [1], [2], []] == [[n for n, lamp in enumerate(seen.lamps, start=1) if lamp == BLINK] for seen in shown]


def test_after_the_settlement_the_panel_says_what_was_done() -> None:
    """Below the next step; the boxes in the past tense."""
    table = table_after(f"{READY}settle\n")
    assert ("OPEN BETS", "PAID 0 TAKEN 260") == (picture(table).upper, picture(table).lower)
    assert "BOX 1 PAID 0 TAKEN 150" == picture(table, page=1).upper


class Panel:
    """A panel that keeps its text."""

    up = True

    def __init__(self) -> None:
        self.text: list[str] = []

    def send(self, command: object) -> bool:
        """Keep the upper line."""
        if isinstance(command, Text):
            self.text.append(command.upper)
        return True


def test_a_page_stands_until_something_happens() -> None:
    """The cursor is the display's: no event moves, and any event puts it back."""
    panel, table = Panel(), table_after(READY)
    show = Show({"panel": panel})
    for turn in (False, True, True):
        if turn:
            show.turn_page()
        show.update(table)
    show.refused(None)
    show.update(table)
    assert ["PAY 0 TAKE 260 THEN SETTLE", "BOX 1 PAY 0 TAKE 150", "BOX 2 PAY 0 TAKE 110"] == panel.text[:3]
    assert panel.text[0] == panel.text[3]
    assert turns_page(table, Press(1, "done", 0, Spot(0), 0))


def test_done_is_a_note_in_the_journal_and_no_event(run: Run) -> None:
    """The press is written down and acknowledged as any other; the table does not move."""

    async def scene(rig: PumpRig) -> None:
        rig.pump.table = table_after(READY)
        rig.says("panel", press("done"))

    rig = run(scene)
    shown = [said.upper for _, said in rig.log if isinstance(said, Text)]
    assert (["BOX 1 PAY 0 TAKE 150"], [], State.SETTLEMENT) == (shown[-1:], rig.kept(), rig.pump.table.state)
    assert ("panel acknowledged", 1) in rig.log
