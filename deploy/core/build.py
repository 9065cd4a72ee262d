"""Compiles the core with mypyc, once for each digest: ``python deploy/core/build.py`` prints the folder of the build.

1. A build is a folder with every module of the packages, the compiled ones as libraries beside their sources, and one
   library that they share. It stands under the caches, by the digest of what it was made from (`sources`), and is
   complete when it has its name: it is made aside and moved. Who comes second waits for the first. Builds of other
   digests for the same Python are thrown away.
2. mypy and a C compiler are needed, and the headers of Python. Where one is missing the status is 3, and pure Python
   runs, which gives the same bytes.
3. It compiles for the machine that it runs on, and for no other.
4. A product is not contracted into another operation (`-ffp-contract=off`): every machine rounds as Python does.
"""

from __future__ import annotations

import argparse
import fcntl
import io
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from deploy.core import sources

UNABLE = 3
COMPILER = "gcc"
FLAGS = ("-O2", "-g0", "-DNDEBUG", "-fPIC", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-w")


def built(root: Path, caches: Path) -> Path:
    """The folder of the build, made if it is not there."""
    name = sources.name_of(root, platform.machine())
    folder = caches / name
    caches.mkdir(parents=True, exist_ok=True)
    with (caches / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=caches) as work:
                _make(root, Path(work)).rename(folder)
            for other in caches.glob(f"{name.rpartition('-')[0]}-*"):
                if other != folder:
                    shutil.rmtree(other)
    return folder


def _make(root: Path, work: Path) -> Path:
    """A build in a folder of its own."""
    copy, out = work / "sources", work / "out"
    chosen = sources.compiled(sources.listed(root))
    skipped = shutil.ignore_patterns("__pycache__", "*.md")
    for package in sources.PACKAGES:
        for folder in (copy, out):
            shutil.copytree(root / package, folder / package, ignore=skipped)
    for name in chosen:
        path = copy / name
        path.write_text(sources.rewritten(name, path.read_text(encoding="utf-8")), encoding="utf-8")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = [
            (extension, [pool.submit(_compile, extension, source, copy, work) for source in extension.sources])
            for extension in _translated(copy, work, chosen)
        ]
        for extension, objects in parts:
            target = out / (extension.name.replace(".", "/") + suffix)
            _run("-shared", "-s", "-Wl,--build-id=none", *[one.result() for one in objects], "-o", str(target))
    return out


def _translated(copy: Path, work: Path, chosen: Sequence[str]) -> list[Any]:
    """The sources as C, a list of libraries; what mypy says is told only if it ends there."""
    from mypyc.build import mypycify  # noqa: PLC0415  only who builds needs it

    options = ["--config-file=", "--python-version=3.11", f"--cache-dir={work / 'mypy'}"]
    before, said = Path.cwd(), io.StringIO()
    os.chdir(copy)
    try:
        with redirect_stdout(said):
            made: list[Any] = mypycify(
                [*options, *chosen], target_dir=str(work / "c"), multi_file=True, group_name="truedeal_core"
            )
    except SystemExit:
        sys.stderr.write(said.getvalue())
        raise
    finally:
        os.chdir(before)
    return made


def _compile(extension: Any, source: str, copy: Path, work: Path) -> str:
    """One file of C; the path of its object."""
    made = work / f"{extension.name}-{Path(source).stem}.o"
    include = [f"-I{folder}" for folder in [*extension.include_dirs, sysconfig.get_path("include")]]
    _run(*FLAGS, f"-ffile-prefix-map={work}=.", *include, "-c", str(copy / source), "-o", str(made))
    return str(made)


def _run(*arguments: str) -> None:
    subprocess.run([COMPILER, *arguments], check=True)  # noqa: S603  the compiler, on files of ours


def unable() -> str:
    """What is missing to build; empty if nothing is."""
    if find_spec("mypyc") is None:
        return "mypy is not installed"
    if shutil.which(COMPILER) is None:
        return f"the C compiler {COMPILER} is missing"
    headers = Path(sysconfig.get_path("include"))
    return "" if (headers / "Python.h").is_file() else f"the headers of Python are missing in {headers}"


def main(argv: Sequence[str] | None = None) -> int:
    """Build, and print the folder; the exit status."""
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Compiles the core with mypyc, once for each digest of its sources.")
    parser.add_argument(
        "--caches", type=Path, default=root / ".cache" / str(os.getuid()) / "core", help="where builds are"
    )
    args = parser.parse_args(argv)
    missing = unable()
    if missing:
        sys.stderr.write(f"truedeal: the core is not compiled: {missing}\n")
        return UNABLE
    sys.stdout.write(f"{built(root, args.caches)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
