"""A card's way while somebody disturbs each socket: ``python -m tests.bench.hostile [--seconds 60]``.

1. There is a daemon in a process of its own, a table with people, a shoe on a pseudo-terminal, and enough Dealers who
   are logged in that none uses up their budget for commands. A card is measured from its last byte on the wire to
   the ruling that a watcher reads.
2. The attackers (`attackers`) are at the reading socket and at the control socket, each kind in a process of its own.
   For `TURN` seconds they stand still, then they are loose for as long: other work on the machine affects both.
3. The ratio of the medians, and of the 99th percentiles, is printed, with how many devices were lost and which alarms
   were raised; that of the wrong PINs is expected. On a computer that is busy with other work the shoe of this process
   may wait so long that its cards come too late, which holds the table. Such a turn does not count, the next one begins
   with a new table, and how often this happened is printed too.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from drivers.link.editions.noise import public
from firmware_bridge.control.client import ControlClient, read_path
from firmware_bridge.people.accounts.roles import DEALER, Person, make_pin
from hal_sim.table.paired_devices import pair_devices
from tests.bench.beside.attackers import Attackers
from tests.bench.beside.wire import HOST_KEY, KEY, SERIAL, WireShoe
from tests.bench.daemon import BEFORE, BETWEEN, Daemon, quantile

TURN = 3.0
SETTLE = 0.3
"""Seconds after each change that do not count."""
CARDS = ("KD", "9C", "QH", "8S")
NAMES = tuple(f"Dealer {number}" for number in range(1, 9))
PIN = "739154"
KINDS = (("reads", True), ("clogs", True), ("knocks", True), ("tries", False), ("clogs", False), ("knocks", False))
"""What is done, and whether at the reading socket."""


class Figures(NamedTuple):
    """Seconds of each card, alone and disturbed; what the attackers were answered; how the daemon was after it."""

    calm: list[float]
    disturbed: list[float]
    answered: int
    late: int
    health: dict[str, Any]


class Guarded(Daemon):
    """A daemon whose table has people."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        people = [Person(name, DEALER, make_pin(PIN)) for name in NAMES]
        text = self.config.read_text(encoding="ascii").replace("open = true", 'shuffling = "continuous"')
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("public = "))
        pair_devices(folder / "state", HOST_KEY, {"shoe": (SERIAL, public(KEY))})
        self.config.write_text(f"{text}\n[roles]\n{''.join(map(_line, people))}", encoding="utf-8")
        self.config.chmod(0o600)


def _line(person: Person) -> str:
    return f'"{person.name}" = {{role = "{person.role}", pin = "{person.pin.text}"}}\n'


class TooLateError(Exception):
    """A card came so late that the table is held."""


class Served:
    """A shoe that answers its host in a thread of its own, however long the caller waits for something else."""

    def __init__(self, path: Path) -> None:
        self._shoe = WireShoe(path)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while not self._over.is_set():
            self._shoe.await_host(0.02)
            with self._lock:
                self._shoe.serve(0.0)

    @property
    def up(self) -> bool:
        """Whether a host has proved itself."""
        return self._shoe.up

    def draw(self, card: str) -> tuple[int, float]:
        """Draw a card; return the number of its event, and when its last byte was on the wire."""
        with self._lock:
            return self._shoe.draw(card)

    def close(self) -> None:
        """Hang up."""
        self._over.set()
        self._thread.join()
        self._shoe.close()


