"""The door of the irregularities: facts are judged, answers, moves and approvals taken.

1. `judge` takes the facts that an event has shown, in the order of `matrix.PRECEDENCE`, makes a finding of each with
   the clause of the stage, and begins its procedure.
2. Between rounds a finding waits for the next round, where it is listed; it is told at once all the same.
3. Only what was asked can be answered, and only by who was asked. The house may answer for the pit, a higher position
   for a lower one (MBS 6.2).
"""

from __future__ import annotations

from gamecore.cards import sensing
from gamecore.irregularities import cards_at_issue, choices, player_options, pulled, repair, reports, taken, waiting
from gamecore.irregularities import wagers as touch
from gamecore.irregularities.matter import CONTINUE, WITHDRAW, asked_place
from gamecore.irregularities.procedures import PROCEDURES
from gamecore.model.events import Absent, Answer, Approve, Call, CannotReconstruct, CardMoved, Reconstructed
from gamecore.model.machine import BETWEEN_ROUNDS, State
from gamecore.model.outputs import Found, Refused
from gamecore.model.places import DEALER, Place
from gamecore.model.round import RETRACTED, Ask, Box, Finding
from gamecore.model.state import Matter, Suspicion, TableState
from gamecore.phases import limits
from gamecore.rules.codes import CODES, DEVICE
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import PRECEDENCE, look_up
from gamecore.rules.stages import Stage
from gamecore.standing import control
from gamecore.standing.stage import outcome_established, settled_by_cards, stage_of

_RANK = {code: index for index, (code, _) in enumerate(PRECEDENCE)}


def judge(t: TableState) -> None:
    """Make findings of what the event has shown, and begin what follows from them."""
    facts = sorted(t.suspicions, key=lambda fact: _RANK[fact.code])
    t.suspicions.clear()
    t.voided = False
    held = bool(t.matters)
    for fact in facts:
        if t.voided:
            break
        rule(t, fact, stage_of(t), waits=held and fact.code == "double-draw")
    t.voided = False
    if t.machine.state is State.BETS_CLOSED and not t.round.order:
        touch.conclude(t)  # every wager lay beside no main wager and has gone back


def rule(t: TableState, fact: Suspicion, stage: Stage, *, waits: bool = False) -> Finding | None:
    """One finding: looked up, recorded, begun; a pull while something is open waits until that is carried out."""
    cell = look_up(MATRICES[t.rules.id], fact.code, fact.case, stage)
    if not cell.ruling:
        return None
    whose = DEVICE if fact.case == reports.SENSOR else CODES[fact.code]
    finding = Finding(fact.code, cell.clause, cell.ruling, fact.places, whose=whose, event=t.events, cards=fact.cards)
    if stage is Stage.BETWEEN:
        t.waiting.append(finding)
    else:
        t.round.findings.append(finding)
    t.out.append(Found(finding))
    matter = Matter(finding, cell.procedure, fact, cards=list(fact.cards), places=fact.places)
    if waits:
        waiting.keep(t, matter)
    else:
        PROCEDURES[cell.procedure].begin(t, matter)
    t.voided = stage is not Stage.BETWEEN and t.machine.state is State.VOID
    return finding


# --- commands ------------------------------------------------------------------------------------------------------


def _general(t: TableState) -> str:
    return t.rules.clauses.general


def _question(t: TableState, name: str, what: tuple[str, ...]) -> Ask | None:
    """The pending question that somebody may answer: of several to one Player the first that the answer fits."""
    found = [question for question in t.asks if _is_asked(t, question, name)]
    return next((question for question in found if _fits(t, question, what)), found[0] if found else None)


def _is_asked(t: TableState, question: Ask, name: str) -> bool:
    if question.who == name or (name == "house" and question.who == "pit"):
        return True
    place, asked = asked_place(name), asked_place(question.who)
    if place is None or asked is None or place.box != asked.box:
        return False
    box = t.round.boxes.get(place.box)
    slot = box.controller if box is not None else 1
    return (place.slot or slot or 1) == (asked.slot or slot or 1)


