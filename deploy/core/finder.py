"""Lets Python take the compiled core in place of its sources, where a build of just these sources is there.

1. ``python deploy/core/finder.py`` writes a file of paths into its virtual environment, by which every Python of it
   runs this file. It imports nothing of ours before somebody imports the core.
2. Only the packages of this repository are replaced: a copy of it somewhere else is taken as it is. A source that was
   changed has another digest: until it is compiled, pure Python runs. So nobody runs a program that they do not read.
3. TRUEDEAL_CORE=pure takes the sources always. An installed program has its libraries beside its sources and needs
   none of this.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
CHOICE, PURE = "TRUEDEAL_CORE", "pure"
HOOKED = "hooked"
_FIRST = "gamecore"


class CoreFinder:
    """Finds the compiled core of one repository."""

    def __init__(self, root: Path, caches: Path) -> None:
        self._root = root
        self._caches = caches
        self._asked = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The core's own package; what is in it is found through it."""
        if name != _FIRST or self._asked:
            return None
        self._asked = True
        try:
            others = (finder for finder in sys.meta_path if finder is not self)
            found = next(
                (spec for finder in others if (spec := finder.find_spec(name, path, target)) is not None), None
            )
        finally:
            self._asked = False
        if found is None or found.origin is None or Path(found.origin).resolve().parents[1] != self._root:
            return found
        build = self._build()
        if build is None:
            return found
        sys.path.append(str(build))  # the library that all compiled modules share lies there
        return PathFinder.find_spec(name, [str(build)])

    def _build(self) -> Path | None:
        if not self._caches.is_dir():
            return None
        sys.path.insert(0, str(self._root))
        try:
            from deploy.core.sources import name_of  # noqa: PLC0415  only who imports the core needs it
        finally:
            sys.path.remove(str(self._root))
        folder = self._caches / name_of(self._root, os.uname().machine)
        return folder if folder.is_dir() else None


def hook(root: Path = ROOT) -> None:
    """Look for a compiled core from now on."""
    if os.environ.get(CHOICE) != PURE:
        sys.meta_path.insert(0, CoreFinder(root, root / ".cache" / str(os.getuid()) / "core"))


def write_hook() -> None:
    """Let every Python of this environment look for a compiled core."""
    here = repr(str(Path(__file__).resolve()))
    run = f"exec(compile(open({here}).read(), {here}, 'exec'), {{'__name__': {HOOKED!r}, '__file__': {here}}})"
    line = f"import os; os.path.exists({here}) and {run}\n"
    (Path(sysconfig.get_path("purelib")) / "truedeal_core.pth").write_text(line, encoding="utf-8")


if __name__ == HOOKED:
    hook()
elif __name__ == "__main__":
    write_hook()