class Game:
    """Rounds of one box, played by people who are logged in."""

    def __init__(self, folder: Path) -> None:
        self.daemon = Guarded(folder)
        self._shoe = Served(folder / "shoe")
        self.daemon.start()
        self.control = folder / "control.sock"
        self._people = [self._logged_in(name) for name in NAMES]
        self._watch = self._people.pop()
        self._watch.ask(do="watch")
        self._at = 0
        self._said = 0
        while not self._shoe.up:
            time.sleep(0.02)

    def _logged_in(self, name: str) -> ControlClient:
        client = ControlClient(self.control)
        answer = client.ask(do="login", name=name, pin=PIN)
        if not answer.get("ok"):
            raise RuntimeError(f"{name}: {answer}")
        return client

    def _say(self, statements: Sequence[str]) -> None:
        for statement in statements:
            self._said += 1
            answer = self._people[self._said % len(self._people)].ask(do="say", statement=statement)
            if "uncovered" in answer.get("refused", ""):
                raise TooLateError
            if not answer.get("ok"):
                raise RuntimeError(f"{statement}: {answer}")

    def card(self) -> float:
        """Draw the next card; return the seconds from its last byte to the ruling."""
        place = self._at % len(CARDS)
        self._say(BEFORE if place == 0 else BETWEEN.get(place, ()))
        number, sent = self._shoe.draw(CARDS[place])
        while True:
            news = (self._watch.news.popleft() if self._watch.news else self._watch.read()).get("seen", {})
            if (news.get("device"), news.get("number")) == ("shoe", number):
                break
        taken = time.perf_counter() - sent
        if news["refused"] is not None:
            raise RuntimeError(f"the card was not taken: {news}")
        self._at += 1
        if self._at % len(CARDS) == 0:
            self._say(("settle",))
        time.sleep(0.005)
        return taken

    def play(self, seconds: float) -> list[float]:
        """Play for `seconds`; return the seconds of each card, without those of the first `SETTLE` seconds."""
        began, taken = time.monotonic(), []
        while time.monotonic() < began + seconds:
            one = self.card()
            if time.monotonic() > began + SETTLE:
                taken.append(one)
        return taken

    def health(self) -> dict[str, Any]:
        """How the daemon is."""
        found: dict[str, Any] = self._watch.ask(do="health")["health"]
        return found

    def close(self) -> None:
        """End it."""
        for client in (*self._people, self._watch):
            client.close()
        self.daemon.stop()
        self._shoe.close()


def measure(folder: Path, seconds: float, kinds: Sequence[tuple[str, bool]] = KINDS) -> Figures:
    """Play for `seconds` alone and for as long disturbed, in turn."""
    control = folder / "daemon" / "control.sock"
    attackers = [Attackers(kind, read_path(control) if reads else control) for kind, reads in kinds]
    try:
        with _Turns(folder / "daemon", attackers) as turns:
            for _ in range(max(1, round(seconds / TURN))):
                turns.play(min(seconds, TURN))
            health = turns.game.health()
    finally:
        answered = sum(one.close() for one in attackers)
    return Figures(turns.calm, turns.disturbed, answered, turns.late, health)


class _Turns:
    """A game that is played alone and disturbed, in turn; again where the computer was too busy for it."""

    def __init__(self, folder: Path, attackers: Sequence[Attackers]) -> None:
        self._folder, self._attackers = folder, attackers
        self.calm: list[float] = []
        self.disturbed: list[float] = []
        self.late = 0

    def __enter__(self) -> _Turns:
        self.game = Game(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        self.game.close()

    def play(self, seconds: float) -> None:
        """One turn of each."""
        try:
            calm = self.game.play(seconds)
            for one in self._attackers:
                one.let_loose()
            try:
                disturbed = self.game.play(seconds)
            finally:
                for one in self._attackers:
                    one.hold()
        except TooLateError:
            self.late += 1
            self.game.close()
            shutil.rmtree(self._folder)
            self.game = Game(self._folder)
        else:
            self.calm += calm
            self.disturbed += disturbed


def lines(found: Figures) -> list[str]:
    """The figures."""
    told = [f"{'':10}  {'cards':>6}  {'p50 ms':>7}  {'p99 ms':>7}"]
    for name, values in (("alone", found.calm), ("disturbed", found.disturbed)):
        half, most = (1000 * quantile(values, share) for share in (0.5, 0.99))
        told.append(f"{name:10}  {len(values):6}  {half:7.2f}  {most:7.2f}")
    half, most = (quantile(found.disturbed, share) / quantile(found.calm, share) for share in (0.5, 0.99))
    told.append(f"{'ratio':10}  {'':6}  {half:7.2f}  {most:7.2f}")
    downs = sum(link["station"]["downs"] for link in found.health["links"].values())
    alarms = ", ".join(alarm["code"] for alarm in found.health["table"]["alarms"]) or "none"
    memory = f"{found.health['memory'] / 1e6:.0f} MB"
    held = f"devices lost: {downs}; too late: {found.late}; alarms: {alarms}"
    return [*told, f"{found.answered} answers; {held}; memory {memory}"]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.hostile", description="A card beside attackers.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they are loose (default 60)")
    parser.add_argument("--kinds", metavar="NAME:read|control", nargs="*", help="only these, such as reads:read")
    args = parser.parse_args(argv)
    chosen = [(name, where == "read") for name, _, where in (kind.partition(":") for kind in args.kinds or ())]
    print(f"Python {platform.python_version()}, {platform.machine()}, {args.seconds:g} s of each in turn")
    with tempfile.TemporaryDirectory(prefix="td-") as folder:
        print("\n".join(lines(measure(Path(folder), args.seconds, chosen or KINDS))))


if __name__ == "__main__":
    main()
