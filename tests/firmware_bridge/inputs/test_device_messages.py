"""Device messages as events of the table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import angel_eye, hub, meter, panel, shoe, shuffler
from drivers.messages import Message, Unknown
from drivers.wire import Spot
from firmware_bridge.inputs.device_messages import NextPlace, Translator
from firmware_bridge.journal.event_codec import decode, encode
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.model.events.refusals import Refused
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.drivers.values import messages_of
from tests.gamecore.properties.tables import a_header

CATALOGUES = (shoe.CATALOGUE, shuffler.CATALOGUE, hub.CATALOGUE, panel.CATALOGUE, meter.CATALOGUE, angel_eye.CATALOGUE)
KINDS = sorted({kind for catalogue in CATALOGUES for kind in catalogue.events}, key=lambda kind: kind.IDENT)

#: What each message means to the game; what is not here means nothing.
MEANS: dict[type, set[type]] = {
    shoe.CardOut: {ev.CardDrawn},
    shoe.CardsOut: {ev.CardsPulled},
    shoe.PushedBack: {ev.CardPushedBack},
    shoe.CuttingCard: {ev.CuttingCardOut},
    shoe.Cover: {ev.ShoeOpened},
    shoe.Empty: {ev.ShoeEmpty},
    shoe.Count: {ev.ShoeCounted},
    shoe.Loaded: {ev.Loaded},
    shuffler.ShuffleComplete: {ev.Shuffled},
    hub.CardArrived: {ev.CardLaid},
    hub.CardLeft: {ev.CardLifted},
    hub.CardsTurned: {ev.CardsTurned},
    hub.Chips: {ev.WagerPlaced, ev.WagerRemoved, ev.Insure},
    hub.DiscardCount: {ev.DiscardCounted},
    meter.Multiplier: {ev.Jackpot},
    angel_eye.OutsideFlow: {ev.CardDrawn},
    angel_eye.CardAgain: {ev.Call},
    angel_eye.CardDoubtful: {ev.Call},
}

any_message = st.one_of([messages_of(kind) for kind in KINDS])
spots = st.builds(Spot, st.integers(1, 7), st.integers(0, 4))


def translated(*messages: Message | NextPlace, places_sensed: bool = True) -> list[Event | None]:
    """What messages mean, one after the other; what is told between them is heard."""
    translator = Translator(places_sensed=places_sensed)
    meant = []
    for message in messages:
        if isinstance(message, NextPlace):
            translator.tell_place(message)
        else:
            meant.append(translator.event(message))
    return meant


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data())
def test_every_message_is_an_event_or_nothing(kind: type[Message], data: st.DataObject) -> None:
    """Any message of any catalogue means one of the classes above, which the journal can keep, or nothing."""
    (event,) = translated(data.draw(messages_of(kind)))
    assert event is None or event == decode(encode(event))
    assert {type(event)} - {type(None)} <= MEANS.get(kind, set())


@pytest.mark.parametrize(
    ("message", "event"),
    [
        (shoe.CardOut("KD", 5, face_up=False), ev.CardDrawn(card("KD"))),
        (shoe.CardOut("??", 5, face_up=True), ev.CardDrawn(card("??"), face_up=True)),
        (shoe.CardsOut(("KD", "2C#9"), ordered=True, gap_ms=5), ev.CardsPulled((card("KD"), card("2C#9")), (), True)),
        (shoe.CardsOut((), ordered=True, gap_ms=5), None),
        (shoe.PushedBack("JOKER"), ev.CardPushedBack(card("JOKER"))),
        (shoe.CuttingCard(), ev.CuttingCardOut()),
        (shoe.Cover(open=True), ev.ShoeOpened()),
        (shoe.Cover(open=False), None),
        (shoe.Jam(present=True), None),
        (shoe.Empty(), ev.ShoeEmpty()),
        (shoe.Count(52), ev.ShoeCounted(52)),
        (shoe.Loaded(416), ev.Loaded(416)),
        (shuffler.ShuffleBegun(), None),
        (shuffler.ShuffleFailed(1), None),
        (shuffler.ShuffleComplete("riffle", 3), ev.Shuffled("riffle", 3)),
        (hub.CardArrived(Spot(3, 2), "KD", exposed=True), ev.CardLaid(card("KD"), Place(3, 2), exposed=True)),
        (hub.CardArrived(Spot(0), "KD", exposed=False), ev.CardLaid(card("KD"), DEALER)),
        (hub.CardArrived(Spot(-1), "KD", exposed=False), ev.CardLaid(card("KD"), BURN)),
        (hub.CardLeft(Spot(3), "KD"), ev.CardLifted(card("KD"), Place(3))),
        (hub.CardsTurned(4), ev.CardsTurned(4)),
        (hub.DiscardCount(12), ev.DiscardCounted(12)),
        (hub.Chips(Spot(1, 0, 2), "pair", 500, emptied=False), ev.WagerPlaced(Place(1, 0, 2), "pair", 500)),
        (hub.Chips(Spot(1, 0, 2), "main", -500, emptied=False), ev.WagerRemoved(Place(1, 0, 2), "main", 500)),
        (hub.Chips(Spot(1, 0, 2), "main", -500, emptied=True), ev.WagerRemoved(Place(1, 0, 2), "main")),
        (hub.Chips(Spot(1, 0, 2), "main", 0, emptied=True), ev.WagerRemoved(Place(1, 0, 2), "main")),
        (hub.Chips(Spot(1, 0, 2), "main", 0, emptied=False), None),
        (hub.Chips(Spot(1, 0, 2), "insurance", 500, emptied=False), ev.Insure(Place(1, 0, 2), 500)),
        (hub.Chips(Spot(1, 0, 2), "insurance", -500, emptied=True), None),
        (meter.Multiplier(Spot(1, 0, 1), 25), ev.Jackpot(Place(1, 0, 1), 25)),
        (panel.KeySwitch(on=True), None),
        (angel_eye.OutsideFlow("KD", "locked"), ev.CardDrawn(card("KD"))),
        (angel_eye.OutsideFlow("??", "other"), ev.CardDrawn(card("??"))),
        (angel_eye.CardDoubtful("KD", outside=False, why="repeat"), ev.Call("uncovered", device="shoe")),
        (angel_eye.CardDoubtful("KD", outside=True, why="unchecked"), ev.Call("uncovered", device="shoe")),
        (angel_eye.CardAgain("KD"), ev.Call("uncovered", device="shoe")),
        (angel_eye.Started(), None),
        (angel_eye.Trouble(1, present=True, stopped=True), None),
        (Unknown(0x7F, b"\x01"), None),
    ],
)
def test_a_message_means_this(message: Message, event: Event | None) -> None:
    """What a single message means, by example."""
    assert [event] == translated(message)


def test_no_class_of_messages_is_forgotten() -> None:
    """The messages that mean nothing to the game are these and no others."""
    nothing = {kind.__name__ for kind in KINDS if kind not in MEANS}
    expected = {"Jam", "ShuffleBegun", "ShuffleFailed", "Press", "KeySwitch", "Started", "Trouble"}
    assert expected | {"KeyLock", "Notice", "Anchored"} == nothing


# --- cards that are moved --------------------------------------------------------------------------------------------


def test_a_card_that_is_moved_is_lifted_and_laid() -> None:
    """The two messages are two events, whatever else was said: the table says whether they are one card."""
    out = shoe.CardOut("KD", 0, face_up=False)
    left, arrived = hub.CardLeft(Spot(3), "KD"), hub.CardArrived(Spot(-2), "KD", exposed=True)
    lifted, laid = ev.CardLifted(card("KD"), Place(3)), ev.CardLaid(card("KD"), DISCARD, exposed=True)
    assert [lifted, ev.CardDrawn(card("KD")), laid, laid] == translated(left, out, arrived, arrived)


def test_a_journal_read_again_leaves_the_translator_as_it_was() -> None:
    """What is told is kept by itself; the events that used it up use it up again."""
    said: list[Message | NextPlace] = [
        NextPlace(Place(3), exposed=False),
        NextPlace(DEALER, exposed=True),
        shoe.CardOut("KD", 0, face_up=False),
        hub.CardLeft(Spot(1), "2C"),
        shoe.CardsOut(("5H", "6H"), ordered=True, gap_ms=0),
    ]
    first, again = Translator(places_sensed=False), Translator(places_sensed=False)
    for words in said:
        if isinstance(words, NextPlace):
            first.tell_place(words)
            again.tell_place(words)
            continue
        meant = first.event(words)
        if meant is not None:
            again.repeats(meant)
    assert vars(first) == vars(again)
    assert 1 == len(first._told)


# --- places that are told --------------------------------------------------------------------------------------------


def test_told_places_are_taken_in_their_order() -> None:
    """Each card lies where it was told; a card of which nothing was told belongs at the proper place."""
    told = [NextPlace(Place(3), exposed=False), NextPlace(DEALER, exposed=True)]
    out = [shoe.CardOut(text, 0, face_up=text == "4S") for text in ("KD", "4S", "2C")]
    expected = [ev.CardDrawn(card("KD"), Place(3)), ev.CardDrawn(card("4S"), DEALER, face_up=True, exposed=True)]
    assert [*expected, ev.CardDrawn(card("2C"))] == translated(*told, *out, places_sensed=False)


def test_a_pull_of_several_cards_takes_no_told_place() -> None:
    """Where the cards of a pull will lie, nobody knows: the place is of the next single card."""
    pulled = shoe.CardsOut(("KD", "2C"), ordered=False, gap_ms=0)
    meant = translated(
        NextPlace(Place(3), exposed=False), pulled, shoe.CardOut("4S", 0, face_up=False), places_sensed=False
    )
    assert [ev.CardsPulled((card("KD"), card("2C"))), ev.CardDrawn(card("4S"), Place(3))] == meant


def test_where_places_are_sensed_nothing_is_told() -> None:
    """A sensor is believed, not a person."""
    meant = translated(NextPlace(Place(3), exposed=True), shoe.CardOut("KD", 0, face_up=False))
    assert [ev.CardDrawn(card("KD"))] == meant


@given(
    st.lists(
        st.one_of(st.builds(NextPlace, spots.map(lambda spot: Place(*spot)), st.booleans()), st.none()), max_size=30
    )
)
def test_the_place_of_a_card_is_the_oldest_that_was_told(steps: list[NextPlace | None]) -> None:
    """Tell and draw in any order: places queue up, and none is used twice."""
    waiting: list[NextPlace] = []
    expected = []
    for step in steps:
        if step is not None:
            waiting.append(step)
        else:
            first = waiting.pop(0) if waiting else None
            place, exposed = (None, False) if first is None else first
            expected.append(ev.CardDrawn(card("KD"), place, exposed=exposed))
    messages = [shoe.CardOut("KD", 0, face_up=False) if step is None else step for step in steps]
    assert expected == translated(*messages, places_sensed=False)


# --- a table that hears any devices ----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    game=st.sampled_from(sorted(GAMES)),
    chance=st.integers(0, 2**32),
    said=st.lists(any_message | st.sampled_from([ev.PlaceBets(), ev.NoMoreBets()]), max_size=40),
)
def test_a_table_takes_whatever_the_devices_say(game: str, chance: int, said: list[Message | Event]) -> None:
    """No message of any device, in any order, breaks the translation or the table."""
    table = Table(GAMES[game], table_config(a_header(random.Random(chance), game)))
    translator = Translator(places_sensed=table.view().senses_places)
    meant = [translator.event(words) if isinstance(words, Message) else words for words in said]
    happened = [event for event in meant if event is not None]
    physical = [event for event in happened if not isinstance(event, Command)]
    outputs = [table.apply(event) for event in happened]
    refused = [event for event, out in zip(happened, outputs, strict=True) if any(isinstance(o, Refused) for o in out)]
    assert [] == [event for event in refused if event in physical]


def test_a_doubtful_card_holds_the_round() -> None:
    """Whether the card counts is referred: it is neither counted nor dropped."""
    table = Table(GAMES["mbs-blackjack-v6"], table_config(a_header(random.Random(1), "mbs-blackjack-v6")))
    table.apply(ev.PlaceBets())
    table.apply(ev.WagerPlaced(Place(1, 0, 1), "main", 50_00))
    (event,) = translated(angel_eye.CardDoubtful("KD", outside=False, why="repeat"))
    assert isinstance(event, ev.Call)
    table.apply(event)
    assert ("held", "uncovered", "refer") == (
        table.state.value,
        table.view().matters[0].finding.code,
        table.view().matters[0].finding.ruling,
    )
    assert () == table.view().round.dealt
