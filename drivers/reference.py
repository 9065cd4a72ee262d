"""The table of all messages, for the reader of `drivers/README.md`.

1. It is made from the catalogues alone; nothing is written by hand. A test compares the README with it.
2. `python -m drivers.reference` writes it into the README.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from drivers.hub import CATALOGUE as HUB
from drivers.messages import Catalogue, Message, fields_of
from drivers.meter import CATALOGUE as METER
from drivers.panel import CATALOGUE as PANEL
from drivers.shoe import CATALOGUE as SHOE
from drivers.shuffler import CATALOGUE as SHUFFLER

CATALOGUES: tuple[Catalogue, ...] = (SHOE, SHUFFLER, HUB, PANEL, METER)
BEGIN = "<!-- messages -->"
END = "<!-- /messages -->"
README = Path(__file__).resolve().parent / "README.md"


def sizes(message: type[Message]) -> tuple[int, int]:
    """Return the smallest and the largest payload of a message in bytes."""
    kinds = [field.kind for field in fields_of(message)]
    return sum(kind.smallest for kind in kinds), sum(kind.largest for kind in kinds)


def table() -> str:
    """Return the messages of all catalogues as Markdown, each where it is first declared."""
    lines: list[str] = []
    seen: dict[type[Message], str] = {}
    for catalogue in CATALOGUES:
        lines += [f"### {catalogue.kind}", ""]
        for title, messages in (("event", catalogue.events), ("command", catalogue.commands)):
            fresh = [message for message in messages if message not in seen]
            if fresh:
                lines += [f"| ident | {title} | bytes | meaning, and its fields in the order of the wire |"]
                lines += ["| --- | --- | ---: | --- |", *(_row(message) for message in fresh), ""]
            lines += [line for said in _borrowed(messages, title, seen) for line in (said, "")]
        seen |= {message: catalogue.kind for message in catalogue.events + catalogue.commands if message not in seen}
    return "\n".join(lines)


def _borrowed(messages: tuple[type[Message], ...], title: str, seen: dict[type[Message], str]) -> list[str]:
    """Return what a catalogue has from another: all of a direction, or some by name."""
    said = []
    for other in CATALOGUES:
        theirs = other.events if title == "event" else other.commands
        found = [message for message in messages if seen.get(message) == other.kind]
        if found and set(theirs) <= set(messages):
            said.append(f"Also every {title} of the {other.kind}.")
        elif found:
            names = ", ".join(f"`{message.__name__}`" for message in found)
            said.append(f"Also, of the {other.kind}: {names}.")
    return said


def _row(message: type[Message]) -> str:
    """Return one row of the table."""
    smallest, largest = sizes(message)
    size = str(smallest) if smallest == largest else f"{smallest} to {largest}"
    parts = [inspect.getdoc(message) or ""]
    parts += [f"`{field.name}` ({field.kind.name}): {field.doc}" for field in fields_of(message)]
    return f"| 0x{message.IDENT:02X} | `{message.__name__}` | {size} | {'<br>'.join(parts)} |"


def renewed(text: str) -> str:
    """Return the README with the table that is true now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}{END}{after}"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
