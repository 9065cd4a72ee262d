"""Plain English, where a program can judge it: words that this house no longer uses, long sentences, unknown words.

1. `OLD_WORDS` are words that were taken for English here and are not, or that no reader of a manual expects, each with
   what to write. `LONGEST` is the most words of a sentence. No text has any of either.
2. An unknown word has three letters or more, and is neither in the British nor the American dictionary nor in
   `terms.txt`, which holds the terms of the trade. What has a capital inside, or consists of capitals, is a name.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.style.texts import sentences

TERMS = Path(__file__).with_name("terms.txt")
SPELLER = "hunspell"
DICTIONARIES = "en_GB,en_US"
LONGEST = 35
OLD_WORDS = {
    "besides": "also, as well",
    "held against": "compared with",
    "so many": "N, as many",
    "goes on by": "continues with",
    "go on by": "continue with",
    "whoever": "anyone who, the person who",
    "is said of": "is used for, means",
    "anew": "again",
    "as far as": "up to, if",
    "none where": "no … if",
    "for who": "for anyone who",
    "to who": "to the person who",
    "from who": "from the person who",
    "nought": "zero",
    "of itself over": "about itself",
    "what is more": "also",
    "thereby": "so",
    "wherein": "in which",
    "thereof": "of it",
    "herein": "here",
}
"""What not to write, and what to write instead."""
_OLD = {words: re.compile(rf"\b{words}\b", re.IGNORECASE) for words in OLD_WORDS}
_ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|<[^>\s]*>")
_WORD = re.compile(r"(?<![\w{])[A-Za-z][a-z]{2,}(?:'[a-z]+)?\b(?![{\[])")


def old_words(text: str) -> list[str]:
    """Return each of the old words that a text has, as often as it has it."""
    return [words for words, pattern in _OLD.items() for _ in pattern.findall(text)]


def long_sentences(text: str) -> list[str]:
    """Return the sentences of a text that have too many words."""
    return [one for one in sentences(text) if len(one.split()) > LONGEST]


def not_plain(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what is to be mended, by where it stands: old words and long sentences."""
    found = {name: [*old_words(text), *long_sentences(text)] for name, text in texts.items()}
    return {name: wrong for name, wrong in found.items() if wrong}


def words_of(text: str) -> set[str]:
    """Return the words of a text, without addresses and names."""
    return {re.sub("'s$", "", word) for word in _WORD.findall(_ADDRESS.sub(" ", text))}


def terms() -> set[str]:
    """Return the terms of the trade."""
    return {line for line in TERMS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}


def has_speller() -> bool:
    """Return whether the dictionaries are installed."""
    if shutil.which(SPELLER) is None:
        return False
    listed = subprocess.run([SPELLER, "-d", DICTIONARIES, "-l"], input="", capture_output=True, text=True, check=False)
    return listed.returncode == 0


def unknown_words(words: Iterable[str]) -> set[str]:
    """Return the words that no dictionary has, in small letters, whatever stands in `terms.txt`."""
    command = [SPELLER, "-d", DICTIONARIES, "-i", "utf-8", "-l"]
    done = subprocess.run(command, input="\n".join(words), capture_output=True, text=True, check=True)
    return {word.lower() for word in done.stdout.split()}
