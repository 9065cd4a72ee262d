"""What waits for something else: pulls found while the round was held, questions whose Player has left meanwhile.

1. Cards pulled together while a matter is open, or while other cards are to be dealt first, are a finding at once.
   Whose hand they are for shows only when those are carried out or dealt: then clause and ruling follow from that hand
   and from the stage reached, and the procedure begins.
2. Anyone whose wagers have gone back or are decided, or who has gone away, is asked no more whether to go on. What
   waited for them counts as answered when its matter comes first: for an absent Player the wagers stay.
"""

from __future__ import annotations

from gamecore.cards.queries import next_cards
from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.irregularities.procedures.choices import DEALT_OUT
from gamecore.irregularities.procedures.registry import PROCEDURES
from gamecore.model.events.facts import cards_of
from gamecore.model.matters import Matter
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import PullStep
from gamecore.phases import closing, offers
from gamecore.phases.cards import shoe
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from gamecore.standing.asked import has_nothing_left, is_absent, spot_of
from gamecore.standing.stage import stage_of


def defer_pull(t: TableState, pull: Matter) -> None:
    """Let a pull wait; one that came when offers were due or open closes them, as any card does."""
    pull.step = PullStep.WAITS_PAST_OFFERS if t.hold.held_from is State.OFFERS else PullStep.WAITS
    t.hold.pulls.append(pull)


def pull_is_due(t: TableState) -> bool:
    """Whether a pull that waits comes next: nothing is open, no other card goes before it, and a hand is due one."""
    if not t.hold.pulls or t.hold.matters or next_cards(t) or not t.round_is_on or t.next_place is None:
        return False
    return t.machine.state is not State.OFFERS or t.hold.pulls[0].step is PullStep.WAITS_PAST_OFFERS


def take_up_pull(t: TableState) -> None:
    """Begin a pull that has waited: only now is it known at which hand the next card is due."""
    waited = t.hold.pulls.pop(0)
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state in DEALT_OUT:
        closing.further_card(t)
    fact = shoe.aim(t, cards_of(waited.fact), waited.fact.case)
    cell = look_up(MATRICES[t.rules.id], fact.code, fact.case, stage_of(t))
    finding = waited.finding
    finding.clause, finding.ruling, finding.places = cell.clause, cell.ruling, fact.places
    if cell.procedure is not None:
        PROCEDURES[cell.procedure].begin(t, Matter(finding, cell.procedure, fact, places=fact.places))


def answered_by_leaving(t: TableState) -> bool:
    """Answer for one Player who has nothing left to take back, or has gone away; False if none is asked."""
    t.hold.rights[:] = [right for right in t.hold.rights if not _has_left(t, right.who)]
    matter = t.hold.matters[0] if t.hold.matters else None
    asks = matter.open_asks if matter is not None else []
    open_to_all = [question.who for question in asks if WITHDRAW in question.options]
    left = next((name for name in open_to_all if _has_left(t, name)), None)
    if matter is None or left is None:
        return False
    PROCEDURES[matter.procedure].answer(t, matter, left, (CONTINUE,))
    return True


def _has_left(t: TableState, name: str) -> bool:
    """Whether a question to a Player whether to go on needs no word of theirs.

    For anyone who is not there the absence rules speak, and their wagers stay (MBS 5.22, RWS 5.3).
    """
    spot = spot_of(t, name)
    return has_nothing_left(t, name) or (spot is not None and is_absent(t, spot))
