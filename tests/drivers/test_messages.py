"""Every table of messages: unique numbers, documented fields, sizes, round trips, and payloads that are no message."""

from __future__ import annotations

import dataclasses
import inspect
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import reference
from drivers.angel_eye import CATALOGUE as ANGEL_EYE
from drivers.messages import FIRST_COMMAND, LONGEST_PAYLOAD, Catalogue, Message, MessageError, fields_of
from drivers.panel import LINE_LENGTH, Text, UnicodeText, fitted, fitted_unicode
from drivers.reference import CATALOGUES, sizes
from drivers.shoe import CATALOGUE as SHOE
from drivers.shoe import CardOut, CardsOut, Count, Lock
from drivers.wire import Spot
from tests.drivers.values import messages_of

LINTED = (*CATALOGUES, ANGEL_EYE)
MESSAGES = {message: catalogue for catalogue in LINTED for message in catalogue.events + catalogue.commands}

each_message = pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
each_catalogue = pytest.mark.parametrize("catalogue", LINTED, ids=lambda catalogue: catalogue.kind)


def decoded(catalogue: Catalogue, ident: int, payload: bytes) -> Message | None:
    """Decode as event or as command, whichever the number says."""
    decode = catalogue.decode_command if ident >= FIRST_COMMAND else catalogue.decode_event
    return decode(ident, payload)


def test_no_number_has_two_meanings() -> None:
    """One number means one message in all catalogues, so that any of them may be combined."""
    numbers = [message.IDENT for message in MESSAGES]
    assert sorted(set(numbers)) == sorted(numbers)


def test_no_name_has_two_meanings() -> None:
    """One name means one message in all catalogues."""
    names = [message.__name__ for message in MESSAGES]
    assert sorted(set(names)) == sorted(names)


@each_catalogue
def test_events_and_commands_are_told_apart_by_their_number(catalogue: Catalogue) -> None:
    """Events have numbers below 0x80, commands 0x80 and above, and each stands once."""
    assert all(0 < message.IDENT < FIRST_COMMAND for message in catalogue.events)
    assert all(FIRST_COMMAND <= message.IDENT <= 0xFF for message in catalogue.commands)
    assert len(set(catalogue.events)) == len(catalogue.events)
    assert len(set(catalogue.commands)) == len(catalogue.commands)


@each_message
def test_every_message_is_a_plain_value_with_its_doc(message: type[Message]) -> None:
    """A message is a frozen slotted dataclass directly under Message, and says in one line what it means."""
    assert (Message,) == message.__bases__
    assert message.__dataclass_params__.frozen  # type: ignore[attr-defined]  # what dataclass leaves on its classes
    assert tuple(field.name for field in fields_of(message)) == message.__slots__
    doc = inspect.getdoc(message) or ""
    assert doc.endswith(".")
    assert "\n" not in doc
    assert not doc.startswith(f"{message.__name__}(")


@each_message
def test_every_field_says_its_kind_and_meaning(message: type[Message]) -> None:
    """Each field has a kind on the wire and one line of doc."""
    for field in fields_of(message):
        assert field.kind.smallest <= field.kind.largest
        assert field.doc
        assert "\n" not in field.doc
        assert "|" not in field.doc
        assert not field.doc.endswith(".")


@each_message
def test_every_payload_fits_into_a_frame(message: type[Message]) -> None:
    """The largest payload of a message is within what a frame has room for."""
    smallest, largest = sizes(message)
    assert 0 <= smallest <= largest <= LONGEST_PAYLOAD


@each_message
@given(data=st.data())
def test_every_message_survives_the_wire(message: type[Message], data: st.DataObject) -> None:
    """What is encoded is decoded to the same, within the sizes of the table."""
    catalogue = MESSAGES[message]
    value = data.draw(messages_of(message))
    ident, payload = catalogue.encode(value)
    smallest, largest = sizes(message)
    assert (message.IDENT, value) == (ident, decoded(catalogue, ident, payload))
    assert smallest <= len(payload) <= largest


