"""The shoe is heard before the table: whatever the links do, the table hears the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import hub, shoe
from drivers.faults import SILENT, Fault
from drivers.happenings import Identity, Received
from drivers.messages import Message
from drivers.wire import Spot
from firmware_bridge.pump.items import Item
from firmware_bridge.pump.shoe_first import Barrier, fits
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.pump_rig import TOLD, PumpRig, Run

READS = parse("game: mbs-blackjack-v6\nfresh: no\n\n", GAMES).header
COUNTS = parse("game: mbs-blackjack-v6\nfresh: no\nsensors: shoe positions-count bets panel\n\n", GAMES).header
BET = hub.Chips(Spot(1, 0, 1), "main", 5000, emptied=False)
SHOE = Identity("shoe", "S1", "1", (1, 1), 0, True, 1, 1)


def out(text: str) -> shoe.CardOut:
    """A card left the shoe."""
    return shoe.CardOut(text, 0, face_up=False)


def lies(text: str, box: int = 1) -> hub.CardArrived:
    """A card lies."""
    return hub.CardArrived(Spot(box), text, exposed=True)


class Wires:
    """A shoe and a hub whose reports are heard when the test says so, and a table that hears them."""

    def __init__(self, *, counts: bool, answers: bool = True) -> None:
        self.up, self._answers = True, answers
        self._header = COUNTS if counts else READS
        self._table = Table(GAMES[self._header.game], table_config(self._header))
        for event in (ev.PlaceBets(), ev.WagerPlaced(Place(1, 0, 1), "main", 100_00), ev.NoMoreBets()):
            self._table.apply(event)
        self.heard: list[str] = []
        self._happened = self._told = self._hub = 0
        self._shoe_says: deque[Message] = deque()
        self._hub_says: deque[Message] = deque()
        self._questions: deque[tuple[int, int | None]] = deque()
        self._asked = 0
        self._barrier = Barrier(lambda: self, self._fits, self._go_on)

    def _fits(self, arrived: hub.CardArrived) -> bool:
        return fits(arrived, self._header, self._table, ())

    def _go_on(self, _name: str, event: Received) -> None:
        self._hear_message(event.message)

    def _hear_message(self, message: object) -> None:
        match message:
            case shoe.CardOut(text):
                self.heard.append(f"out {text}")
                self._table.apply(ev.CardDrawn(card(text)))
            case hub.CardArrived(place, text):
                self.heard.append(f"lies {text} {Place(*place)}")
                self._table.apply(ev.CardLaid(card(text), Place(*place)))
            case hub.CardLeft(place, text):
                self.heard.append(f"left {text} {Place(*place)}")
                self._table.apply(ev.CardLifted(card(text), Place(*place)))
            case _:
                self.heard.append("chips")

    def ask(self) -> int | None:
        """The shoe is asked; the question travels until `answer`."""
        if not self._answers:
            return None
        self._asked += 1
        self._questions.append((self._asked, None))
        return self._asked

    def happen(self, *messages: Message) -> None:
        """Things happen at the devices, one after the other."""
        for message in messages:
            if isinstance(message, shoe.CardOut):
                self._happened += 1
                self._shoe_says.append(message)
            else:
                self._hub_says.append(message)

    # What the links do, in any order. Each says whether it had something to do.

    def hear_shoe(self) -> bool:
        """The next report of the shoe arrives, and the answers that came behind it."""
        if not self._shoe_says or not self.up:
            return False
        self._told += 1
        self._hear_message(self._shoe_says.popleft())
        self._barrier.hand_on_waiting()
        self._answer_questions()
        return True

    def hear_hub(self) -> bool:
        """The next report of the hub arrives."""
        if not self._hub_says:
            return False
        self._hub += 1
        self._barrier.received("hub", Received(self._hub, 0, self._hub_says.popleft(), b""))
        return True

    def answer(self) -> bool:
        """The shoe answers all questions that have reached it, with how far it has come."""
        open_questions = [question for question, said in self._questions if said is None]
        if not open_questions or not self.up:
            return False
        self._questions = deque([(open_questions[-1], self._happened)])
        self._answer_questions()
        return True

    def _answer_questions(self) -> None:
        while self._questions and self._questions[0][1] is not None and self._questions[0][1] <= self._told:
            self._barrier.caught_up(self._questions.popleft()[0])

    def lose(self) -> bool:
        """The shoe's cable is pulled, and its questions are lost."""
        if not self.up:
            return False
        self.up = False
        self._questions.clear()
        self._barrier.away()
        return True

    def find(self) -> bool:
        """It is plugged in again."""
        if self.up:
            return False
        self.up = True
        self._barrier.back()
        return True

    def let_all_arrive(self) -> None:
        """Whatever is under way arrives."""
        self.find()
        while self.hear_shoe() or self.hear_hub() or self.answer():
            pass


