"""What Players agree on where their claims to one wager are equal.

1. No table can hear an agreement: a person tells it (MBS 3.17.2.4, 3.27.4.4, Pontoon 3.26.4.4).
2. It is taken while the wager can still be claimed, for a Player whose chips lie there and before whom nobody comes.
3. It counts if that Player's claim is among the equal ones when bets or the offer close. The last one said counts.
"""

from __future__ import annotations

from gamecore.model.events.events import Agree
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.state import TableState
from gamecore.phases import offers
from gamecore.standing import claims, control


def verify_agree(t: TableState, command: Agree) -> Refused | None:
    """Only on a wager that can still be claimed, and for a Player who claims it and before whom nobody comes."""
    insured = command.kind == claims.INSURANCE
    rule = t.rules.insurance_claims if insured else t.rules.side_claims
    if rule.value is None or command.kind == "main":
        return refuse(Reason.NO_AGREEMENT, rule.clause, wager=command.kind)
    if not (t.round.offers.get(offers.INSURANCE) == offers.OPEN if insured else t.bets_open):
        return refuse(Reason.WAGER_NOT_NOW, rule.clause, wager=command.kind)
    box = t.round.boxes.get(command.place.box)
    slot = 0 if box is None else control.slot_meant(box, command.place)
    if box is None or not claims.claims_it(t, box, slot, command.kind, command.player):
        return refuse(Reason.NO_CLAIM, rule.clause, player=command.player, wager=command.kind, place=command.place)
    found = claims.preference(t, box.number, slot, command.kind)
    if found is not None and command.player not in {found.first, *found.equal}:
        before = (found.first,) if found.first else found.equal
        return refuse(Reason.CLAIM_COMES_FIRST, found.clause, players=before, player=command.player)
    return None


def do_agree(t: TableState, command: Agree) -> None:
    """Note on whom they agreed."""
    box = t.round.box(command.place.box)
    slot = control.slot_meant(box, command.place)
    t.round.agreed[box.number, slot, command.kind] = command.player
    claims.say_who_is_first(t, box.number, slot, command.kind)
