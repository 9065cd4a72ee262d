"""What people read is plain English, and what it names is there: words, sentences, paths, links, commands."""

from __future__ import annotations

import argparse
import re
import shlex

import pytest

from firmware_bridge.cli import build_parser
from tests.documents import blocks
from tests.places import ROOT
from tests.style.plain import (
    LONGEST,
    OLD_WORDS,
    has_speller,
    long_sentences,
    not_plain,
    old_words,
    terms,
    unknown_words,
    words_of,
)
from tests.style.texts import all_texts, docstrings, documents, english, prose, sentences

DOCUMENTS = documents()
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:deploy|drivers|firmware_bridge|gamecore|hal_sim|tests|\.github)/[\w./-]*\w/?)`")
TYPED = re.compile(r"`truedeal ([a-z][^`\n]*)`")
MADE_ELSEWHERE = {
    "CHANGELOG.md": "names what was there at the time",
    ".github/CONTRIBUTING.md": "its recipes make new files, and a test follows them",
    "drivers/README.md": "ends with a package of another maker, which a test installs",
}
"""Documents whose paths need not be there, and why."""
NO_COMMANDS = {
    "link 2": "the first bytes of what a link signs",
    "head 2": "the first bytes of what a head signs",
    "pin": "a command of an earlier version, in the changelog",
}
"""What begins as a command does and is none, and why."""


def test_every_text_is_plain() -> None:
    """No text has an old word or a sentence that is too long."""
    assert {} == not_plain(all_texts())


def test_what_is_not_plain_is_found() -> None:
    """Each by where it stands."""
    long = "word " * (LONGEST + 1)
    assert {"a": ["anew"], "c": [long.strip()]} == not_plain({"a": "Begin anew.", "b": "Begin.", "c": long})


def test_every_word_is_in_a_dictionary() -> None:
    """Or among the terms of the trade."""
    if not has_speller():
        pytest.skip("needs hunspell with English dictionaries")
    used = {word for text in all_texts().values() for word in words_of(text)}
    assert set() == unknown_words(used) - terms()


def test_names_and_addresses_are_no_words() -> None:
    """A slip of the pen is one; what has fewer than three letters is not looked at."""
    said = "The [pann](a/xyzzy.md) of PyNaCl, EBUSY and CA's key; https://keepachangelog.com/ is <br>left out."
    assert {"The", "pann", "and", "key", "left", "out"} == words_of(said)


def test_old_words_are_found_whole_and_in_prose() -> None:
    """In any case, never inside another word, never in code."""
    assert ["anew", "whoever"] == sorted(old_words("Whoever begins anew.\nA renewal.\n"))
    assert [] == old_words(prose("Run `begin anew` or:\n\n```sh\nbegin anew\n```\n"))
    assert all(instead for instead in OLD_WORDS.values())


def test_a_sentence_ends_where_a_reader_pauses() -> None:
    """A point of a list, a row, a colon and a semicolon end it; one that is too long is found."""
    assert ["One two:", "three;", "four.", "a", "b", "c"] == sentences("One two: three; four.\n- a\n| b | c\n")
    assert (1, 0) == tuple(len(long_sentences("word " * number)) for number in (LONGEST + 1, LONGEST))


def test_texts_are_taken_from_where_people_read_them() -> None:
    """Docstrings without what they raise, catalogues in English, the help of every command."""
    source = '"""One."""\n\n\ndef f():\n    """Two.\n\n    Raises:\n        OSError: three.\n    """\n'
    assert "One.\n\nTwo." == docstrings(source)
    assert ["a", "b"] == list(english({"x": {"en": "a", "zh": "甲"}, "y": "b", "z": 1}))
    found = all_texts()
    assert {"README.md", "firmware_bridge/cli.py", "firmware_bridge/console/static/texts/table.json"} <= found.keys()
    assert "say whether a journal is as it was written" in found["truedeal --help"]


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name not in MADE_ELSEWHERE])
def test_every_path_that_a_document_names_is_there(name: str) -> None:
    """From the top of the repository; nobody looks for a file that was moved."""
    assert [] == [path for path in PATH.findall(DOCUMENTS[name]) if not (ROOT / path).exists()]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(name: str) -> None:
    """Links into the repository, from where the document lies."""
    links = [link for link in LINK.findall(DOCUMENTS[name]) if "://" not in link and not link.startswith("mailto:")]
    assert [] == [link for link in links if not (ROOT / name).parent.joinpath(link).exists()]


def commands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    (found,) = (action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(found.choices)


COMMANDS = commands()


def options_of(words: list[str]) -> set[str]:
    """Return the options of a command, or of its part."""
    parser = COMMANDS[words[0]]
    parts = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if parts and len(words) > 1 and words[1] in parts[0].choices:
        parser = dict(parts[0].choices)[words[1]]
    return {option for action in parser._actions for option in action.option_strings}


def unknown(typed: str) -> list[str]:
    """Return what a command that is named in a text has and the command line has not."""
    words = typed.replace("…", "").split()
    if words[0] not in COMMANDS:
        return [words[0]]
    return [word for word in words if word.startswith("--") and word.partition("=")[0] not in options_of(words)]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_that_a_document_names_exists(name: str) -> None:
    """With the options that it is named with."""
    named = TYPED.findall(re.sub(r"```.*?```", "", DOCUMENTS[name], flags=re.DOTALL))
    assert {} == {typed: wrong for typed in named if typed not in NO_COMMANDS and (wrong := unknown(typed))}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_that_a_document_has_typed_is_read(name: str) -> None:
    """In the blocks that a person copies: command, options and values are those that the command line takes."""
    for block in blocks(DOCUMENTS[name]):
        for line in block.text.splitlines() if block.language == "sh" else []:
            for part in line.partition(" #")[0].split("&&"):
                found = re.match(r"\s*(?:\S*/)?truedeal ([a-z].*)", part)
                if found is not None and not re.search(r"[|>$;]", found[1]):
                    words = ["1" if word == "N" else word for word in shlex.split(found[1])]
                    assert words[0] == build_parser().parse_args(words).command
