"""What to pay and what to take, for every wager of a round, before `settle` is said and after it.

1. The amounts are those of the settlement itself (`TableView.settlement_preview`). There are three words only: pay
   (chips from the rack), take, leave. A stake and what is paid on it are never added up.
2. Each wager has the reason in words and the clause that says so. What the Dealer has paid or taken on the way is
   marked, and is not in the sums to be paid and taken now. It is told as soon as it was done (`on_the_way`).
3. The order is that of the settlement: box by box, the main wagers of each hand, then the others.
4. The panel shows the sums, and box by box when DONE is pressed: that turns a page of the display and is no event.
5. Chips on the layout are not compared with the guide: what was paid is what people have said.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.shown.scene_type import ShownPayment, ShownSettlement
from firmware_bridge.texts.languages import ENGLISH, LANGUAGES, columns
from gamecore.model.events.outputs import Row
from gamecore.model.money import dollars
from gamecore.rules.ruleset import Decider
from gamecore.view.pictures import HandView, SideView
from gamecore.view.view import TableView

CATALOGUE = Path(__file__).resolve().parents[1] / "texts" / "payments.json"
PAY, TAKE, LEAVE = "pay", "take", "leave"
WIDTH = 40


class Payment(NamedTuple):
    """One wager: what to do about it, how much, why, and whether that was done before."""

    row: Row
    act: str
    amount: int
    reason: str
    before: bool


class Sums(NamedTuple):
    """What is to be paid and taken now, and what was paid and taken before."""

    pay: int
    take: int
    paid: int
    taken: int


def payments(view: TableView) -> list[Payment]:
    """What is to be done about every wager; empty while that is not known."""
    return [_payment(view, row) for row in view.settlement_preview if row.net is not None]


def sums(of: Iterable[Payment]) -> Sums:
    """The sums of some payments."""
    found = {(act, before): 0 for act in (PAY, TAKE, LEAVE) for before in (False, True)}
    for one in of:
        found[one.act, one.before] += one.amount
    return Sums(found[PAY, False], found[TAKE, False], found[PAY, True], found[TAKE, True])


def settlement(view: TableView) -> ShownSettlement | None:
    """The guide as a plain value; None while it is not known yet."""
    rows = payments(view)
    if not rows:
        return None
    added = sums(rows)
    return {
        "done": not view.round_is_on,
        "rows": [_shown(view, one) for one in rows],
        "pay": dollars(added.pay),
        "take": dollars(added.take),
        "house": dollars(added.take - added.pay),
        "paid": dollars(added.paid),
        "taken": dollars(added.taken),
    }


def on_the_way(view: TableView) -> list[ShownPayment]:
    """What was paid and taken while the round goes on; the guide has it when the settlement is known."""
    return [] if payments(view) else [_shown(view, _payment(view, row)) for row in view.on_the_way]


def act_on_the_way(view: TableView, box: int, side: SideView) -> str:
    """What an interim settlement did about a side wager; empty if nothing."""
    wager = (side.kind, box, side.slot, side.hand, side.player)
    return next((_payment(view, row).act for row in view.on_the_way if _wager(row) == wager), "")


def _payment(view: TableView, row: Row) -> Payment:
    net = row.net or 0
    act = PAY if net > 0 else TAKE if net < 0 else LEAVE
    return Payment(row, act, abs(net), _reason(view, row), _was_before(view, row))


def _was_before(view: TableView, row: Row) -> bool:
    """Whether the Dealer has said that it was paid or taken before the round was settled."""
    return _wager(row) in map(_wager, view.on_the_way)


def _wager(row: Row) -> tuple[str, int, int, int, str | None]:
    """What tells a wager from every other."""
    return row.kind, row.box, row.slot, row.hand, row.player


def first_cards_decide(view: TableView) -> set[str]:
    """The kinds of side wagers that the first two cards decide: those of an interim settlement."""
    return {side.kind for side in view.rules.side_wagers if side.decided_by is Decider.FIRST_TWO_CARDS}


def _hand(view: TableView, row: Row) -> HandView | None:
    box = view.round.boxes.get(row.box)
    return box.hands[row.hand - 1] if box is not None and row.hand <= len(box.hands) else None


# --- why -------------------------------------------------------------------------------------------------------------


def _reason(view: TableView, row: Row) -> str:
    """The key of the reason."""
    if row.result in {"returned", "refused"}:
        return f"reason.{row.result}"
    if row.kind != "main":
        return f"reason.{row.kind}.{row.result}"
    hand = _hand(view, row)
    stake = None if hand is None else hand.stakes.get(row.slot)
    if hand is None or stake is None:
        return "reason.returned"
    said = {"surrendered": stake.surrendered, "even-money": stake.even_money, "rescued": stake.rescued}
    decided = next((f"reason.{word}" for word, was in said.items() if was), None)
    return decided or _compared(view, hand)


def _compared(view: TableView, hand: HandView) -> str:
    """The reason of a hand that was played to its end."""
    dealer = view.round.dealer
    if hand.bust:
        return "reason.bust"
    if hand.natural:
        return "reason.both-natural" if dealer.natural else "reason.natural"
    if dealer.natural:
        return "reason.dealer-natural"
    return "reason.dealer-bust" if dealer.total > view.rules.dealer_bust_above.value else "reason.main"


# --- in words --------------------------------------------------------------------------------------------------------


@cache
def texts() -> dict[str, dict[str, str]]:
    """The catalogue: each key with its text in every language."""
    return dict(json.loads(CATALOGUE.read_text(encoding="utf-8")))


def worded(key: str, lang: str = ENGLISH, **values: object) -> str:
    """A text in a language."""
    return texts()[key][lang].format_map(values)


def _shown(view: TableView, one: Payment) -> ShownPayment:
    row, hand = one.row, _hand(view, one.row)
    stake = None if hand is None or row.kind != "main" else hand.stakes.get(row.slot)
    return {
        "box": row.box,
        "slot": row.slot,
        "hand": row.hand,
        "kind": row.kind,
        "player": row.player,
        "stake": dollars(row.stake),
        "doubled": stake is not None and stake.doubled,
        "act": one.act,
        "amount": dollars(one.amount),
        "reason": {lang: _why(view, one, lang) for lang in LANGUAGES},
        "clause": row.clause,
        "before": one.before,
    }


def _why(view: TableView, one: Payment, lang: str) -> str:
    hand = _hand(view, one.row)
    natural = texts()[f"natural.{view.rules.natural.value}"][lang]
    total, dealer = (0 if hand is None else hand.total), view.round.dealer.total
    return worded(one.reason, lang, total=total, dealer=dealer, natural=natural)


# --- the panel -------------------------------------------------------------------------------------------------------


def pages(view: TableView) -> list[int]:
    """The boxes that the panel shows one after the other."""
    return list(dict.fromkeys(one.row.box for one in payments(view)))


def panel_sums(view: TableView, lang: str = ENGLISH) -> tuple[str, str]:
    """The sums of the round on two lines, in a language."""
    added = sums(payments(view))
    key = "sums" if view.round_is_on else "sums-done"
    return worded(key, lang, pay=_short(added.pay), take=_short(added.take)).upper(), worded("more", lang).upper()


def panel_box(view: TableView, box: int, lang: str = ENGLISH) -> tuple[str, str]:
    """One box on two lines, in a language: what to pay and take there, and what that is made of."""
    rows = [one for one in payments(view) if one.row.box == box and not one.before]
    added = sums(rows)
    key = "box" if view.round_is_on else "box-done"
    parts = [f"{worded(f'short.{one.row.kind}', lang)} {_signed(one)}" for one in rows]
    upper = worded(key, lang, box=box, pay=_short(added.pay), take=_short(added.take))
    return _cut(upper.upper()), _cut(" ".join(parts).upper())


def _cut(line: str) -> str:
    """As much of a line as a display has columns for: a Chinese character takes two."""
    taken = accumulate(columns(character) for character in line)
    return line[: sum(wide <= WIDTH for wide in taken)]


def _signed(one: Payment) -> str:
    sign = {PAY: "+", TAKE: "-", LEAVE: ""}[one.act]
    return f"{sign}{_short(one.amount)}"


def _short(amount: int) -> str:
    """An amount without the cents where there are none."""
    return str(amount // 100) if amount % 100 == 0 else dollars(amount)
