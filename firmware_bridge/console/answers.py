"""The shapes of what the console answers apart from the scene: the session, rounds, health and plots; and its stream.

The shapes of the Games page are in `games_answers`.

``python -m firmware_bridge.console.answers`` writes both down for the page, as `firmware_bridge.shown.typedefs` does
for the scene.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

from firmware_bridge.commands.documents.sensor_coverage import Covered
from firmware_bridge.commands.service.doctor import Check
from firmware_bridge.console.games_answers import ClausesTable, GamesTable, ReadingsTable, RulingsTable
from firmware_bridge.shown import typedefs
from firmware_bridge.shown.health_type import HealthFacts
from firmware_bridge.shown.news_type import StreamNews
from firmware_bridge.shown.scene_type import FieldsOf, Scene
from gamecore.view.report import FindingReport, MoveReport, RefusalReport, WagerReport


class PageExtra(TypedDict):
    """A module that a console with simulated devices adds to the page."""

    name: str
    script: str


class PageSession(TypedDict):
    """What a page must know of its session."""

    roles: Annotated[bool, "people must log in to command"]
    name: str | None
    role: str | None
    token: Annotated[str, "goes with every command"]
    must_login: Annotated[bool, "nothing is shown before a login"]
    extras: list[PageExtra]
    version: str
    lang: str
    badge: Annotated[str, "the sign with which a badge reader begins to type, empty without one"]
    accounts: NotRequired[Annotated[bool, "people may log in by an account elsewhere, at the floor"]]


class RoundRow(TypedDict):
    """One line of the list of rounds."""

    id: int
    key: Annotated[str, "what tells it from every other round of the journal: when it began, and its first event"]
    number: int
    game: str
    first: Annotated[int, "the row of the journal with which it began"]
    last: int
    began: str
    ended: str
    outcome: str
    boxes: str
    findings: list[str]
    segment: str
    staked: Annotated[str | None, "null where the record cannot be read"]
    net: str | None
    noted: Annotated[int, "how many notes it has"]
    bookmark: bool


class PastNote(TypedDict):
    """What somebody has written about a round."""

    n: int
    at: str
    by: str
    role: str
    text: str
    bookmark: Annotated[bool | None, "null where it says nothing of that"]
    disputed: bool


class SignedHead(TypedDict):
    """The first signed head that covers a round."""

    number: int
    n: Annotated[int, "the last row that it covers"]
    chain: str
    key: str
    signature: str


class RoundProof(TypedDict):
    """What proves the rows of a round: the digest of its last one, and the head over it."""

    n: int
    chain: str
    head: Annotated[SignedHead | None, "null where nothing is signed yet"]


class RoundsPage(TypedDict):
    """A page of the list of rounds."""

    rounds: list[RoundRow]
    next: Annotated[str | None, "what continues it, null after the last"]
    back_to: Annotated[str | None, "back to when was looked"]
    unread: Annotated[list[str], "segments that cannot be read"]


class Verified(TypedDict):
    """How the last verification of the journal went."""

    running: bool
    at: Annotated[str | None, "when it ended, null before the first"]
    status: Annotated[int | None, "0 whole, 3 whole but not anchored elsewhere, else not whole"]
    lines: Annotated[list[str], "what it said"]


class Speaker(TypedDict):
    """The person who said something."""

    name: str
    role: str


class PastStep(TypedDict):
    """One event of a round, what it brought, and the table after it."""

    n: int
    at: str
    device: str
    event: str
    by: Speaker | None
    refused: Annotated[str | None, "in English"]
    refusal: RefusalReport | None
    brought: Annotated[list[dict[str, Any]], "`is` tells which other fields there are"]
    scene: Scene


# --- a past round ----------------------------------------------------------------------------------------------------


class PastDealer(TypedDict):
    """The Dealer's hand as it was settled."""

    cards: list[str]
    total: int
    soft: bool
    blackjack: bool
    bust: bool


class PastHand(TypedDict):
    """A Player's hand as it was settled."""

    box: int
    hand: int
    cards: list[str]
    total: int | None
    soft: bool | None
    result: str | None


