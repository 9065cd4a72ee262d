"""Events as text, and back."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.journal import schema
from firmware_bridge.journal.event_codec import CodecError, decode, encode, of_row
from gamecore.model.cards import Card, card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from tests.drivers.values import CARDS

KINDS: tuple[type, ...] = get_args(Event)
EXAMPLES = 20  # of each class of events, of which there are dozens
cards = CARDS.map(card)
places = st.one_of(
    st.sampled_from([DEALER, BURN, DISCARD]),
    st.builds(Place, st.integers(-2, 99), st.integers(0, 255), st.integers(0, 255)),
)
STRATEGIES: dict[object, st.SearchStrategy[Any]] = {
    Card: cards,
    Place: places,
    bool: st.booleans(),
    int: st.integers(),
    str: st.text(st.characters()),
    tuple[Card, ...]: st.lists(cards, max_size=4).map(tuple),
    tuple[str, ...]: st.lists(st.text(), max_size=4).map(tuple),
}


def values(hint: object) -> st.SearchStrategy[Any]:
    """Any value of a field's type."""
    if hint in STRATEGIES:
        return STRATEGIES[hint]
    (inner,) = set(get_args(hint)) - {NoneType}
    return st.none() | STRATEGIES[inner]


def events_of(kind: type) -> st.SearchStrategy[Event]:
    """Any event of a class."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: values(hints[field.name]) for field in fields(kind)})


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_what_was_encoded_is_decoded_as_the_same(kind: type, data: st.DataObject) -> None:
    """Any event of any class comes back equal, and gives the same bytes again."""
    event = data.draw(events_of(kind))
    text = encode(event)
    assert event == decode(text)
    assert text == encode(decode(text))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_any_event_can_be_written_anywhere(kind: type, data: st.DataObject) -> None:
    """The text is one line of ASCII, whatever a name holds."""
    text = encode(data.draw(events_of(kind)))
    assert (True, 1) == (text.isascii(), len(text.splitlines()))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_fields_that_differ_from_their_defaults_are_said(kind: type, data: st.DataObject) -> None:
    """What is not said is the default, and the fields stand in the order of the class."""
    event = data.draw(events_of(kind))
    differing = [field.name for field in fields(kind) if field.default is MISSING or _differs(event, field)]
    assert ["is", *differing] == list(json.loads(encode(event)))


def _differs(event: Event, field: Any) -> bool:
    return bool(getattr(event, field.name) != field.default)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (ev.PlaceBets(), '{"is":"PlaceBets"}'),
        (ev.CardDrawn(card("KD")), '{"is":"CardDrawn","card":"KD"}'),
        (
            ev.CardLaid(card("AS#17"), Place(3, 2), exposed=True),
            '{"is":"CardLaid","card":"AS#17","place":"3.2","exposed":true}',
        ),
        (ev.CardLifted(card("KD"), Place(3, 2)), '{"is":"CardLifted","card":"KD","place":"3.2"}'),
        (ev.CardMoved(card("??"), BURN, Place(1)), '{"is":"CardMoved","card":"??","source":"burn","target":"1"}'),
        (
            ev.CardsPulled((card("KD"), card("2C")), (card("2C"),)),
            '{"is":"CardsPulled","cards":["KD","2C"],"shown":["2C"]}',
        ),
        (
            ev.WagerPlaced(Place(1, 0, 2), "main", 25_00),
            '{"is":"WagerPlaced","place":"1/2","kind":"main","amount":2500}',
        ),
        (ev.Double(Place(1), 0), '{"is":"Double","place":"1","amount":0}'),
        (ev.Hit(Place(1, 100)), '{"is":"Hit","place":[1,100,0]}'),
        (ev.Hit(Place(0, 2)), '{"is":"Hit","place":[0,2,0]}'),
        (ev.Answer("3", ("KD", "5C")), '{"is":"Answer","who":"3","what":["KD","5C"]}'),
        (ev.Seat(Place(1, 0, 1), "José"), '{"is":"Seat","place":"1/1","player":"Jos\\u00e9"}'),
    ],
)
def test_events_are_written_like_this(event: Event, text: str) -> None:
    """The text of the journal, by example."""
    assert text == encode(event)
    assert event == decode(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "null",
        "17",
        '"PlaceBets"',
        "[]",
        '["is"]',
        "{}",
        '{"is":null}',
        '{"is":[]}',
        '{"is":"Nothing"}',
        '{"is":"State"}',
        '{"is":"PlaceBets","more":1}',
        '{"is":"CardDrawn"}',
        '{"is":"CardDrawn","card":"XX"}',
        '{"is":"CardDrawn","card":["KD"]}',
        '{"is":"CardDrawn","card":null}',
        '{"is":"CardDrawn","card":"KD","face_up":1}',
        '{"is":"CardDrawn","card":"KD","told":"0"}',
        '{"is":"CardLaid","card":"KD","place":null}',
        '{"is":"CardLaid","card":"KD","place":17}',
        '{"is":"CardLaid","card":"KD","place":[1,2,3,4]}',
        '{"is":"CardLaid","card":"KD","place":["1",0,0]}',
        '{"is":"CardLaid","card":"KD","place":[1]}',
        '{"is":"CardLaid","card":"KD","place":[-3,0,0]}',
        '{"is":"CardLaid","card":"KD","place":[1,-1,0]}',
        '{"is":"ShoeCounted","count":"5"}',
        '{"is":"ShoeCounted","count":5.0}',
        '{"is":"ShoeCounted","count":true}',
        '{"is":"CardsPulled","cards":"KD"}',
        '{"is":"Answer","who":"3","what":"accept"}',
        '{"is":"Answer","who":"3","what":[1]}',
        '{"is":"Offer","what":null}',
        "[" * 100_000,
    ],
)
def test_anything_else_is_no_event(text: str) -> None:
    """A text that no event gives is refused, and the error shows it."""
    with pytest.raises(CodecError, match="no event: ") as raised:
        decode(text)
    assert repr(text) in str(raised.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_a_field_of_another_type_is_never_taken(kind: type, data: st.DataObject) -> None:
    """Whatever stands in a field, decoding gives an event that encodes to the same, or a CodecError."""
    said = json.loads(encode(data.draw(events_of(kind))))
    said[data.draw(st.sampled_from([*said, "more"]))] = data.draw(json_values)
    try:
        event = decode(json.dumps(said))
    except CodecError:
        return
    assert event == decode(encode(event))
    assert type(event) in KINDS


# --- rows of the journal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "body", "event"),
    [
        (schema.EVENT, '{"is":"CardLifted","card":"KD","place":"3"}', ev.CardLifted(card("KD"), Place(3))),
        (schema.LIFTED, "KD 3", ev.CardLifted(card("KD"), Place(3))),
        (schema.LIFTED, "?? 1.2", ev.CardLifted(card("??"), Place(1, 2))),
        (schema.LIFTED, "9H#17 dealer", ev.CardLifted(card("9H#17"), DEALER)),
        (schema.TOLD, "3 exposed", None),
        (schema.NOTE, "KD 3", None),
        (schema.START, None, None),
    ],
)
def test_a_row_holds_an_event_whichever_edition_wrote_it(kind: str, body: str | None, event: ev.Event | None) -> None:
    """Edition 1 kept a lifted card as a row of another kind: it is the event that it is today."""
    assert event == of_row(kind, body, 1) == of_row(kind, body, schema.EDITION)


@pytest.mark.parametrize(
    ("event", "then"),
    [
        (ev.Reconstructed(), ev.Reconstructed(told=True)),
        (ev.Call("missing-burn"), ev.Call("missing-burn", told=True)),
        (ev.Call("late-wager", Place(3), 2), ev.Call("late-wager", Place(3), 2, told=True)),
        (ev.Call("box-short", Place(3)), ev.Call("box-short", Place(3))),
        (ev.CannotReconstruct(), ev.CannotReconstruct()),
    ],
)
def test_a_word_that_edition_1_took_against_the_sensors_is_told(event: ev.Event, then: ev.Event) -> None:
    """Reports that were compared with the sensors then are compared now; of the present edition every one is."""
    assert then == of_row(schema.EVENT, encode(event), 1)
    assert event == of_row(schema.EVENT, encode(event), schema.EDITION)


@pytest.mark.parametrize("body", [None, "", "KD", "3 KD", "KD 3 4", "KD three"])
def test_a_lifted_row_that_names_no_card_and_place_is_refused(body: str | None) -> None:
    """It is damaged, and not passed over."""
    with pytest.raises(CodecError):
        of_row(schema.LIFTED, body, 1)
