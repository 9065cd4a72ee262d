"""The shape of a scene: what `scene` and its parts return, and what a page may count on.

1. The types of the page are made from these (`typedefs`), so that a field is named in one place. The type checker
   compares them with what the code returns, and a test with what it returns at every statement of the scenarios.
2. What a field means beyond its name is said in its annotation, and goes to the page with it. `OneOf` lists the words
   that a text may be; `FieldsOf` names the dataclass whose fields a dictionary has.
3. A place is written as the notation writes it, an amount as text with two decimals.
4. What the report of the core already says is shown in the core's shapes (`gamecore.view.report`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypedDict

from gamecore.model.states import State
from gamecore.view.report import FindingReport, PreferenceReport, WagerReport


@dataclass(frozen=True, slots=True)
class OneOf:
    """The words that a text may be."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """What `asdict` makes of this dataclass."""

    shape: type


StateName = Annotated[str, OneOf(tuple(state.value for state in State))]
Card = Annotated[str, "rank and suit, `??` where nobody may know it"]


# --- wagers ----------------------------------------------------------------------------------------------------------


class ShownMain(TypedDict):
    """A main wager on a box."""

    slot: int
    amount: str
    player: str | None


class ShownInsurance(TypedDict):
    """An insurance wager on the main wager at a slot."""

    slot: int
    amount: str
    player: str | None
    returned: Annotated[str | None, "the clause by which it has gone back"]


class ShownSide(TypedDict):
    """A side wager."""

    kind: str
    slot: int
    amount: str
    player: str | None
    hand: Annotated[int, "1, or on split Aces the hand that it was placed on"]
    returned: Annotated[str | None, "the clause by which it has gone back"]
    act: Annotated[str, "pay, take or leave where an interim settlement has settled it, else empty"]


class ShownChips(TypedDict):
    """Chips that lie there before bets open."""

    kind: str
    slot: int
    amount: str
    player: str | None


class ShownStake(TypedDict):
    """What one Player has on one hand."""

    slot: int
    amount: str
    doubled: bool
    free_split: Annotated[int, "Free Bet Markers for splits"]
    free_double: Annotated[int, "Free Bet Markers for doubles"]
    off: Annotated[bool, "the Player has no further part in the hand"]
    even_money: bool
    surrendered: bool
    rescued: bool


# --- the layout ------------------------------------------------------------------------------------------------------


class ShownHand(TypedDict):
    """One hand of a box."""

    hand: int
    place: str
    cards: list[Card]
    total: Annotated[int | None, "null where a card lies face down or elsewhere"]
    soft: bool | None
    natural: Annotated[str, "its name if it is one: blackjack or pontoon"]
    turn: bool
    over: bool
    stood: bool
    settled: Annotated[bool, "it was paid or collected on the way"]
    stakes: list[ShownStake]
    result: Annotated[str | None, "of the wager of the Player who controls the box, else of the first on the hand"]


class BoxWagers(TypedDict):
    """What lies on the spots of a box."""

    mains: list[ShownMain]
    sides: list[ShownSide]
    insurance: list[ShownInsurance]


class ShownBox(BoxWagers):
    """One box of the layout."""

    number: int
    controller: Annotated[int, "the slot of the Player who controls the box, 0 without one"]
    seated: Annotated[int, "the slot of the Player who is seated there, 0 without one"]
    squeeze: bool
    lamp: Annotated[int, "0 off, 1 steady, 2 blinking"]
    early: list[ShownChips]
    hands: list[ShownHand]


class ShownDealer(TypedDict):
    """The Dealer's hand."""

    cards: list[Card]
    total: int | None
    soft: bool | None
    natural: Annotated[str, "its name if it is one: blackjack or pontoon"]
    bust: bool


class ShownPile(TypedDict):
    """Cards that count for no hand at the place where they lie."""

    place: Annotated[str, "a place, or `drawn` or `aside` of cards that lie nowhere yet"]
    cards: list[Card]


