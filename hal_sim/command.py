"""``truedeal sim``: a simulated table with a robot dealer, in a terminal and in a browser; it adds ``train`` too.

1. The devices are processes that speak the real bytes over pseudo-terminals and pyusb; the daemon is the one that real
   hardware uses. ``--in-process`` plays at a table in this process instead.
2. On a terminal the table is redrawn in place until Ctrl-C. Elsewhere, unless the page is asked for, a few rounds are
   played as fast as they go and plain lines printed. ``--rounds`` is the number of rounds of each game.
3. Without ``--rounds`` the table is set up again after some rounds, with the next game in turn. With ``--save`` and one
   game it is not, so that there is one file; with several games each table has a file with its number and game.
4. Ctrl-C, TERM and HUP end it in order, at any time: the round is left as it is, the terminal is put back, every
   process is ended, the summary printed. Ctrl-C does not reach the other processes: they are ended by this one.
5. The console is served too, with the harness, in which anybody can work the table; its address stands above the table.
   With ``--rounds`` or without a terminal it is served only if it is asked for. With ``--save`` or ``--in-process`` it
   is not, and asking for it is wrong usage. Where it is served there is no end: after ``--rounds`` the robot rests, and
   the page stays. If it cannot be served, because its packages or a free port are missing, the command says so: it ends
   if the page was asked for, and the robot plays on without it otherwise.
6. How other commands reach the table is printed when it is ready. The journal is removed with the table, unless
   ``--state`` names a folder that holds none yet; then the commands that read it are printed at the end.
7. Exit status: 0 all is well, 1 something was refused, a table hung or failed or a report differed, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from hal_sim.sim_options import ALL, EPILOG, MAX, add_options
from hal_sim.training.command import add as add_training

if TYPE_CHECKING:
    from hal_sim.dealer.error_plan import Errors
    from hal_sim.dealer.robot_sitting import Tally
    from hal_sim.harness.web import Page
    from hal_sim.table.sim_table import SimTable
    from hal_sim.table.terminal_view import Lines, Screen, View

SPEED = 5.0
SOME = 0.2
"""The chance of an error in a round, where nothing else is said."""
A_FEW = 2
"""Rounds of each game where stdout is no terminal."""
AT_A_TABLE = 10
"""Rounds at one table where no number is said."""
SEEDS = 2**32


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands `sim` and `train` to the command line."""
    parser = commands.add_parser(
        "sim",
        help="a simulated table with a robot dealer",
        description="Starts simulated devices and the daemon, and lets a robot dealer play, with errors.",
        epilog=EPILOG,
    )
    add_options(parser)
    parser.set_defaults(run=run)
    add_training(commands)


def _errors(args: argparse.Namespace) -> Errors:
    """The dials that the arguments set.

    Raises:
        UnknownError: a name that no error has.
    """
    from hal_sim.dealer.error_plan import Errors, kinds_named  # noqa: PLC0415  only when the command runs

    for name, _ in args.error:
        kinds_named(name)
    any_rate = args.errors if args.errors is not None else 0.0 if args.error else SOME
    return Errors(dict(args.error), any_rate)


# --- the run ---------------------------------------------------------------------------------------------------------


def run(args: argparse.Namespace) -> int:
    """Play until the rounds are over or somebody ends it; return the exit status."""
    from gamecore.rules.games import GAMES  # noqa: PLC0415
    from hal_sim.dealer.error_plan import UnknownError  # noqa: PLC0415

    try:
        errors = _errors(args)
    except UnknownError as error:
        return _usage(str(error))
    if args.game != ALL and args.game not in GAMES:
        return _usage(f"'{args.game}' is no game: expected {ALL} or one of {', '.join(GAMES)}")
    if args.in_process and (args.noise or args.skew):
        return _usage("--noise and --skew are for wires, and --in-process has none")
    wrong = _page_wrong(args) or _state_wrong(args)
    if wrong:
        return _usage(wrong)
    games = list(GAMES) if args.game == ALL else [args.game]
    asked = bool(args.web) or args.port is not None or args.paused
    _fill_in(args, asked=asked)
    page = _page(args.port) if args.web else None
    if isinstance(page, str):
        if asked:
            return _usage(page)
        sys.stdout.write(f"no page: {page}\n")
        page = None
    return _play(args, games, errors, page)


