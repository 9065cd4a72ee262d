"""The door of the irregularities: facts are judged; answers, reports and what is said about cards are taken.

1. `judge` takes the facts that an event has shown, in the order of `matrix.PRECEDENCE`, makes a finding of each with
   the clause of the stage, and begins its procedure.
2. A finding made between rounds is listed in the next round, but given out at once.
3. Only what was asked can be answered, and only by the person who was asked. The house may answer for the pit, a higher
   position for a lower one (MBS 6.2). Approvals are taken by `approvals`.
4. A finding is sensed if a fitted device has shown it, else told.
"""

from __future__ import annotations

from gamecore.cards import sensing, whereabouts
from gamecore.cards.difference import discard_moves, moved_off, moves_not_made, remaining
from gamecore.cards.queries import next_cards, place_of
from gamecore.irregularities import approvals, confirming, deferred_matters, reported_facts, reports
from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.irregularities.procedures import choices, rights, unread
from gamecore.irregularities.procedures.registry import PROCEDURES
from gamecore.model.events.events import Absent, Answer, Call, CannotReconstruct, Event, Reconstructed
from gamecore.model.events.facts import BoxFact, DeviceFact, Fact, OrderedCards, PulledCards, cards_of
from gamecore.model.events.outputs import RETRACTED, SENSED, TOLD, Ask, Move
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.matters import APPROVE, Matter
from gamecore.model.places import Place
from gamecore.model.records import Role
from gamecore.model.round import Finding
from gamecore.model.state import TableState
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.model.steps import Effect, Procedure, SkippedStep
from gamecore.phases.cards import told_places
from gamecore.rules.codes import CODES, DEVICE
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import PRECEDENCE, look_up
from gamecore.rules.stages import Stage
from gamecore.standing import asked, control
from gamecore.standing.stage import stage_of

_ABOUT_ONE_CARD = frozenset({"misdealt-card", "box-short", "box-not-dealt"})
_ANSWERED_FIRST = frozenset(
    {Procedure.NEXT_CARD, Procedure.SELECT_UNDISCLOSED, Procedure.DISCLOSED_NEXT, Procedure.CHOOSE_DISCLOSED}
)
_RANK = {code: index for index, (code, _) in enumerate(PRECEDENCE)}


def judge(t: TableState, event: Event) -> None:
    """Make findings of what the event has shown, and begin what follows from them."""
    facts = sorted(t.facts, key=lambda fact: _RANK[fact.code])
    t.facts.clear()
    t.hold.voided = False
    goes_after = bool(t.hold.matters) or (t.round_is_on and bool(next_cards(t)))
    for fact in facts:
        if t.hold.voided:
            break
        how = SENSED if sensing.shown(t, event, fact) else TOLD
        rule(t, fact, stage_of(t), how, waits=goes_after and isinstance(fact, PulledCards))
    t.hold.voided = False
    approvals.conclude_if_empty(t)


def rule(t: TableState, fact: Fact, stage: Stage, how: str, *, waits: bool = False) -> Finding | None:
    """Make one finding: look it up, record it, begin its procedure. One that `waits` is a pull that begins later."""
    cell = look_up(MATRICES[t.rules.id], fact.code, fact.case, stage)
    if cell.procedure is None:
        return None
    cards = tuple(record.card for record in cards_of(fact))
    whose = DEVICE if isinstance(fact, DeviceFact) else CODES[fact.code]
    finding = Finding(fact.code, cell.clause, cell.ruling, fact.places, whose=whose, event=t.events, cards=cards)
    finding.how = how
    finding.nth = sum(other.event == t.events for other in (*t.round.findings, *t.hold.for_later))
    for record in cards_of(fact):
        pulled_apart = isinstance(fact, PulledCards) and record.role is Role.WAITING
        laid_once = isinstance(fact, OrderedCards) and fact.records == (record,)
        if pulled_apart or laid_once:
            whereabouts.name_in(record, finding)
    if stage is Stage.BETWEEN:
        t.hold.for_later.append(finding)
    else:
        t.round.findings.append(finding)
    t.out.append(finding)
    matter = Matter(finding, cell.procedure, fact, places=fact.places)
    if waits:
        deferred_matters.defer_pull(t, matter)
    else:
        PROCEDURES[cell.procedure].begin(t, matter)
    t.hold.voided = stage is not Stage.BETWEEN and t.machine.state is State.VOID
    return finding


# --- commands ------------------------------------------------------------------------------------------------------


def _general(t: TableState) -> str:
    return t.rules.clauses.general


def _question(t: TableState, name: str, what: tuple[str, ...]) -> Ask | None:
    """The pending question that somebody may answer: of several to one Player the first that the answer fits.

    One that is asked by that very name comes first: a Player may be asked for an Insurance wager by name, and for the
    spot of their own as well.
    """
    found = [question for question in t.asks if _is_asked(t, question, name)]
    found.sort(key=lambda question: question.who != name)
    return next((question for question in found if _fits(t, question, what)), found[0] if found else None)


