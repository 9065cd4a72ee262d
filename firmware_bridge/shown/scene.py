"""The table as a plain value, ready for JSON: all that a screen needs to draw it and to offer what may be said.

1. A scene follows from the table alone, and making one changes nothing. It holds the round that is on or was last.
2. Places are written as the notation writes them, money as text with two decimals. No card that lies face down is
   named, and its hand has no total (`gamecore.view.veil`).
3. Chips that lie there before bets open are in `early` of their box. `off` of a stake: its Player has no further part.
   `returned` is the clause by which a wager has gone back; `claims` says who comes first where several claim one.
4. `advice` is something to watch, on which nothing is decided yet.
5. What may be said is made by `scene_statements`, what a held round asks of people by `scene_held`. `disclose` says
   that cards have just come out in one pull, and that a person may say which of them show; `corrections` what a person
   may take back or retract. The shape of the whole is `scene_type`.
"""

from __future__ import annotations

from firmware_bridge.shown import scene_held
from firmware_bridge.shown.panel_picture import Picture, picture
from firmware_bridge.shown.scene_statements import can
from firmware_bridge.shown.scene_type import (
    BoxWagers,
    Scene,
    ShownBox,
    ShownChips,
    ShownDealer,
    ShownHand,
    ShownPanel,
    ShownShoe,
)
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import Row
from gamecore.model.money import dollars
from gamecore.model.states import State
from gamecore.table import Table
from gamecore.view.pictures import NO_BOX, BoxView, RoundView
from gamecore.view.report import preference_report, row_report
from gamecore.view.veil import Lying, lying, veiled_text
from gamecore.view.view import TableView

_TURN = frozenset({State.OFFERS, State.PLAYER_TURN})


def scene(table: Table) -> Scene:
    """The scene of a table."""
    view = table.view()
    game_round, panel, cards, due = view.round, picture(table), lying(view), view.next_place
    rows = game_round.wagers
    return {
        "game": view.rules.id,
        "title": view.rules.title,
        "state": view.state.value,
        "round": game_round.number or None,
        "outcome": game_round.outcome,
        "next": None if due is None else str(due),
        "turn": _turn(view),
        "boxes": _boxes(view, panel.lamps, cards, rows),
        "dealer": _dealer(view, cards),
        "elsewhere": [{"place": place, "cards": lie} for place, lie in cards.elsewhere.items()],
        "shoe": _shoe(view, locked=panel.locked),
        "offers": dict(game_round.offers),
        "spots": [kind for kind in view.rules.wager_kinds() if kind != "main"],
        "limits": {kind: {"min": dollars(least), "max": dollars(most)} for kind, (least, most) in view.limits.items()},
        "panel": _panel(panel),
        "advice": [veiled_text(advice) for advice in view.advice],
        "asks": scene_held.asks(table),
        "matters": scene_held.matters(view, cards),
        "duties": scene_held.duties(table),
        "claims": [preference_report(claimed) for claimed in view.claims],
        "can": can(table),
        "corrections": scene_held.corrections(table),
        "disclose": table.allowed().discloses,
        "wagers": [row_report(row) for row in rows],
        "findings": [scene_held.finding(view, finding) for finding in (*game_round.findings, *view.waiting)],
    }


def _panel(panel: Picture) -> ShownPanel:
    """What the Dealer's panel shows."""
    return {
        "lamps": list(panel.lamps),
        "upper": panel.upper,
        "lower": panel.lower,
        "alarm": panel.alarm,
        "locked": panel.locked,
    }


# --- the layout ------------------------------------------------------------------------------------------------------


def _turn(view: TableView) -> str | None:
    """The hand whose turn it is."""
    box = _acting(view)
    return None if box is None else str(box.place_of(view.round.turn_hand))


def _acting(view: TableView) -> BoxView | None:
    state = view.held_from if view.state is State.HELD else view.state
    return view.round.turn if state in _TURN else None


