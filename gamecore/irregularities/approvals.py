"""What waits for the approval of a role: one list, the oldest first.

1. A void, a return or withdrawals that began with a word (`confirming`); a referral, where approval means that play
   goes on (MBS 6.1, RWS 5.20); insurance that was not offered in time (Free Bet 5.26); a set of cards in doubt.
2. An approval is of the oldest that the role may approve, with a code of the oldest under it. A higher role may approve
   whatever a lower one may (MBS 6.2).
3. A referral that was only recorded holds nothing: while nothing is open, the shift manager may approve without a code,
   and nothing changes.
"""

from __future__ import annotations

from typing import NamedTuple

from gamecore.irregularities import wager_effects
from gamecore.irregularities.confirming import LADDER, PIT_SUPERVISOR, SHIFT_MANAGER
from gamecore.irregularities.matter import CONTINUE, WITHDRAW, go_on
from gamecore.irregularities.procedures.registry import PROCEDURES
from gamecore.model.events.events import Approve
from gamecore.model.events.outputs import RETRACTED, TOLD
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.matters import Matter, Pending
from gamecore.model.round import Finding
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Effect, Procedure
from gamecore.phases import ending
from gamecore.phases.offers import INSURANCE, MISSED, OPEN

GO_ON, INSURE, USE_CARDS = "continue", "insurance", "place-bets"


class Approvable(NamedTuple):
    """One thing that waits: since which event, about which finding, what it would do, whose approval it needs."""

    since: int
    finding: Finding
    effect: str
    role: str
    matter: Matter | None = None

    @property
    def began_with_a_word(self) -> bool:
        """Whether a person has said what brought it about."""
        pending = None if self.matter is None else self.matter.pending
        return pending is not None or self.finding.how == TOLD


def waiting_for_approval(t: TableState) -> list[Approvable]:
    """All that waits, the oldest first."""
    found = [*_pending(t), *_referred(t), *_others(t)]
    return sorted(found, key=lambda one: one.since)


def _pending(t: TableState) -> list[Approvable]:
    return [
        Approvable(pending.words[0], matter.finding, pending.effect.value, pending.role, matter)
        for matter in (*t.hold.matters, *t.hold.beside)
        if (pending := matter.pending) is not None and matter.approval is not None
    ]


def _referred(t: TableState) -> list[Approvable]:
    asking = [*t.hold.matters[:1], *t.hold.beside]
    return [
        Approvable(matter.finding.event, matter.finding, GO_ON, SHIFT_MANAGER, matter)
        for matter in asking
        if any(question.who == "house" for question in matter.asks)
    ]


def _others(t: TableState) -> list[Approvable]:
    """What no matter holds."""
    findings = [*t.round.findings, *t.hold.for_later]
    late = t.round.offers.get(INSURANCE) == MISSED and t.round_is_on and len(t.round.dealer.cards) == 1
    missed = [finding for finding in findings if finding.code == "insurance-not-offered"][-1:] if late else []
    doubt = [] if t.round_is_on or not t.shoe.set_in_doubt else [f for f in findings if f.ruling == "refer"][-1:]
    return [
        *(Approvable(finding.event, finding, INSURE, PIT_SUPERVISOR) for finding in missed),
        *(Approvable(finding.event, finding, USE_CARDS, SHIFT_MANAGER) for finding in doubt),
    ]


def _oldest_for(t: TableState, command: Approve) -> Approvable | None:
    """What an approval is of: the oldest that the role may approve."""
    lower = LADDER[: LADDER.index(command.role) + 1] if command.role in LADDER else ()
    found = [one for one in waiting_for_approval(t) if command.code in {"", one.finding.code}]
    return next((one for one in found if one.role in lower), None)


def verify_approve(t: TableState, command: Approve) -> Refused | None:
    """Something must be pending that this role may approve."""
    if _oldest_for(t, command) is not None:
        return None
    recorded = any(finding.ruling == "refer" for finding in (*t.round.findings, *t.hold.for_later))
    if command.role == SHIFT_MANAGER and not command.code and not t.hold.matters and recorded:
        return None
    general = t.rules.clauses.general
    above = [one for one in waiting_for_approval(t) if command.code in {"", one.finding.code}]
    if above:
        return refuse(Reason.APPROVAL_DUE, general, code=above[0].finding.code, role=above[0].role)
    if any(matter.pending is not None for matter in t.hold.matters) and t.asks:
        return refuse(Reason.OTHER_ANSWERS_FIRST, general, who=t.asks[0].who)
    if any(question.who in {"pit", "house"} for question in t.asks):
        return refuse(Reason.ANSWER_NOT_APPROVAL, general, role=command.role)
    return refuse(Reason.NOTHING_TO_APPROVE, general)


def do_approve(t: TableState, command: Approve) -> None:
    """Carry out what was approved; a referral goes on, a Pit Supervisor permits the late insurance (Free Bet 5.26)."""
    meant = _oldest_for(t, command)
    if meant is None:
        return
    if meant.matter is None:
        if meant.effect == INSURE:
            t.round.offers[INSURANCE] = OPEN
        else:
            t.shoe.set_in_doubt = ""
    elif meant.matter.pending is not None:
        _carry_out(t, meant.matter, meant.matter.pending)
    else:
        PROCEDURES[meant.matter.procedure].answer(t, meant.matter, "house", (CONTINUE,))


def _carry_out(t: TableState, matter: Matter, pending: Pending) -> None:
    matter.approved = True
    conduct = PROCEDURES[matter.procedure]
    match pending.effect:
        case Effect.VOID if matter.procedure is Procedure.VOID_NEXT:
            t.hold.beside.remove(matter)
            conduct.begin(t, matter)
        case Effect.VOID:
            wager_effects.void(t, matter, pending.clause)
        case Effect.RETURN if conduct.returns is not None:
            conduct.returns(t, matter)
            go_on(t, matter)
            conclude_if_empty(t)
        case _:
            for name in pending.said:
                if any(question.who == name for question in matter.asks):
                    conduct.answer(t, matter, name, (WITHDRAW,))
    matter.pending, matter.approved = None, False


def deny(t: TableState, codes: tuple[str, ...]) -> None:
    """Retract the findings of these codes that an event has just made pending: they do not follow from it."""
    for matter in [*t.hold.matters, *t.hold.beside]:
        if matter.pending is None or matter.pending.words[0] != t.events or matter.finding.code not in codes:
            continue
        matter.pending = None
        matter.finding.clause, matter.finding.ruling = "", RETRACTED
        if matter in t.hold.beside:
            t.hold.beside.remove(matter)
        else:
            go_on(t, matter)


def conclude_if_empty(t: TableState) -> None:
    """End a round in which bets closed without a main wager: every wager has gone back."""
    if t.machine.state is State.BETS_CLOSED and not t.round.order:
        ending.conclude(t)