def _is_asked(t: TableState, question: Ask, name: str) -> bool:
    if APPROVE in question.options:  # that is said with `approve` and `retract`
        return False
    if name == "house" and question.who == "pit":
        return True
    return asked.speaks_for(t, name, question.who)


def verify_answer(t: TableState, command: Answer) -> Refused | None:
    """Only what was asked, and only by the one who was asked."""
    if command.who == "all":
        if _whom_all_means(t, command.what) and command.what in {(CONTINUE,), (WITHDRAW,)}:
            return None
        return refuse(Reason.NOBODY_ASKED_TO_GO_ON, _general(t))
    question = _question(t, command.who, command.what)
    if question is None:
        return refuse(Reason.NOTHING_ASKED_OF, _general(t), who=command.who)
    if _fits(t, question, command.what):
        return None
    return refuse(Reason.ASKED_FOR, question.clause, who=question.who, options=question.options)


def _fits(t: TableState, question: Ask, what: tuple[str, ...]) -> bool:
    if "CARD" in question.options:
        return len(what) == 1 and (what[0] in question.options or unread.is_card(what[0]))
    matter = t.hold.matters[0] if t.hold.matters else None
    if matter is not None and matter.finding.code == "double-draw" and question in matter.asks:
        card_named = any(unread.is_card(word) or word in choices.ORDINALS for word in what)
        if card_named:
            return choices.fits(t, matter, question, what)
    return len(what) == 1 and what[0] in question.options


def do_answer(t: TableState, command: Answer) -> None:
    """Carry out the answer."""
    if command.who == "all":
        for question in _whom_all_means(t, command.what):
            _carry_out_answer(t, question, command.what)
        return
    answered = _question(t, command.who, command.what)
    if answered is not None:
        _carry_out_answer(t, answered, command.what)


def _whom_all_means(t: TableState, what: tuple[str, ...]) -> list[Ask]:
    """Whom `all` answers for: everyone who is still asked. All withdraw are those for whom the round waits, if any."""
    asked = [question for question in t.asks if WITHDRAW in question.options]
    held_for = [question for question in asked if question not in t.hold.rights]
    return asked if what == (CONTINUE,) else held_for or asked


def _carry_out_answer(t: TableState, question: Ask, what: tuple[str, ...]) -> None:
    if confirming.withdrawal_waits(t, question, what):
        return
    if question in t.hold.rights:
        t.hold.rights.remove(question)
        if what == (WITHDRAW,):
            rights.withdraw(t, question.who)
        return
    for matter in (*t.hold.matters, *t.hold.beside):
        if question in matter.asks:
            waited = matter.pending is not None
            PROCEDURES[matter.procedure].answer(t, matter, question.who, what)
            if waited:
                confirming.ask_approval(t, matter)
            return


def verify_reconstructed(t: TableState, command: Reconstructed) -> Refused | None:
    """Where a ruling about cards is being carried out, or just was, and the sensors see no card that lies wrong."""
    if t.hold.matters and PROCEDURES[t.hold.matters[0].procedure].done is not None:
        matter = t.hold.matters[0]
        if _waits(matter):
            return refuse(Reason.RULING_NOT_APPROVED, matter.finding.clause)
        if matter.procedure in _ANSWERED_FIRST and matter.asks:  # nobody takes a card by another's word (MBS 5.24)
            return refuse(Reason.OTHER_ANSWERS_FIRST, matter.asks[0].clause, who=matter.asks[0].who)
        if command.told:
            return None
        return _dealer_says_first(matter) or _lies_wrong(t, remaining(t, matter), matter.finding.clause)
    carried_out = any(f.ruling in {"reconstruct", "as-next-card", "discard"} for f in t.round.findings)
    if not t.hold.matters and t.round_is_on and carried_out and (command.told or not moved_off(t)):
        return None if command.told else _lies_wrong(t, discard_moves(t), _general(t))
    return refuse(Reason.NO_CARDS_TO_PUT_BACK, _general(t))


def _waits(matter: Matter) -> bool:
    """Whether nothing is to be carried out before an approval: withdrawals may wait while cards are put back."""
    return matter.pending is not None and matter.pending.effect is not Effect.WITHDRAW


def _dealer_says_first(matter: Matter) -> Refused | None:
    """Nothing is carried out before the Dealer has said whether a hand was skipped at all (MBS 5.17)."""
    if matter.step is SkippedStep.ASKED:
        return refuse(Reason.DEALER_SAYS_FIRST, matter.finding.clause)
    return None


def _lies_wrong(t: TableState, moves: tuple[Move, ...], clause: str) -> Refused | None:
    """What the sensors still see at the wrong place."""
    left = moves_not_made(t, moves)
    if not left:
        return None
    first = left[0]
    hidden = any(first.card in hand.face_down for box in t.round.boxes.values() for hand in box.hands)
    if hidden:
        return refuse(Reason.HIDDEN_CARD_LIES_WRONG, clause, from_place=first.source, to_place=first.target)
    return refuse(Reason.CARD_LIES_WRONG, clause, card=first.card, from_place=first.source, to_place=first.target)


