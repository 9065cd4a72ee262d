"""ARCHITECTURE.md says what is so: its rooms, its contracts, its files, and the way of a card."""

import re
import subprocess
import sys
import tomllib

import pytest

from tests.architecture.walk import BETWEEN, ENQUEUED, PAGE, PROCESSED, Call, Function, figures, spine
from tests.places import ROOT

TEXT = PAGE.read_text(encoding="utf-8")
TOLERANCE = 0.05
"""By how much the figures may differ before they are rewritten: a helper more or less is no news to a reader."""
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = PYPROJECT["tool"]["importlinter"]["contracts"]
DECODE, APPLY, WRITE = (Function("gamecore.a", name) for name in ("decode", "apply", "write"))


def rows(table: str) -> list[list[str]]:
    """The rows of a table in Markdown."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]


def rooms(before: str) -> list[str]:
    """The first column of the table that follows a line."""
    table = TEXT.partition(before)[2].strip().partition("\n\n")[0]
    return [row[0].strip("`/") for row in rows(table)[2:]]


@pytest.fixture(scope="module")
def walked() -> list[list[str]]:
    """The rows of a walk through the code as it is, in a process of its own: nothing is remembered there."""
    command = [sys.executable, "-m", "tests.architecture.walk"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=250)
    assert 0 == done.returncode, done.stderr
    return rows(done.stdout)


def written() -> list[list[str]]:
    """The rows of the walk on the page."""
    found = BETWEEN.search(TEXT)
    assert found is not None
    return rows(found[0])


def test_the_way_of_a_card_is_the_one_on_the_page(walked: list[list[str]]) -> None:
    """The spine is that of the code; if not, `python -m tests.architecture.walk --write` rewrites it."""
    assert [row for row in walked if 3 == len(row)] == [row for row in written() if 3 == len(row)]


def test_the_figures_of_a_card_are_those_on_the_page(walked: list[list[str]]) -> None:
    """Calls, functions, modules and changes are about what the page says; if not, it is rewritten."""
    counted, said = ([row for row in table if 6 == len(row)][2:] for table in (walked, written()))
    assert [row[0] for row in counted] == [row[0] for row in said]
    now, then = ([int(cell) for row in table for cell in row[1:]] for table in (counted, said))
    assert then == pytest.approx(now, rel=TOLERANCE, abs=2)


def test_a_spine_has_each_function_where_it_is_first_met() -> None:
    """What leads to a step is on the stack when it is reached; what was asked on the way is left out."""
    asked = Function("gamecore.b", "asked")
    way = (
        Call(DECODE, (PROCESSED, DECODE)),
        Call(asked, (PROCESSED, asked)),
        Call(APPLY, (PROCESSED, APPLY)),
        Call(WRITE, (PROCESSED, APPLY, WRITE)),
    )
    found = spine(way, (("one", DECODE), ("two", WRITE)))
    assert [("one", (PROCESSED, DECODE)), ("two", (APPLY, WRITE))] == [tuple(step) for step in found]


def test_a_step_that_is_never_reached_is_named() -> None:
    """A function that was renamed is told, not left out."""
    with pytest.raises(LookupError, match=r"queued: firmware_bridge\.pump\.pump\.Pump\.enqueue is not called"):
        spine((Call(DECODE, (DECODE,)),), (("queued", ENQUEUED),))


def test_changes_are_counted_from_call_to_call() -> None:
    """Two calls in one module change nothing; a call of another package changes both."""
    way = [Call(one, (one,)) for one in (DECODE, APPLY, ENQUEUED, PROCESSED, DECODE)]
    assert (5, 4, 2, 2, 2) == figures(way)


@pytest.mark.parametrize(
    ("before", "package"),
    [
        ("The rooms of `gamecore/`, from the top down. Each may import those below it.", "gamecore"),
        ("The rooms of `firmware_bridge/`, in the order in which a card meets them, then the rest.", "firmware_bridge"),
    ],
)
def test_every_room_is_on_the_page(before: str, package: str) -> None:
    """A new folder has a row that says what it holds."""
    folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    assert folders | ({"table.py", "history.py"} if package == "gamecore" else set()) == set(rooms(before))


def test_the_rooms_of_the_rules_stand_in_the_order_of_their_contract() -> None:
    """Reading down the table is reading down the layers; rooms of one layer stand beside each other."""
    layers = next(one["layers"] for one in CONTRACTS if one["name"] == "nothing in the rules imports upwards")
    level = {room.strip(): place for place, layer in enumerate(layers) for room in layer.split("|")}
    order = [level[room.removesuffix(".py")] for room in rooms("from the top down. Each may import those below it.")]
    assert sorted(order) == order


def test_every_contract_is_on_the_page() -> None:
    """The import contracts are named as `lint-imports` names them."""
    listed = TEXT.partition("The contracts in `pyproject.toml`:")[2].partition("\n## ")[0]
    assert [one["name"] for one in CONTRACTS] == re.findall(r"^- \*\*(.*?)\*\*", listed, re.MULTILINE)


def test_every_file_that_the_page_names_exists() -> None:
    """A path of the repository on the page leads somewhere."""
    named = re.findall(r"`((?:drivers|firmware_bridge|gamecore|hal_sim|deploy|tests)/[^` ]*)`", TEXT)
    named += re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert [] == [path for path in named if not (ROOT / path).exists()]
