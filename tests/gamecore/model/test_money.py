"""Money: whole cents, exact odds, rounding half up, and what is no amount."""

from __future__ import annotations

from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.model.money import HALF, MoneyError, Odds, cents, dollars, signed
from gamecore.rules.games import GAMES

amounts = st.integers(1, 10**11 - 1)


@pytest.mark.parametrize(
    ("text", "amount"), [("25", 2500), ("12.50", 1250), ("0.01", 1), ("0025", 2500), ("999999999.99", 99999999999)]
)
def test_dollars_are_read_as_cents(text: str, amount: int) -> None:
    """Dollars, with or without two decimals."""
    assert amount == cents(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0.00",
        "-5",
        "+5",
        "12.5",
        "12.505",
        ".50",
        "5.",
        "1,000",
        "$5",
        "5 ",
        " 5",
        "1e3",
        "1_000",
        "NaN",
        "inf",
        "1234567890",
        "five",
        "5\n",
    ],
)
def test_what_is_no_amount_above_zero_is_refused_with_the_text(text: str) -> None:
    """The message quotes what stands there and says what was expected."""
    with pytest.raises(MoneyError, match="is no amount: expected dollars above zero") as error:
        cents(text)
    assert f"'{text}'" in str(error.value)


@given(st.text(max_size=8))
def test_any_text_is_an_amount_above_zero_or_a_money_error(text: str) -> None:
    """Nothing else comes out of reading an amount."""
    with suppress(MoneyError):
        assert cents(text) > 0


@given(amounts)
def test_an_amount_is_read_as_it_is_written(amount: int) -> None:
    """Writing and reading an amount changes nothing."""
    assert amount == cents(dollars(amount))


@pytest.mark.parametrize(
    ("amount", "plain", "with_sign"),
    [
        (0, "0.00", "0.00"),
        (5, "0.05", "+0.05"),
        (-5, "-0.05", "-0.05"),
        (-1250, "-12.50", "-12.50"),
        (-100, "-1.00", "-1.00"),
        (123456789, "1234567.89", "+1234567.89"),
    ],
)
def test_amounts_are_written_with_two_decimals(amount: int, plain: str, with_sign: str) -> None:
    """A loss has its sign; what is won has one where it is asked for."""
    assert (plain, with_sign) == (dollars(amount), signed(amount))


@pytest.mark.parametrize(
    ("odds", "amount", "pays"),
    [
        (Odds(3, 2), 100, 150),
        (Odds(3, 2), 1, 2),
        (Odds(3, 2), 3, 5),
        (Odds(6, 5), 1, 1),
        (Odds(6, 5), 2, 2),
        (Odds(6, 5), 3, 4),
        (Odds(6, 5), 2501, 3001),
        (HALF, 1, 1),
        (HALF, 2501, 1251),
        (Odds(1), 2501, 2501),
        (Odds(1000), 99999999999, 99999999999000),
    ],
)
def test_odds_pay_to_the_cent_half_up(odds: Odds, amount: int, pays: int) -> None:
    """Half a cent goes to the Player who is paid."""
    assert pays == odds.pays(amount)


@given(amount=amounts, win=st.integers(1, 1000), stake=st.integers(1, 10))
def test_odds_are_exact_and_rounded_half_up_once(amount: int, win: int, stake: int) -> None:
    """The payment is the exact fraction, rounded half up to the cent, however large the amount."""
    exact = Decimal(amount * win) / Decimal(stake)
    assert int(exact.quantize(Decimal(1), ROUND_HALF_UP)) == Odds(win, stake).pays(amount)


@pytest.mark.parametrize("game", GAMES)
def test_every_pay_table_pays_whole_amounts_exactly(game: str) -> None:
    """A wager of ten dollars comes out in whole cents by every row of every pay table."""
    rules = GAMES[game]
    odds = [rules.natural_pays.value, rules.insurance_pays.value, rules.regular_pays.value]
    odds += [bonus.pays for bonus in rules.bonus_hands.value]
    odds += [pays for side in rules.side_wagers for _, pays in side.pays]
    assert [] == [one for one in odds if one.pays(1000) * one.stake != 1000 * one.win]


def test_odds_are_written_as_the_pay_tables_print_them() -> None:
    """Three to two is ``3 to 2``."""
    assert ("3 to 2", "11 to 1") == (str(Odds(3, 2)), str(Odds(11)))
