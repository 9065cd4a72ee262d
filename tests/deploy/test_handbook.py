"""The operator's handbook and its page of alarms: every alarm is explained, and what people are to type exists."""

from __future__ import annotations

import argparse
import json
import re
import shlex

import pytest

from drivers.faults import REMEDIES
from firmware_bridge.cli import build_parser
from firmware_bridge.commands.documents.handbook_steps import do_column, written
from firmware_bridge.people.permissions import REPORTED
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from tests.places import ROOT

HANDBOOK = (ROOT / "deploy/HANDBOOK.md").read_text(encoding="utf-8")
ALARMS = (ROOT / "deploy/ALARMS.md").read_text(encoding="utf-8")
TEXT = HANDBOOK + ALARMS
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TEXT.splitlines() if line.startswith("|")]
TITLES = json.loads((ROOT / "firmware_bridge/console/static/texts/words.json").read_text(encoding="utf-8"))
COMMAND = re.compile(r"\btruedeal ([a-z][a-z-]*)\b")


def commands() -> set[str]:
    """Return the commands that the command line has."""
    actions = build_parser()._actions
    (found,) = (action for action in actions if isinstance(action, argparse._SubParsersAction))
    return set(found.choices)


def named() -> set[str]:
    """Return the commands that the handbook names, in its examples and in its text."""
    code = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))
    code += [line for block in re.findall(r"```(?:sh|ini)\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
    spoken = [re.sub(r"(systemctl|apt-get|adduser|chgrp|journalctl)\b[^&]*", "", line) for line in code]
    return {name for line in spoken for name in COMMAND.findall(line)}


@pytest.mark.parametrize("code", CODES)
def test_every_alarm_is_explained(code: str) -> None:
    """Each code of a finding has a row that says what it means and what to do, under the title that the page has."""
    rows = [row for row in ROWS if row[0] == f"{TITLES[f'code.{code}']['en']} `{code}`"]
    assert [3] == [len(row) for row in rows]
    assert all(cell for cell in rows[0])


def test_the_steps_are_those_of_the_page() -> None:
    """What is to be done stands in one catalogue: `handbook_steps` has written the column, and no step is missing."""
    assert ALARMS == written(ALARMS)
    assert [] == [code for code in CODES if "1. " not in do_column(code)]
    assert "3. Take the whole set out and count it." in do_column("foreign-card")


def test_no_alarm_is_explained_that_does_not_exist() -> None:
    """A code in the first column is one of a finding, of a fault of a link, or of people."""
    found = {code for row in ROWS for code in re.findall(r"`([a-z-]+)`$", row[0])}
    assert set() == found - CODES.keys() - REMEDIES.keys() - {"truedeal", *REPORTED}


def test_every_command_that_it_names_exists() -> None:
    """Nobody is told to type what is not there."""
    assert {"check", "doctor", "status", "verify"} <= named()
    assert set() == named() - commands()


def typed() -> list[str]:
    """Return every command of ours with its words, as the handbook has it typed."""
    spans = re.findall(r"`([^`\n]*truedeal [a-z][^`]*)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))
    blocks = re.findall(r"```(?:sh|ini)\n(.*?)```", TEXT, re.DOTALL)
    lines = [*spans, *(line.partition(" #")[0] for block in blocks for line in block.splitlines())]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    found = [re.search(r"(?:^|-- |ExecStart=/usr/bin/)truedeal ([a-z].*)", part) for part in parts]
    return [match[1].strip() for match in found if match is not None]


@pytest.mark.parametrize("words", typed())
def test_what_it_has_people_type_is_understood(words: str) -> None:
    """Command, options and their values are those that the command line takes; N stands for a number."""
    arguments = ["1" if word == "N" else word for word in shlex.split(words)]
    assert arguments[0] == build_parser().parse_args(arguments).command


def test_every_command_for_people_at_a_table_is_explained() -> None:
    """What it leaves out is for developers, or starts by itself."""
    elsewhere = {"play", "games", "readings", "clauses", "run", "anchor", "sniff", "sim", "train"}
    elsewhere |= {"floor", "ingest", "ship", "enrol"}  # these have a handbook of their own
    assert commands() - elsewhere == named()


def test_what_it_copies_is_shipped() -> None:
    """The sample that the installation begins with is one of those in the package."""
    samples = set(re.findall(r"/usr/share/truedeal/config/([\w-]+)\.toml", TEXT))
    assert set() < samples <= GAMES.keys()


def test_it_stays_a_few_pages() -> None:
    """A handbook that nobody reads helps nobody."""
    assert [] == [len(page.splitlines()) for page in (HANDBOOK, ALARMS) if len(page.splitlines()) >= 340]


@pytest.mark.parametrize("page", [HANDBOOK, ALARMS], ids=["HANDBOOK", "ALARMS"])
def test_the_contents_lead_to_every_chapter(page: str) -> None:
    """Each reader finds their chapter before the first one begins."""
    contents, *chapters = re.split(r"^## ", page, flags=re.MULTILINE)
    titles = [chapter.splitlines()[0] for chapter in chapters]
    assert titles
    assert [] == [title for title in titles if f"(#{title.lower().replace(' ', '-')})" not in contents]
