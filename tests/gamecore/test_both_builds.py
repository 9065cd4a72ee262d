"""The compiled core gives the same bytes as pure Python, and only for the sources that it was made from."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.core import build, sources
from tests.gamecore.both_builds import COMPILED, SAMPLE, core_in_use, differences
from tests.places import ROOT

needs_compiled = pytest.mark.skipif(
    core_in_use() != COMPILED, reason="the core is not compiled, see deploy/core/build.py"
)


@needs_compiled
def test_every_scenario_has_the_same_report_in_both_builds() -> None:
    """Byte for byte, with what failed and what was refused."""
    count, differing = differences(["--scenarios"])
    assert [] == differing
    assert count > 1000


@needs_compiled
def test_random_rounds_are_the_same_in_both_builds(seed: int) -> None:
    """Every output of every event, in a sample; `tests.gamecore.both_builds` can play a hundred thousand."""
    count, differing = differences(["--rounds", str(SAMPLE), "--seed", str(seed)])
    assert [] == differing
    assert count > 0


@needs_compiled
def test_values_are_guarded_in_the_compiled_core() -> None:
    """A frozen value cannot be changed, and no object takes an attribute that its class does not name."""
    from gamecore.model.config import TableConfig  # noqa: PLC0415  whichever core is in use

    config = TableConfig(8, 7, {}, False, False, "machine", frozenset())
    with pytest.raises(AttributeError):
        config.decks = 6  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        config.more = 1  # type: ignore[attr-defined]


def test_a_changed_source_has_another_digest(tmp_path: Path) -> None:
    """So a build is never taken for sources that it was not made from."""
    shutil.copytree(ROOT / "gamecore", tmp_path / "gamecore", ignore=shutil.ignore_patterns("__pycache__"))
    assert sources.digest(ROOT, "x") == sources.digest(tmp_path, "x")
    with (tmp_path / "gamecore/table.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert sources.digest(ROOT, "x") != sources.digest(tmp_path, "x")


def test_a_copy_of_the_repository_runs_its_own_sources(tmp_path: Path) -> None:
    """The environment's compiled core stands in for no other folder's sources."""
    shutil.copytree(ROOT / "gamecore", tmp_path / "gamecore", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-c", "from gamecore import table; print(table.__file__)"]
    said = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert str(tmp_path / "gamecore/table.py") == said.strip()


def test_every_line_of_a_source_keeps_its_number() -> None:
    """What mypyc reads has each statement on its line, so that a traceback names the right one."""
    for name in sources.compiled(sources.listed(ROOT)):
        text = (ROOT / name).read_text(encoding="utf-8")
        before, after = text.splitlines(), sources.rewritten(name, text).splitlines()
        moved = [
            line for line, other in zip(before, after, strict=False) if line.strip() and _said(line) != _said(other)
        ]
        assert [] == moved, name


def _said(line: str) -> str:
    """What a line says without what is rewritten: slots, and annotations as texts."""
    for written in ("(slots=True, ", ", slots=True", "slots=True", "'", '"', " ", "(", ")"):
        line = line.replace(written, "")
    return line.replace(":Any", ":Ruleset")


def test_without_a_compiler_pure_python_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing is said, with a status of its own."""
    monkeypatch.setenv("PATH", "")
    assert build.UNABLE == build.main([])
    assert "the core is not compiled: the C compiler gcc is missing" in capsys.readouterr().err
