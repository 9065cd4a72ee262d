"""What must not leave the table: cards, keys, PINs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.people.accounts.roles import LEAST, make_pin
from firmware_bridge.people.masking import BYTES_LEFT_OUT, LEFT_OUT, scrubbed, without_bytes, without_secrets
from gamecore.view.veil import veiled, veiled_text

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
KEY = "00112233445566778899aabbccddeeff" * 2


@pytest.mark.parametrize("card", CARDS)
def test_every_card_is_hidden_wherever_it_stands(card: str) -> None:
    """Alone, in a statement, in a list, in quotes, with its code."""
    text = f"{card} draw 3 = {card}, ['{card}'] \"{card}\" ({card}) {card}#AB12 card={card}"
    assert card not in veiled_text(text)


@pytest.mark.parametrize(
    "text",
    ["place-bets", "BOX 3 HAND 2", "5.23.4.1", "SIM-SHOE", "firmware 2D3", "hit 3", "1209:ca5e", "ASK HOUSE", "??"],
)
def test_other_words_stay(text: str) -> None:
    """What is no card is told."""
    assert text == veiled_text(text)


@given(text=st.text(alphabet="AKD2SHC #'\"=,;:1\n", max_size=40))
def test_no_card_that_stands_alone_is_left(text: str) -> None:
    """Whatever is around it."""
    words = "".join(c if c.isalnum() or c == "#" else " " for c in veiled_text(text)).split()
    assert not [word for word in words if word in CARDS]  # a code without a card is none


@pytest.mark.parametrize("seen", ["4b 44", "02 43 4b 44 03", "4b440000", b"CRC KD".hex()])
def test_the_bytes_of_a_fault_are_left_out(seen: str) -> None:
    """They may be those of a card that lies face down."""
    said = f"not the shape of this shoe event: ident 0x10, payload {seen}"
    assert f"not the shape of this shoe event: ident 0x10, payload {BYTES_LEFT_OUT}" == without_bytes(said)


@pytest.mark.parametrize(
    "text",
    ["number 12 came again, 13 is next", "usb:1209:ca5e:SIM-PANEL: no such device", "CRC of 12 bytes", "2 seconds"],
)
def test_what_else_a_fault_tells_stays(text: str) -> None:
    """Numbers, addresses and words."""
    assert text == without_bytes(text)


def test_keys_and_kept_pins_are_left_out() -> None:
    """Wherever they stand; a short number stays."""
    pin = make_pin("4711", LEAST).text
    said = without_secrets(f'key = "{KEY}" pin="{pin}" {KEY.upper()} serial 00112233')
    assert f'key = "{LEFT_OUT}" pin="{LEFT_OUT}" {LEFT_OUT} serial 00112233' == said


def test_a_field_that_is_called_a_secret_is_left_out_whatever_it_holds() -> None:
    """Deep inside too; what only sounds like one stays."""
    value = {
        "key": "x",
        "devices": [{"api_token": 5, "port": "p"}],
        "pin": ["4711"],
        "key-switch": "on",
        "raw": b"\x01",
    }
    expected = {
        "key": LEFT_OUT,
        "devices": [{"api_token": LEFT_OUT, "port": "p"}],
        "pin": LEFT_OUT,
        "key-switch": "on",
        "raw": LEFT_OUT,
    }
    assert expected == scrubbed(value)


def test_cards_are_hidden_deep_inside() -> None:
    """Numbers and truth values stay what they are."""
    assert {"a": ["??", 5, {"b": "lay ?? 3"}], "c": None} == veiled({"a": ["KD", 5, {"b": "lay 2S 3"}], "c": None})
