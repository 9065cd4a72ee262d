"""What reaches the table computer when cables and power fail."""

import pytest

from gamecore.model.cards import UNREAD, Card, card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.playing.links import Arrival, Links, carrier
from gamecore.notation.words import ALL_FITTED, DEVICES

DRAWN = ev.CardDrawn(card("AS"))
LAID = ev.CardLaid(card("AS"), Place(1))
BET, SETTLED = ev.WagerPlaced(Place(1, 0, 1), "main", 100), ev.Settle()
LOST, BACK = ev.LinkLost("shoe"), ev.LinkBack("shoe")


def arrived(*sent: ev.Event, sensors: frozenset[str] = ALL_FITTED) -> list[list[ev.Event]]:
    """Return what arrives at each of the events, each sent from a line of its own."""
    heard: list[ev.Event] = []
    links = Links(sensors, lambda face: _on_its_way(heard, face))
    return [
        [_heard(heard, arrival) for arrival in links.send(Arrival(number, event))]
        for number, event in enumerate(sent, start=1)
    ]


def _heard(heard: list[ev.Event], arrival: Arrival) -> ev.Event:
    heard.append(arrival.event)
    return arrival.event


def _on_its_way(heard: list[ev.Event], face: Card) -> int:
    out = sum(isinstance(event, ev.CardDrawn) and event.card == face for event in heard)
    return out - sum(isinstance(event, ev.CardLaid) and event.card == face for event in heard)


def test_an_unplugged_device_keeps_what_it_saw_until_it_is_back() -> None:
    """What an unplugged device saw arrives in order after it is plugged in; other devices are not held up."""
    other = ev.CardDrawn(card("KD"))
    expected = [[LOST], [], [SETTLED], [], [BACK, DRAWN, other], [DRAWN]]
    assert expected == arrived(LOST, DRAWN, SETTLED, other, BACK, DRAWN)


def test_a_card_that_lies_waits_for_the_shoe_that_dealt_it() -> None:
    """So does what the hub says after it; each card that lies follows the one that it can be."""
    other, laid = ev.CardDrawn(card("KD")), ev.CardLaid(card("KD"), Place(3))
    expected = [[LOST], [], [], [], [], [], [BACK, DRAWN, LAID, BET, other, laid]]
    assert expected == arrived(LOST, DRAWN, LAID, BET, other, laid, BACK)


def test_a_card_of_which_the_shoe_has_told_does_not_wait() -> None:
    """It left before the cable was pulled; nor does a card that is lifted."""
    lifted = ev.CardLifted(card("AS"), Place(1))
    assert [[DRAWN], [LOST], [LAID], [lifted], [BACK]] == arrived(DRAWN, LOST, LAID, lifted, BACK)


def test_a_counted_card_waits_until_the_shoe_has_told_all() -> None:
    """Nobody knows which of them it is."""
    other, counted = ev.CardDrawn(card("KD")), ev.CardLaid(UNREAD, Place(1))
    counts = frozenset({"shoe", "positions-count", "panel"})
    expected = [[DRAWN], [LOST], [], [], [BACK, other, counted]]
    assert expected == arrived(DRAWN, LOST, other, counted, BACK, sensors=counts)


def test_a_hub_and_a_shoe_that_are_both_back_are_heard_in_the_order_of_the_cards() -> None:
    """What the hub has kept still waits for the shoe."""
    hub_lost, hub_back = ev.LinkLost("hub"), ev.LinkBack("hub")
    expected = [[LOST], [hub_lost], [], [], [hub_back], [BACK, DRAWN, LAID]]
    assert expected == arrived(LOST, hub_lost, DRAWN, LAID, hub_back, BACK)


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
    links = Links(ALL_FITTED, lambda _: 0)
    events: list[ev.Event] = [LOST, DRAWN, BACK]
    sent = [list(links.send(Arrival(line, event))) for line, event in enumerate(events, start=1)]
    assert [[Arrival(1, LOST)], [], [Arrival(3, BACK), Arrival(2, DRAWN)]] == sent


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
