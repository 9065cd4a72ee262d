"""Scenarios: which there are, and one that is being played, statement by statement.

1. A library is some folders with ``.deal`` files: those of the demonstration, those of the tests where they are at
   hand, and any that are named. A file is known by the number of its folder and its path in it: nothing else can be
   opened.
2. A scenario is played at a table of its own, set up by its header. An expectation that does not hold is noted, and the
   playing goes on; a statement that is refused ends it, as it does when the file is played by itself.
3. What each line has come to is kept for showing: done, held, failed with the reason, refused with the reason.
"""

from __future__ import annotations

from pathlib import Path

from gamecore.notation.parser import read
from gamecore.notation.syntax import Claim, Header, NotationError, Scenario, Statement
from gamecore.rules.games import GAMES
from hal_sim.harness.table_setup import Game, WrongError

_ROOT = Path(__file__).resolve().parent.parent.parent
BESIDE = (_ROOT / "deploy" / "demo", _ROOT / "tests" / "scenarios", _ROOT / "tests" / "incidents")
LARGEST = 1_000_000
"""Bytes of the largest file that is opened."""


class Library:
    """The files that can be opened."""

    def __init__(self, folders: tuple[Path, ...] = ()) -> None:
        """The folders beside the product that are there, and those that are given."""
        self._folders = tuple(folder.resolve() for folder in (*BESIDE, *folders) if folder.is_dir())

    def files(self) -> list[dict[str, object]]:
        """Every file: what it is known by, its folder, its name, and the game that its folder or name tells."""
        found: list[dict[str, object]] = []
        for number, folder in enumerate(self._folders):
            for path in sorted(folder.rglob("*.deal")):
                inside = path.relative_to(folder)
                game = next((game for game in GAMES if game in inside.parts or path.stem == game), None)
                found.append(
                    {"id": f"{number}/{inside.as_posix()}", "folder": folder.name, "name": path.stem, "game": game}
                )
        return found

    def text(self, known_by: str) -> tuple[str, str]:
        """The name and the text of a file.

        Raises:
            WrongError: there is no such file, or it cannot be read.
        """
        number, _, inside = known_by.partition("/")
        folder = self._folders[int(number)] if number.isdigit() and int(number) < len(self._folders) else None
        path = (folder / inside).resolve() if folder is not None else Path()
        if folder is None or path.suffix != ".deal" or not path.is_relative_to(folder):
            raise WrongError("there is no such scenario")
        try:
            if path.stat().st_size > LARGEST:
                raise WrongError("the file is too large")
            return path.stem, path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise WrongError("the file cannot be read") from error


class Score:
    """A scenario that is being played."""

    def __init__(self, name: str, text: str) -> None:
        """Read it.

        Raises:
            WrongError: its header is wrong.
        """
        self.name = name
        self._text = text
        try:
            self._scenario: Scenario = read(text, GAMES)
        except NotationError as error:
            raise WrongError(f"line {error.line}: {error.message}") from error
        self._at = 0
        self._ended = ""
        self._came_to: dict[int, tuple[str, str]] = {}

    def again(self) -> Score:
        """The same scenario from its start."""
        return Score(self.name, self._text)

    @property
    def header(self) -> Header:
        """How its table is set up."""
        return self._scenario.header

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return bool(self._ended) or self._at >= len(self._scenario.statements)

    def step(self, game: Game) -> Statement | None:
        """Play the next statement; None at the end."""
        if self.over:
            return None
        statement = self._scenario.statements[self._at]
        self._at += 1
        failures = game.stage.player.failures
        before = len(failures)
        try:
            game.play(statement)
        except NotationError as error:
            self._ended = f"line {error.line or statement.line}: {error.message}"
            self._came_to[statement.line] = ("refused", error.message)
            return statement
        if isinstance(statement.what, Claim):
            failed = failures[before].partition(": ")[2] if len(failures) > before else ""
            self._note(statement.line, "failed" if failed else "held", failed)
        else:
            self._note(statement.line, "done", "")
        if self._at == len(self._scenario.statements) and self._scenario.error is not None:
            wrong = self._scenario.error
            self._ended = f"line {wrong.line}: {wrong.message}"
            self._came_to[wrong.line] = ("refused", wrong.message)
        return statement

    def _note(self, line: int, came_to: str, why: str) -> None:
        """Keep what a line has come to; what went wrong in it stays."""
        if self._came_to.get(line, ("", ""))[0] not in {"failed", "refused"}:
            self._came_to[line] = (came_to, why)

    def state(self) -> dict[str, object]:
        """The lines and what they have come to, for showing."""
        following = None if self.over else self._scenario.statements[self._at]
        lines = self._text.removesuffix("\n").split("\n")
        kinds = [kind for kind, _ in self._came_to.values()]
        return {
            "name": self.name,
            "lines": [
                {"text": text.rstrip("\r"), "state": self._came_to.get(number, ("", ""))[0]}
                | ({"why": why} if (why := self._came_to.get(number, ("", ""))[1]) else {})
                for number, text in enumerate(lines, start=1)
            ],
            "line": None if following is None else following.line,
            "next": None if following is None else following.text,
            "at": self._at,
            "of": len(self._scenario.statements),
            "held": kinds.count("held"),
            "failed": kinds.count("failed"),
            "ended": self._ended or None,
            "over": self.over,
        }
