"""Roles and PINs: who stands above whom, what is kept of a PIN, when a name is locked out."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.commands.table.login_prompt import ask_pin
from firmware_bridge.people.accounts.roles import (
    LADDER,
    LEAST,
    MOST,
    NOBODY,
    ROLES,
    Person,
    Pin,
    PinError,
    at_least,
    fits,
    make_pin,
    read_pin,
)
from gamecore.notation import words
from tests.patience import PATIENCE

KEPT = Pin(LEAST, 8, 1, b"salt" * 4, bytes(range(32)))
"""The same in every process, as the names of the tests hold it."""


# --- roles -----------------------------------------------------------------------------------------------------------


def test_the_roles_that_approve_are_those_of_the_notation() -> None:
    """Every role that a statement can name is one that somebody can have."""
    assert set(words.ROLES) <= set(LADDER)


@pytest.mark.parametrize(("role", "wanted"), list(product(ROLES, ROLES)))
def test_a_higher_role_may_do_what_a_lower_one_may(role: str, wanted: str) -> None:
    """Along the ladder; surveillance and engineer are themselves alone."""
    on_ladder = role in LADDER and wanted in LADDER
    expected = LADDER.index(role) >= LADDER.index(wanted) if on_ladder else role == wanted
    assert expected is at_least(role, wanted)


# --- PINs ------------------------------------------------------------------------------------------------------------


@given(pin=st.text(min_size=4, max_size=64).filter(str.isprintable))
def test_a_pin_fits_its_kept_form_alone(pin: str) -> None:
    """Read back from its text it still fits; a longer one does not."""
    kept = read_pin(make_pin(pin, LEAST).text)
    assert fits(kept, pin)
    assert [False] * 3 == [fits(kept, other) for other in (pin + "1", pin[:-1], pin + "\0")]


def test_the_same_pin_is_never_kept_twice_alike() -> None:
    """Each has a salt of its own."""
    assert make_pin("4711", LEAST).text != make_pin("4711", LEAST).text


def test_the_text_tells_its_parameters() -> None:
    """So that they can be raised while older texts are still read."""
    assert ["scrypt", "8192", "8", "5"] == make_pin("4711").text.split("$")[:4]


def test_nothing_shows_what_is_kept() -> None:
    """Neither the PIN nor a person gives away salt or digest."""
    person = Person("ann", "dealer", KEPT)
    shown = f"{KEPT} {KEPT!r} {person} {person!r}"
    assert (False, False) == (KEPT.salt.hex() in shown, repr(KEPT.digest) in shown)
    assert "digest" not in shown


@pytest.mark.parametrize("pin", ["", "123", "x" * 65, "123\0", "12\n4"])
def test_a_pin_has_a_proper_length(pin: str) -> None:
    """The error says which, and does not repeat the PIN."""
    with pytest.raises(PinError, match="a PIN has 4 to 64 printable characters"):
        make_pin(pin)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4711",
        KEPT.text[:-1],
        KEPT.text + "0",
        KEPT.text.replace("scrypt", "plain"),
        KEPT.text.upper(),
        KEPT.text.replace("$1024$", "$1025$"),
        KEPT.text.replace("$1024$", f"${LEAST // 2}$"),
        KEPT.text.replace("$1024$", f"${2 * MOST}$"),
        KEPT.text.replace("$8$1$", "$8$0$"),
        KEPT.text.replace("$8$1$", "$8$17$"),
        KEPT.text.replace("$8$1$", "$9$1$"),
        KEPT.text + "\n",
        KEPT.text.replace("$1024$", "$\u0661024$"),
    ],
)
def test_another_text_is_no_pin_and_is_not_repeated(text: str) -> None:
    """The error tells how one looks."""
    with pytest.raises(PinError) as raised:
        read_pin(text)
    assert "scrypt$N$R$P$SALT$DIGEST" in str(raised.value)
    assert not text.strip() or text.strip() not in str(raised.value)


def test_nothing_fits_a_name_that_nobody_has() -> None:
    """Whatever is tried."""
    assert [False, False] == [fits(NOBODY, ""), fits(NOBODY, "4711")]


# --- what is typed ---------------------------------------------------------------------------------------------------


def test_what_is_not_typed_is_a_line_of_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line a PIN."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("4711\n0815\r\n"))
    assert ["4711", "0815"] == [ask_pin(), ask_pin("new PIN: ", again=True)]


@pytest.mark.parametrize(("second", "status"), [(b"47114711", 0), (b"47114712", 1)])
def test_a_pin_that_is_typed_is_not_shown(second: bytes, status: int) -> None:
    """On a real terminal a new one is asked for twice, and nothing of it is echoed."""
    where = "firmware_bridge.commands.table.login_prompt"
    code = f"from {where} import ask_pin; raise SystemExit(ask_pin(again=True) != '47114711')"
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, start_new_session=True
    )
    os.close(slave)
    shown = b""
    for prompt, typed in ((b"PIN: ", b"47114711"), (b"once more: ", second)):
        while prompt not in shown:
            shown += os.read(master, 1024)
        os.write(master, typed + b"\n")
    assert status == process.wait(PATIENCE)
    os.close(master)
    assert b"4711" not in shown
