"""The manual page and the completion of the command line, made from its parsers."""

from __future__ import annotations

import argparse
import gzip
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from deploy.command_line import PLACES, files
from deploy.man_page import man_page, parts_of
from firmware_bridge import VERSION
from firmware_bridge.cli import build_parser
from firmware_bridge.commands.help_text import READERS
from gamecore.rules.games import GAMES

MADE = files("truedeal", 0)
BASH = MADE[PLACES["bash"].format(program="truedeal")].decode()
PAGE = man_page(build_parser(), VERSION, 0)


def commands() -> Iterator[argparse.ArgumentParser]:
    """Return the parser of each command, and of each of its parts."""
    for parser in parts_of(build_parser()).values():
        yield parser
        yield from parts_of(parser).values()


def test_the_page_has_every_command_and_every_option() -> None:
    """With its options and examples, under those who use it."""
    plain = PAGE.replace("\\-", "-").replace("\\&", "")
    for parser in commands():
        assert f'\n.SS "{parser.prog}"\n' in plain
        _, _, section = plain.partition(f'\n.SS "{parser.prog}"\n')
        section = re.split(r"\n\.S[SH] ", section)[0]
        options = [option for action in parser._actions for option in action.option_strings if option != "--help"]
        assert [] == [option for option in options if option not in section]
        assert "\nExamples:\n" in section
    places = [plain.index(f'\n.SH "{title.upper()}"\n') for title in READERS]
    assert sorted(places) == places


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff, which Debian's man-db brings")
def test_groff_sets_the_page_without_a_warning() -> None:
    """No line is taken for a macro, and no macro is unknown."""
    command = ["groff", "-man", "-Tutf8", "-ww", "-k"]
    done = subprocess.run(command, input=PAGE, capture_output=True, text=True, check=True)
    assert "" == done.stderr
    assert "truedeal verify" in done.stdout


def test_the_same_program_gives_the_same_bytes() -> None:
    """A package that is built again differs in no byte."""
    assert MADE == files("truedeal", 0)
    page = gzip.decompress(MADE[PLACES["man"].format(program="truedeal")]).decode()
    assert (PAGE, True) == (page, page.startswith('.TH "TRUEDEAL" 1 1970-01-01 "truedeal '))


def completed(*words: str) -> set[str]:
    """Return what bash offers for the last of these words."""
    typed = " ".join(f"'{word}'" for word in ("truedeal", *words))
    script = (
        f"{BASH}\nCOMP_WORDS=({typed}); COMP_CWORD={len(words)}; _shtab_truedeal; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sta",), {"status"}),
        (("people", "con"), {"confirm"}),
        (("clauses", "mbs-p"), {"mbs-pontoon-v5"}),
        (("sim", "--game", "rws"), {"rws-free-bet-2025"}),
        (("verify", "--no"), {"--no-replay"}),
        (("export", "--format", "wag"), {"wagers-csv"}),
        (("affected", "--finding", "unshuf"), {"unshuffled-cards"}),
        (("check", "--config", "/etc/hostn"), {"/etc/hostname"}),
    ],
)
def test_bash_completes_what_can_follow(words: tuple[str, ...], offered: set[str]) -> None:
    """Commands, their parts, options, and values: games, findings, choices, files."""
    assert offered == completed(*words)


def test_zsh_has_every_command() -> None:
    """The file says for which program it is, and names each command."""
    text = MADE[PLACES["zsh"].format(program="truedeal")].decode()
    assert text.startswith("#compdef truedeal\n")
    assert [] == [name for name in parts_of(build_parser()) if f"\n    {name}:'" not in text]
    assert [] == [game for game in GAMES if game not in text]
