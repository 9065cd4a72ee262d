"""What reaches the table computer when cables and power fail."""

import pytest

from gamecore.model import events as ev
from gamecore.model.cards import card
from gamecore.model.places import Place
from gamecore.notation.links import Arrival, Links, carrier
from gamecore.notation.words import ALL_FITTED, DEVICES

DRAWN = ev.CardDrawn(card("AS"))
LAID = ev.CardLaid(card("AS"), Place(1))
LOST, BACK = ev.LinkLost("shoe"), ev.LinkBack("shoe")


def arrived(*sent: ev.Event) -> list[list[ev.Event]]:
    """Return what arrives at each of the events, each sent from a line of its own."""
    links = Links(ALL_FITTED)
    return [
        [arrival.event for arrival in links.send(Arrival(number, event))] for number, event in enumerate(sent, start=1)
    ]


def test_an_unplugged_device_keeps_what_it_saw_until_it_is_back() -> None:
    """What an unplugged device saw arrives in order after it is plugged in; other devices are not held up."""
    other = ev.CardDrawn(card("KD"))
    expected = [[LOST], [], [LAID], [], [BACK, DRAWN, other], [DRAWN]]
    assert expected == arrived(LOST, DRAWN, LAID, other, BACK, DRAWN)


def test_a_device_can_be_unplugged_once() -> None:
    """Unplugging what is unplugged and plugging what is plugged is no news."""
    assert [[], [LOST], [], [], [BACK, DRAWN], []] == arrived(BACK, LOST, LOST, DRAWN, BACK, BACK)


def test_nothing_reaches_a_computer_without_power() -> None:
    """What happens in the dark arrives in order when the power is back."""
    expected = [[ev.PowerCut()], [], [], [], [ev.PowerOn(), DRAWN, LAID]]
    assert expected == arrived(ev.PowerCut(), ev.PowerCut(), DRAWN, LAID, ev.PowerOn())


def test_a_device_unplugged_in_the_dark_is_missed_when_the_power_is_back() -> None:
    """What an unplugged device saw does not come with the power, but with the cable."""
    expected = [[ev.PowerCut()], [], [], [ev.PowerOn(), LOST], [BACK, DRAWN]]
    assert expected == arrived(ev.PowerCut(), LOST, DRAWN, ev.PowerOn(), BACK)


def test_an_arrival_keeps_the_line_of_its_statement() -> None:
    """What arrives late is still the statement of its own line."""
    links = Links(ALL_FITTED)
    links.send(Arrival(1, LOST))
    links.send(Arrival(2, DRAWN))
    assert [Arrival(3, BACK), Arrival(2, DRAWN)] == links.send(Arrival(3, BACK))


@pytest.mark.parametrize(
    ("event", "fitted", "missing"),
    [
        (DRAWN, "shoe", "shoe"),
        (LAID, "hub", "console"),
        (ev.WagerPlaced(Place(1), "main", 500), "hub", "console"),
        (ev.DiscardCounted(5), "hub", "console"),
        (ev.Shuffled("machine"), "shuffler", "shuffler"),
        (ev.Jackpot(Place(1), 5), "meter", "meter"),
        (ev.Stand(Place(1)), "panel", "console"),
        (ev.Answer("pit", ("KD",)), "console", "console"),
        (ev.Seat(Place(1)), "console", "console"),
    ],
)
def test_each_event_has_its_carrier(event: ev.Event, fitted: str, missing: str) -> None:
    """An event is carried by the device that sees it, or told at the console where none is fitted."""
    assert (fitted, missing) == (carrier(event, ALL_FITTED), carrier(event, frozenset({"shoe"})))
    assert {fitted, missing} <= {*DEVICES, "console"}
