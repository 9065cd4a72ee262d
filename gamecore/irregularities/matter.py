"""Open irregularities: holding the round, asking, and letting go.

1. A matter that needs somebody or something holds the round. Several are dealt with one after the other, those of one
   event first things first (`matrix.PRECEDENCE`); play goes on when none is left. The value of a card comes before what
   was open already: without it no deal can be judged.
2. A Player is asked by box, or by box and slot where several wager there. `all` answers for everyone still asked.
3. Where a clause gives a right that ends with the next card (MBS 5.25), the round is not held for it. The options of
   RWS 5.7, where nobody has to answer, last until settlement.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.queries import strays
from gamecore.irregularities import wagers
from gamecore.model.hands import Stake
from gamecore.model.outputs import Ask, Asked
from gamecore.model.places import asked_place
from gamecore.model.round import Box
from gamecore.model.state import Matter, TableState
from gamecore.model.states import State
from gamecore.phases import resume, taken

CONTINUE, WITHDRAW = "continue", "withdraw"
UNREADABLE = "unreadable-card"


def hold(t: TableState, matter: Matter) -> None:
    """Hold the round until the matter is closed."""
    if t.machine.state is not State.HELD:
        t.held_from = t.machine.state
        t.enter("hold")
    if matter not in t.matters:
        values = [other for other in t.matters if other.finding.code == UNREADABLE]
        t.matters.insert(len(values) if matter.finding.code == UNREADABLE else len(t.matters), matter)


def ask(t: TableState, matter: Matter, who: str, options: tuple[str, ...], clause: str) -> None:
    """Ask one who must answer."""
    question = Ask(who, options, clause)
    matter.asks.append(question)
    t.out.append(Asked(question))


def close(t: TableState, matter: Matter) -> None:
    """The matter is done; with the last one, play goes on where it was held."""
    if matter.fact.kind == taken.TAKEN and matter.places:
        taken.give_turn_back(t, t.round.boxes[matter.places[0].box])
    if matter in t.matters:
        t.matters.remove(matter)
    if not t.matters and t.machine.state is State.HELD:
        _take_up_joined(t)
        t.enter(f"resume_{t.held_from.name.lower()}")


def go_on(t: TableState, matter: Matter) -> None:
    """Close a matter, and look anew whose turn it is: hands may have changed under it."""
    close(t, matter)
    resume.look_anew(t)


def _take_up_joined(t: TableState) -> None:
    """Cards that joined the matter, and that its ruling has put nowhere, count where they were due, or are the next."""
    for record in strays(t):
        whereabouts.lay_anew(t.round, record, judged=False)


def who(box: Box, slot: int) -> str:
    """How a Player is asked."""
    return str(box.number) if len(box.mains) < 2 else f"{box.number}/{slot}"


def players(t: TableState) -> list[tuple[Box, int]]:
    """Every Player of a main wager who has something in play still, at RWS that wager, in the order of the deal."""
    found = [(box, slot, wagers.in_play(t, box, slot)) for box in t.round.order for slot in sorted(box.mains)]
    side_counts = not t.rules.final_settlement.value
    return [(box, slot) for box, slot, left in found if any(side_counts or isinstance(wager, Stake) for wager in left)]


def has_left(t: TableState, name: str) -> bool:
    """Whether a Player has taken his wager back and has nothing left in play."""
    place = asked_place(name)
    box = t.round.boxes.get(place.box) if place is not None else None
    if box is None or place is None or not box.mains:
        return False
    slot = place.slot or min(box.mains)
    back = any(slot in hand.stakes and hand.stakes[slot].returned_by for hand in box.hands)
    return back and not wagers.in_play(t, box, slot)


def ask_all(t: TableState, matter: Matter, clause: str) -> None:
    """Ask every Player whether to go on or to withdraw."""
    for box, slot in players(t):
        ask(t, matter, who(box, slot), (CONTINUE, WITHDRAW), clause)


def give_right(t: TableState, clause: str) -> None:
    """Every Player may withdraw until the next card is dealt (MBS 5.25)."""
    for box, slot in players(t):
        question = Ask(who(box, slot), (CONTINUE, WITHDRAW), clause, lasts=t.rules.options_last.value)
        if not any(pending.who == question.who for pending in t.rights):
            t.rights.append(question)
            t.out.append(Asked(question))
