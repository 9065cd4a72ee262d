"""Three copies made one: lost, late, too many and contradicting copies, sequences that come round or start again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.frames import Frame
from drivers.angel_eye.repeats import COPIES, Doubt, Once, Repeats
from drivers.angel_eye.sequence import Sequence, alphabet
from drivers.faults import Fault

WINDOW = 0.5
DIGITS = b"0123456789"


def said(sequence: str, data: str) -> Frame:
    """A frame."""
    return Frame(ord(sequence), data.encode(), b"a frame.")


class Line:
    """Feeds frames, a hundredth of a second apart."""

    def __init__(self, *, agree: int = 2, checked: bool = True) -> None:
        self.repeats = Repeats(window=WINDOW, agree=agree, checked=checked)
        self.now = 0.0
        self.told: list[str] = []
        self.faults: list[str] = []

    def feed(self, text: str) -> Line:
        """Take frames such as `1A`: sequence 1, data A; # is a damaged one, a dot a second without any."""
        for word in text.split():
            if word == "#":
                self.repeats.damaged(8)
            elif word == ".":
                self.now += 1.0
                self._note(self.repeats.tick(self.now))
            else:
                self.now += 0.01
                self._note(self.repeats.add(said(word[0], word[1:]), self.now))
        return self

    def _note(self, found: list[Once | Fault]) -> None:
        for item in found:
            if isinstance(item, Fault):
                self.faults.append(item.code)
            else:
                mark = "" if item.doubt is None else f"?{item.doubt.value}"
                self.told.append(chr(item.frame.sequence) + item.frame.data.decode() + mark)


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        pytest.param("1A 1A 1A", "1A", id="three copies"),
        pytest.param("1A 1A 1A 2A 2A 2A", "1A 2A", id="two equal cards have two numbers"),
        pytest.param("1A 1A", "1A", id="one copy lost"),
        pytest.param("1A # # .", "1A", id="two copies damaged: told when no other comes"),
        pytest.param("# # 1A # 2A # .", "1A 2A", id="two copies damaged, twice, before and between"),
        pytest.param("1A .", "1A?alone", id="two copies not even damaged"),
        pytest.param("1A 1A 9B .", "1A 9B?alone", id="a copy damaged in its number and right by its check"),
        pytest.param("1A 2B 1A 2B 2B 1A", "1A 2B", id="copies of two messages mixed"),
        pytest.param("1A 1A 2B 3C 1A 2B 3C", "1A 2B 3C", id="a copy after two further messages began"),
        pytest.param("# # 1A 2B 2B", "1A 2B", id="told in the order of the first copies"),
        pytest.param("1A 1A 1B", "1A 1B?copies-differ", id="a contradicting copy after it was told is not swallowed"),
        pytest.param("1A 1B 1A", "1A", id="a contradicting copy is outvoted"),
        pytest.param("1B 1A 1A", "1A", id="also if it came first"),
        pytest.param("1A 1B .", "1A?copies-differ 1B?copies-differ", id="nothing decides between two copies"),
        pytest.param("1A 1B 1A 1B", "1A 1B?copies-differ", id="two against two"),
        pytest.param("1A 1A 1A 1A", "1A 1A?repeat", id="a fourth copy may be a card"),
        pytest.param("1A 1A 1A 1A 1A 1A", "1A 1A?repeat", id="three more copies are one more card"),
        pytest.param("1A 1A . 1A", "1A 1A?repeat", id="a copy that is late may be a card"),
        pytest.param("1A 1A 1A 2B 2B 2B 1A 1A 1A", "1A 2B 1A?repeat", id="a sequence that started again unsaid"),
        pytest.param("1A 1A 1A 0S 0S 0S 1A 1A 1A", "1A 0S 1A", id="a device that said that it started"),
        pytest.param("1A 1A 1A 0S . 1A 1A 1A", "1A 0S?alone 1A?repeat", id="a single start proves nothing"),
        pytest.param("1S 1S 1S", "1S", id="the start itself has copies"),
    ],
)
def test_copies(frames: str, told: str) -> None:
    """What is told for what came."""
    line = Line().feed(frames).feed(".")
    assert told.split() == line.told


@pytest.mark.parametrize("copies", [1, 2, 3])
@pytest.mark.parametrize("name", ["digits", "hex", "30-7F"])
def test_equal_cards_through_every_turn_of_the_sequence(name: str, copies: int) -> None:
    """The same card over and over: as many as were dealt, whatever the sequence and however many copies come."""
    numbers = alphabet(name)
    line = Line()
    dealt = [chr(numbers[index % len(numbers)]) + "A" for index in range(5 * len(numbers))]
    for one in dealt:
        line.feed(" ".join([one] * copies + ["#"] * (COPIES - copies)))
    assert dealt == line.feed(".").told


def test_without_a_check_a_single_copy_is_doubtful() -> None:
    """Nothing vouches for it."""
    assert ["1A?alone", "2B"] == Line(checked=False).feed("1A # # . 2B 2B .").told


