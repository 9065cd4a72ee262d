"""The table as a plain value, ready for JSON: all that a screen needs to draw it and to offer what may be said.

1. A scene follows from the table alone, and making one changes nothing. It holds the round that is on or was last.
2. Places are written as the notation writes them, money as text with two decimals. No card that lies face down is
   named, and its hand has no total (`scene_cards`).
3. Chips that lie there before bets open are in `early` of their box. `off` of a stake: its Player has no further part.
   `returned` is the clause by which a wager has gone back; `claims` says who comes first where several claim one.
4. What may be said is made by `scene_can`, what a held round asks of people by `scene_held`. `disclose` says that cards
   have just come out in one pull, and that a person may say which of them show.
"""

from __future__ import annotations

from firmware_bridge.bridge import scene_held
from firmware_bridge.bridge.picture import Picture, picture
from firmware_bridge.bridge.scene_can import can
from firmware_bridge.bridge.scene_cards import Lying, lying
from gamecore.model import events as ev
from gamecore.model.hands import Hand
from gamecore.model.machine import State
from gamecore.model.money import dollars
from gamecore.model.round import Box, Round, Row
from gamecore.model.state import TableState
from gamecore.phases import turns
from gamecore.settlement.settle import open_rows
from gamecore.table import Table
from gamecore.view.report import preference_report, row_report

_TURN = frozenset({State.OFFERS, State.PLAYER_TURN})
_NO_BOX = Box(0)
Value = dict[str, object]


def scene(table: Table) -> Value:
    """The scene of a table."""
    t = table.knows
    game_round, panel, cards = t.round, picture(table), lying(table.knows)
    rows = game_round.rows or open_rows(game_round)
    due = table.next_place
    return {
        "game": t.rules.id,
        "title": t.rules.title,
        "state": table.state.value,
        "round": game_round.number or None,
        "outcome": game_round.outcome,
        "next": None if due is None else str(due),
        "turn": _turn(t),
        "boxes": _boxes(t, panel.lamps, cards, rows),
        "dealer": _dealer(t, cards),
        "elsewhere": [{"place": place, "cards": lie} for place, lie in cards.elsewhere.items()],
        "shoe": _shoe(t, locked=panel.locked),
        "offers": dict(game_round.offers),
        "spots": [kind for kind in t.rules.wager_kinds() if kind != "main"],
        "limits": {
            kind: {"min": dollars(least), "max": dollars(most)} for kind, (least, most) in t.config.limits.items()
        },
        "panel": _panel(panel),
        "asks": scene_held.asks(table),
        "matters": scene_held.matters(t, cards),
        "duties": scene_held.duties(table),
        "claims": [preference_report(claimed) for claimed in table.claims()],
        "can": can(table),
        "disclose": table.can(ev.CardsDisclosed(())),
        "wagers": [row_report(row) for row in rows],
        "findings": [scene_held.finding(t, finding) for finding in (*game_round.findings, *t.waiting)],
    }


def _panel(panel: Picture) -> Value:
    """What the Dealer's panel shows."""
    lines = {"upper": panel.upper, "lower": panel.lower}
    return {"lamps": list(panel.lamps), **lines, "alarm": panel.alarm, "locked": panel.locked}


# --- the layout ------------------------------------------------------------------------------------------------------


def _turn(t: TableState) -> str | None:
    """The hand whose turn it is."""
    box = _acting(t)
    return None if box is None else str(box.place_of(t.round.turn_hand))


def _acting(t: TableState) -> Box | None:
    state = t.held_from if t.machine.state is State.HELD else t.machine.state
    return t.round.turn if state in _TURN else None


def _boxes(t: TableState, lamps: tuple[int, ...], cards: Lying, rows: list[Row]) -> list[Value]:
    """Every box of the layout."""
    results = _results(t.round, rows)
    acting = _acting(t)
    found = []
    for number, lamp in enumerate(lamps, start=1):
        box = t.round.boxes.get(number, _NO_BOX)
        turn = t.round.turn_hand if box is acting else -1
        found.append(
            {
                "number": number,
                "controller": box.controller,
                "seated": box.seated or t.seats.get(number, 0),
                "squeeze": box.squeeze,
                "lamp": lamp,
                **_wagers(box),
                "early": [_chips(chips) for chips in t.early_chips if chips.place.box == number],
                "hands": [
                    _hand(t, box, index, cards, turn=index == turn) | {"result": results.get((number, index + 1))}
                    for index in range(len(box.hands))
                ],
            }
        )
    return found


def _wagers(box: Box) -> Value:
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


def _chips(chips: ev.WagerPlaced) -> Value:
    """Chips that wait for bets to open."""
    slot, amount = chips.place.slot or 1, dollars(chips.amount)
    return {"kind": chips.kind, "slot": slot, "amount": amount, "player": chips.player}


def _hand(t: TableState, box: Box, index: int, cards: Lying, *, turn: bool) -> Value:
    hand = box.hands[index]
    known = cards.whole(hand) and bool(hand.cards)
    return {
        "hand": index + 1,
        "place": str(box.place_of(index)),
        "cards": cards.shown(hand),
        "total": hand.total if known else None,
        "soft": hand.soft if known else None,
        "turn": turn,
        "over": bool(hand.cards) and _over(t, hand),
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
    }


def _over(t: TableState, hand: Hand) -> bool:
    """Whether a hand is played; of face-down cards nothing is told by it."""
    if hand.face_down:
        doubled = hand.doubled and not hand.awaits_card
        return hand.settled or hand.stood or not hand.in_play or doubled
    return hand.settled or turns.complete(t.rules, hand)


def _results(game_round: Round, rows: list[Row]) -> dict[tuple[int, int], str | None]:
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


def _dealer(t: TableState, cards: Lying) -> Value:
    dealer = t.round.dealer
    known = cards.whole(dealer) and bool(dealer.cards)
    return {
        "cards": cards.shown(dealer),
        "total": dealer.total if known else None,
        "soft": dealer.soft if known else None,
        "blackjack": dealer.natural,
        "bust": dealer.total > t.rules.dealer_bust_above.value,
    }


def _shoe(t: TableState, *, locked: bool) -> Value:
    out = "none" if t.cards.continuous else "out" if t.cut_card_round else "in"
    return {"out": t.cards.size - t.cards.in_shoe, "cards": t.cards.size, "cutting_card": out, "locked": locked}
