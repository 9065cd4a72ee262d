"""The report of a table in the notation's shape: plain dictionaries, ready for JSON.

1. The same state gives the same report to the byte: the order of every list is fixed.
2. Money is text with two decimals. A wager without an outcome has `result`, `net` and `clause` null.
3. A finding made between rounds stands beside the rounds, under `findings`, until the next round takes it up.
4. In the hands a card that lies face down appears as ``??``, and its hand has no total, until it is turned. The moves
   of findings name every card; `veil.veiled_report` hides what nobody may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from gamecore.model.events.outputs import Ask, FindingView, Preference, Row
from gamecore.model.events.refusals import Refused
from gamecore.model.events.texts import gap_for_page
from gamecore.model.hands import Hand
from gamecore.model.money import dollars
from gamecore.model.round import Box, Finding, Round
from gamecore.model.state import TableState
from gamecore.settlement.settle import open_rows
from gamecore.view.pictures import HandView


class WagerReport(TypedDict):
    """One wager; `result`, `net` and `clause` are null while it has no outcome."""

    box: int
    slot: int
    hand: int
    kind: str
    player: str | None
    stake: str
    result: str | None
    net: str | None
    clause: str | None


MoveReport = TypedDict("MoveReport", {"card": str, "from": str, "to": str})
MoveReport.__doc__ = "One card that goes from one place to another."


class FindingReport(TypedDict):
    """One finding; `obstacle` says why cards cannot be put where they belong."""

    code: str
    clause: str
    ruling: str
    places: list[str]
    moves: list[MoveReport]
    obstacle: NotRequired[str]


class PreferenceReport(TypedDict):
    """Whose claim to a wager comes first; `first` is null where no claim is accepted."""

    place: str
    kind: str
    claims: list[str]
    equal: list[str]
    first: str | None
    clause: str


class RefusalReport(TypedDict):
    """Why something was refused: the key of the reason, the clause, and what stands in its gaps."""

    key: str
    clause: str
    arguments: dict[str, Any]


class AskReport(TypedDict):
    """One pending question."""

    who: str
    options: list[str]
    clause: str


def table_report(t: TableState) -> dict[str, object]:
    """All rounds, the state and the pending questions."""
    between = {"findings": [finding_report(finding) for finding in t.hold.for_later]} if t.hold.for_later else {}
    return {
        "state": t.machine.state.value,
        "rounds": [round_report(t, game_round) for game_round in t.rounds],
        **between,
        "asks": [ask_report(ask) for ask in t.asks],
    }


def round_report(t: TableState, game_round: Round) -> dict[str, object]:
    """One round: the Dealer's hand, the Players' hands, the wagers, the findings."""
    rows = game_round.rows or open_rows(game_round)
    hands = [
        _hand_report(box, index, hand, rows)
        for _, box in sorted(game_round.boxes.items())
        for index, hand in enumerate(box.hands)
        if hand.cards
    ]
    return {
        "number": game_round.number,
        "outcome": game_round.outcome,
        "dealer": _dealer_report(t, game_round.dealer),
        "hands": hands,
        "wagers": [row_report(row) for row in rows],
        "findings": [finding_report(finding) for finding in game_round.findings],
    }


def _dealer_report(t: TableState, dealer: Hand) -> dict[str, object]:
    return {
        "cards": [str(card) for card in dealer.cards],
        "total": dealer.total,
        "soft": dealer.soft,
        "blackjack": dealer.natural,
        "bust": dealer.total > t.rules.dealer_bust_above.value,
    }


def visible_cards(hand: Hand | HandView) -> list[str]:
    """The cards of a hand as anybody at the table may see them."""
    hidden = list(hand.face_down)
    seen = []
    for card in hand.cards:
        if card in hidden:
            hidden.remove(card)
            seen.append("??")
        else:
            seen.append(str(card))
    return seen


def _hand_report(box: Box, index: int, hand: Hand, rows: list[Row]) -> dict[str, object]:
    hidden = bool(hand.face_down)
    return {
        "box": box.number,
        "hand": index + 1,
        "cards": visible_cards(hand),
        "total": None if hidden else hand.total,
        "soft": None if hidden else hand.soft,
        "result": _hand_result(box, index, rows),
    }


def _hand_result(box: Box, index: int, rows: list[Row]) -> str | None:
    """The result of the controlling Player's wager on the hand, else of the first wager on it."""
    mains = [row for row in rows if row.kind == "main" and row.box == box.number and row.hand == index + 1]
    mains.sort(key=lambda row: row.slot != box.controller)
    return mains[0].result if mains else None


def row_report(row: Row) -> WagerReport:
    """One wager."""
    return {
        "box": row.box,
        "slot": row.slot,
        "hand": row.hand,
        "kind": row.kind,
        "player": row.player,
        "stake": dollars(row.stake),
        "result": row.result,
        "net": None if row.net is None else dollars(row.net),
        "clause": row.clause,
    }


def row_of(told: Mapping[str, Any]) -> Row:
    """The wager that a report tells."""
    net = None if told["net"] is None else _cents(told["net"])
    return Row(**{**told, "stake": _cents(told["stake"]), "net": net})


def _cents(text: str) -> int:
    """The amount that `dollars` wrote."""
    return int(text.replace(".", ""))


def finding_report(finding: Finding | FindingView) -> FindingReport:
    """One finding."""
    report: FindingReport = {
        "code": finding.code,
        "clause": finding.clause,
        "ruling": finding.ruling,
        "places": [str(place) for place in finding.places],
        "moves": [{"card": str(move.card), "from": str(move.source), "to": str(move.target)} for move in finding.moves],
    }
    if finding.obstacle is not None:
        report["obstacle"] = finding.obstacle.value
    return report


def preference_report(preference: Preference) -> PreferenceReport:
    """Whose claim to a wager comes first; `first` is null where no claim is accepted."""
    return {
        "place": str(preference.place),
        "kind": preference.kind,
        "claims": list(preference.claims),
        "equal": list(preference.equal),
        "first": preference.first,
        "clause": preference.clause,
    }


def refusal_report(refused: Refused) -> RefusalReport:
    """Why something was refused: the key of the reason, the clause, and what stands in its gaps."""
    gaps = {name: gap_for_page(value) for name, value in refused.arguments}
    return {"key": refused.reason.key, "clause": refused.clause, "arguments": gaps}


def ask_report(ask: Ask) -> AskReport:
    """One pending question."""
    return {"who": ask.who, "options": list(ask.options), "clause": ask.clause}