def verify_answer(t: TableState, command: Answer) -> Refused | None:
    """Only what was asked, of whom it was asked."""
    if command.who == "all":
        asked = any(WITHDRAW in question.options for question in t.asks)
        if asked and command.what in {(CONTINUE,), (WITHDRAW,)}:
            return None
        return Refused("nobody is asked whether to go on", _general(t))
    question = _question(t, command.who, command.what)
    if question is None:
        return Refused(f"nothing is asked of {command.who}", _general(t))
    if _fits(t, question, command.what):
        return None
    return Refused(f"{question.who} is asked for {' or '.join(question.options)}", question.clause)


def _fits(t: TableState, question: Ask, what: tuple[str, ...]) -> bool:
    if "CARD" in question.options:
        return len(what) == 1 and (what[0] in question.options or cards_at_issue.is_card(what[0]))
    matter = t.matters[0] if t.matters else None
    if matter is not None and matter.finding.code == "double-draw" and question in matter.asks:
        card_named = any(cards_at_issue.is_card(word) or word in choices.ORDINALS for word in what)
        if card_named:
            return choices.fits(t, matter, question, what)
    return len(what) == 1 and what[0] in question.options


def do_answer(t: TableState, command: Answer) -> None:
    """Carry out the answer."""
    if command.who == "all":
        for question in [question for question in t.asks if WITHDRAW in question.options]:
            _take(t, question, command.what)
        return
    answered = _question(t, command.who, command.what)
    if answered is not None:
        _take(t, answered, command.what)


def _take(t: TableState, question: Ask, what: tuple[str, ...]) -> None:
    if question in t.rights:
        t.rights.remove(question)
        if what == (WITHDRAW,):
            player_options.take_answer(t, question.who, what, question.clause)
            player_options.after_withdrawal(t)
            for matter in list(t.matters):
                pulled.hand_left(t, matter)
        return
    for matter in t.matters:
        if question in matter.asks:
            PROCEDURES[matter.procedure].answer(t, matter, question.who, what)
            return


def verify_reconstructed(t: TableState, _command: Reconstructed) -> Refused | None:
    """Where a ruling about cards is being carried out, or just was; not while a card that was taken lies elsewhere."""
    if t.matters and PROCEDURES[t.matters[0].procedure].done is not None:
        matter = t.matters[0]
        if matter.fact.kind == taken.TAKEN and repair.remaining(t, matter):
            return Refused("the cards do not lie as they were dealt", matter.finding.clause)
        return None
    carried_out = any(f.ruling in {"reconstruct", "as-next-card", "discard"} for f in t.round.findings)
    if not t.matters and t.round_is_on and carried_out:
        return None
    return Refused("no cards are to be put back", _general(t))


def do_reconstructed(t: TableState, _command: Reconstructed) -> None:
    """The cards lie as the ruling says."""
    if t.matters:
        matter = t.matters[0]
        done = PROCEDURES[matter.procedure].done
        if done is not None:
            done(t, matter)


def verify_cannot(t: TableState, _command: CannotReconstruct) -> Refused | None:
    """Where a reconstruction is ruled."""
    if t.matters and PROCEDURES[t.matters[0].procedure].cannot is not None:
        return None
    return Refused("no cards are to be reconstructed", _general(t))


def do_cannot(t: TableState, _command: CannotReconstruct) -> None:
    """The house says that the cards cannot be put back."""
    matter = t.matters[0]
    cannot = PROCEDURES[matter.procedure].cannot
    if cannot is not None:
        cannot(t, matter)


def verify_call(t: TableState, command: Call) -> Refused | None:
    """Any irregularity may be reported that can occur at this stage."""
    if command.round_number is not None and not 1 <= command.round_number <= t.round.number:
        return Refused(f"there was no round {command.round_number}", _general(t))
    stage = _called_stage(t, command)
    case = _case(t, command)
    if stage is not Stage.LATER and not _listed(t, command) and reports.contradicted(t, command):
        return Refused(f"{command.code} cannot have occurred: {reports.contradicted(t, command)}", _general(t))
    if not look_up(MATRICES[t.rules.id], command.code, case, stage).ruling:
        note = look_up(MATRICES[t.rules.id], command.code, case, stage).note
        return Refused(f"{command.code} cannot have occurred: {note}", _general(t))
    return None


