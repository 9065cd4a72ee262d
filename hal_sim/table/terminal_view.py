"""The simulated table in a terminal.

1. `picture` makes lines of what there is to see: the table, the panel as the device shows it, lamps, alarm, what is
   asked, findings with clause and ruling, the last statements, pace, links. It computes nothing and prints nothing.
2. `Screen` redraws these lines in place, at most `RATE` times a second, on a screen of its own: the terminal is
   afterwards as it was before. Nothing is wider or longer than the terminal.
3. `Lines` is for what is no terminal: one line for each table, round, finding and note.
4. A card that lies face down is not shown, and its hand has no total.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TextIO

from firmware_bridge.shown.advice import watch_words
from firmware_bridge.texts.languages import ENGLISH
from gamecore.model.events.outputs import FindingView
from gamecore.model.money import dollars, signed
from gamecore.table import Table
from gamecore.view.pictures import BoxView, HandView, RoundView
from gamecore.view.report import visible_cards

RATE = 10.0
"""How often the screen is redrawn, at most, in a second."""
LAMPS = ".o*"
"""Off, steady, blinking."""
_STYLES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33"}
_PANEL = 40
_OPEN, _CLOSE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


class Panel(NamedTuple):
    """What the panel shows, and whether the shoe is locked."""

    lamps: Sequence[int]
    upper: str
    lower: str
    alarm: bool
    locked: bool


class Link(NamedTuple):
    """A device's end of its cable: whether a host is there, events taken, events kept, parts damaged by faults."""

    name: str
    up: bool
    taken: int
    kept: int
    damaged: int


@dataclass(frozen=True, slots=True)
class Scene:
    """All there is to see."""

    title: str
    table: Table
    panel: Panel
    links: Sequence[Link]
    findings: Sequence[str]
    statements: Sequence[str]
    pace: str
    notes: Sequence[str] = ()


class Line(NamedTuple):
    """One line and its style."""

    text: str
    style: str = ""


# --- the picture -----------------------------------------------------------------------------------------------------


def picture(scene: Scene) -> list[Line]:
    """The lines of a scene, the most important first."""
    panel, seen = scene.panel, scene.table.view()
    alarm = "ALARM" if panel.alarm else "no alarm"
    lamps = "  ".join(f"{box}{LAMPS[lamp]}" for box, lamp in enumerate(panel.lamps, start=1))
    following = "nowhere" if seen.next_place is None else str(seen.next_place)
    lines = [
        Line(scene.title, "bold"),
        *(Line(note, "bold") for note in scene.notes),
        Line(""),
        Line(f"panel  |{panel.upper:{_PANEL}}|  {alarm}", "red" if panel.alarm else ""),
        Line(f"       |{panel.lower:{_PANEL}}|  shoe {'locked' if panel.locked else 'free'}"),
        Line(f"lamps  {lamps}"),
        Line(f"state  {seen.state.value}, next card {following}"),
        Line(""),
        *(Line(line) for line in _hands(seen.round)),
        Line(""),
    ]
    watched = [watch_words(key)[ENGLISH] for key in seen.watch]
    lines += [Line(f"? {ask.who}: {' or '.join(ask.options)} ({ask.clause})", "yellow") for ask in seen.asks]
    lines += [Line(text, "yellow") for text in (*watched, *scene.findings)]
    lines += [Line(""), *(Line(f"  {text}", "dim") for text in scene.statements), Line(""), Line(scene.pace)]
    for name, up, taken, kept, damaged in scene.links:
        there = "up" if up else "DOWN"
        lines.append(Line(f"{name:9}{there:5}{taken:7} events, {kept} waiting, {damaged} damaged", "" if up else "red"))
    return lines


def _hands(game_round: RoundView) -> Iterator[str]:
    yield _row("Dealer", game_round.dealer, "")
    for number, box in sorted(game_round.boxes.items()):
        wagers = _wagers(box)
        for index, hand in enumerate(box.hands):
            name = f"Box {number}.{index + 1}" if len(box.hands) > 1 else f"Box {number}"
            yield _row(name, hand, wagers if index == 0 else "")
        if wagers and not box.hands:
            yield f"{f'Box {number}':9}{'':34}{wagers}"


def _row(name: str, hand: HandView, wagers: str) -> str:
    cards = " ".join(visible_cards(hand))
    total = "" if hand.face_down or not hand.cards else f"{'soft ' if hand.soft else ''}{hand.total}"
    return f"{name:9}{cards:24}{total:>8}  {wagers}".rstrip()


def _wagers(box: BoxView) -> str:
    mains = [f"{dollars(main.amount)}" for _, main in sorted(box.mains.items())]
    sides = [f"{side.kind} {dollars(side.amount)}" for side in box.sides]
    insured = [f"insured {dollars(wager.amount)}" for wager in box.insurance]
    return ", ".join([*mains, *sides, *insured])


def finding_line(finding: FindingView) -> str:
    """A finding with its place, ruling and clause."""
    places = ", ".join(map(str, finding.places))
    return f"! {finding.code}{f' at {places}' if places else ''}: {finding.ruling} ({finding.clause})"


def round_line(game_round: RoundView) -> str:
    """A round that is over."""
    boxes = sum(1 for box in game_round.boxes.values() if box.mains)
    net = sum(row.net or 0 for row in game_round.rows)
    dealer = f", Dealer {game_round.dealer.total}" if game_round.dealer.cards else ""
    counts = f"{_counted(boxes, 'box', 'boxes')}, {_counted(len(game_round.dealt), 'card', 'cards')}"
    return f"round {game_round.number}: {game_round.outcome}, {counts}{dealer}, net {signed(net)}"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


# --- where it is shown -----------------------------------------------------------------------------------------------


class View(Protocol):
    """Where a run is shown."""

    def refresh(self, scene: Callable[[], Scene], *, now: bool = False) -> None:
        """Show how it stands; `scene` is costly, so it is called only when it is shown."""

    def show_line(self, text: str) -> None:
        """Say what happened, once."""


class Lines:
    """Plain lines, as things happen."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Do nothing: the stream needs no restoring."""

    def refresh(self, scene: Callable[[], Scene], *, now: bool = False) -> None:
        """Do nothing: how it stands follows from the lines."""

    def show_line(self, text: str) -> None:
        """Print a line."""
        self._stream.write(f"{text}\n")
        self._stream.flush()


class Screen:
    """A terminal that is redrawn in place."""

    def __init__(self, stream: TextIO, *, colour: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._colour = colour
        self._clock = clock
        self._due = 0.0

    def __enter__(self) -> Self:
        self._stream.write(_OPEN)
        self._stream.flush()
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Leave the terminal as it was."""
        self._stream.write(_CLOSE)
        self._stream.flush()

    def refresh(self, scene: Callable[[], Scene], *, now: bool = False) -> None:
        """Draw the scene if the last drawing is long enough ago, or `now`."""
        if not now and self._clock() < self._due:
            return
        self._due = self._clock() + 1 / RATE
        width, height = shutil.get_terminal_size()
        lines = picture(scene())
        drawn = "\n".join(f"{self._paint(text[: width - 1], style)}\x1b[K" for text, style in lines[: height - 1])
        self._stream.write(f"\x1b[H{drawn}\x1b[J")
        self._stream.flush()

    def show_line(self, text: str) -> None:
        """Do nothing: the scene has it."""

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour and style and text else text
