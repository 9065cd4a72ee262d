"""The table as a plain value, ready for JSON: all that a screen needs to draw it and to offer what may be said.

1. A scene follows from the table and what the daemon knows around it; making one changes nothing. It holds the round
   that is on, or else the last one.
2. Places are written as the notation writes them, money as text with two decimals. No card that lies face down is
   named, and its hand has no total (`gamecore.view.veil`).
3. Chips that lie on a box before bets open are in its `early`. `off` of a stake means that its Player has no further
   part. `returned` is the clause by which a wager has gone back; `claims` says who comes first where several Players
   claim one.
4. `advice` is the next thing to do, in every language. `watch` lists things to watch on which nothing is decided yet.
5. `scene_statements` makes what may be said, `scene_held` what a held round asks of people. `disclose` says that
   several cards have just come out in one pull, and that a person may say which of them show. `corrections` lists what
   a person may take back or retract. The shape of the whole is `scene_type`.
"""

from __future__ import annotations

from firmware_bridge.shown import scene_held
from firmware_bridge.shown.advice import CALM, Advice, Around, advise, advise_after, beside, watch_words, worded
from firmware_bridge.shown.panel_picture import Picture, picture
from firmware_bridge.shown.payments import act_on_the_way, first_cards_decide, on_the_way, settlement
from firmware_bridge.shown.scene_statements import can
from firmware_bridge.shown.scene_type import (
    BoxWagers,
    Scene,
    ShownAdvice,
    ShownBox,
    ShownChips,
    ShownDealer,
    ShownHand,
    ShownPanel,
    ShownShoe,
)
from firmware_bridge.texts.languages import LANGUAGES
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import Row
from gamecore.model.money import dollars
from gamecore.model.states import State
from gamecore.rules.ruleset import SILENT
from gamecore.table import Table
from gamecore.view.pictures import NO_BOX, BoxView, HandView, RoundView
from gamecore.view.report import preference_report, row_report
from gamecore.view.veil import Lying, lying
from gamecore.view.view import TableView

_TURN = frozenset({State.OFFERS, State.PLAYER_TURN})


def scene(table: Table, around: Around = CALM) -> Scene:
    """The scene of a table."""
    view = table.view()
    game_round, panel, cards, due = view.round, picture(table, around), lying(view), view.next_place
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
        "decisions": _decisions(view),
        "interim": _interim(view),
        "spots": [kind for kind in view.rules.wager_kinds() if kind != "main"],
        "limits": {kind: {"min": dollars(least), "max": dollars(most)} for kind, (least, most) in view.limits.items()},
        "panel": _panel(panel),
        "advice": _advice(view, around),
        "watch": [watch_words(watched) for watched in view.watch],
        "asks": scene_held.asks(table),
        "matters": scene_held.matters(view, cards),
        "duties": scene_held.duties(table),
        "claims": [preference_report(claimed) for claimed in view.claims],
        "can": can(table),
        "corrections": scene_held.corrections(table),
        "disclose": table.allowed().discloses,
        "wagers": [row_report(row) for row in rows],
        "settlement": settlement(view),
        "on_the_way": on_the_way(view),
        "findings": [scene_held.finding(view, finding) for finding in (*game_round.findings, *view.for_later)],
    }


def _advice(view: TableView, around: Around) -> ShownAdvice:
    """The next thing to do, in words."""
    now = advise(view, around)
    after, right = advise_after(view, now), beside(view)
    return {
        "key": now.key,
        "text": _worded(now),
        "then": None if after is None else _worded(after),
        "beside": None if right is None else _worded(right),
        "press": now.press,
        "place": None if now.place is None else str(now.place),
        "deals": now.deals,
    }


def _worded(advice: Advice) -> dict[str, str]:
    return {lang: worded(advice, lang) for lang in LANGUAGES}


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
                **_wagers(view, number, box),
                "early": [_chips(chips) for chips in view.early_chips if chips.place.box == number],
                "hands": [
                    _hand(view, box, index, cards, results.get((number, index + 1)), turn=index == turn)
                    for index in range(len(box.hands))
                ],
            }
        )
    return found


def _wagers(view: TableView, number: int, box: BoxView) -> BoxWagers:
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
                "act": act_on_the_way(view, number, side),
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


def _natural(view: TableView, hand: HandView) -> str:
    """The name of the natural that a hand is, as the catalogue of the page knows it; empty if it is none."""
    return view.rules.natural.value.lower() if hand.natural else ""


def _hand(view: TableView, box: BoxView, index: int, cards: Lying, result: str | None, *, turn: bool) -> ShownHand:
    hand = box.hands[index]
    known = cards.whole(hand) and bool(hand.cards)
    return {
        "hand": index + 1,
        "place": str(box.place_of(index)),
        "cards": cards.shown(hand),
        "total": hand.total if known else None,
        "soft": hand.soft if known else None,
        "natural": _natural(view, hand) if known else "",
        "turn": turn,
        "over": bool(hand.cards) and hand.over,
        "stood": hand.stood,
        "settled": hand.settled,
        "stakes": [
            {
                "slot": slot,
                "amount": dollars(stake.at_risk),
                "doubled": stake.doubled,
                "free_split": int(stake.free_split),
                "free_double": int(stake.free_double),
                "off": stake.withdrawn,
                "even_money": stake.even_money,
                "surrendered": stake.surrendered,
                "rescued": stake.rescued,
            }
            for slot, stake in sorted(hand.stakes.items())
        ],
        "result": result,
    }


def _decisions(view: TableView) -> list[str]:
    """The decisions that this game knows and others do not: their buttons have a place, whatever may be said now."""
    rules = view.rules
    free = SILENT not in {rules.free_doubles.clause, rules.free_splits.clause}
    known = {"free-double": free, "free-split": free, "rescue": rules.rescue.value}
    return [*(name for name, has in known.items() if has), *(["surrender"] if rules.surrender_against.value else [])]


def _interim(view: TableView) -> bool:
    """Whether an interim settlement would settle anything."""
    kinds = first_cards_decide(view)
    sides = [side for box in view.round.boxes.values() for side in box.sides]
    return not view.round.interim and any(side.kind in kinds and not side.returned_by for side in sides)


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
        "natural": _natural(view, dealer) if known else "",
        "bust": dealer.total > view.rules.dealer_bust_above.value,
    }


def _shoe(view: TableView, *, locked: bool) -> ShownShoe:
    out = "none" if view.cards.continuous else "out" if view.cut_card_out else "in"
    return {
        "out": view.cards.size - view.cards.in_shoe,
        "cards": view.cards.size,
        "cutting_card": out,
        "locked": locked,
        "away": "shoe" in view.away,
    }
