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

from drivers.panel.messages import fitted_unicode
from gamecore.model.events.outputs import Move, Preference
from gamecore.model.places import BURN, DEALER, Place, asked_place
from gamecore.model.states import State
from gamecore.table import Table
from gamecore.view.veil import was_seen
from gamecore.view.view import TableView

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


def is_locked(state: State) -> bool:
    """Whether no card may leave the shoe."""
    return state is State.HELD


def picture(table: Table) -> Picture:
    """The picture of a table."""
    view = table.view()
    held = is_locked(view.state)
    upper, lower = _held(view) if held else _going_on(view)
    return Picture(_lamps(view), fitted_unicode(upper), fitted_unicode(lower), alarm=held, locked=held)


def refusal(reason: str) -> tuple[str, str]:
    """A reason on two lines, parted at a space where one is near."""
    if len(reason) <= WIDTH:
        return fitted_unicode(reason), ""
    cut = reason.rfind(" ", WIDTH // 2, WIDTH + 1)
    cut = cut if cut > 0 else WIDTH
    return fitted_unicode(reason[:cut]), fitted_unicode(reason[cut:].lstrip())


def _lamps(view: TableView) -> tuple[int, ...]:
    asked = {place.box for ask in view.asks if (place := asked_place(ask.who)) is not None}
    due = view.next_place.box if view.next_place is not None and view.state is not State.HELD else 0
    boxes = view.round.boxes if view.round_is_on else {}
    lamps = []
    for number in range(1, view.box_count + 1):
        box = boxes.get(number)
        steady = STEADY if box is not None and box.mains else OFF
        lamps.append(BLINK if number in asked or number == due else steady)
    return tuple(lamps)


def _held(view: TableView) -> tuple[str, str]:
    """The irregularity, and what is to be done about it now."""
    if not view.matters:
        return "HELD", ""
    finding = view.matters[0].finding
    upper = f"{finding.code.upper()} {finding.clause}"
    if view.asks:
        ask = view.asks[0]
        return upper, f"ASK {ask.who.upper()}: {' / '.join(option.upper() for option in ask.options)}"
    if view.moves:
        return upper, _move(view, view.moves[0])
    return upper, finding.ruling.upper()


def _move(view: TableView, move: Move) -> str:
    """One card to be moved, by its name where it lies face up; a squeezed box's card is face up once it was turned."""
    shown = str(move.card) if was_seen(view, move) else "CARD"
    return f"MOVE {shown} FROM {str(move.source).upper()} TO {str(move.target).upper()}"


def _going_on(view: TableView) -> tuple[str, str]:
    """Where the next card belongs, or what the Dealer is to announce."""
    state, place, claims = view.state, view.next_place, view.claims
    due = [offer for offer, status in view.round.offers.items() if status in {"due", "open"}]
    if state is State.OFFERS and due:
        return f"OFFER {' AND '.join(due).upper()}", _first(claims[0]) if claims else _where(place)
    if state is State.PLAYER_TURN and place is not None:
        return f"TURN OF {_name(place)}", _total(view, place)
    if place is not None and state is not State.BETTING:
        return f"CARD TO {_name(place)}", _total(view, place)
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


def _total(view: TableView, place: Place) -> str:
    """The total of the hand, where all its cards are face up."""
    hand = view.round.hand_at(place)
    if hand is None or not hand.cards or hand.face_down:
        return ""
    return f"{'SOFT ' if hand.soft else ''}{hand.total}"
