"""What the panel shows and whether the shoe is locked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.panel.messages import BUTTONS, CATALOGUE, LINE_LENGTH, UNICODE, Alarm, Lamps, Press, Text, UnicodeText
from drivers.shoe.messages import Lock, Unlock
from drivers.wire import Spot
from firmware_bridge.inputs.panel_presses import command
from firmware_bridge.shown.advice import advise, worded
from firmware_bridge.shown.device_outputs import Show
from firmware_bridge.shown.panel_picture import BLINK, OFF, STEADY, Picture, picture
from firmware_bridge.shown.payments import WIDTH
from firmware_bridge.shown.progress import of_matter
from firmware_bridge.texts.denials import Ground, deny
from firmware_bridge.texts.refusal_words import on_two_lines
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, DEALER, Place, asked_place
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.positions import held_table, table_after, table_of_chance, watch_rounds
from tests.firmware_bridge.shown.test_advice import columns
from tests.gamecore.play.random_dealer import Robot

RWS = "rws-free-bet-2025"
BETS = "\nplace-bets\nbet 1 main 100\nbet 3 main 50\n"
PLAIN = f"shoe: 5C | 9H 7D 6S KC TD 2C 8H 3S JD\n{BETS}no-more-bets\ndraw burn\n"
DEAL = "draw 1; draw 3; draw dealer; draw 1; draw 3\n"
SQUEEZED = "shoe: 9H 7D 6S KC TD 2C 8H 3S JD\n\nplace-bets\nbet 1 main 100\nbet 3 main 50\nno-more-bets\nsqueeze 1\n"

tables = st.builds(table_of_chance, st.sampled_from(sorted(GAMES)), st.integers(0, 2**32), st.integers(0, 80))


@settings(max_examples=100)
@given(tables)
def test_the_same_state_gives_the_same_picture(table: Table) -> None:
    """A picture follows from the table alone, and making one changes nothing."""
    again = table.copied()
    first = picture(table)
    assert first == picture(table)
    assert first == picture(again)


@settings(max_examples=150)
@given(tables)
def test_every_picture_can_be_shown(table: Table) -> None:
    """Two lines that fit the panel, one lamp a box; alarm and lock are those of a round that is held.

    A card that was set aside locks the shoe, too.
    """
    seen = picture(table)
    held = table.state is State.HELD
    text, lamps = UnicodeText(seen.upper, seen.lower), Lamps(seen.lamps)
    assert [] == [line for line in (seen.upper, seen.lower) if len(line) > LINE_LENGTH]
    assert [text, lamps] == [CATALOGUE.decode_command(*CATALOGUE.encode(message)) for message in (text, lamps)]
    locked = held or (table.round_is_on and bool(table.view().next_cards)) or table.view().set_to_count
    assert (table.view().box_count, held, locked) == (len(seen.lamps), seen.alarm, seen.locked)
    assert seen.upper.strip()


@settings(max_examples=150)
@given(tables)
def test_lamps_blink_where_the_advice_is_or_somebody_is_asked(table: Table) -> None:
    """Blinking: the place of the advice, and who is asked. Steady: the other boxes with a wager."""
    view, spoken_of = table.view(), advise(table.view()).place
    blinking = {place.box for ask in view.asks if (place := asked_place(ask.who)) is not None}
    if spoken_of is not None:
        blinking.add(spoken_of.box)
    wagered = {number for number, box in view.round.boxes.items() if box.mains} if view.round_is_on else set()
    expected = [BLINK if box in blinking else STEADY if box in wagered else OFF for box in range(1, view.box_count + 1)]
    assert expected == list(picture(table).lamps)


@settings(max_examples=150)
@given(st.builds(held_table, st.sampled_from(sorted(GAMES)), st.integers(0, 2**32)))
def test_a_held_round_shows_code_and_clause_and_what_to_do(table: Table) -> None:
    """The upper line is what to do, the lower one names the finding, with a step where one fits."""
    assert State.HELD is table.state
    finding, seen = table.view().matters[0].finding, picture(table)
    named = f"{finding.code.upper()} {finding.clause}"
    steps = [step["text"]["en"].upper() for step in of_matter(table.view(), table.view().matters[0])["steps"]]
    assert seen.lower in {named[:LINE_LENGTH], *(f"{named} {step}" for step in steps)}
    assert worded(advise(table.view())).upper() == seen.upper


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n", Picture((0,) * 7, "OPEN BETS", "", alarm=False, locked=False)),
        ("fresh: no\n\n", Picture((0,) * 7, "OPEN BETS", "", alarm=False, locked=False)),
        (BETS, Picture((1, 0, 1, 0, 0, 0, 0), "CALL NO MORE BETS", "", alarm=False, locked=False)),
        (PLAIN, Picture((2, 0, 1, 0, 0, 0, 0), "NEXT CARD TO BOX 1", "", alarm=False, locked=False)),
        (
            f"{PLAIN}draw 1; draw 3\n",
            Picture((1, 0, 1, 0, 0, 0, 0), "NEXT CARD TO THE DEALER", "", alarm=False, locked=False),
        ),
        (
            f"{PLAIN}draw 1; draw 3; draw dealer\n",
            Picture((2, 0, 1, 0, 0, 0, 0), "NEXT CARD TO BOX 1", "", False, False),
        ),
        (
            PLAIN + DEAL,
            Picture(
                (1, 0, 1, 0, 0, 0, 0), "OFFER SURRENDER", "THEN BOX 1: PLAYER TO DECIDE (19)", alarm=False, locked=False
            ),
        ),
        (
            f"{PLAIN}{DEAL}offer surrender; close surrender\n",
            Picture((2, 0, 1, 0, 0, 0, 0), "BOX 1: PLAYER TO DECIDE (19)", "", alarm=False, locked=False),
        ),
        (
            f"{PLAIN}{DEAL}offer surrender; close surrender\nstand 1; stand 3; draw dealer; draw dealer; draw dealer\n",
            Picture((1, 0, 1, 0, 0, 0, 0), "PAY 0 TAKE 50 THEN SETTLE", "DONE = BOX BY BOX", alarm=False, locked=False),
        ),
    ],
)
def test_a_round_looks_like_this(text: str, expected: Picture) -> None:
    """The pictures of a round, by example."""
    assert expected == picture(table_after(text))


def test_a_split_hand_is_named_with_its_number() -> None:
    """The second hand of a box is told from the first, and an Ace that counts 11 is said."""
    deal = "shoe: 5C | 8H 7D 6S 8C TD KD AH 3S JD\n"
    table = table_after(
        f"{deal}{BETS}no-more-bets\ndraw burn\n{DEAL}offer surrender; close surrender\nsplit 1\ndraw 1\n"
    )
    assert "BOX 1.1: PLAYER TO DECIDE (18)" == picture(table).upper
    table.apply(ev.Stand(Place(1)))
    assert "NEXT CARD TO BOX 1.2" == picture(table).upper
    table.apply(ev.CardDrawn(card("AH")))
    table.apply(ev.CardLaid(card("AH"), Place(1, 2)))
    assert "BOX 1.2: PLAYER TO DECIDE (SOFT 19)" == picture(table).upper


def test_a_misdealt_card_holds_the_table_and_shows_the_move() -> None:
    """Alarm and lock are on, and the display says which card goes where."""
    seen = picture(table_after(f"{PLAIN}draw 3\n"))
    assert (True, True, "MISDEALT-CARD 5.6.1") == (seen.alarm, seen.locked, seen.lower)
    assert "MOVE 9H FROM BOX 3 TO BOX 1" == seen.upper


def test_a_question_blinks_at_the_box_that_is_asked() -> None:
    """Two cards in one pull, both seen: the box that was due chooses."""
    text = f"{PLAIN}{DEAL}offer surrender; close surrender\npull 2 show 2\n"
    seen = picture(table_after(text))
    assert ("BOX 1: WHICH CARD, OR NONE?", "DOUBLE-DRAW 5.23.3", BLINK) == (seen.upper, seen.lower, seen.lamps[0])


# --- cards that lie face down ----------------------------------------------------------------------------------------


def hidden_faces(table: Table) -> set[str]:
    """Faces that lie face down and nowhere face up."""
    game_round = table.view().round
    hands = [game_round.dealer, *(hand for box in game_round.boxes.values() for hand in box.hands)]
    down = {found.face for hand in hands for found in hand.face_down}
    up = {found.face for hand in hands for found in hand.cards if found not in hand.face_down}
    return down - up


def told_by(table: Table) -> list[str]:
    """Every word on the display: the picture, and the reason why any single press is refused."""
    seen = picture(table)
    lines = [seen.upper, seen.lower]
    for button in BUTTONS:
        refused = table.verify(command(table, Press(1, button, 0, Spot(0), 0)))
        if refused is not None:
            lines += on_two_lines(str(refused))
    return " ".join(lines).replace(",", " ").split()


def test_a_squeezed_hand_shows_no_total_until_its_cards_are_turned() -> None:
    """RWS 3.12: the display knows what the table may know."""
    table = table_after(f"{SQUEEZED}{DEAL}offer surrender; close surrender\n", RWS)
    assert "BOX 1: PLAYER TO DECIDE" == picture(table).upper
    table.apply(ev.CardsTurned(1))
    assert "BOX 1: PLAYER TO DECIDE (19)" == picture(table).upper


def test_a_face_down_card_that_must_be_moved_is_not_named() -> None:
    """A card misdealt to a squeezed box lies face down: the move says from where to where alone."""
    squeezed = SQUEEZED.replace("squeeze 1", "squeeze 3")
    seen = picture(table_after(f"{squeezed}draw 3\nanswer all continue\n", RWS))
    assert (True, "MOVE CARD FROM BOX 3 TO BOX 1") == (seen.alarm, seen.upper)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_a_face_down_card_is_named_nowhere(seed: int) -> None:
    """In every position of rounds with squeezing, no line names a face that lies face down."""
    named: list[tuple[State, set[str]]] = []

    def watch(robot: Robot) -> None:
        hidden = hidden_faces(robot.table)
        if hidden:
            named.append((robot.table.state, hidden & set(told_by(robot.table))))

    watch_rounds(RWS, seed, 2, watch)
    assert [] == [pair for pair in named if pair[1]]


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), steps=st.integers(5, 60))
def test_a_face_down_card_is_named_nowhere_when_things_go_wrong(seed: int, steps: int) -> None:
    """The same at tables of chance, held ones too."""
    table = table_of_chance(RWS, seed, steps)
    disclosed = {option for ask in table.view().asks for option in ask.options}
    assert set() == (hidden_faces(table) - disclosed) & set(told_by(table))


def test_chance_comes_to_face_down_cards(seed: int) -> None:
    """The tests above do see hands that lie face down."""
    seen = []

    def watch(robot: Robot) -> None:
        seen.append(len(hidden_faces(robot.table)))

    for number in range(10):
        watch_rounds(RWS, seed + number, 2, watch)
    assert max(seen) > 0


# --- what is sent ----------------------------------------------------------------------------------------------------


class Shown:
    """A device that keeps what it was told."""

    def __init__(self) -> None:
        self.up = True
        self.takes = True
        self.told: list[object] = []

    def send(self, command: object) -> bool:
        """Keep a command, unless none is taken."""
        if self.takes:
            self.told.append(command)
        return self.takes

    def heard(self) -> list[object]:
        """What was told since this was last asked."""
        told, self.told = self.told, []
        return told


def test_only_what_has_changed_is_sent() -> None:
    """Everything at first, nothing when nothing changed, and then the change alone."""
    panel, shoe = Shown(), Shown()
    show, table = Show({"panel": panel, "shoe": shoe}), table_after("fresh: no\n\n")
    show.update(table)
    show.update(table)
    assert [Lamps((OFF,) * 7), Text("OPEN BETS", ""), Alarm(on=False)] == panel.heard()
    assert [Unlock()] == shoe.heard()
    table.apply(ev.PlaceBets())
    show.update(table)
    assert [Text("BETS OPEN: NO WAGER YET", "")] == panel.heard()
    assert [] == shoe.heard()


def test_a_panel_for_any_script_speaks_the_language_of_the_table() -> None:
    """Another one is told the same in English."""
    panel = Shown()
    show, table = Show({"panel": panel}), table_after("fresh: no\n\n")
    show.language = "zh"
    show.met("panel", UNICODE)
    show.update(table)
    assert UnicodeText("开始下注", "") in panel.heard()
    show.met("panel", 0)
    show.update(table)
    assert Text("OPEN BETS", "") in panel.heard()


@settings(max_examples=100)
@given(tables)
def test_a_picture_in_chinese_fits_the_display(table: Table) -> None:
    """Both lines, whatever has happened; the upper one is in Chinese."""
    shown = picture(table, lang="zh")
    assert max(columns(shown.upper), columns(shown.lower)) <= WIDTH
    assert any(character > "\u2e80" for character in shown.upper)


def test_a_held_round_locks_whatever_deals() -> None:
    """Shoe and shuffler are locked with the alarm, and unlocked when the matter is done."""
    panel, shoe, shuffler = Shown(), Shown(), Shown()
    show, table = Show({"panel": panel, "shoe": shoe, "shuffler": shuffler}), table_after(f"{PLAIN}draw 3\n")
    show.update(table)
    assert Alarm(on=True) in panel.heard()
    table.apply(ev.CardMoved(card("9H"), Place(3), Place(1)))
    table.apply(ev.Reconstructed())
    show.update(table)
    assert Alarm(on=False) in panel.heard()
    assert [[Lock(), Unlock()]] * 2 == [shoe.heard(), shuffler.heard()]


@pytest.mark.parametrize("way", ["up", "takes"])
def test_what_was_not_taken_is_sent_again(way: str) -> None:
    """A device that is away, or takes nothing, is told when it does."""
    panel = Shown()
    show, table = Show({"panel": panel}), table_after("fresh: no\n\n")
    setattr(panel, way, False)
    show.update(table)
    setattr(panel, way, True)
    show.update(table)
    assert 3 == len(panel.heard())


def test_a_device_that_has_come_back_is_told_everything() -> None:
    """And no other device is."""
    panel, shoe = Shown(), Shown()
    show, table = Show({"panel": panel, "shoe": shoe}), table_after("fresh: no\n\n")
    show.update(table)
    first = panel.heard(), shoe.heard()
    show.met("panel", 0)
    show.update(table)
    assert (first[0], []) == (panel.heard(), shoe.heard())


def test_a_refusal_stands_until_the_next_thing_happens() -> None:
    """The reason replaces the text, lamps and alarm stay as the table says."""
    panel = Shown()
    show, table = Show({"panel": panel}), table_after("fresh: no\n\n")
    show.update(table)
    panel.heard()
    show.refused(deny(Ground.PAIRING_FAILED, detail="not now (3.1)"))
    show.update(table)
    show.update(table)
    show.refused(None)
    show.update(table)
    assert [Text("not now (3.1)", ""), Text("OPEN BETS", "")] == panel.heard()


def test_a_panel_that_shows_any_script_is_told_the_text_as_it_is() -> None:
    """One that does not gets a question mark for each character that it has not."""
    panel = Shown()
    show, table = Show({"panel": panel}), table_after("fresh: no\n\n")
    show.refused(deny(Ground.PAIRING_FAILED, detail="第3门请等候 (3.1)"))
    show.update(table)
    assert Text("?3???? (3.1)", "") in panel.heard()
    show.met("panel", UNICODE)
    show.update(table)
    assert UnicodeText("第3门请等候 (3.1)", "") in panel.heard()


def test_places_have_names_on_the_display() -> None:
    """The Dealer's hand and the burn are told by name."""
    assert "BURN ONE CARD" == picture(table_after(f"{BETS}no-more-bets\n")).upper
    assert {DEALER, BURN} == {Place(0), Place(-1)}


def test_the_step_stands_beside_the_code_where_there_is_room() -> None:
    """In the language of the panel: Chinese needs fewer columns for it."""
    text = "fresh: no\nshoe: KH 8D\n\nplace-bets\nbet 1 main 100; bet 3 main 50\nno-more-bets\ndraw 3\n"
    lines = {lang: picture(table_after(text), lang=lang).lower for lang in ("en", "zh")}
    assert {"en": "MISDEALT-CARD 5.6.1", "zh": "MISDEALT-CARD 5.6.1 按列表顺序移牌"} == lines
