"""What README, architecture and page of the benchmarks say is so, and links of all pages lead somewhere."""

import re
from pathlib import Path

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.rules.clauses import TRACES
from gamecore.rules.games import GAMES
from gamecore.view.diagram import mermaid
from tests.bench import covered
from tests.places import ROOT
from tests.test_project import tracked_files

BENCH = ROOT / "tests" / "bench" / "README.md"
PAGE = BENCH.read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
SCREEN = 25
"""Lines of a page that a reader sees without scrolling."""


def test_the_diagram_is_the_machine() -> None:
    """The drawing of the round is made from the table of transitions."""
    drawn = re.search(r"<!-- machine -->\n```mermaid\n(.*?)\n```", ARCHITECTURE, re.DOTALL)
    assert drawn is not None
    assert mermaid() == drawn[1]


def test_the_round_that_is_shown_can_be_played() -> None:
    """The example of the README plays and its expectations hold."""
    example = re.search(r"```\n(game: .*?)```", README, re.DOTALL)
    assert example is not None
    played = play_text(example[1], "README.md", GAMES)
    assert (None, ()) == (played.error, played.failures)


def test_every_game_is_named() -> None:
    """The five games stand in the README."""
    assert [] == [game for game in GAMES if f"`{game}`" not in README]


def test_the_clauses_are_counted() -> None:
    """The README says how many clauses the documents have."""
    assert [str(sum(map(len, TRACES.values())))] == re.findall(r"each of the (\d+) clauses", README)


def test_the_scenarios_are_counted() -> None:
    """There are as many as the README says, and not many more."""
    (said,) = re.findall(r"holds more than ([\d,]+) rounds", README)
    there = sum(1 for _ in (ROOT / "tests" / "scenarios").rglob("*.deal"))
    assert 0 <= there - int(said.replace(",", "")) < there // 10


def test_the_first_picture_is_on_the_first_screen() -> None:
    """A reader who opens the README sees the commands and a table at once."""
    first = README.partition("![")[0].splitlines()
    assert len(first) <= SCREEN
    typed = [line.partition("#")[0].strip() for line in first if line.startswith("sh ")]
    assert ["sh deploy/try.sh", "sh deploy/try.sh --floor", "sh tests/run.sh"] == typed


def test_every_benchmark_has_its_place() -> None:
    """The page of the benchmarks names every command that prints figures, and the README leads there."""
    there = {path.stem for path in BENCH.parent.glob("*.py") if "argparse" in path.read_text(encoding="utf-8")}
    named = set(re.findall(r"python -m tests\.bench(?:\.(\w+(?:\.\w+)?))?", PAGE))
    assert {"daemon", "frames"} < there
    assert set() == {"" if name == "__main__" else name for name in there} - named
    files = {BENCH.parent.joinpath(*(name or "__main__").split(".")).with_suffix(".py") for name in named}
    assert set() == {path.name for path in files if not path.exists()}
    assert "(tests/bench/README.md)" in README


def test_the_covered_share_has_its_place() -> None:
    """`python -m tests.bench.covered --write` changes the figures and nothing else."""
    shares = {"gamecore": 98.76, "all": 90.0}
    once = covered.renewed(PAGE, shares, covered.QUICK)
    assert "| package | lines and branches entered by the quick tests alone |" in once
    assert "| gamecore | 98.8 % |\n| all | 90.0 % |\n<!-- /covered -->" in once
    assert once == covered.renewed(once, shares, covered.QUICK)
    assert PAGE.partition(covered.BEGIN)[0] == once.partition(covered.BEGIN)[0]
    assert PAGE.partition(covered.END)[2] == once.partition(covered.END)[2]


PAGES = sorted(path.relative_to(ROOT).as_posix() for path in tracked_files() if path.suffix == ".md")
_LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_leads_somewhere(name: str) -> None:
    """A file that is linked is there, and so is its heading."""
    page = ROOT / name
    lost = []
    for file, heading in _LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / file if file else page
        if not target.exists() or (heading and heading not in headings(target)):
            lost.append(f"{file}#{heading}")
    assert [] == lost


def headings(page: Path) -> set[str]:
    """Return the headings of a page as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in found}