def _boxes(view: TableView, lamps: tuple[int, ...], cards: Lying, rows: tuple[Row, ...]) -> list[ShownBox]:
    """Every box of the layout."""
    results = _results(view.round, rows)
    acting = _acting(view)
    found: list[ShownBox] = []
    for number, lamp in enumerate(lamps, start=1):
        box = view.round.boxes.get(number, NO_BOX)
        turn = view.round.turn_hand if box is acting else -1
        found.append(
            {
                "number": number,
                "controller": box.controller,
                "seated": box.seated or view.seats.get(number, 0),
                "squeeze": box.squeeze,
                "lamp": lamp,
                **_wagers(box),
                "early": [_chips(chips) for chips in view.early_chips if chips.place.box == number],
                "hands": [
                    _hand(box, index, cards, results.get((number, index + 1)), turn=index == turn)
                    for index in range(len(box.hands))
                ],
            }
        )
    return found


def _wagers(box: BoxView) -> BoxWagers:
    """What lies on the spots of a box."""
    return {
        "mains": [
            {"slot": main.slot, "amount": dollars(main.amount), "player": main.player}
            for _, main in sorted(box.mains.items())
        ],
        "sides": [
            {
                "kind": side.kind,
                "slot": side.slot,
                "amount": dollars(side.amount),
                "player": side.player,
                "hand": side.hand,
                "returned": side.returned_by or None,
            }
            for side in box.sides
        ],
        "insurance": [
            {
                "slot": wager.slot,
                "amount": dollars(wager.amount),
                "player": wager.player,
                "returned": wager.returned_by or None,
            }
            for wager in box.insurance
        ],
    }


def _chips(chips: ev.WagerPlaced) -> ShownChips:
    """Chips that wait for bets to open."""
    slot, amount = chips.place.slot or 1, dollars(chips.amount)
    return {"kind": chips.kind, "slot": slot, "amount": amount, "player": chips.player}


def _hand(box: BoxView, index: int, cards: Lying, result: str | None, *, turn: bool) -> ShownHand:
    hand = box.hands[index]
    known = cards.whole(hand) and bool(hand.cards)
    return {
        "hand": index + 1,
        "place": str(box.place_of(index)),
        "cards": cards.shown(hand),
        "total": hand.total if known else None,
        "soft": hand.soft if known else None,
        "turn": turn,
        "over": bool(hand.cards) and hand.over,
        "stakes": [
            {
                "slot": slot,
                "amount": dollars(stake.at_risk),
                "doubled": stake.doubled,
                "free_split": int(stake.free_split),
                "free_double": int(stake.free_double),
                "off": stake.withdrawn,
            }
            for slot, stake in sorted(hand.stakes.items())
        ],
        "result": result,
    }


def _results(game_round: RoundView, rows: tuple[Row, ...]) -> dict[tuple[int, int], str | None]:
    """The result of each hand: of the first wager of the Player who controls the box, else of the first on it."""
    found: dict[tuple[int, int], str | None] = {}
    controlled: set[tuple[int, int]] = set()
    for row in rows:
        box, hand = game_round.boxes.get(row.box), (row.box, row.hand)
        if row.kind != "main" or box is None or hand in controlled:
            continue
        if row.slot == box.controller:
            controlled.add(hand)
            found[hand] = row.result
        else:
            found.setdefault(hand, row.result)
    return found


def _dealer(view: TableView, cards: Lying) -> ShownDealer:
    dealer = view.round.dealer
    known = cards.whole(dealer) and bool(dealer.cards)
    return {
        "cards": cards.shown(dealer),
        "total": dealer.total if known else None,
        "soft": dealer.soft if known else None,
        "blackjack": dealer.natural,
        "bust": dealer.total > view.rules.dealer_bust_above.value,
    }


def _shoe(view: TableView, *, locked: bool) -> ShownShoe:
    out = "none" if view.cards.continuous else "out" if view.cut_card_out else "in"
    return {
        "out": view.cards.size - view.cards.in_shoe,
        "cards": view.cards.size,
        "cutting_card": out,
        "locked": locked,
    }