def test_with_one_copy_enough_it_is_told_at_once() -> None:
    """And its copies are still merged."""
    line = Line(agree=1)
    assert ["1A"] == line.feed("1A").told
    assert ["1A", "2A"] == line.feed("1A 1A 2A 2A .").told


def test_a_single_copy_is_told_with_a_fault() -> None:
    """That two copies were lost is said."""
    line = Line().feed("1A # # .")
    assert (["1A"], ["bad-frame"]) == (line.told, line.faults)


def test_when_a_message_waits_is_known() -> None:
    """The owner is told when to come back, and not to come back for nothing."""
    line = Line().feed("1A")
    assert line.now + WINDOW == line.repeats.due()
    assert line.feed("1A").repeats.due() is None


MESSAGES = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(1, COPIES)), max_size=60)


@given(MESSAGES, st.integers(10, 16))
def test_no_card_is_swallowed_and_none_invented_when_copies_are_lost(cards: list[tuple[str, int]], turn: int) -> None:
    """Any cards, any copies lost but one: each is told once, in order, without doubt."""
    line = Line()
    numbers = b"0123456789ABCDEF"[:turn]
    dealt = [chr(numbers[index % turn]) + card for index, (card, _) in enumerate(cards)]
    for one, (_, copies) in zip(dealt, cards, strict=True):
        line.feed(" ".join([one] * copies + ["#"] * (COPIES - copies)))
    assert dealt == line.feed(".").told


@given(st.lists(st.sampled_from("ABC"), max_size=40), st.randoms(use_true_random=False))
def test_copies_that_come_after_the_next_message_began_are_merged(cards: list[str], chance: random.Random) -> None:
    """The third copy of a message may change places with the first of the next."""
    frames: list[str] = []
    for index, card in enumerate(cards):
        one = chr(DIGITS[index % 10]) + card
        frames += [one] * COPIES
        if index and chance.random() < 0.5:
            frames[-3], frames[-4] = frames[-4], frames[-3]
    dealt = [chr(DIGITS[index % 10]) + card for index, card in enumerate(cards)]
    assert dealt == Line().feed(" ".join(frames)).feed(".").told


@given(st.lists(st.tuples(st.sampled_from("01234"), st.sampled_from("ABS"), st.booleans()), max_size=200))
def test_whatever_comes_memory_is_bounded_and_every_number_and_card_is_told(
    frames: list[tuple[str, str, bool]],
) -> None:
    """Any frames at any times: at most 16 are remembered; each kind of frame that came was told or outvoted."""
    line = Line()
    for number, card, pause in frames:
        line.feed(number + card + (" ." if pause else ""))
        assert len(line.repeats._said) <= 16
    line.feed(".")
    came = {number + card for number, card, _ in frames}
    told = {one.partition("?")[0] for one in line.told}
    assert told <= came
    assert {one[0] for one in came} == {one[0] for one in told}
    assert "bad-frame" in line.faults or came == told


def test_doubts_have_words_for_the_message() -> None:
    """The three reasons."""
    assert ["repeat", "copies-differ", "alone"] == [doubt.value for doubt in Doubt]


@pytest.mark.parametrize(
    ("name", "numbers", "faults"),
    [
        pytest.param("digits", "0123", [], id="in order"),
        pytest.param("digits", "8901", [], id="comes round"),
        pytest.param("digits", "13", [("events-lost", 1)], id="one is missing"),
        pytest.param("digits", "82", [("events-lost", 3)], id="missing over the turn"),
        pytest.param("digits", "1A", [("unverified", 0)], id="not of the sequence"),
        pytest.param("hex", "9AEF0", [("events-lost", 3)], id="hexadecimal"),
        pytest.param("30-33", "2301", [], id="a range"),
        pytest.param("learn", "0123", [], id="learn: in order"),
        pytest.param("learn", "13", [("events-lost", 1)], id="learn: one is missing"),
        pytest.param("learn", "890", [("unverified", 0)], id="learn: round, or a loss"),
    ],
)
def test_missing_numbers(name: str, numbers: str, faults: list[tuple[str, int]]) -> None:
    """What is reported about messages between two numbers."""
    sequence = Sequence(name)
    found = [sequence.follow(ord(number)) for number in numbers]
    seen = [(fault.code, fault.lost) for fault in found if fault is not None]
    assert faults == seen


def test_where_a_sequence_begins_anew_is_learnt() -> None:
    """Doubted twice, taken as right from the third time on; a loss is still seen."""
    sequence = Sequence("learn")
    turns = [[sequence.follow(number) for number in DIGITS] for _ in range(5)]
    assert [0, 1, 1, 0, 0] == [sum(fault is not None for fault in turn) for turn in turns]
    lost = sequence.follow(ord("1"))
    assert lost is not None


@pytest.mark.parametrize("name", ["", "decimal", "39-30", "3-9", "30-7G"])
def test_what_names_no_sequence_is_refused(name: str) -> None:
    """With the names that there are."""
    with pytest.raises(ValueError, match="is no sequence"):
        alphabet(name)
