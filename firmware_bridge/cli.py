"""The command line: ``truedeal COMMAND …``, ``truedeal help [COMMAND]``.

1. Commands live in modules with `add(commands)`, which describes one or more of them and sets the `run(args) -> int` of
   each. `COMMANDS` lists the modules; others join by entry point. A command imports what it needs inside `run`, so that
   ``truedeal --help`` is there at once. For a command in `ALONE` no other module is loaded.
2. Exit status: 0 all is well; 1 what was checked does not hold; 2 something could not be read or is not allowed; 130
   interrupted; 141 nobody reads the output any more; 70 a fault of the program itself; 78 a table that ``run`` refuses.
   A command may have others, which its ``--help`` lists.
3. A command that does not exist is answered with the one that was probably meant. ``truedeal --help`` names the
   commands by those who use them (`help_text`); ``truedeal --version`` says which program this is (`identity`).
4. An error is one line on the standard error output, never a traceback. With TRUEDEAL_TRACEBACK=1 a fault of the
   program itself is a traceback.
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from firmware_bridge import VERSION
from firmware_bridge.commands.help_text import HelpText, examples, titles

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

_EPILOG = "truedeal help COMMAND says more of a command, with examples."
_VERSION = "print the version and the digest of the program, and exit"


class _Parser(argparse.ArgumentParser):
    """A parser whose error is one line, and whose help keeps its examples apart."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"formatter_class": HelpText, **settings})

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}; '{self.prog} --help' shows the usage\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:  # noqa: SLF001  no other name
            near = difflib.get_close_matches(value, action.choices, 1)
            self.error(f"there is no command '{value}'" + (f": did you mean '{near[0]}'?" if near else ""))
        super()._check_value(action, value)


class _TopParser(_Parser):
    """The parser of the whole command line: its help names the commands by those who use them."""

    def format_help(self) -> str:
        (found,) = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001
        lines = {action.dest: action for action in found._choices_actions}  # noqa: SLF001  there is no public way
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for title, names in titles(list(lines)).items():
            formatter.start_section(title)
            formatter.add_arguments([lines[name] for name in names])
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments(self._optionals._group_actions)  # noqa: SLF001
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()


class _Version(argparse.Action):
    """Prints which program this is."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from firmware_bridge.program.running import release_line  # noqa: PLC0415  only when it is wanted

        print(f"truedeal {VERSION}\n{release_line()}")
        parser.exit(0)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser with every command, or with those of the module `only`."""
    parser = _TopParser(prog="truedeal", description="The computer of one casino table.", epilog=_EPILOG)
    parser.add_argument("--version", action=_Version, nargs=0, help=_VERSION)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", parser_class=_Parser)
    for name in COMMANDS if only is None else (only,):
        import_module(name).add(commands)
    if only is None:
        _join(commands)
        _add_help(commands)
    return parser


def _add_help(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Describe the command that shows what the others do."""
    asked = commands.add_parser(
        "help",
        help="what a command does, with examples",
        description="Says what a command does, which options it takes, and shows examples.",
        epilog=examples(
            ("truedeal help", "the commands, by those who use them"),
            ("truedeal help verify", "how a journal is verified"),
            ("truedeal help people add", "a part of a command"),
        ),
    )
    asked.add_argument("words", nargs="*", metavar="COMMAND", help="the command, and its part if it has some")


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
        if args.command == "help":
            parser.parse_args([*args.words, "--help"])
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