def _called_stage(t: TableState, command: Call) -> Stage:
    """The stage at which a report comes: of a round that is over, as late as it can be."""
    stage = stage_of(t)
    if command.round_number is not None and command.round_number < t.round.number:
        return Stage.LATER
    over = stage is Stage.BETWEEN and bool(t.rounds)
    if over and not look_up(MATRICES[t.rules.id], command.code, _case(t, command), stage).ruling:
        return Stage.LATER
    return stage


def do_call(t: TableState, command: Call) -> None:
    """A person reports what no sensor saw; one that is on the list already is not listed twice."""
    places = _reported_places(command)
    stage = _called_stage(t, command)
    if stage is not Stage.LATER and _listed(t, command):
        return
    kind = "" if command.code == "side-wager-without-main" else "main"
    fact = Suspicion(
        command.code, _case(t, command), places, kind=kind, player=_player(t, places[0] if places else None)
    )
    rule(t, fact, stage)


def list_retracted(t: TableState, command: Call) -> None:
    """A report was a mistake: the finding stands, and nothing follows from it."""
    finding = Finding(command.code, "", RETRACTED, _reported_places(command), CODES[command.code], t.events + 1)
    between = _called_stage(t, command) is Stage.BETWEEN
    (t.waiting if between else t.round.findings).append(finding)


def _reported_places(command: Call) -> tuple[Place, ...]:
    place = command.place or (DEALER if command.code == "dealer-not-dealt" else None)
    return (place,) if place is not None else ()


def _player(t: TableState, place: Place | None) -> str | None:
    """The Player of the main wager that a report speaks of, if he is known by name."""
    box = t.round.boxes.get(place.box) if place is not None else None
    main = box.mains.get(place.slot or 1) if box is not None and place is not None else None
    return main.player if main is not None else None


def _listed(t: TableState, command: Call) -> bool:
    """Whether a report is of what is open already, or was found and comes once in a round, at the same place."""
    found = [matter.finding for matter in t.matters]
    if command.code in reports.ONCE:
        found += [finding for finding in t.round.findings if finding.stands]
    return any(finding.code == command.code and reports.speaks_of(finding, command.place) for finding in found)


def _case(t: TableState, command: Call) -> str:
    """The case of a finding that a person reports."""
    match command.code:
        case "insufficient-cards" | "cut-card-passed":
            return "manual" if t.config.shuffling == "manual" else "machine"
        case "insurance-not-offered":
            return "Dealer's second card" if len(t.round.dealer.cards) > 1 else ""
        case "face-up-card":
            return "later card" if t.round.draws else "first card"
        case "hand-skipped":
            return "more hands" if _hands_after(t, command.place) > 1 else "next hand"
        case "dealer-overdraw":
            return "complete" if repair.was_complete(t) else "below"
        case "double-draw":
            return _pull_case(t, command.place)
        case "under-minimum":
            place = command.place or Place(0)
            return limits.under_case(t, place, _player(t, place))
        case "absent-player":
            return absent_case(t, command.place or Place(0))
        case "power-failure":
            return power_case(t)
    return ""


def _pull_case(t: TableState, place: Place | None) -> str:
    """Whose hand a pull is on that a person tells: the one at the place, or else where the next card is due."""
    fact = pulled.aim(t, Suspicion("double-draw", "none disclosed"))
    if place is None:
        return fact.case
    return pulled.aimed_at(place, fact.case)


def _hands_after(t: TableState, place: Place | None) -> int:
    """How many hands after a box, the Dealer's among them, have received cards in the subsequent deal."""
    if place is None:
        return 0
    places = {d.place for d in t.round.draws if d.subsequent}
    return len({after.box for after in places if after.box > place.box or after == DEALER})


