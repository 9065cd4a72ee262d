"""How far has the device come: the answer is never too early, whatever the cable does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.happenings import Arrived, CaughtUp, LinkHappening
from drivers.link.numbers import MASK, RESEND, WINDOW
from tests.drivers.link.cable import KEY, STEP, Rig, card, device_link, host_link

pytestmark = pytest.mark.usefixtures("editions")


def a_rig(*, first: int = 1, seed: int = 0, rate: float = 0.0) -> Rig:
    """Both ends, up."""
    rig = Rig(host_link(expected=first, seed=seed), device_link(first=first), seed=seed, rate=rate)
    rig.until_up()
    rig.run(0.1)
    return rig


def asked(rig: Rig) -> int:
    """The number of a question that can be asked."""
    question = rig.host.ask(rig.now)
    assert question is not None
    return question


def until_settled(rig: Rig, question: int) -> list[LinkHappening]:
    """All that the host hears up to the end of the question."""
    heard: list[LinkHappening] = []
    for _ in range(5000):
        heard += rig.step()
        if any(isinstance(one, CaughtUp) and one.question >= question for one in heard):
            return heard
    raise AssertionError("the question was never answered")


def test_an_idle_device_answers_at_once() -> None:
    """The question and its answer take one turn of the cable each, not a heartbeat."""
    rig = a_rig()
    assert [CaughtUp(asked(rig), 1)] == [*rig.step(), *rig.step()]


def test_the_answer_comes_after_all_that_had_happened() -> None:
    """Also what the device had not sent yet, because too much was under way."""
    rig = a_rig()
    rig.acknowledging = False
    for order in range(3 * WINDOW):
        rig.event(card(order))
    question = asked(rig)
    rig.run(0.5)
    assert WINDOW == len(rig.arrived)
    rig.acknowledging = True
    rig.host.acknowledge(WINDOW, rig.now)
    heard = until_settled(rig, question)
    assert CaughtUp(question, 3 * WINDOW + 1) == heard[-1]
    assert 3 * WINDOW == len(rig.arrived)


def test_numbers_go_round() -> None:
    """Past the last number the answer is still not too early."""
    rig = a_rig(first=MASK)
    for order in range(4):
        rig.event(card(order))
    heard = until_settled(rig, asked(rig))
    assert [MASK, 0, 1, 2, CaughtUp(1, 3)] == [one.number if isinstance(one, Arrived) else one for one in heard]


def test_a_question_and_an_answer_that_are_lost_are_sent_again() -> None:
    """The host asks until it is answered, at the pace of every other frame that is sent again."""
    rig = a_rig()
    question = asked(rig)
    assert rig.host.outgoing()  # nobody receives it
    answer = b""
    for _ in range(2):
        rig.now += 2 * RESEND
        rig.host.tick(rig.now)
        rig.device.received(rig.host.outgoing(), rig.now)
        answer = rig.device.outgoing()  # nobody receives the first of them
        assert answer
    assert [CaughtUp(question, 1)] == rig.host.received(answer, rig.now)
    rig.run(1.0)
    assert (0, 0) == (rig.host.stats.bad, rig.device.stats.bad)


def test_the_answer_to_a_later_question_is_good_for_all_before_it() -> None:
    """Several questions in one turn are one frame."""
    rig = a_rig()
    assert [1, 2, 3] == [asked(rig) for _ in range(3)]
    assert [CaughtUp(3, 1)] == [*rig.step(), *rig.step()]


def test_an_idle_link_is_not_asked() -> None:
    """A question that is answered is not asked again: the heartbeats are as many as without it."""
    rig = a_rig()
    until_settled(rig, asked(rig))
    rig.run(1.0)
    before = rig.device.stats.frames
    rig.run(10.0)
    assert rig.device.stats.frames - before <= 21


def test_an_answer_to_nothing_is_a_bad_frame() -> None:
    """A device that answers what was not asked has its frame reported, and settles nothing."""
    rig = a_rig()
    rig.device._channel._reply_due = 7
    rig.device._channel.beat()
    assert ["bad-frame"] == [getattr(one, "code", "") for one in rig.host.received(rig.device.outgoing(), rig.now)]


def test_a_device_of_version_1_0_is_not_asked() -> None:
    """It could not read the question; its heartbeats are as they were."""
    device = device_link(key=KEY)
    device._protocol = (1, 0)
    rig = Rig(host_link(key=KEY), device)
    rig.until_up()
    assert rig.host.ask(rig.now) is None
    rig.run(5.0)
    assert (1, 0) == (rig.ups, rig.device.stats.bad)


def test_a_question_ends_with_its_session() -> None:
    """Where nobody is there nobody is asked, and the next session answers no question of the one before."""
    rig = a_rig()
    asked(rig)
    rig.host.closed()
    assert rig.host.ask(rig.now) is None
    rig.host.opened(rig.now)
    rig.until_up()
    rig.run(1.0)
    assert [] == [one for one in rig.step() if isinstance(one, CaughtUp)]
    assert 1 == asked(rig)


class Asker:
    """Makes events, asks how far the device has come, and sees that no answer comes before what it answers for."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._session = rig.ups
        self.made = 0
        self.open: dict[int, int] = {}
        """Questions without an answer, with the events that were made before each."""

    def say(self, events: int) -> None:
        """Some events happen at the device."""
        for _ in range(events):
            self._rig.event(card(self.made))
            self.made += 1

    def ask(self) -> None:
        """Ask, where one can be asked."""
        question = self._rig.host.ask(self._rig.now)
        if question is not None:
            self.open[question] = self.made

    def let_pass(self, steps: int) -> None:
        """Let time pass; a new session ends all questions of the one before."""
        for _ in range(steps):
            for one in self._rig.step():
                if isinstance(one, CaughtUp):
                    self._answered(one.question)
            if self._rig.ups != self._session:
                self._session = self._rig.ups
                self.open.clear()

    def _answered(self, last: int) -> None:
        due = {question: count for question, count in self.open.items() if question <= last}
        assert max(due.values(), default=0) <= len(self._rig.arrived)
        for question in due:
            del self.open[question]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rate=st.sampled_from([0.0, 0.0005, 0.002]),  # of bytes: a handshake of edition 2 has hundreds
    steps=st.lists(st.tuples(st.integers(0, 40), st.booleans(), st.integers(0, 8)), max_size=40),
)
def test_no_answer_is_too_early(seed: int, rate: float, steps: list[tuple[int, bool, int]]) -> None:
    """Events, questions and pauses over any cable: when a question is settled, all before it has arrived."""
    rig = Rig(host_link(seed=seed), device_link(), seed=seed, rate=rate)
    rig.until_up()
    asker = Asker(rig)
    for events, asks, pause in steps:
        asker.say(events)
        if asks:
            asker.ask()
        asker.let_pass(pause)
    rig.up_cable.heal()
    rig.down_cable.heal()
    asker.let_pass(int(5 / STEP))
    assert (asker.made, {}) == (len(rig.arrived), asker.open)
