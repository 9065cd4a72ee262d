"""The shape of health: what `daemon.health` returns, and what doctor, support bundle and page may count on.

The types of the page are made from these (`console.answers`), as for the scene.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from drivers.happenings import LinkStats
from drivers.station import StationStats
from firmware_bridge.anchors.status import AnchorsHealth
from firmware_bridge.daemon.latency import LatencyFigures
from firmware_bridge.people.alarms import Alarm
from firmware_bridge.shown.scene_type import AdmittedProgram, FieldsOf


class OpenMatter(TypedDict):
    """A finding that is being carried out."""

    code: str
    clause: str


class TableHealth(TypedDict):
    """How the game stands."""

    name: str
    game: str
    state: str
    round: int
    sensors: list[str]
    boxes: int
    open: list[OpenMatter]
    asked: Annotated[list[str], "who is asked"]
    watch: list[str]
    alarms: list[Annotated[dict[str, Any], FieldsOf(Alarm)]]


class RegisterHealth(TypedDict):
    """What a device knows of the journal's head."""

    verdict: str
    number: int
    n: int


class LinkHealth(TypedDict):
    """One device and the link to it; what it told of itself is there once it was up."""

    up: bool
    driver: str
    port: str
    authenticated: bool
    edition: int
    patience: Annotated[int, "seconds that its link bears; more than 1 only where it is simulated"]
    station: Annotated[dict[str, Any] | None, FieldsOf(StationStats)]
    link: Annotated[dict[str, Any] | None, FieldsOf(LinkStats)]
    fingerprint: NotRequired[str | None]
    paired: NotRequired[Annotated[str | None, "who has confirmed the key"]]
    register: NotRequired[RegisterHealth]
    serial: NotRequired[str]
    firmware: NotRequired[str]
    protocol: NotRequired[list[int]]
    proved: NotRequired[bool]


class JournalHealth(TypedDict):
    """The journal and its files."""

    state: str
    n: Annotated[int, "its last row"]
    segment: str
    segments: int
    size: int
    archived: int
    archiving: Annotated[str | None, "what is wrong with it"]
    signed: Annotated[int | None, "the last row that a signed head covers"]
    quarantined: int
    stalled: str | None


class DiskHealth(TypedDict):
    """Bytes of the disk on which the journal lies."""

    free: int
    total: int


class PeopleHealth(TypedDict):
    """Who may log in."""

    many: int
    changeable: Annotated[bool, "one can propose a change and another confirm it"]
    left: Annotated[bool, "`[roles]` is still configured"]


class ChiSquaredHealth(TypedDict):
    """A sum of squares, and the limit that chance exceeds once in twenty."""

    over: str
    value: float
    limit: float


class ShoeEvidence(TypedDict):
    """The evidence against a shuffler when a shoe had ended."""

    at: str
    evidence: float


class ShufflerHealth(TypedDict):
    """What all its shoes together say of one shuffler."""

    device: str
    method: str
    decks: int
    cards: Annotated[int, "of one deck"]
    since: Annotated[int, "the row at which its test began"]
    shoes: int
    verdict: Annotated[str, "none, advisory or alarm"]
    evidence: Annotated[float, "how many times better than chance the cards were foretold"]
    explains: Annotated[str, "what has foretold most of them"]
    trace: Annotated[str, "the key of that"]
    neighbours: Annotated[int, "of the last order that came again"]
    expected: Annotated[float, "how many chance lets expect"]
    chi: list[ChiSquaredHealth]
    course: list[ShoeEvidence]


class HealthFacts(TypedDict):
    """How the daemon is."""

    version: str
    program: AdmittedProgram
    boot: str
    uptime: float
    memory: Annotated[int | None, "bytes"]
    latency: LatencyFigures
    table: TableHealth
    links: dict[str, LinkHealth]
    journal: JournalHealth
    anchors: AnchorsHealth | None
    disk: DiskHealth | None
    open: Annotated[bool, "the table has no roles"]
    roles: dict[str, str]
    people: PeopleHealth | None
    shufflers: Annotated[list[ShufflerHealth] | None, "None before the daemon has judged them for the first time"]