class ShownShoe(TypedDict):
    """The shoe."""

    out: Annotated[int, "cards that have left it"]
    cards: Annotated[int, "cards of the whole set"]
    cutting_card: Annotated[str, OneOf(("none", "in", "out"))]
    locked: bool
    away: Annotated[bool, "it does not answer: whether it is locked is not known"]


class ShownPanel(TypedDict):
    """What the Dealer's panel shows."""

    lamps: list[int]
    upper: str
    lower: str
    alarm: bool
    locked: bool


class Limit(TypedDict):
    """The table's limits for one kind of wager."""

    min: str
    max: str


# --- what people may say, and must -----------------------------------------------------------------------------------


class Sayable(TypedDict):
    """A command that may be given now."""

    statement: str
    place: Annotated[str | None, "the hand or box of which it speaks"]


class AnswerOption(TypedDict):
    """One answer to a question, as a statement that the table takes."""

    option: str
    statement: str


class ShownAsk(TypedDict):
    """A question of the table to people."""

    who: str
    options: list[str]
    clause: str
    roles: list[str]
    answers: list[AnswerOption]


ShownMove = TypedDict("ShownMove", {"card": Card, "from": str, "to": str, "done": bool})
ShownMove.__doc__ = "One card that goes from one place to another, and whether it has gone."


class ShownStep(TypedDict):
    """One step of what is to be done."""

    text: Annotated[dict[str, str], "the text by language"]
    done: Annotated[bool, "the table knows that it is done"]
    now: Annotated[bool, "it is to be done now"]


class ShownProgress(TypedDict):
    """How far a ruling is carried out."""

    rule: Annotated[str, "the ruling, or `void-next`, `hold-next` or `noted`"]
    steps: list[ShownStep]
    waits: Annotated[list[str], "what is missing: approval ROLE, moves, answers, word ROLE, load, device NAME"]


class ShownMatter(TypedDict):
    """A finding that is being carried out."""

    key: Annotated[str, "of its finding"]
    code: str
    clause: str
    ruling: str
    places: list[str]
    cards: list[Card]
    whose: str
    obstacle: Annotated[str | None, "the key of why cards may not be capable of being put where they belong"]
    moves: list[ShownMove]
    progress: ShownProgress


class Duty(TypedDict):
    """A statement that carries something on."""

    statement: str
    roles: list[str]


class Correction(TypedDict):
    """A statement that mends a mistake."""

    statement: str
    of: Annotated[str, "the first word of the command that is taken back, else empty"]
    roles: list[str]


Worded = Annotated[dict[str, str], "the text by language"]


class ShownAdvice(TypedDict):
    """The next thing to do, as page and panel say it."""

    key: Annotated[str, "of the catalogue"]
    text: Worded
    then: Annotated[dict[str, str] | None, "what comes after it, by language, where that is known"]
    beside: Annotated[dict[str, str] | None, "what holds nothing up and is still open, by language"]
    press: Annotated[str, "the button that answers it, empty where a card or a person does"]
    place: Annotated[str | None, "the place of which it speaks"]
    deals: Annotated[bool, "a card is the answer"]


class ShownPayment(TypedDict):
    """What is to be done about one wager, or was done."""

    box: int
    slot: int
    hand: int
    kind: str
    player: str | None
    stake: str
    doubled: bool
    act: Annotated[str, OneOf(("pay", "take", "leave"))]
    amount: str
    reason: Worded
    clause: str | None
    before: Annotated[bool, "it was paid or taken on the way"]


class ShownSettlement(TypedDict):
    """What to pay and what to take, box by box."""

    done: Annotated[bool, "the round is over: it was paid and taken"]
    rows: list[ShownPayment]
    pay: Annotated[str, "to be paid now, without what was paid before"]
    take: Annotated[str, "to be taken now"]
    house: Annotated[str, "what the House gains by it"]
    paid: Annotated[str, "what was paid before"]
    taken: Annotated[str, "what was taken before"]