class RoundReport(TypedDict):
    """A round as the journal keeps it; the obstacle of a finding by its key."""

    number: int
    outcome: str
    dealer: PastDealer
    hands: list[PastHand]
    wagers: list[WagerReport]
    findings: list[FindingReport]


class PastFinding(TypedDict):
    """A finding of a round, with its moves as its last step shows them."""

    n: int
    code: str
    clause: str
    ruling: str
    places: str
    whose: str
    moves: list[MoveReport]
    steps: Annotated[list[dict[str, str]], "what was to be done about it, each step by language"]


class PastRuling(TypedDict):
    """What somebody said about a finding."""

    n: int
    at: str
    who: str
    what: str
    by: Speaker | None


class PastClearing(TypedDict):
    """Alarms of a round that somebody cleared."""

    n: int
    at: str
    codes: list[str]
    by: str
    role: str
    reason: str


class PastRound(TypedDict):
    """The record of a round, and the rounds beside it."""

    number: int
    first: int
    last: int
    game: str
    began: str
    ended: str
    outcome: str
    segment: str
    key: str
    older: str | None
    newer: str | None
    older_found: Annotated[str | None, "the nearest round before in which something was found"]
    newer_found: str | None
    proof: RoundProof | None
    report: RoundReport
    findings: list[PastFinding]
    rulings: list[PastRuling]
    cleared: list[PastClearing]


class AboutNotation(TypedDict):
    """Whether the notation of a round is kept from who asks, where it begins, and whether it plays to the same end."""

    kept: bool
    begins: NotRequired[str]
    plays: NotRequired[bool]


class RoundSteps(TypedDict):
    """A round with its steps."""

    round: PastRound
    steps: list[PastStep]
    true: Annotated[bool, "the steps came to the round as its record has it"]
    kept_by: Annotated[int | None, "the earlier edition that has judged it"]


class ToldRound(RoundSteps):
    """A round with its steps and its notation."""

    notation: str | None
    about: AboutNotation
    notes: list[PastNote]
    bookmark: bool


# --- health ----------------------------------------------------------------------------------------------------------


class HealthPage(TypedDict):
    """How the daemon is, what is wrong and what to do, what the sensors cover."""

    health: HealthFacts | None
    checks: list[Annotated[dict[str, Any], FieldsOf(Check)]]
    coverage: list[Annotated[dict[str, Any], FieldsOf(Covered)]]


class LatencyPoint(TypedDict):
    """How long things took in one part of the time, in microseconds."""

    at: str
    p50: int | None
    p99: int | None
    here: Annotated[float, "the share of samples in which the daemon answered"]


class Spoiled(TypedDict):
    """What went over a link, and how much of it was spoiled."""

    frames: int
    spoiled: int
    up: bool | None


class SpoiledPoint(Spoiled):
    """The same in one part of the time."""

    at: str


class SampleSeries(TypedDict):
    """What the daemon told of itself over a window."""

    every: Annotated[float, "seconds between two samples"]
    since: str | None
    latency: list[LatencyPoint]
    links: dict[str, list[SpoiledPoint]]


class PaceBucket(TypedDict):
    """The rounds that ended within one part of the time, and their findings by kind."""

    at: str
    count: int
    findings: dict[str, int]


class Pace(TypedDict):
    """How many rounds were played, and what was found."""

    bucket: Annotated[int, "how long a part is, in seconds"]
    codes: Annotated[list[str], "the kinds of findings, the most frequent first"]
    rounds: list[PaceBucket]


class Plots(SampleSeries):
    """What is plotted of a window."""

    hours: int
    pace: Annotated[Pace | None, "null where there is no journal"]


ROOTS: tuple[type, ...] = (
    PageSession,
    RoundsPage,
    ToldRound,
    HealthPage,
    Plots,
    GamesTable,
    RulingsTable,
    ClausesTable,
    ReadingsTable,
    Verified,
    StreamNews,
)
TARGET = Path(__file__).parent / "static" / "types" / "answers.d.ts"
_HEADER = """\
/* What the console answers beside the scene. Made by `python -m firmware_bridge.console.answers`: change the types of
   the program, not this file. */
"""


def declarations() -> str:
    """The text of the file, without the shapes that the file of the scene declares."""
    return typedefs.declarations(ROOTS, _HEADER, declared=typedefs.ROOTS)


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
