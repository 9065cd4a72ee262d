"""What the pages of the reference share: their first line, tables, and the check that nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MADE = "Made from the code by `python -m deploy.reference`; a test compares. Change the code or `deploy/reference/`.\n"


class NotDescribedError(LookupError):
    """The code has a name that nobody has described, or the reverse."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def check_names(what: str, in_code: Iterable[str], described: Iterable[str]) -> None:
    """Make sure that the same names are in the code and described.

    Raises:
        NotDescribedError: they are not.
    """
    code, said = set(in_code), set(described)
    if code != said:
        problem = f"{what}: without a meaning {sorted(code - said)}, no longer there {sorted(said - code)}"
        raise NotDescribedError(problem)