# --- the whole -------------------------------------------------------------------------------------------------------


class Scene(TypedDict):
    """The table as it stands: all that a screen needs to draw it and to offer what may be said."""

    game: str
    title: str
    state: StateName
    round: Annotated[int | None, "its number, null before the first"]
    outcome: Annotated[str, OneOf(("open", "settled", "concluded", "void"))]
    next: Annotated[str | None, "where the next card belongs"]
    turn: Annotated[str | None, "the hand whose turn it is"]
    boxes: list[ShownBox]
    dealer: ShownDealer
    elsewhere: list[ShownPile]
    shoe: ShownShoe
    offers: Annotated[dict[str, str], "how each offer stands: due, open, closed or missed"]
    decisions: Annotated[list[str], "the decisions that the game knows beyond hit, stand, double and split"]
    interim: Annotated[bool, "a wager that the first cards decide is neither paid nor taken"]
    spots: Annotated[list[str], "the kinds of side wagers that the game has"]
    limits: dict[str, Limit]
    panel: ShownPanel
    advice: ShownAdvice
    watch: Annotated[list[dict[str, str]], "something to watch, on which nothing is decided yet, by language"]
    asks: Annotated[list[ShownAsk], "the question that is asked now first"]
    matters: Annotated[list[ShownMatter], "the one that is carried out now first"]
    duties: list[Duty]
    claims: list[PreferenceReport]
    can: list[Sayable]
    corrections: list[Correction]
    disclose: Annotated[bool, "several cards have just come out in one pull, and a person may say which of them show"]
    wagers: list[WagerReport]
    settlement: Annotated[ShownSettlement | None, "null while it is not known"]
    on_the_way: Annotated[list[ShownPayment], "what was paid and taken while the settlement is not known"]
    findings: list[FindingReport]


class RunningProgram(TypedDict):
    """The program that runs, compared with what its maker has signed."""

    state: str
    digest: str
    signer: str | None
    wrong: Annotated[str | None, "why it may begin no round"]


class AdmittedProgram(RunningProgram):
    """The program that runs, and whether people have accepted it."""

    waits: Annotated[str | None, "who must still accept it"]


class ReplacedRuling(TypedDict):
    """What was ruled before."""

    ruling: str
    clause: str
    by: Annotated[str | None, "who has changed it; empty if a device has, null if that is not known any more"]


class ShownAct(TypedDict):
    """What somebody did about an alarm."""

    at: str
    person: Annotated[str, "empty where a device has seen it"]
    what: Annotated[str, "as the notation says it, without a card"]


class OpenAlarm(TypedDict):
    """An alarm that somebody must clear."""

    n: Annotated[int, "the row of the journal that first proved it"]
    at: str
    code: str
    clause: str
    ruling: str
    places: list[str]
    times: int
    noted: Annotated[bool, "it was referred, and nobody was asked"]
    roles: Annotated[list[str], "the roles of which one may clear it"]
    key: Annotated[str, "of its finding, empty if that is of no round of this table"]
    held: Annotated[bool, "its finding is being carried out, and is among the matters"]
    device: Annotated[str, "that was lost"]
    cards: list[Card]
    was: Annotated[list[ReplacedRuling], "what was ruled before, the first first"]
    acts: Annotated[list[ShownAct], "what was done about it, the first first"]
    progress: ShownProgress


class LiveScene(Scene):
    """The scene of now, with what the daemon knows around the table."""

    table: Annotated[str, "what people call it, empty where nobody has named it"]
    n: Annotated[int, "the last row of the journal"]
    links: Annotated[dict[str, bool], "which devices are there"]
    roles: Annotated[bool, "people must log in"]
    key: Annotated[bool, "the key at the panel is turned"]
    alarms: list[OpenAlarm]
    stalled: Annotated[str | None, "why the journal cannot be written"]
    role: Annotated[str | None, "of the session that asked"]
    program: AdmittedProgram | None