LINKS: tuple[Callable[[Wires], bool], ...] = (
    Wires.hear_shoe,
    Wires.hear_hub,
    Wires.hear_hub,
    Wires.answer,
    Wires.lose,
    Wires.find,
)


@given(
    cards=st.lists(st.tuples(st.sampled_from(["KD", "2C", "9H"]), st.integers(1, 7)), max_size=8),
    links=st.lists(st.sampled_from(LINKS), max_size=60),
)
def test_a_card_is_never_heard_to_lie_before_it_has_left(cards: list[tuple[str, int]], links: list[object]) -> None:
    """Cards are dealt while the links are late in any way: each is heard from the shoe before it lies."""
    wires = Wires(counts=False)
    for text, box in cards:
        wires.happen(out(text), lies(text, box))
    for link in links:
        assert callable(link)
        link(wires)
    wires.let_all_arrive()
    left = {text: 0 for text, _ in cards}
    for words in wires.heard:
        verb, text, *_ = words.split()
        left[text] += 1 if verb == "out" else -1
        assert left[text] >= 0
    assert [f"lies {text} {box}" for text, box in cards] == [words for words in wires.heard if words[:4] == "lies"]


@given(
    counts=st.booleans(),
    rounds=st.lists(st.tuples(st.sampled_from(["KD", "2C"]), st.integers(1, 7), st.booleans()), max_size=8),
    data=st.data(),
)
def test_any_interleaving_gives_the_same_order(
    counts: bool, rounds: list[tuple[str, int, bool]], data: st.DataObject
) -> None:
    """With one card at a time under way, as a Dealer deals, the table hears one order, however late the links are."""
    wires, expected = Wires(counts=counts), []
    for text, box, first_chips in rounds:
        seen = "??" if counts else text
        messages: list[Message] = (
            [BET, out(text), lies(seen, box)] if first_chips else [out(text), lies(seen, box), BET]
        )
        wires.happen(*messages)
        for link in data.draw(st.lists(st.sampled_from(LINKS), max_size=12)):
            link(wires)
        wires.let_all_arrive()
        order = [f"out {text}", f"lies {seen} {box}"]
        expected.append({*order, "chips"})
        said = wires.heard[-3:]
        assert expected[-1] == set(said)
        assert order == [words for words in said if words != "chips"]
        assert (said.index("chips") < said.index(order[1])) == first_chips
    assert 3 * len(rounds) == len(wires.heard)


@given(links=st.lists(st.sampled_from(LINKS), max_size=30))
def test_a_fresh_card_is_no_card_that_was_lifted(links: list[object]) -> None:
    """A card of the same face was lifted: one that lies is taken for it only when the shoe has told of no other."""
    wires = Wires(counts=False)
    wires.happen(out("KD"), lies("KD", 1))
    wires.let_all_arrive()
    wires.happen(hub.CardLeft(Spot(1), "KD"), out("KD"), lies("KD", 3))
    for link in links:
        assert callable(link)
        link(wires)
    wires.let_all_arrive()
    assert wires.heard.index("lies KD 3") > wires.heard.index("out KD", 1)


def test_what_fits_goes_on_at_once() -> None:
    """The shoe was heard first, as almost always: nobody is asked anything."""
    wires = Wires(counts=False)
    wires.happen(out("KD"), lies("KD"), BET)
    assert wires.hear_shoe()
    assert wires.hear_hub()
    assert ["out KD", "lies KD 1"] == wires.heard
    assert not wires.answer()


def test_what_a_place_counts_always_waits() -> None:
    """One card is out, and it need not be this one: the shoe is asked."""
    wires = Wires(counts=True)
    wires.happen(out("KD"), lies("??"), BET)
    assert [True] * 3 == [wires.hear_shoe(), wires.hear_hub(), wires.hear_hub()]
    assert ["out KD"] == wires.heard
    assert wires.answer()
    assert ["out KD", "lies ?? 1", "chips"] == wires.heard


@pytest.mark.parametrize("counts", [False, True])
def test_a_shoe_that_cannot_be_asked_is_not_waited_for(counts: bool) -> None:
    """The table joins the two reports itself, as well as it can."""
    wires = Wires(counts=counts, answers=False)
    text = "??" if counts else "KD"
    wires.happen(out("KD"), lies(text))
    wires.hear_hub()
    wires.let_all_arrive()
    assert [f"lies {text} 1", "out KD"] == wires.heard