def do_reconstructed(t: TableState, _command: Reconstructed) -> None:
    """Take the word that the cards lie as ruled, also those given to a hand that nobody has seen arrive."""
    for record in moved_off(t):
        whereabouts.leave_lying(record)  # no sensor has seen it go back, and the word is taken
    if t.hold.matters:
        matter = t.hold.matters[0]
        done = PROCEDURES[matter.procedure].done
        if done is not None:
            done(t, matter)
    for record in t.round.records:
        if record.role is Role.ON_HAND and record.felt is None and record.hand is not None:
            whereabouts.presume(record, place_of(t.round, record.hand))


def verify_cannot(t: TableState, _command: CannotReconstruct) -> Refused | None:
    """Where a reconstruction is ruled."""
    if t.hold.matters and PROCEDURES[t.hold.matters[0].procedure].cannot is not None:
        if _waits(t.hold.matters[0]):
            return refuse(Reason.RULING_NOT_APPROVED, t.hold.matters[0].finding.clause)
        return _dealer_says_first(t.hold.matters[0])
    return refuse(Reason.NOTHING_TO_RECONSTRUCT, _general(t))


def do_cannot(t: TableState, _command: CannotReconstruct) -> None:
    """Carry out what follows when the house says that the cards cannot be put back."""
    matter = t.hold.matters[0]
    cannot = PROCEDURES[matter.procedure].cannot
    if cannot is not None:
        cannot(t, matter)


def verify_call(t: TableState, command: Call) -> Refused | None:
    """Only an irregularity that can occur at this stage, and that nothing the table knows contradicts."""
    if command.round_number is not None and not 1 <= command.round_number <= t.round.number:
        return refuse(Reason.NO_SUCH_ROUND, _general(t), number=command.round_number)
    stage = _called_stage(t, command)
    if stage is not Stage.LATER and (seen := reports.contradicted(t, command)) and not _listed(t, command):
        return seen
    cell = look_up(MATRICES[t.rules.id], command.code, reported_facts.case_of(t, command), stage)
    if not cell.ruling:
        return refuse(Reason.CANNOT_OCCUR, _general(t), code=command.code, note=cell.note)
    return None


def _called_stage(t: TableState, command: Call) -> Stage:
    """The stage at which a report comes: of a round that is over, as late as it can be."""
    stage = stage_of(t)
    if command.round_number is not None and command.round_number < t.round.number:
        return Stage.LATER
    over = stage is Stage.BETWEEN and bool(t.rounds)
    if over and not look_up(MATRICES[t.rules.id], command.code, reported_facts.case_of(t, command), stage).ruling:
        return Stage.LATER
    return stage


def do_call(t: TableState, command: Call) -> None:
    """Rule on what a person reports; what is on the list already is not listed twice."""
    if command.code in _ABOUT_ONE_CARD:
        told_places.reopen_deal(t, command.place, missing=command.code != "misdealt-card")
    stage = _called_stage(t, command)
    if stage is not Stage.LATER and _listed(t, command):
        return
    rule(t, reported_facts.fact_of(t, command), stage, TOLD)


def list_retracted(t: TableState, command: Call) -> None:
    """List a report that was a mistake as retracted: nothing follows from it."""
    whose = DEVICE if command.device else CODES[command.code]
    finding = Finding(command.code, "", RETRACTED, reported_facts.places_of(command), whose, t.events + 1)
    finding.how = TOLD
    between = _called_stage(t, command) is Stage.BETWEEN
    (t.hold.for_later if between else t.round.findings).append(finding)


def _listed(t: TableState, command: Call) -> bool:
    """Whether a report is of what is open already, or was found and comes once in a round, at the same place."""
    if any(m.finding.code == command.code and reports.speaks_of(m.finding, command.place) for m in t.hold.matters):
        return True
    once = [f for f in t.round.findings if f.stands and f.code == command.code and f.code in reports.ONCE]
    return any(command.place is None or not f.places or reports.bites_at(f, command.place) for f in once)


def verify_absent(t: TableState, command: Absent) -> Refused | None:
    """Of a Player who has a wager in this round."""
    box = t.round.boxes.get(command.place.box)
    if t.machine.state in BETWEEN_ROUNDS or box is None or not (box.mains or box.sides):
        return refuse(Reason.NO_WAGER_AT, t.rules.clauses.wager_first, place=command.place)
    return None


def do_absent(t: TableState, command: Absent) -> None:
    """Note that a Player is not there: the House draws, or another Player on the box decides."""
    box = t.round.box(command.place.box)
    slot = command.place.slot or min(box.mains, default=box.sides[0].slot if box.sides else 1)
    if slot not in box.mains:  # no decision is theirs, and nobody waits for them
        t.people.absent.add((box.number, slot))
        return
    case = reported_facts.absent_case(t, command.place)
    gone = {(box.number, slot) for slot in reported_facts.absent_slots(box, command.place)}
    if gone <= t.people.absent:
        return
    t.people.absent |= gone
    if box.hands:
        control.pass_on(t, box)
    rule(t, BoxFact("absent-player", Place(box.number), case), stage_of(t), TOLD)
    rights.pass_on(t)