def _fill_in(args: argparse.Namespace, *, asked: bool) -> None:
    """Choose what was not said; `asked` tells whether the page was asked for."""
    if args.seed is None:
        args.seed = SystemRandom().randrange(SEEDS)
    seen = sys.stdout.isatty()
    if args.rounds is None and not seen and not asked:
        args.rounds = A_FEW
    if args.web is None:
        args.web = asked or (not args.in_process and args.rounds is None and args.save is None)
    if args.speed is None:
        args.speed = SPEED if seen or asked else MAX


def _page_wrong(args: argparse.Namespace) -> str:
    """What cannot be meant of the page."""
    asked = args.web or args.port is not None or args.paused
    if asked and args.in_process:
        return "the page works devices, and --in-process has none"
    if asked and args.save is not None:
        return "--save is for the robot alone: the page saves what is recorded there"
    if args.web is False and (args.port is not None or args.paused):
        return "--port and --paused are for the page, and --no-web has none"
    missing = next((folder for folder in args.scenarios if not folder.is_dir()), None)
    return "" if missing is None else f"{missing}: there is no such folder"


def _state_wrong(args: argparse.Namespace) -> str:
    """Why the journal cannot be kept there."""
    from firmware_bridge.journal.domain import refusal  # noqa: PLC0415
    from firmware_bridge.journal.segments import latest  # noqa: PLC0415

    if args.state is None:
        return ""
    if args.in_process:
        return "--state keeps the daemon's journal, and --in-process has no daemon"
    args.state = args.state.resolve()
    if wrong := refusal(args.state):
        return wrong
    return f"{args.state}: it holds a journal already, name another folder" if latest(args.state) else ""


def _usage(message: str) -> int:
    sys.stderr.write(f"truedeal sim: {message}\n")
    return 2


def _play(args: argparse.Namespace, games: list[str], errors: Errors, page: Page | None) -> int:
    import time  # noqa: PLC0415

    from hal_sim.dealer.robot_sitting import Tally  # noqa: PLC0415
    from hal_sim.devices.remote import SimError  # noqa: PLC0415
    from hal_sim.table.signal_shelter import Sheltered, Stop  # noqa: PLC0415

    tally = Tally(time.monotonic())
    at: SimTable | None = None
    interrupted, ended = False, tally.began
    stop = Stop()
    with stop.listening():
        try:
            if not args.in_process:
                sys.stdout.write("starting five devices and the daemon\n")
                sys.stdout.flush()
                with stop.later():
                    at = Sheltered(stop, args.seed, noise=args.noise, skew_ms=args.skew, state=args.state)
                at.__enter__()
                sys.stdout.write(f"beside it: {_reaching(at)}\n")
                sys.stdout.flush()
            tally.began = time.monotonic()
            with _view() as view:
                if at is not None and page is not None:
                    _by_page(args, games, errors, at, page, view, tally)
                else:
                    _by_robot(args, games, errors, at, view, tally)
        except KeyboardInterrupt:
            interrupted = True
        except SimError as error:
            tally.faults.append(str(error))
        finally:
            stop.deaf = True
            ended = time.monotonic()
            if at is not None:
                at.close()
            if page is not None:
                page.close()
    sys.stdout.write(_summary(tally, ended, args.seed, interrupted=interrupted))
    if at is not None and args.state is not None:
        sys.stdout.write(_readers(args.state))
    return 1 if tally.faults or tally.refused else 0


def _by_robot(
    args: argparse.Namespace, games: list[str], errors: Errors, at: SimTable | None, view: View, tally: Tally
) -> None:
    """Let the robot play, table after table."""
    from hal_sim.dealer.robot_sitting import Pace, Sitting  # noqa: PLC0415

    pace = Pace(None if args.speed == MAX else args.speed)
    for number, game, rounds in _sittings(args, games):
        save = _file(args.save, number, game, several=len(games) > 1)
        sitting = Sitting(game, args.seed + number - 1, errors, at, save, _plain(args.noise))
        sitting.play(rounds, tally, pace, view)


