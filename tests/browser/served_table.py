"""A served table: simulated devices, the real daemon with roles, the real console in a process of its own.

1. One person of each role, all with the same PIN, which a number pad can type. The strength of its kept form is the
   least that is allowed: what a PIN costs is not what these tests are about.
2. `play` puts a table in place as a header says, and plays statements there with the simulated devices. Whatever an
   earlier test has left behind is gone: its round, its cables, its alarms.
3. The console is started as the service does, and ends with this process.
4. A table that is open (`is_open`) has no roles: anyone who reaches its page commands it, and an alarm ends with its
   hold.
"""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.people.accounts.roles import DEALER, LEAST, ROLES, SHIFT_MANAGER, Person, make_pin
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import place
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import Player
from gamecore.notation.syntax import Header, Scenario
from gamecore.rules.games import GAMES
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import Keeper, SimTable
from hal_sim.table.table_processes import await_end
from tests.patience import PATIENCE

PIN = "4711"
_KEEPERS = ("the keeper", "the second keeper")
"""Who speaks for the simulation. No test logs in as one of them: that would end the login of the simulation."""
CLUMSY = "clumsy"
"""Whose PIN may be typed wrongly until they are locked out: nobody else needs them."""
ANY_PORT = "127.0.0.1:0"


def name_of(role: str) -> str:
    """Who has this role."""
    return role.title()


def people() -> tuple[Person, ...]:
    """One person for each role, one who is locked out now and then, and the keepers, who speak for the simulation."""
    named = [(name_of(role), role) for role in ROLES]
    named += [(name_of(CLUMSY), DEALER), *((keeper, SHIFT_MANAGER) for keeper in _KEEPERS)]
    return tuple(Person(name, role, make_pin(PIN, LEAST)) for name, role in named)


class Console:
    """`truedeal console` in a process of its own."""

    def __init__(self, config: Path, *options: str) -> None:
        """Start it; `options` are those of its command line."""
        self._log = config.parent / "console.log"
        self._command = [sys.executable, "-m", "firmware_bridge.cli", "console", "--tied", "--config", str(config)]
        self._command += options or ("--listen", ANY_PORT, "--badge", "%")
        self.address = ""
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the process and wait until it serves."""
        with self._log.open("ab") as log:
            process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self._process = process
        assert process.stdout is not None
        said = process.stdout.readline() if select.select([process.stdout], [], [], PATIENCE)[0] else b""
        if not said.startswith(b"ready "):
            self.close()
            raise RuntimeError(f"the console did not start: {self._log.read_text(encoding='utf-8')}")
        self.address = said.decode().split()[1].rstrip("/")

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill it; `start` starts it again where it was."""
        assert self._process is not None
        self._process.kill()
        self.close()
        where = self.address.partition("//")[2]
        self._command = [where if option == ANY_PORT else option for option in self._command]

    def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        await_end(process)


class House:
    """A simulated table with roles, and its console."""

    def __init__(self, seed: int, *, is_open: bool = False) -> None:
        self._seed = seed
        self._open = is_open
        self._game = ""
        self._player: Player | None = None
        self._venue: Hardware | None = None

    def __enter__(self) -> Self:
        """Start everything."""
        self.table = SimTable(seed=self._seed)
        if not self._open:
            self.table.staff(people(), [Keeper(name, PIN) for name in _KEEPERS])
        self.table.__enter__()
        try:
            self.console = Console(self.table.config_path)
        except BaseException:
            self.table.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything."""
        self.console.close()
        self.table.close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self.console.address

    # --- the table ---------------------------------------------------------------------------------------------------

    def set_up(self, scenario: Scenario) -> None:
        """Put a table in place as a header says; nothing has happened there, and no alarm is open."""
        self._player = Player(scenario.header, GAMES[scenario.header.game], self.put(scenario.header))

    def put(self, header: Header) -> Hardware:
        """Put a table in place as a header says; its simulated devices."""
        if self._venue is not None and self._venue.dark:
            self._venue.happen(0, ev.PowerOn())
        self._game = header.game
        self._venue = Hardware(self.table, header)
        self.clear()
        return self._venue

    def clear(self) -> None:
        """Clear every alarm that is open."""
        if self.ask("scene")["scene"]["alarms"]:
            self.table.second.ask(do="clear", reason="another table is set up")

    def play(self, text: str) -> None:
        """Put a table in place and play statements there, header and all."""
        scenario = parse(text, GAMES)
        self.set_up(scenario)
        self.go_on(scenario)

    def go_on(self, scenario: Scenario, statements: Sequence[int] | None = None) -> None:
        """Play statements of a scenario, all of them or those with these numbers."""
        assert self._player is not None
        for number, statement in enumerate(scenario.statements):
            if statements is None or number in statements:
                self._player.play(statement)

    def let_happen(self, *statements: str) -> None:
        """Let more happen at the table that is in place."""
        self.go_on(parse(f"game: {self._game}\n\n" + "\n".join(statements) + "\n", GAMES))

    def draw(self, *places: str) -> None:
        """Draw the next cards of the prepared shoe to these places."""
        self.let_happen(*(f"draw {where}" for where in places))

    def move(self, moved: str, source: str, target: str) -> None:
        """Carry a card from one place to another, before the sensors."""
        assert self._venue is not None
        self._venue.happen(0, ev.CardMoved(card(moved), place(source), place(target)))

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Ask the daemon, as the keeper."""
        return self.table.control.ask(do=do, **fields)

    def fails(self, claim: str) -> str | None:
        """Why an expectation of deal notation does not hold now; None if it does."""
        failure = self.ask("expect", claim=claim.removeprefix("expect "))["failure"]
        return None if failure is None else str(failure)

    def scene(self) -> dict[str, Any]:
        """How the table stands, as the daemon says."""
        scene = self.ask("scene")["scene"]
        assert isinstance(scene, dict)
        return scene
