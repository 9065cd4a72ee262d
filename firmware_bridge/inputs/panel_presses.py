"""What a button of the Dealer's panel means.

1. The panel has few buttons. What one means follows from how the round stands: BETS opens or closes them, OFFER and
   CLOSE speak of the offer that is due or open, and a decision is about the hand whose turn it is. COLLECT, PAY,
   insurance without an amount, even money and the rescue of a double are about the first hand that may have it. One
   press is enough.
2. A press may say more: an option where a button has several meanings, a place, an amount. Then that is meant.
3. CALL reports what no clause covers; with option 2 it takes the last command back, with option 3 it retracts the last
   report. DONE says that the cards lie as ruled or, where nothing is to be put back, that a pit supervisor approves
   what waits; option 2 says that they cannot be put back, option 3 approves.
   When the round is to be settled, or was, and nothing of that waits, DONE without an option turns a page of the
   display (`turns_page`) and commands nothing.
4. INSURE is insurance of half the wager, or of the amount that the press says. Option 2 is even money; so is a press
   without option and amount where a natural may have it.
5. Every other press means some command. The table decides whether it is allowed, and the display shows why not.
"""

from __future__ import annotations

from collections.abc import Callable

from drivers.panel.messages import Press
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.table import Table

OFFERS = ("insurance", "surrender")

_DECISIONS: dict[str, Callable[[Place], Command]] = {
    "hit": ev.Hit,
    "stand": ev.Stand,
    "split": ev.Split,
    "free-double": ev.FreeDouble,
    "free-split": ev.FreeSplit,
}
_ON_THE_WAY: dict[str, Callable[[Place], Command]] = {"collect": ev.Collect, "pay": ev.Pay}


def command(table: Table, press: Press) -> Command:
    """The command that a press means as the round stands."""
    place = _place(table, press)
    match press.button:
        case "bets":
            closing = press.option == 2 or (press.option == 0 and table.state is State.BETTING)
            return ev.NoMoreBets() if closing else ev.PlaceBets()
        case "offer":
            return _offer(table, press.option, ev.Offer)
        case "close":
            return _offer(table, press.option, ev.Close)
        case "interim" | "settle":
            return ev.Interim() if press.button == "interim" else ev.Settle()
        case "double":
            return ev.Double(place, press.amount or None)
        case "surrender":
            rescued = press.option == 2 or (press.option == 0 and table.view().last_doubled is not None)
            return _first(table, press, ev.Rescue) if rescued else ev.Surrender(place)
        case "insure":
            return _insured(table, press, place)
        case "done":
            return _done(table, press.option)
        case "call":
            return _report_or_correction(table, press, place)
        case button:
            said = _DECISIONS.get(button)
            return _first(table, press, _ON_THE_WAY[button]) if said is None else said(place)


def turns_page(table: Table, press: Press) -> bool:
    """Whether a press only turns a page of the display: there is a guide, and DONE carries nothing on."""
    if press.button != "done" or press.option or not table.view().settlement_preview:
        return False
    return not table.can(ev.Reconstructed()) and not table.can(ev.Approve("pit-supervisor"))


def _insured(table: Table, press: Press, place: Place) -> Command:
    """Insurance of an amount, else of half the wager; even money where that is said, or the hand is a natural."""
    even = _first(table, press, ev.EvenMoney)
    if press.option == 2 or (press.option == 0 and not press.amount and table.can(even)):
        return even
    if press.amount:
        return ev.Insure(place, press.amount)
    return _first(table, press, lambda at: ev.Insure(at, _half(table, at)))


def _half(table: Table, at: Place) -> int:
    """Half of the main wager at a place, in whole cents."""
    box = table.view().round.boxes.get(at.box)
    main = None if box is None else box.mains.get(at.slot or box.controller)
    return 0 if main is None else main.amount // 2


def _done(table: Table, option: int) -> Command:
    """The cards lie as ruled, or cannot; or what waits is approved."""
    approval = ev.Approve("pit-supervisor")
    if option == 2:
        return ev.CannotReconstruct()
    approves = option == 3 or (option == 0 and not table.can(ev.Reconstructed()) and table.can(approval))
    return approval if approves else ev.Reconstructed()


def _report_or_correction(table: Table, press: Press, place: Place) -> Command:
    """A report; or the last command was a slip, or the last report a mistake."""
    match press.option:
        case 2:
            return ev.TakeBack()
        case 3:
            retracts = [said for said in table.corrections() if isinstance(said, ev.Retract)]
            return retracts[-1] if retracts else ev.Retract("uncovered")
        case _:
            return ev.Call("uncovered", place if press.place.box else None)


def _place(table: Table, press: Press) -> Place:
    """The place that is said, or the hand whose turn it is."""
    if press.place.box:
        return Place(*press.place)
    turn = table.view().round.turn
    if turn is not None:
        return Place(turn.number)
    return table.next_place or Place(0)


def _first(table: Table, press: Press, say: Callable[[Place], Command]) -> Command:
    """The command at the place that is said, or at the first hand and wager where it is allowed."""
    if not press.place.box:
        for _, box in sorted(table.view().round.boxes.items()):
            for index, hand in enumerate(box.hands):
                for slot in (0, *hand.stakes):
                    meant = say(box.place_of(index)._replace(slot=slot))
                    if table.can(meant):
                        return meant
    return say(_place(table, press))


def _offer(table: Table, option: int, say: Callable[[str], Command]) -> Command:
    """Speak of the offer that is said, or of the first of which it is allowed."""
    if option:
        return say(OFFERS[min(option, len(OFFERS)) - 1])
    return next((meant for meant in map(say, OFFERS) if table.can(meant)), say(OFFERS[0]))
