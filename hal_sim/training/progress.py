"""Who has learned what: one file in the folder of training.

1. An entry is one lesson that a person has ended: when, how many acts were right, how many hints were taken, how long
   it took, whether it was passed. The score is right acts less hints, of all acts, in whole percent; there is no other.
2. It is data about staff: an entry goes after `KEPT` days, when the file is next read or added to, and all of a
   person's go when somebody asks for it. Nothing else is kept of a person, and nothing of it leaves the folder.
3. The file is written whole under another name and then renamed. One that cannot be read is set aside.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

KEPT = 365
LONGEST_NAME = 40
FILE = "progress.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """A lesson that somebody has ended."""

    person: str
    lesson: str
    at: str
    acts: int
    right: int
    hints: int
    seconds: int
    passed: bool

    @property
    def score(self) -> int:
        """Right acts less hints, of all acts, in percent."""
        return score(self.acts, self.right, self.hints)


def score(acts: int, right: int, hints: int) -> int:
    """Right acts less hints, of all acts, in whole percent; no acts are no score."""
    return 100 * max(right - hints, 0) // acts if acts else 0


def person_name(text: str) -> str:
    """A name as it is kept: without line feeds and the like, and not too long."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:LONGEST_NAME]


class Progress:
    """The entries of a folder."""

    def __init__(self, folder: Path, now: datetime) -> None:
        """Read what is there, without what is too old."""
        self._path = folder / FILE
        self.entries = self._read()
        self._forget(now)

    def add(self, entry: Entry, now: datetime) -> None:
        """Keep an entry."""
        self.entries.append(entry)
        self._forget(now)
        self._write()

    def erase(self, person: str) -> int:
        """Forget a person; return how many entries they had."""
        kept = [one for one in self.entries if one.person != person]
        gone, self.entries = len(self.entries) - len(kept), kept
        self._write()
        return gone

    def people(self) -> list[str]:
        """Everybody of whom something is kept."""
        return sorted({one.person for one in self.entries})

    def of(self, person: str) -> list[Entry]:
        """The entries of a person, newest first."""
        return [one for one in reversed(self.entries) if one.person == person]

    def _forget(self, now: datetime) -> None:
        oldest = (now - timedelta(days=KEPT)).isoformat()
        kept = [one for one in self.entries if one.at >= oldest]
        if len(kept) != len(self.entries):
            self.entries = kept
            self._write()

    def _read(self) -> list[Entry]:
        try:
            return [Entry(**one) for one in json.loads(self._path.read_text(encoding="utf-8"))]
        except FileNotFoundError:
            return []
        except (OSError, TypeError, ValueError):
            self._path.replace(self._path.with_suffix(".unreadable"))
            return []

    def _write(self) -> None:
        new = self._path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps([asdict(one) for one in self.entries], indent=1) + "\n", encoding="utf-8")
        new.replace(self._path)