@each_message
@given(data=st.data())
def test_a_payload_that_is_cut_or_longer_is_no_message(message: type[Message], data: st.DataObject) -> None:
    """Whatever the values, a payload cut anywhere or with bytes after it is not taken."""
    catalogue = MESSAGES[message]
    ident, payload = catalogue.encode(data.draw(messages_of(message)))
    for length in range(len(payload)):
        assert decoded(catalogue, ident, payload[:length]) is None
    assert decoded(catalogue, ident, payload + data.draw(st.binary(min_size=1, max_size=40))) is None


@each_catalogue
@given(ident=st.integers(0, 255), payload=st.binary(max_size=LONGEST_PAYLOAD + 40))
def test_any_bytes_are_a_message_or_none(catalogue: Catalogue, ident: int, payload: bytes) -> None:
    """No payload raises, and one that is taken means exactly what its message encodes to."""
    for message in (catalogue.decode_event(ident, payload), catalogue.decode_command(ident, payload)):
        if message is not None:
            assert (ident, payload) == catalogue.encode(message)


@each_message
@given(payload=st.binary(max_size=LONGEST_PAYLOAD))
def test_any_payload_of_a_known_number_is_a_message_or_none(message: type[Message], payload: bytes) -> None:
    """The same for the numbers that are known, where the decoders do the work."""
    catalogue = MESSAGES[message]
    taken = decoded(catalogue, message.IDENT, payload)
    if taken is not None:
        assert (message.IDENT, payload) == catalogue.encode(taken)


@each_catalogue
def test_unknown_numbers_are_no_message(catalogue: Catalogue) -> None:
    """A number that no message of the catalogue has gives none."""
    events = {message.IDENT for message in catalogue.events}
    commands = {message.IDENT for message in catalogue.commands}
    for ident in range(256):
        assert (ident in events) == catalogue.knows_event(ident)
        assert (ident in commands) == catalogue.knows_command(ident)
        if ident not in events:
            assert catalogue.decode_event(ident, b"") is None
        if ident not in commands:
            assert catalogue.decode_command(ident, b"") is None


def test_decoding_holds_no_memory() -> None:
    """Decoding many thousand different payloads keeps no more than the bounded table of places."""
    tracemalloc.start()
    try:
        for catalogue in LINTED:
            for message in catalogue.events:
                size = sizes(message)[0]
                for number in range(0, 2**24, 2**24 // 2000):
                    catalogue.decode_event(message.IDENT, number.to_bytes(max(size, 3), "little")[:size])
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 2**20


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (CardOut("KD", 1234, False), "2d 00 d2 04 00 00 00"),
        (CardOut("??", 0, True), "00 00 00 00 00 00 01"),
        (CardOut("JOKER", 1, False), "40 00 01 00 00 00 00"),
        (CardOut("7H#17", 2**32 - 1, False), "17 02 31 37 ff ff ff ff 00"),
        (CardsOut(("AS", "KC"), True, 0), "02 01 00 3d 00 01 00 00 00 00"),
        (Count(416), "a0 01"),
        (Lock(), ""),
    ],
    ids=str,
)
def test_the_bytes_are_those_of_the_document(message: Message, payload: str) -> None:
    """Cards, numbers and lists stand in the payload as the README says."""
    assert payload == SHOE.encode(message)[1].hex(" ")


