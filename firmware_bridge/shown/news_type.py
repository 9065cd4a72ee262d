"""The shapes of news: what those who watch are told as it happens, and the events of the page's stream.

1. A piece of news has one name and what it holds: `News` has a field for each, and one of them is present. The pump
   tells them (`Pump.announce`, and ``seen`` for a row). `EndedNews` is not among them: as ``ended`` it goes to the one
   connection whose login has ended.
2. `StreamNews` is what a page hears by name: the news, and what the console itself tells.
3. The types of the page are made from these (`console.answers`), as for the scene.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from firmware_bridge.shown.scene_type import LiveScene
from gamecore.view.report import FindingReport, RefusalReport


class SeenNews(TypedDict):
    """A row of the journal that was applied to the table."""

    n: Annotated[int, "its number"]
    device: str
    number: Annotated[int | None, "the device's own"]
    event: Annotated[str, "in deal notation"]
    refused: Annotated[str | None, "why, in English"]
    findings: NotRequired[list[FindingReport]]


class LinkNews(TypedDict):
    """A device was lost or is there."""

    device: str
    up: bool
    fault: str | None
    remedy: NotRequired[str]


class FaultNews(TypedDict):
    """Something went wrong on the way from a device."""

    device: str
    code: str
    detail: str
    remedy: str


class JournalNews(TypedDict):
    """Whether the journal can be written."""

    stalled: Annotated[str | None, "why it cannot"]


class AlarmNews(TypedDict):
    """A note has raised an alarm."""

    n: Annotated[int, "its row"]
    code: str


class ClearedNews(TypedDict):
    """Alarms have ended."""

    alarms: Annotated[list[int], "their rows"]
    by: str


class KeyNews(TypedDict):
    """The supervisor's key switch was turned."""

    on: bool


class ProgramNews(TypedDict):
    """Whether rounds begin with this program."""

    bars: Annotated[str | None, "why not"]


class AnchorNews(TypedDict):
    """Whether an anchor must still confirm the journal."""

    waits: bool


class EndedNews(TypedDict):
    """The login of a connection has ended."""

    why: Annotated[str, "in English"]
    refusal: RefusalReport


class News(TypedDict, total=False):
    """What those who watch at the sockets are told: one of these at a time."""

    seen: SeenNews
    link: LinkNews
    fault: FaultNews
    journal: JournalNews
    alarm: AlarmNews
    cleared: ClearedNews
    key: KeyNews
    program: ProgramNews
    anchor: AnchorNews


class GoneNews(TypedDict):
    """The daemon does not answer."""

    reason: str
    remedy: str


class SessionNews(TypedDict):
    """A browser's session has begun or ended."""

    began: NotRequired[Annotated[str, "the role of the login"]]
    ended: NotRequired[Annotated[str, "why, in English"]]
    refusal: NotRequired[RefusalReport]


class NoNews(TypedDict):
    """Nothing beyond that it happened."""


class StreamNews(News):
    """The events of the page's stream by name."""

    scene: NotRequired[LiveScene]
    gone: NotRequired[GoneNews]
    back: NotRequired[NoNews]
    session: NotRequired[SessionNews]
    beat: NotRequired[NoNews]
