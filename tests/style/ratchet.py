"""How often each file says what this house no longer says: counted, recorded, and never more than before.

1. `OLD_WORDS` are words that were taken for English here and are not, or that no reader of a manual expects, each with
   what to write. `LONGEST` is the most words of a sentence.
2. ``ratchet.json`` has the counts by file. A count that is higher than the recorded one fails the test; a file that is
   not recorded has none. ``python -m tests.style.ratchet`` records counts that have fallen, and refuses to raise any.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping

from tests.places import ROOT
from tests.style.texts import all_texts, sentences

RECORD = ROOT / "tests" / "style" / "ratchet.json"
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
    "what is more": "also",
    "thereby": "so",
    "wherein": "in which",
    "thereof": "of it",
    "herein": "here",
}
"""What not to write, and what to write instead."""
_OLD = {words: re.compile(rf"\b{words}\b", re.IGNORECASE) for words in OLD_WORDS}

Counts = dict[str, int]


def old_words(text: str) -> list[str]:
    """Return each of the old words that a text has, as often as it has it."""
    return [words for words, pattern in _OLD.items() for _ in pattern.findall(text)]


def long_sentences(text: str) -> list[str]:
    """Return the sentences of a text that have too many words."""
    return [one for one in sentences(text) if len(one.split()) > LONGEST]


def counted(texts: Mapping[str, str]) -> dict[str, Counts]:
    """Return how often each file has old words and long sentences, without files that have none."""
    both = {"words": old_words, "sentences": long_sentences}
    found = {kind: {name: len(of(text)) for name, text in texts.items()} for kind, of in both.items()}
    return {kind: {name: number for name, number in sorted(one.items()) if number} for kind, one in found.items()}


def recorded() -> dict[str, Counts]:
    """Return what was counted when it was recorded last."""
    found: dict[str, Counts] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def risen(now: Mapping[str, Counts], before: Mapping[str, Counts]) -> list[str]:
    """Return every count that is higher than the recorded one."""
    return [
        f"{name}: {number} {kind}, {before[kind].get(name, 0)} recorded"
        for kind, counts in now.items()
        for name, number in counts.items()
        if number > before[kind].get(name, 0)
    ]


def main() -> int:
    """Record what has fallen; return the exit status."""
    now = counted(all_texts())
    higher = risen(now, recorded())
    sys.stdout.writelines(f"{line}\n" for line in higher)
    if not higher:
        RECORD.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    return 1 if higher else 0


if __name__ == "__main__":
    sys.exit(main())
