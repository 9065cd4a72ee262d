"""The shapes of what the floor's console answers, and of its stream.

``python -m firmware_bridge.floor.pit.answers`` writes them down for the page, as `firmware_bridge.shown.typedefs` does
for the scene. A time named `…_ms` is in milliseconds by the centre's clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NotRequired, TypedDict

from firmware_bridge.console.answers import ROOTS as CONSOLE_ROOTS
from firmware_bridge.shown import typedefs
from firmware_bridge.shown.news_type import NoNews, SessionNews
from firmware_bridge.shown.scene_type import OneOf, Scene

LOOKS = ("alarm", "taken", "wrong", "gone", "grey", "unheard", "calm")
Look = Annotated[str, OneOf(LOOKS), "the loudest first"]
STAGES = ("raised", "taken-up", "escalated-1", "escalated-2", "over")


class TakenUp(TypedDict):
    """Who has taken up an alarm, and when."""

    by: str
    at_ms: int


class TileAlarm(TypedDict):
    """An open alarm on a tile."""

    journal: str
    n: int
    code: str
    since_ms: int
    clause: str
    ruling: str
    places: list[str]
    times: int
    noted: bool
    held: bool
    device: str
    detail: Annotated[str, "what the centre says of it"]
    stage: Annotated[str, OneOf(STAGES)]
    taken: TakenUp | None


class TileLimit(TypedDict):
    """The limits of one kind of wager."""

    kind: str
    least: str
    most: str


class TileLag(TypedDict):
    """How far the archive is behind the table."""

    rows: int
    seconds: int


class Tile(TypedDict):
    """One table of the pit."""

    name: str
    called: Annotated[str, "what people call it, empty where nobody has named it"]
    look: Look
    game: str
    state: str
    round: int
    outcome: str
    dealer: Annotated[str, "the staff number of the Dealer"]
    limits: list[TileLimit]
    boxes: list[int]
    rounds: Annotated[int, "that have ended within the last hour"]
    card_ms: Annotated[int | None, "when the last card moved"]
    heard_ms: Annotated[int | None, "when it was heard last, null if not since this console began"]
    daemon: Annotated[bool, "false while nobody answers at the table"]
    stalled: str
    alarms: list[TileAlarm]
    more: Annotated[int, "alarms that did not fit"]
    quarantined: Annotated[str, "why its journal is quarantined"]
    clock: Annotated[float | None, "seconds by which its clock is off, where that is too much"]
    lag: TileLag | None
    version: str
    pictures: Annotated[int, "rises with each picture that differs from the one before"]


class PitNews(TypedDict):
    """Every tile, and the centre's clock."""

    casino: str
    now_ms: int
    broker: Annotated[bool, "whether live news can come"]
    archive: Annotated[bool, "whether the archive answers"]
    tiles: list[Tile]


class TilesNews(TypedDict):
    """The tiles that have changed."""

    now_ms: int
    tiles: list[Tile]
    gone: Annotated[list[str], "tables that are no longer enrolled"]


class CentreNews(TypedDict):
    """Whether broker and archive are there."""

    broker: bool
    archive: bool


class PitStream(TypedDict):
    """The events of the stream by name."""

    pit: NotRequired[PitNews]
    tiles: NotRequired[TilesNews]
    centre: NotRequired[CentreNews]
    session: NotRequired[SessionNews]
    beat: NotRequired[NoNews]


class TablePicture(TypedDict):
    """One table: its tile, and its own picture as it was heard last."""

    tile: Tile
    picture: Annotated[Scene | None, "cards that do not lie open are masked"]


# --- the past ---------------------------------------------------------------------------------------------------------


class FindingRow(TypedDict):
    """A finding, or a void round, of any table; what does not apply is empty."""

    kind: Annotated[str, OneOf(("findings", "voids"))]
    at: str
    table: str
    dealer: str
    shuffler: str
    code: str
    clause: str
    ruling: str
    places: str
    whose: str
    how: str
    person: str
    role: str
    round: int | None
    game: str
    outcome: str
    key: Annotated[str, "of its round, as every export has it"]
    n: Annotated[int, "the row of the table's journal"]


class PastPage(TypedDict):
    """A page of findings or void rounds, the newest first."""

    rows: list[FindingRow]
    next: Annotated[str | None, "what continues it, null after the last"]


class RoundLine(TypedDict):
    """A round of a table."""

    key: str
    number: int | None
    game: str
    began: str
    ended: str
    outcome: str
    boxes: str
    dealer: str
    codes: list[str]


class TrendPoint(TypedDict):
    """How many there were in one part of a window."""

    at: str
    value: int


class TrendSeries(TypedDict):
    """What one kind, table, Dealer or shuffler came to; `others` are all that are not told apart."""

    name: str
    others: bool
    points: list[TrendPoint]


class Trend(TypedDict):
    """Findings by one dimension; `kinds` is how many different ones there are."""

    series: list[TrendSeries]
    kinds: int


Trends = TypedDict(
    "Trends",
    {
        "from": str,
        "to": str,
        "bucket": Annotated[int, "how long a part is, in seconds"],
        "findings": int,
        "rounds": int,
        "by": dict[str, Trend],
        "hours": Annotated[list[TrendPoint], "by the hour, for the hour of the day"],
    },
)
Trends.__doc__ = "How many findings there were over a window."


class SavedView(TypedDict):
    """A name for an address of the page."""

    name: str
    address: str


ROOTS: tuple[type, ...] = (PitStream, TablePicture, PastPage, RoundLine, Trends, SavedView)
TARGET = Path(__file__).parent / "static" / "types" / "floor.d.ts"
_HEADER = """\
/* What the console of the floor answers. Made by `python -m firmware_bridge.floor.pit.answers`: change the types of the
   program, not this file. */
"""


def declarations() -> str:
    """The text of the file, without the shapes that the files of the table's console declare."""
    return typedefs.declarations(ROOTS, _HEADER, declared=(*typedefs.ROOTS, *CONSOLE_ROOTS))


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
