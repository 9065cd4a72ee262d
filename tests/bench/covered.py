"""Which share of the code the tests enter: ``python -m tests.bench.covered [--quick] [--write] [TESTS …]``.

``tests/run.sh --soak`` ends with it.

1. `TESTS` run once more under coverage.py, which counts lines and branches. Daemons, consoles and simulated devices
   that they start are counted too; a process that is killed tells nothing.
2. Only the folders of `TESTS` run. What needs a browser, root or a package is left out, and so is what looks for
   crashes: all of it enters the same code.
3. A test that fails only because the counting makes it slow does not matter here: in ``--soak`` all tests have passed
   in the step before.
4. With ``--quick`` only those run that neither start a process nor take long. The figure is too low, but takes
   minutes.
5. The figures stand on the page of the benchmarks between `BEGIN` and `END`, and say which tests ran; ``--write``
   renews them.
6. If files or folders of ``tests/`` are named (``gamecore/model``), they run alone: their figures are printed, and
   never written.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.places import ROOT

PACKAGES = ("gamecore", "drivers", "firmware_bridge", "hal_sim")
TESTS = ("drivers", "firmware_bridge", "gamecore", "hal_sim", "recount", "test_scenarios.py")
BEGIN, END = "<!-- covered -->", "<!-- /covered -->"
ALL, QUICK = "the tests", "the quick tests alone"
PAGE = ROOT / "tests" / "bench" / "README.md"
_FAILED = 1  # the exit status of pytest when tests have failed


def measured(
    folder: Path, tests: tuple[str, ...] = TESTS, workers: int | None = None, *, quick: bool = False
) -> dict[str, float]:
    """Run the tests, with all data in a folder; return the share of lines and branches in percent, by package."""
    many = str(len(os.sched_getaffinity(0)) + 1 if workers is None else workers)
    pytest = ["pytest", "-q", "-n", many, "-p", "no:cacheprovider", *(f"tests/{name}" for name in tests)]
    status, _ = _count(folder, "run", "-m", *pytest, *(("--quick",) if quick else ()), shown=True)
    if status not in {0, _FAILED}:
        raise SystemExit(f"the tests could not be run: exit status {status}")
    _count(folder, "combine", "-q")
    included = {name: f"{name}/*" for name in PACKAGES} | {"all": "*"}
    totals = {
        name: _count(folder, "report", "--format=total", "--precision=1", "--include", files)[1]
        for name, files in included.items()
    }
    return {name: float(total) for name, total in totals.items()}


def _count(folder: Path, *command: str, shown: bool = False) -> tuple[int, str]:
    """Run coverage.py; return its exit status, and what it has printed unless that is shown."""
    environment = os.environ | {"COVERAGE_FILE": str(folder / "data"), "PYTHONPATH": str(ROOT)}
    whole = [sys.executable, "-m", "coverage", *command]
    done = subprocess.run(
        whole, cwd=ROOT, env=environment, text=True, check=False, stdout=None if shown else subprocess.PIPE
    )
    return done.returncode, done.stdout or ""


def table(shares: dict[str, float], which: str) -> str:
    """Return the shares as a table, with which tests have run."""
    head = f"| package | lines and branches entered by {which} |\n| --- | ---: |\n"
    return head + "".join(f"| {name} | {share:.1f} % |\n" for name, share in shares.items())


def renewed(text: str, shares: dict[str, float], which: str) -> str:
    """Return the page with other figures."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{table(shares, which)}{END}{after}"


def main() -> None:
    """Measure, and print the figures; write them into the page if that is wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.covered")
    parser.add_argument("tests", nargs="*", metavar="TESTS", help="files or folders of tests/ that run alone")
    parser.add_argument("--quick", action="store_true", help="run only what starts no process and takes not long")
    parser.add_argument(
        "--write", action="store_true", help="write the figures of all tests into tests/bench/README.md"
    )
    args = parser.parse_args()
    if args.write and args.tests:
        parser.error("the page has the figures of all tests")
    with tempfile.TemporaryDirectory() as folder:
        shares = measured(Path(folder), tuple(args.tests) or TESTS, quick=args.quick)
    which = QUICK if args.quick else ALL
    print(table(shares, which), end="")
    if args.write:
        PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), shares, which), encoding="utf-8")


if __name__ == "__main__":
    main()