@pytest.mark.parametrize(
    "payload",
    [
        "0e 00 00 00 00 00 00",  # rank 14
        "10 00 00 00 00 00 00",  # rank 0 of hearts
        "41 00 00 00 00 00 00",  # a joker with a rank
        "2d 00 00 00 00 00 02",  # a bool that is 2
        "00 01 31 00 00 00 00 00",  # an unread card with a code
        "40 01 31 00 00 00 00 00",  # a joker with a code
        "2d 01 23 00 00 00 00 00",  # a code that is #
        "2d 01 e9 00 00 00 00 00",  # a code that is not ASCII
        "2d 11" + " 41" * 17 + " 00 00 00 00 00",  # a code of 17
    ],
)
def test_what_is_no_card_is_not_taken(payload: str) -> None:
    """A face that no card has, a code that no card may carry, a bool that is neither: none of them is bent to fit."""
    assert SHOE.decode_event(CardOut.IDENT, bytes.fromhex(payload)) is None


@pytest.mark.parametrize(
    "message",
    [
        CardOut("1S", 0, False),
        CardOut("KD#", 0, False),
        CardOut("KD#a b", 0, False),
        CardOut("KD#\u00e9", 0, False),
        CardOut("KD#" + "A" * 17, 0, False),
        CardOut("??#1", 0, False),
        CardOut("KD", -1, False),
        CardOut("KD", 2**32, False),
        CardsOut(("AS",) * 105, True, 0),
        Count(2**16),
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_named(message: Message) -> None:
    """Encoding a value that its field cannot hold raises and names the field."""
    with pytest.raises(MessageError, match=rf"{type(message).__name__}\.\w+ cannot hold"):
        SHOE.encode(message)


def test_a_message_of_another_device_is_refused() -> None:
    """A catalogue encodes its own messages only."""
    with pytest.raises(MessageError, match="Text is not in the catalogue of the shoe"):
        SHOE.encode(Text("", ""))


def test_a_field_without_kind_is_refused() -> None:
    """A catalogue cannot be made of a message whose field says no kind and meaning."""

    @dataclasses.dataclass(frozen=True, slots=True)
    class Vague(Message):
        """A message that says too little."""

        number: int

    with pytest.raises(MessageError, match=r"Vague\.number says no kind"):
        Catalogue("vague", events=(Vague,), commands=())


def test_a_place_says_what_is_known() -> None:
    """Hand and slot are 0 where nobody said them."""
    assert (3, 0, 0) == Spot(3)


@given(line=st.text(max_size=80))
def test_any_text_can_be_fitted_to_the_display(line: str) -> None:
    """`fitted` gives a line that can be encoded, and leaves one alone that could be already."""
    catalogue = MESSAGES[Text]
    shown = Text(fitted(line), fitted(line))
    assert shown == decoded(catalogue, *catalogue.encode(shown))
    assert fitted(line) == fitted(fitted(line))


@given(line=st.text(max_size=80))
def test_any_text_can_be_fitted_to_a_display_of_any_script(line: str) -> None:
    """`fitted_unicode` gives a line that can be encoded; Chinese stays Chinese."""
    catalogue = MESSAGES[UnicodeText]
    shown = UnicodeText(fitted_unicode(line), fitted_unicode(line))
    assert shown == decoded(catalogue, *catalogue.encode(shown))
    assert fitted_unicode(line) == fitted_unicode(fitted_unicode(line))
    assert "庄家请等候" == fitted_unicode("庄家请等候")
    assert LINE_LENGTH >= len(fitted_unicode(line))


@pytest.mark.parametrize(
    "payload", [b"\x02\xe5\xba\x00", b"\x03\xe5\xba", b"\x01\x07\x00", bytes([105]) + b"a" * 105 + b"\0"]
)
def test_what_is_no_line_of_utf_8_is_no_message(payload: bytes) -> None:
    """A character that is cut, a length beyond the end, a control character, a line that is too long."""
    assert MESSAGES[UnicodeText].decode_command(UnicodeText.IDENT, payload) is None


def test_the_table_in_the_readme_is_current() -> None:
    """The README's table of messages is made from the catalogues; renew it with `python -m drivers.reference`."""
    text = reference.README.read_text(encoding="utf-8")
    assert reference.renewed(text) == text
    assert f"{reference.BEGIN}\n{reference.table()}" in text
