"""The command line: ``truedeal COMMAND …``.

1. Commands live in modules with `add(commands)`, which describes one or more of them and sets the `run(args) -> int` of
   each. `COMMANDS` lists the modules; others join by entry point. A command imports what it needs inside `run`, so that
   ``truedeal --help`` is there at once. For a command in `ALONE` no other module is loaded.
2. Exit status: 0 all is well; 1 what was checked does not hold; 2 something could not be read or is not allowed; 130
   interrupted; 141 nobody reads the output any more; 70 a fault of the program itself; 78 a table that ``run`` refuses.
   A command may have others, which its ``--help`` lists.
3. An error is one line on the standard error output, never a traceback. With TRUEDEAL_TRACEBACK=1 a fault of the
   program itself is a traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from firmware_bridge import VERSION

DAEMON, ARCHIVE = "firmware_bridge.daemon.run", "firmware_bridge.commands.service.archive"
ANCHOR = "firmware_bridge.commands.service.anchor"
ALONE = {"run": DAEMON, "archive": ARCHIVE, "anchor": ANCHOR}
"""The commands that start fast and small: each is loaded without the others."""
COMMANDS = (
    "firmware_bridge.commands.play",
    "firmware_bridge.commands.documents.reference",
    "firmware_bridge.commands.documents.clauses",
    DAEMON,
    "firmware_bridge.commands.service.check",
    "firmware_bridge.commands.table.observe",
    "firmware_bridge.commands.table.speak",
    "firmware_bridge.commands.service.doctor",
    "firmware_bridge.commands.service.identity",
    "firmware_bridge.commands.service.document",
    "firmware_bridge.commands.service.bundle",
    "firmware_bridge.commands.audit",
    "firmware_bridge.commands.shuffler",
    ARCHIVE,
    ANCHOR,
    "firmware_bridge.commands.table.people",
    "firmware_bridge.commands.table.pair",
    "firmware_bridge.commands.table.registers",
    "firmware_bridge.commands.service.sniff",
    "firmware_bridge.commands.floor.floor",
    "firmware_bridge.commands.floor.ingest",
    "firmware_bridge.commands.floor.ship",
    "firmware_bridge.commands.floor.enrol",
    "firmware_bridge.console.command",
)
JOINING = "truedeal.commands"
"""The entry point group of commands that join from elsewhere, such as the simulated hardware's."""

USAGE = 2
FAULT = 70
INTERRUPTED = 130
NOBODY_READS = 141

_EPILOG = "truedeal COMMAND --help says more of a command."


class _Parser(argparse.ArgumentParser):
    """A parser whose error is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}; '{self.prog} --help' shows the usage\n")


class _Version(argparse.Action):
    """Prints the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"truedeal {VERSION}")
        parser.exit(0)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser with every command, or with those of the module `only`."""
    parser = _Parser(prog="truedeal", description="The computer of one casino table.", epilog=_EPILOG)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name in COMMANDS if only is None else (only,):
        import_module(name).add(commands)
    if only is None:
        _join(commands)
    return parser


def _join(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the commands that join from elsewhere."""
    from importlib.metadata import entry_points  # noqa: PLC0415  slow to load

    for point in entry_points(group=JOINING):
        point.load().add(commands)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file name need not be text; it is printed with escapes rather than not at all.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end: give it something that takes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _say(f"{error.filename or 'input or output'}: {error.strerror or error}", USAGE)
    except Exception as fault:  # a person at a table is told in one line, whatever it is
        if os.environ.get("TRUEDEAL_TRACEBACK"):
            raise
        return _say(f"fault of the program: {type(fault).__name__}: {fault} (TRUEDEAL_TRACEBACK=1 shows where)", FAULT)
    return status


def _run(argv: Sequence[str] | None) -> int:
    said = sys.argv[1:] if argv is None else list(argv)
    parser = build_parser(ALONE.get(said[0]) if said else None)
    try:
        args = parser.parse_args(said)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    if args.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    status: int = args.run(args)
    return status


def _say(message: str, status: int) -> int:
    print(f"truedeal: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