@pytest.mark.parametrize("counts", [False, True])
def test_where_the_shoe_is_away_it_is_waited_for(counts: bool) -> None:
    """Also if it was asked before it went: another session answers no question of the last."""
    wires = Wires(counts=counts)
    text = "??" if counts else "KD"
    wires.happen(out("KD"), lies(text), BET)
    assert wires.hear_hub()
    assert wires.lose()
    assert wires.hear_hub()
    assert not wires.answer()
    assert [] == wires.heard
    wires.let_all_arrive()
    assert ["out KD", f"lies {text} 1", "chips"] == wires.heard


def test_without_a_shoe_nothing_waits() -> None:
    """A table without a shoe hears its hub as it speaks."""
    heard: list[int] = []
    barrier = Barrier(lambda: None, lambda _: False, lambda _, event: heard.append(event.number))
    for number, message in enumerate((lies("KD"), BET, lies("KD")), start=1):
        barrier.received("hub", Received(number, 0, message, b""))
    assert [1, 2, 3] == heard


# --- what fits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("queued", "wanted"),
    [
        ([], False),
        ([out("KD")], True),
        ([out("KD"), lies("KD", 5)], False),
        ([out("2C")], False),
        ([shoe.CardsOut(("KD", "KD"), ordered=False, gap_ms=0), lies("KD", 5)], True),
    ],
)
def test_what_is_not_applied_yet_counts(queued: list[Message], wanted: bool) -> None:
    """Cards that have left and cards that lie, in the order of the queue."""
    table = Table(GAMES[READS.game], table_config(READS))
    assert wanted is fits(lies("KD"), READS, table, [Item("any", message) for message in queued])


def test_where_no_place_is_sensed_everything_fits() -> None:
    """Places are told there, and what a hub says of cards is taken as it comes."""
    table = Table(GAMES[TOLD.game], table_config(TOLD))
    assert fits(lies("KD"), TOLD, table, ())


# --- in the pump -----------------------------------------------------------------------------------------------------


def test_a_card_that_lies_is_written_after_the_one_that_left(run: Run) -> None:
    """The order of the journal is the order of the table; what waits is neither kept nor acknowledged."""

    def scene(rig: PumpRig) -> None:
        shoe_station = rig.stations["shoe"]
        shoe_station.answers = True
        rig.says("hub", lies("KD"), BET)
        rig.pump.process_queue()
        assert [] == rig.rows()
        assert [] == [words for words, _ in rig.log if words == "hub acknowledged"]
        rig.says("shoe", out("KD"))

    rig = run(scene, READS)
    kept = [type(event) for event in rig.kept()]
    assert [ev.CardDrawn, ev.CardLaid, ev.WagerPlaced] == kept


def test_the_answer_of_the_shoe_lets_a_card_from_nowhere_through(run: Run) -> None:
    """It has told all that it had, and this card was not among it."""

    def scene(rig: PumpRig) -> None:
        rig.stations["shoe"].answers = True
        rig.says("hub", lies("KD"))
        rig.pump.process_queue()
        assert [] == rig.rows()
        rig.reports.caught_up("meter", 1)
        rig.pump.process_queue()
        assert [] == rig.rows()
        rig.reports.caught_up("shoe", 1)

    assert [ev.CardLaid(card("KD"), Place(1), exposed=True)] == run(scene, READS).kept()


def test_a_new_session_of_the_shoe_is_asked_again(run: Run) -> None:
    """The question of the last session is not answered any more, though the shoe was never away."""

    def scene(rig: PumpRig) -> None:
        station = rig.stations["shoe"]
        station.answers = True
        rig.says("hub", lies("KD"))
        rig.reports.up("shoe", SHOE)
        assert 2 == station.questions
        rig.reports.caught_up("shoe", 2)

    assert [ev.CardLaid(card("KD"), Place(1), exposed=True)] == run(scene, READS).kept()


def test_who_asks_about_a_card_that_waits_for_the_shoe_is_told_so(run: Run) -> None:
    """And hears what came of it when the shoe is back and has spoken."""

    def scene(rig: PumpRig) -> None:
        answers: list[object] = []
        station = rig.stations["shoe"]
        station.answers, station.up = True, False
        rig.reports.down("shoe", Fault(SILENT, ""))
        rig.pump.applied.when("hub", 1, answers.append, lambda: answers.append("waits"))
        rig.says("hub", lies("KD"))
        rig.pump.applied.when("hub", 1, answers.append, lambda: answers.append("still"))
        assert ["waits", "still"] == answers
        station.up = True
        rig.reports.up("shoe", SHOE)
        rig.pump.applied.when("hub", 1, answers.append, lambda: answers.append("no more"))
        rig.says("shoe", out("KD"))
        rig.pump.process_queue()
        assert ["waits", "still", None] == answers

    kept = [type(event) for event in run(scene, READS).kept()]
    assert [ev.LinkLost, ev.LinkBack, ev.CardDrawn, ev.CardLaid] == kept
