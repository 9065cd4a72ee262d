"""Who must wait after wrong PINs, and for how long.

1. Wrong tries count by name and origin together: after each one the next from there waits 1, 2, 4 … `LONGEST` seconds.
   So nobody is kept out by what somebody else tries elsewhere. A right PIN ends the count.
2. A name that nobody has counts like any other, so that no delay tells which names there are. It is kept as a digest
   alone: it may be a PIN that was typed in the wrong place.
3. One origin has `AN_ORIGIN` wrong tries a minute over all names, so that no stream of names keeps the checker busy.
   A user of the computer has `A_USER` over all addresses, which may be made up: each wrong try is a row of the journal.
   The console's own screen does not wait for that, nor anyone while the key switch is on.
4. A name has `A_NAME` wrong tries an hour over all origins. After them it is looked at only at the console's own screen
   or while the key switch is on.
5. A try that is being checked keeps others of the same name and origin waiting: tries at the same time are no more
   than tries one after the other.
6. The fifth wrong try of a count (`ALARMING`), and every fifth after it, is an alarm.
7. What is kept is bounded; the oldest goes first. After a start the journal's last hour says what was tried
   (`remember`), and each count from it waits `LONGEST` seconds: a restart is no way around the delay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from math import ceil
from typing import Any

from firmware_bridge.texts.denials import Denial, Ground, deny

LONGEST = 60.0
"""Seconds of the longest delay."""
ALARMING = 5
AN_ORIGIN, A_USER, MINUTE = 10, 60, 60.0
A_NAME, HOUR = 30, 3600.0
KEPT = 1024
"""Counts that are kept."""
SCREEN = "screen"
"""What a console says of somebody who sits at its own screen."""
UNKNOWN = "unknown name"
"""What stands in the journal for a name that nobody has."""


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    until: float = 0.0
    checking: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where somebody logs in from: the user of the computer, and the address of the browser where the console says it.

    `screen`: at the console's own screen.
    """

    uid: int = -1
    address: str = ""
    screen: bool = False

    def __str__(self) -> str:
        at = "the console's own screen" if self.screen else self.address
        return f"uid {self.uid}" + (f" at {at}" if at else "")


@dataclass(slots=True)
class Lockouts:
    """The wrong tries of one table."""

    clock: Callable[[], float]
    _counts: dict[tuple[bytes, str], _Count] = field(default_factory=dict)
    _origins: dict[str, deque[float]] = field(default_factory=dict)
    _users: dict[str, deque[float]] = field(default_factory=dict)
    _names: dict[str, deque[float]] = field(default_factory=dict)
    _unknown_until: dict[str, float] = field(default_factory=dict)

    def refuses(self, name: str, origin: Origin, *, known: bool, key: bool) -> Denial | None:
        """Why a try is not looked at now; None if it is."""
        now, count = self.clock(), self._counts.get(_pair(name, origin))
        if count is not None and count.checking:
            return deny(Ground.TRY_BEING_CHECKED)
        left = 0.0 if count is None else count.until - now
        if not known:
            left = max(left, self._unknown_until.get(str(origin), 0.0) - now)
        tried = _since(self._origins.get(str(origin)), now - MINUTE)
        if len(tried) >= AN_ORIGIN:
            left = max(left, tried[0] + MINUTE - now)
        tried = _since(self._users.get(_user(str(origin))), now - MINUTE)
        if len(tried) >= A_USER and not (origin.screen or key):
            left = max(left, tried[0] + MINUTE - now)
        if left > 0:
            return deny(Ground.WAIT_AFTER_TRIES, seconds=ceil(left))
        if known and len(_since(self._names.get(name), now - HOUR)) >= A_NAME and not (origin.screen or key):
            return deny(Ground.NAME_LOCKED)
        return None

    def begins(self, name: str, origin: Origin) -> None:
        """Note that a try is being checked."""
        _bounded(self._counts)
        self._counts.setdefault(_pair(name, origin), _Count()).checking = True

    def right(self, name: str, origin: Origin) -> None:
        """Forget the wrong tries before a right PIN."""
        self._counts.pop(_pair(name, origin), None)

    def wrong(self, name: str, origin: Origin, *, known: bool) -> bool:
        """Count a wrong PIN; return whether that is an alarm."""
        now, count = self.clock(), self._counts.setdefault(_pair(name, origin), _Count())
        count.checking = False
        count.wrong += 1
        count.until = now + min(2.0 ** (count.wrong - 1), LONGEST)
        self._note(name, str(origin), now, known=known)
        return count.wrong % ALARMING == 0

    def remember(self, tries: Iterable[tuple[float, Mapping[str, Any]]]) -> None:
        """Take up what the journal says of the last hour, oldest first: how many seconds ago, and its note."""
        now = self.clock()
        for ago, said in tries:
            origin = str(said.get("origin", ""))
            if "login" in said:
                self._counts.pop((_digest(str(said["login"])), origin), None)
                continue
            name = str(said.get("login-failed"))
            self._note(name, origin, now - ago, known=name != UNKNOWN)
            if name == UNKNOWN:
                self._unknown_until[origin] = now + LONGEST
                continue
            count = self._counts.setdefault((_digest(name), origin), _Count())
            count.wrong += 1
            count.until = now + LONGEST

    def _note(self, name: str, origin: str, at: float, *, known: bool) -> None:
        """Count a wrong try for its origin and, if somebody has it, its name."""
        _bounded(self._origins)
        self._origins.setdefault(origin, deque(maxlen=AN_ORIGIN)).append(at)
        _bounded(self._users)
        self._users.setdefault(_user(origin), deque(maxlen=A_USER)).append(at)
        if known:
            self._names.setdefault(name, deque(maxlen=A_NAME)).append(at)


def _pair(name: str, origin: Origin) -> tuple[bytes, str]:
    return _digest(name), str(origin)


def _user(origin: str) -> str:
    """The user of the computer, whatever address was told."""
    return origin.partition(" at ")[0]


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _since(times: deque[float] | None, least: float) -> list[float]:
    return [time for time in times or () if time >= least]


def _bounded(kept: dict[Any, Any]) -> None:
    """Make room for one more, if there is none."""
    if len(kept) >= KEPT:
        del kept[next(iter(kept))]