def absent_case(t: TableState, place: Place) -> str:
    """Whether another Player, whose wager is in play on the box, can decide (MBS 5.22.1)."""
    box = t.round.boxes.get(place.box)
    if box is None or not box.mains:
        return "alone"
    gone = _absent_slots(box, place)
    left = [slot for slot in box.mains if slot not in gone and (box.number, slot) not in t.absent]
    plays = [slot for slot in left if not box.hands or not control.out(box, slot)]
    return "others" if plays else "alone"


def _absent_slots(box: Box, place: Place) -> list[int]:
    """The slots at which a Player is absent: his own, and those where he wagers under the same name."""
    slot = place.slot or box.controller or min(box.mains)
    name = box.mains[slot].player if slot in box.mains else None
    return [other for other, main in box.mains.items() if other == slot or (name is not None and main.player == name)]


def power_case(t: TableState) -> str:
    """Whether an outcome was established."""
    return "outcome" if outcome_established(t.rules, t.round) or settled_by_cards(t) else "no outcome"


def verify_absent(t: TableState, command: Absent) -> Refused | None:
    """Of a Player who has a wager in this round."""
    box = t.round.boxes.get(command.place.box)
    if t.machine.state in BETWEEN_ROUNDS or box is None or not box.mains:
        return Refused(f"there is no wager at {command.place}", t.rules.clauses.wager_first)
    return None


def do_absent(t: TableState, command: Absent) -> None:
    """The Player is not there: the house draws, or another Player on the box decides."""
    case = absent_case(t, command.place)
    box = t.round.box(command.place.box)
    gone = {(box.number, slot) for slot in _absent_slots(box, command.place)}
    if gone <= t.absent:
        return
    t.absent |= gone
    if box.hands:
        box.controller = control.controller(t.rules, box, t.absent)
    rule(t, Suspicion("absent-player", case, (Place(box.number),)), stage_of(t))


def verify_approve(t: TableState, command: Approve) -> Refused | None:
    """Something must be pending that this role may approve."""
    if any(question.who == "house" for question in t.asks) and command.role == "shift-manager":
        return None
    if t.round.offers.get("insurance") == "missed" and t.round_is_on and len(t.round.dealer.cards) == 1:
        return None
    if t.set_in_doubt and command.role == "shift-manager":
        return None
    referred = [*t.round.findings, *t.waiting]
    if command.role == "shift-manager" and not t.matters and any(finding.ruling == "refer" for finding in referred):
        return None
    if any(question.who in {"pit", "house"} for question in t.asks):
        return Refused(f"this waits for an answer, not for the approval of a {command.role}", _general(t))
    return Refused("nothing waits for approval", _general(t))


def do_approve(t: TableState, _command: Approve) -> None:
    """The shift manager lets play go on; a Pit Supervisor permits the late insurance (Free Bet 5.26)."""
    if t.set_in_doubt and not t.round_is_on:
        t.set_in_doubt = ""
        return
    if t.round.offers.get("insurance") == "missed":
        t.round.offers["insurance"] = "open"
        return
    for question in [question for question in t.asks if question.who == "house"]:
        _take(t, question, ("continue",))
        return


# --- physical ------------------------------------------------------------------------------------------------------


def card_moved(t: TableState, event: CardMoved) -> None:
    """A card was moved by hand: part of what is carried out, or was just ruled, or an irregularity of its own."""
    if sensing.misread(t, event.source) and sensing.misread(t, event.target):
        return
    if (event.card, event.target.box) in t.ruled:
        t.ruled.remove((event.card, event.target.box))
        return
    hand = t.round.hand_at(event.source)
    on_hand = hand is not None and event.card in hand.cards
    cleared = event.target.box < 0 and not (on_hand and hand is not None and not (hand.settled or hand.bust))
    code = taken.code(t, event)
    known = repair.moved(t, event.card, event.source, event.target)
    for matter in [matter for matter in t.matters if matter.fact.kind == taken.TAKEN]:
        taken.follow(t, matter)
    if t.matters or not t.round_is_on or cleared or event.source.box == event.target.box:
        return
    if code and known:
        places = (Place(event.source.box),)
        t.suspicions.append(Suspicion(code, places=places, cards=(event.card,), kind=taken.TAKEN))
    else:
        t.suspect("uncovered", places=(event.source, event.target), cards=(event.card,))