def _by_page(
    args: argparse.Namespace,
    games: list[str],
    errors: Errors,
    at: SimTable,
    page: Page,
    view: View,
    tally: Tally,
) -> None:
    """Let the robot play, and anyone who works the table in a browser."""
    from hal_sim.harness.player_thread import TablePlayer  # noqa: PLC0415
    from hal_sim.harness.robot_plan import Dials, Planned  # noqa: PLC0415

    plan = (Planned(game, args.seed + number - 1, rounds) for number, game, rounds in _sittings(args, games))
    dials = Dials(None if args.speed == MAX else args.speed, dict(errors.rates), errors.any_rate)
    player = TablePlayer(at, plan, dials, _plain(args.noise), view, tally)
    with page.serving(player, tuple(args.scenarios)):
        try:
            if not args.paused:
                player.start_robot()
            player.run()
        except KeyboardInterrupt:
            player.close()
            raise


def _page(port: int | None) -> Page | str:
    """The page at a port of its own, not served yet; why there is none, if it cannot be served."""
    try:
        from hal_sim.harness.web import NoPortError, Page  # noqa: PLC0415
    except ImportError as error:
        return f"{error.name} is not installed, see truedeal[console]"
    try:
        return Page(port)
    except NoPortError as error:
        return str(error)


def _sittings(args: argparse.Namespace, games: list[str]) -> Iterator[tuple[int, str, int | None]]:
    """The number of each table, its game, and how many rounds are played there."""
    if args.rounds is not None:
        yield from ((number, game, args.rounds) for number, game in enumerate(games, start=1))
        return
    one_file = args.save is not None and len(games) == 1
    for number, game in zip(count(1), cycle(games), strict=False):
        yield number, game, None if one_file else AT_A_TABLE


def _file(save: Path | None, number: int, game: str, *, several: bool) -> Path | None:
    """Where a sitting is written down."""
    return save.with_stem(f"{save.stem}-{number}-{game}") if save is not None and several else save


def _plain(rate: float) -> str:
    """A rate as the notation writes it."""
    return f"{rate:.9f}".rstrip("0").rstrip(".") or "0"


def _view() -> Screen | Lines:
    from firmware_bridge.commands.table.report_text import colour_wanted  # noqa: PLC0415
    from hal_sim.table.terminal_view import Lines, Screen  # noqa: PLC0415

    if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        return Screen(sys.stdout, colour=colour_wanted(sys.stdout))
    return Lines(sys.stdout)


def _reaching(at: SimTable) -> str:
    """How another terminal reaches the table."""
    from firmware_bridge.commands.table.observe import VARIABLE  # noqa: PLC0415

    return f"{VARIABLE}={shlex.quote(str(at.control_path))} truedeal status; so also watch, rounds, round, say"


def _readers(state: Path) -> str:
    """The commands that read a journal that was kept."""
    folder = shlex.quote(str(state))
    commands = ["verify", "replay", "affected", "export --format rounds-csv", "export --format deal"]
    return "".join(["the journal is kept; to read it:\n", *(f"  truedeal {one} {folder}\n" for one in commands)])


def _summary(tally: Tally, ended: float, seed: int, *, interrupted: bool) -> str:
    """What the run has come to."""
    found = ", ".join(f"{code} {number}" for code, number in sorted(tally.findings.items())) or "none"
    lines = [
        f"{'ended' if interrupted else 'done'}: {tally.pace(ended)}, seed {seed}",
        f"findings: {found}",
        f"refused {tally.refused}, given to the shift manager {len(tally.abandoned)}",
        *(f"  {where}" for where in tally.abandoned),
    ]
    if tally.compared:
        lines.append(f"reports of the daemon equal to those in process: {tally.equal} of {tally.compared}")
    return "".join(f"{line}\n" for line in [*lines, *(f"FAULT {fault}" for fault in tally.faults)])
