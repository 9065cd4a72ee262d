"""``truedeal train``: a simulated table for training, worked in a browser.

1. It serves the page until it is ended. The trainee deals at simulated devices; there are no chips of value, and
   nothing of it reaches a table (`folder`).
2. Without ``--state`` everything is kept in the user's own folder for the state of programs. A folder that holds a
   table's journal is refused.
3. ``--progress`` prints who has learned what and ends; ``--erase NAME`` forgets a person and ends.
4. Exit status: 0 it was ended or has printed, 1 the simulated table failed, 2 wrong usage, or no page can be served.
"""

from __future__ import annotations

import argparse
import re
import sys
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    from hal_sim.harness.web import Page
    from hal_sim.training.progress import Progress

SEEDS = 2**32


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "train",
        help="learn to deal at a simulated table",
        description="Serves a simulated table where a trainee deals, robots are the patrons, and every ruling is "
        "explained. It has a journal of its own, which is no table's.",
        epilog=examples(
            ("truedeal train", "prints the address of the page"),
            ("truedeal train --progress", "who has learned what"),
            status="Exit status: 0 it was ended, 1 the simulated table failed, 2 wrong usage.",
        ),
    )
    parser.add_argument("--state", type=Path, metavar="DIR", help="where progress and journals are kept")
    parser.add_argument("--port", type=_number, metavar="N", help="where to listen; default: a free one from 8790 on")
    parser.add_argument("--seed", type=_number, metavar="N", help="what decides all chance; default: another each time")
    parser.add_argument(
        "--scenarios", type=Path, action="append", default=[], metavar="FOLDER", help="more lessons; may be repeated"
    )
    parser.add_argument("--progress", action="store_true", help="print who has learned what, and end")
    parser.add_argument("--erase", metavar="NAME", help="forget a person's progress, and end")
    parser.set_defaults(run=run)


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Serve until somebody ends it; return the exit status."""
    from hal_sim.training.folder import FolderError, take_folder, usual_folder  # noqa: PLC0415  only when it runs
    from hal_sim.training.progress import Progress  # noqa: PLC0415
    from hal_sim.training.trainer import wall_clock  # noqa: PLC0415

    try:
        folder = take_folder(args.state or usual_folder())
    except FolderError as error:
        return _usage(str(error))
    progress = Progress(folder, wall_clock())
    if args.erase is not None:
        sys.stdout.write(f"{args.erase}: {progress.erase(args.erase)} lessons are forgotten\n")
        return 0
    if args.progress:
        sys.stdout.write("".join(_lines(progress)) or "nobody has learned anything yet\n")
        return 0
    try:
        from hal_sim.harness.web import NoPortError, Page  # noqa: PLC0415
    except ImportError as error:
        return _usage(f"{error.name} is not installed, see truedeal[console]")
    try:
        page = Page(args.port)
    except NoPortError as error:
        return _usage(str(error))
    return _train(args, folder, progress, page)


def _usage(message: str) -> int:
    sys.stderr.write(f"truedeal train: {message}\n")
    return 2


def _lines(progress: Progress) -> list[str]:
    """Who has learned what, a line for each lesson."""
    return [
        f"{person}: {one.lesson}, {one.at}, score {one.score} %, {one.seconds} s{', passed' if one.passed else ''}\n"
        for person in progress.people()
        for one in progress.of(person)
    ]


def _train(args: argparse.Namespace, folder: Path, progress: Progress, page: Page) -> int:
    import time  # noqa: PLC0415

    from gamecore.rules.games import GAMES  # noqa: PLC0415
    from hal_sim.dealer.robot_sitting import Tally  # noqa: PLC0415
    from hal_sim.devices.remote import SimError  # noqa: PLC0415
    from hal_sim.harness.player_thread import TablePlayer  # noqa: PLC0415
    from hal_sim.harness.robot_plan import Dials, Planned  # noqa: PLC0415
    from hal_sim.harness.scenario_player import BESIDE  # noqa: PLC0415
    from hal_sim.table.signal_shelter import Sheltered, Stop  # noqa: PLC0415
    from hal_sim.table.terminal_view import Lines  # noqa: PLC0415
    from hal_sim.training.course import Course  # noqa: PLC0415
    from hal_sim.training.folder import new_journal  # noqa: PLC0415
    from hal_sim.training.routes import training_extra  # noqa: PLC0415
    from hal_sim.training.trainer import Trainer, wall_clock  # noqa: PLC0415

    seed = SystemRandom().randrange(SEEDS) if args.seed is None else args.seed
    stop = Stop()
    at: Sheltered | None = None
    status = 0
    with stop.listening():
        try:
            sys.stdout.write("starting five devices and the daemon\n")
            sys.stdout.flush()
            with stop.later():
                at = Sheltered(stop, seed, noise=0.0, skew_ms=0.0, state=new_journal(folder, wall_clock()))
                at.training = True
            at.__enter__()
            plan = (Planned(next(iter(GAMES)), seed + number, None) for number in count())
            player = TablePlayer(at, plan, Dials(None), "0", Lines(sys.stdout), Tally(time.monotonic()))
            course = Course([folder for folder in (*BESIDE, *args.scenarios) if folder.is_dir()])
            trainer = Trainer(player, course, progress)
            with page.serving(player, tuple(args.scenarios), [training_extra(player, trainer)], "training"):
                player.run()
        except KeyboardInterrupt:
            sys.stdout.write("ended\n")
        except SimError as error:
            sys.stderr.write(f"truedeal train: {error}\n")
            status = 1
        finally:
            stop.deaf = True
            if at is not None:
                at.close()
            page.close()
    return status
