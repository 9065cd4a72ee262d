"""The help of the command line: by readers, with examples that can be typed, and which program this is."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import VERSION
from firmware_bridge.cli import build_parser, main
from firmware_bridge.commands.help_text import OTHERS, READERS, titles
from firmware_bridge.program.running import release_line
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import KINDS
from hal_sim.sim_options import ERRORS
from hal_sim.sim_options import GAMES as NAMED
from tests.firmware_bridge.program.signed import Program

TYPED = re.compile(r"^  (truedeal .*)$", re.MULTILINE)


def parts_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the commands, or the parts of a command, by name."""
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


def commands() -> Iterator[argparse.ArgumentParser]:
    """Return the parser of each command, and of each of its parts."""
    for parser in parts_of(build_parser()).values():
        yield parser
        yield from parts_of(parser).values()


PARSERS = {parser.prog: parser for parser in commands()}


def parser_of(words: list[str]) -> argparse.ArgumentParser:
    """Return the parser that reads these words in the end."""
    parser = build_parser()
    for word in words:
        parser = parts_of(parser).get(word, parser)
    return parser


@pytest.mark.parametrize("prog", PARSERS)
def test_every_help_has_examples_that_its_own_parser_reads(prog: str) -> None:
    """What a person copies from the help is understood, by that very command or by a part of it."""
    found = TYPED.findall(PARSERS[prog].format_help())
    assert found
    for line in found:
        program, *words = shlex.split(line)
        assert "truedeal" == program
        build_parser().parse_args(words)
        assert f"{parser_of(words).prog} ".startswith(f"{prog} "), line


@pytest.mark.parametrize("prog", PARSERS)
def test_every_help_says_what_the_command_does(prog: str) -> None:
    """A description, which is a sentence, and a help for every argument."""
    assert re.fullmatch(r"[A-Z].*\.", PARSERS[prog].description or "", re.DOTALL)
    assert [] == [
        action.dest
        for action in PARSERS[prog]._actions
        if not action.help and not isinstance(action, argparse._SubParsersAction)
    ]


def test_every_command_stands_under_those_who_use_it() -> None:
    """Once, and none is listed that there is not; what joins from elsewhere stands apart."""
    listed = [name for names in READERS.values() for name in names]
    assert sorted(parts_of(build_parser())) == sorted(listed)
    assert {"Engineer": ["play"], OTHERS: ["acme"]} == titles(["acme", "play"])


def test_the_help_of_all_names_the_readers(capsys: pytest.CaptureFixture[str]) -> None:
    """Each title stands above its commands; ``truedeal help`` prints the same."""
    assert 0 == main(["--help"])
    printed = capsys.readouterr().out
    places = [printed.index(f"\n{title}:\n  {names[0]} ") for title, names in READERS.items()]
    assert sorted(places) == places
    assert 0 == main(["help"])
    assert printed == capsys.readouterr().out


@pytest.mark.parametrize("words", [["verify"], ["people", "add"], ["run"], ["help"]])
def test_help_of_a_command_is_that_of_its_option(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Two ways to ask, one answer; a part of a command too."""
    assert 0 == main([*words, "--help"])
    printed = capsys.readouterr().out
    assert 0 == main(["help", *words])
    assert printed == capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stauts"], "truedeal: there is no command 'stauts': did you mean 'status'?"),
        (["help", "verfy"], "truedeal: there is no command 'verfy': did you mean 'verify'?"),
        (["people", "confrim"], "truedeal people: there is no command 'confrim': did you mean 'confirm'?"),
        (["xyzzy"], "truedeal: there is no command 'xyzzy'; "),
    ],
)
def test_a_mistyped_command_is_answered_with_what_was_meant(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with the status of wrong usage."""
    assert 2 == main(words)
    printed = capsys.readouterr()
    assert ("", 1) == (printed.out, printed.err.count("\n"))
    assert printed.err.startswith(said)


def test_the_version_says_that_a_checkout_is_not_a_release(capsys: pytest.CaptureFixture[str]) -> None:
    """The version, and plainly that nobody has signed this."""
    assert 0 == main(["--version"])
    first, second = capsys.readouterr().out.splitlines()
    assert (f"truedeal {VERSION}", True) == (first, second.startswith("not a release: "))


def test_the_version_of_a_release_is_the_digest_of_identity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same digits that a regulator compares."""
    program = Program(tmp_path)
    line = release_line(program.folder, program.folder, program.makers)
    assert 0 == main(["identity", "--folder", str(program.folder), "--makers", str(program.makers)])
    digest = re.search(r"^digest: (\w+)$", capsys.readouterr().out, re.MULTILINE)
    assert digest is not None
    assert f"program {digest[1]}" == line
    assert release_line(program.folder / "none", program.folder / "none").startswith("not a release: ")


def test_the_help_of_the_simulator_names_every_game_and_every_error() -> None:
    """The lists are those of the games and errors that there are."""
    assert (tuple(GAMES), tuple(kind.name for kind in KINDS)) == (NAMED, ERRORS)
    printed = re.sub(r"\s+", " ", PARSERS["truedeal sim"].format_help())
    assert [] == [name for name in (*NAMED, *ERRORS) if f" {name}," not in printed and f" {name}." not in printed]


@pytest.mark.parametrize(
    "words",
    [
        ["archive", "--days", "-1"],
        ["archive", "--megabytes", "-1"],
        ["archive", "--days", "many"],
        ["rounds", "--count", "0"],
        ["watch", "--count", "-3"],
        ["bundle", "--events", "0"],
    ],
)
def test_a_number_out_of_bounds_is_wrong_usage(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line names the option and its bounds; nothing is done."""
    assert 2 == main([*words, *([str(tmp_path)] if words[0] == "archive" else [])])
    printed = capsys.readouterr().err
    assert f"argument {words[1]}: expected a whole number from " in printed
    assert f"got '{words[2]}'" in printed
