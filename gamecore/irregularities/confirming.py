"""Confirmation: what gives wagers back and began with a word is carried out when the role behind it approves.

1. A table asks for it where its header says `confirm: yes`. What a fitted device has shown is ruled at once all the
   same (MBS 5.1.1, RWS 5.5): it leaves nobody a choice.
2. `confirmed` is the one gate before a void and before a wager that a ruling returns, whatever was said: a report, that
   cards cannot be put back, an answer of the pit or the house. Clause and stage are those of the word.
3. A Player's `withdraw` counts from when it is said, and so does what goes back (MBS 5.25, 5.29.1; RWS 5.7.3). It waits
   until nobody else has to answer; then one approval carries out all that was said about a matter. All who withdraw by
   right share one matter of their own. No card ends a right while the round is held.
4. What is pending holds the round and comes before whatever else is open. Between rounds none begins.
5. A void is the pit manager's, a return and a withdrawal the pit supervisor's. A higher role may always approve (MBS
   6.2). Which person has which role is no matter of the rules.
"""

from __future__ import annotations

from gamecore.irregularities.matter import WITHDRAW, hold
from gamecore.model.events.facts import ReportFact
from gamecore.model.events.outputs import TOLD, Ask, Asked
from gamecore.model.matters import Matter, Pending
from gamecore.model.state import TableState
from gamecore.model.steps import Effect, Procedure
from gamecore.standing import asked
from gamecore.standing.who import key_of

PIT_SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER = LADDER = ("pit-supervisor", "pit-manager", "shift-manager")
_ROLES = {Effect.VOID: PIT_MANAGER, Effect.RETURN: PIT_SUPERVISOR, Effect.WITHDRAW: PIT_SUPERVISOR}


def confirmed(t: TableState, matter: Matter, effect: Effect, clause: str = "", *, word: bool = False) -> bool:
    """Whether an effect takes place now; if not, make it pending and ask for the approval.

    With `word` somebody has just asked for it; else it began with a word if the finding was told.
    """
    if not t.config.confirm or matter.approved or not (word or matter.finding.how == TOLD):
        return True
    matter.asks.clear()
    matter.pending = Pending(effect, _ROLES[effect], clause or matter.finding.clause, [t.events])
    if t.round_is_on:
        hold(t, matter)
    else:
        t.hold.beside.append(matter)
    ask_approval(t, matter)
    return False


def withdrawal_waits(t: TableState, question: Ask, what: tuple[str, ...]) -> bool:
    """Whether an answer is a withdrawal that must be approved; if so, make it pending. It counts from now on."""
    if not t.config.confirm or what != (WITHDRAW,):
        return False
    matter = next((matter for matter in t.hold.matters if question in matter.open_asks), None)
    everywhere = matter is not None and matter.procedure is Procedure.WITHDRAW_OPTION
    spot = asked.spot_of(t, question.who)
    if everywhere and spot is not None:
        going = asked.going_back_everywhere(t, spot.owner)
    else:
        going = asked.going_back_to(t, question.who)
    if not going:
        return False
    matter = matter or _of_rights(t, question)
    pending = matter.pending = matter.pending or _withdrawals(matter)
    keys = tuple(map(key_of, going))
    if t.events not in pending.words:  # one word may speak for all
        pending.words.append(t.events)
    pending.said[question.who] = keys
    if everywhere and spot is not None:  # who withdraws, withdraws all, and is asked at none of their spots any more
        pending.said |= {other.who: keys for other in matter.asks if asked.speaks_for(t, spot.owner, other.who)}
    hold(t, matter)
    ask_approval(t, matter)
    return True


def _withdrawals(matter: Matter) -> Pending:
    return Pending(Effect.WITHDRAW, _ROLES[Effect.WITHDRAW], matter.finding.clause, [])


def _of_rights(t: TableState, question: Ask) -> Matter:
    """The matter of all who withdraw by right: their questions stand there from now on."""
    finding = t.hold.right_by
    assert finding is not None  # noqa: S101  a right is given by a finding
    open_still = [matter for matter in t.hold.matters if matter.procedure is Procedure.WITHDRAWALS]
    fact = ReportFact(finding.code, places=finding.places)
    matter = open_still[0] if open_still else Matter(finding, Procedure.WITHDRAWALS, fact)
    t.hold.rights.remove(question)
    matter.asks.append(question)
    return matter


def ask_approval(t: TableState, matter: Matter) -> None:
    """Ask the role that must approve, once nobody else has to answer."""
    approval = matter.approval if matter in t.hold.matters or matter in t.hold.beside else None
    if approval is not None:
        t.out.append(Asked(approval))
