"""Makes the manual page of the command line from its parsers, in the macros of ``man``.

1. What the page says of a command is what its help says: description, options, exit status, examples. The commands
   stand under those who use them, as in ``truedeal --help``. Nothing is written twice.
2. The same parsers, version and time give the same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime

from firmware_bridge.commands.help_text import MARGIN, titles

_WIDE = 10_000
_ENVIRONMENT = {
    "TRUEDEAL_CONTROL": "The control socket of the table's daemon, where --control does not name one.",
    "TRUEDEAL_TRACEBACK": "With 1, a fault of the program itself is shown with its traceback.",
}
_FILES = {
    "/etc/truedeal/table.toml": "The configuration of the table.",
    "/etc/truedeal/makers": "The public keys of the makers whose programs the table trusts.",
    "/etc/truedeal/anchors.toml": "Where the signed heads of the journal go.",
    "/var/lib/truedeal": "The journal with its archive, the signing keys and the people of the table.",
    "/run/truedeal/control.sock": "The control socket; beside it lies the one that only reads.",
    "/usr/share/doc/truedeal/HANDBOOK.md": "The handbook of the table computer; beside it, ALARMS.md.",
}
_STATUS = (
    "0 all is well; 1 what was checked does not hold; 2 something could not be read or is not allowed; 70 a fault of "
    "the program itself; 78 a table that 'run' refuses; 130 interrupted; 141 nobody reads the output any more. A "
    "command may have others, which stand with it."
)


def man_page(parser: argparse.ArgumentParser, version: str, time: int) -> str:
    """The page of a parser and of all its commands."""
    day = datetime.fromtimestamp(time, UTC).date().isoformat()
    return "\n".join(
        [f".TH {_quoted(parser.prog.upper())} 1 {day} {_quoted(f'truedeal {version}')}", *_body(parser), ""]
    )


def _body(parser: argparse.ArgumentParser) -> Iterator[str]:
    commands = parts_of(parser)
    yield from (".SH NAME", _text(f"{parser.prog} - {_lowered(parser.description)}"))
    yield from (".SH SYNOPSIS", f".B {_text(parser.prog)}", r"[\fB\-h\fR] [\fB\-\-version\fR] \fICOMMAND\fR ...")
    yield from (".SH DESCRIPTION", _text(parser.description or ""), ".PP")
    yield _text("The commands stand below, under those who use them. 'truedeal help COMMAND' prints one of them.")
    for title, names in titles(list(commands)).items():
        yield f".SH {_quoted(title.upper())}"
        for name in names:
            yield from _command(commands[name])
            for part in parts_of(commands[name]).values():
                yield from _command(part)
    yield from (".SH EXIT STATUS", _text(_STATUS))
    for heading, entries in (("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        yield f".SH {heading}"
        for name, does in entries.items():
            yield from (".TP", f".B {_text(name)}", _text(does))


def parts_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser, or the parts of a command, by name."""
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    return dict(found[0].choices) if found else {}


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A command: how it is typed, what it does, its options, its examples."""
    form = argparse.HelpFormatter(parser.prog, width=_WIDE)
    form.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)  # noqa: SLF001  no public way
    yield f".SS {_quoted(parser.prog)}"
    yield _text(form.format_help().removeprefix("usage: ").strip())
    yield from (".PP", _text(parser.description or ""))
    for action in parser._actions:  # noqa: SLF001
        if action.help is not argparse.SUPPRESS and not isinstance(
            action,
            argparse._HelpAction | argparse._SubParsersAction,  # noqa: SLF001
        ):
            said = form._format_action_invocation(action)  # noqa: SLF001
            yield from (".TP", f".B {_text(said)}", _text(form._expand_help(action)))  # noqa: SLF001
    for paragraph in (parser.epilog or "").split("\n\n"):
        yield ".PP"
        yield from _paragraph(paragraph.splitlines())


def _paragraph(lines: list[str]) -> Iterator[str]:
    """A paragraph of the help; its indented lines are typed as they stand."""
    typed = [line for line in lines if line.startswith(MARGIN)]
    if not typed:
        yield _text(" ".join(lines))
        return
    yield from (_text(" ".join(line for line in lines if line not in typed)), ".PP", ".EX")
    yield from (_text(line) for line in typed)
    yield ".EE"


def _lowered(text: str | None) -> str:
    """A sentence as the line of a name has it: without capital and full stop."""
    sentence = (text or "").rstrip(".")
    return sentence[:1].lower() + sentence[1:]


def _text(text: str) -> str:
    """A line of text, none of which is taken for a macro."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _quoted(text: str) -> str:
    """One argument of a macro."""
    return '"' + _text(text).replace('"', r"\(dq") + '"'
