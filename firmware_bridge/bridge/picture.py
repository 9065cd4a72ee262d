"""What the Dealer's panel shows and whether the shoe is locked, as the table stands.

1. A picture follows from the table alone: the same state gives the same lamps, text, alarm and lock.
2. A lamp blinks at the box where the next card belongs or somebody is asked, and is steady where a wager lies.
3. The upper line says what comes next, the lower one more about it. While the round is held they name the
   irregularity with its clause, and the question or the next move.
4. Where several Players claim one wager the lower line says who comes first and by which clause, or that their claims
   are equal.
5. A card that lies face down is named nowhere, and no total is told of its hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers.panel.messages import fitted
from firmware_bridge.bridge.scene_cards import was_seen
from gamecore.irregularities.matter import asked_place
from gamecore.model.machine import State
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.round import Move, Preference
from gamecore.table import Table

OFF, STEADY, BLINK = 0, 1, 2
WIDTH = 40

_CALM = {
    State.IDLE: "READY",
    State.BETTING: "BETS ARE OPEN",
    State.COMPLETE: "ROUND COMPLETE",
    State.VOID: "ROUND VOID",
    State.SETTLEMENT: "SETTLE",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """Lamps by box, two lines of text, the alarm, and whether the shoe is locked."""

    lamps: tuple[int, ...]
    upper: str
    lower: str
    alarm: bool
    locked: bool


def picture(table: Table) -> Picture:
    """The picture of a table."""
    held = table.state is State.HELD
    upper, lower = _held(table) if held else _going_on(table)
    return Picture(_lamps(table), fitted(upper), fitted(lower), alarm=held, locked=held)


def refusal(reason: str) -> tuple[str, str]:
    """A reason on two lines, parted at a space where one is near."""
    if len(reason) <= WIDTH:
        return fitted(reason), ""
    cut = reason.rfind(" ", WIDTH // 2, WIDTH + 1)
    cut = cut if cut > 0 else WIDTH
    return fitted(reason[:cut]), fitted(reason[cut:].lstrip())


def _lamps(table: Table) -> tuple[int, ...]:
    knows = table.knows
    asked = {place.box for ask in knows.asks if (place := asked_place(ask.who)) is not None}
    due = table.next_place.box if table.next_place is not None and table.state is not State.HELD else 0
    boxes = knows.round.boxes if knows.round_is_on else {}
    lamps = []
    for number in range(1, knows.config.boxes + 1):
        box = boxes.get(number)
        steady = STEADY if box is not None and box.mains else OFF
        lamps.append(BLINK if number in asked or number == due else steady)
    return tuple(lamps)


def _held(table: Table) -> tuple[str, str]:
    """The irregularity, and what is to be done about it now."""
    knows = table.knows
    if not knows.matters:
        return "HELD", ""
    finding = knows.matters[0].finding
    upper = f"{finding.code.upper()} {finding.clause}"
    if knows.asks:
        ask = knows.asks[0]
        return upper, f"ASK {ask.who.upper()}: {' / '.join(option.upper() for option in ask.options)}"
    moves = table.moves()
    if moves:
        return upper, _move(table, moves[0])
    return upper, finding.ruling.upper()


def _move(table: Table, move: Move) -> str:
    """One card to be moved, by its name where it lies face up; a squeezed box's card is face up once it was turned."""
    shown = str(move.card) if was_seen(table.knows, move) else "CARD"
    return f"MOVE {shown} FROM {str(move.source).upper()} TO {str(move.target).upper()}"


def _going_on(table: Table) -> tuple[str, str]:
    """Where the next card belongs, or what the Dealer is to announce."""
    state, place, claims = table.state, table.next_place, table.claims()
    due = [offer for offer, status in table.knows.round.offers.items() if status in {"due", "open"}]
    if state is State.OFFERS and due:
        return f"OFFER {' AND '.join(due).upper()}", _first(claims[0]) if claims else _where(place)
    if state is State.PLAYER_TURN and place is not None:
        return f"TURN OF {_name(place)}", _total(table, place)
    if place is not None and state is not State.BETTING:
        return f"CARD TO {_name(place)}", _total(table, place)
    return _CALM.get(state, state.value.replace("-", " ").upper()), _first(claims[0]) if claims else ""


def _first(claimed: Preference) -> str:
    who = "EQUAL CLAIMS" if claimed.first is None else claimed.first.upper()
    return f"{claimed.place} {claimed.kind.upper()}: {who} {claimed.clause}"


def _where(place: Place | None) -> str:
    return f"NEXT CARD TO {_name(place)}" if place is not None else ""


def _name(place: Place) -> str:
    if place in {DEALER, BURN}:
        return "DEALER" if place == DEALER else "BURN"
    return f"BOX {place.box}" + (f" HAND {place.hand}" if place.hand else "")


def _total(table: Table, place: Place) -> str:
    """The total of the hand, where all its cards are face up."""
    hand = table.knows.round.hand_at(place)
    if hand is None or not hand.cards or hand.face_down:
        return ""
    return f"{'SOFT ' if hand.soft else ''}{hand.total}"
