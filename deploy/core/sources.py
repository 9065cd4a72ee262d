"""The sources of the compiled core: which modules are compiled, and what mypyc reads instead of what Python runs.

1. Compiled is all of `gamecore` that play goes through. Left as it is: `LEFT`, each with its reason. A module that is
   compiled and one that is not call each other as ever.
2. mypyc reads a copy. In it a dataclass says neither `slots=True`, which mypyc does not take and a native class does
   not need, nor an annotation that must be looked up while the module is loaded: they become texts, as
   `from __future__ import annotations` makes them. What a table's state is made of can be copied. The sources
   themselves stay as they are: pure Python keeps its slots, its speed and its guards.
3. The digest names sources, tools, Python and machine: the same digest is the same program.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("gamecore",)
LEFT = {
    "gamecore/model/events/commands.py": "the journal asks its classes for the types of their fields",
    "gamecore/model/events/physical.py": "the same",
    "gamecore/model/machine.py": "its classes are those of transitions",
    "gamecore/notation/": "text, which is not played",
    "gamecore/rules/": "data, and generic classes, which mypyc does not take as dataclasses",
    "gamecore/view/keeping.py": "it asks classes for their slots",
    "gamecore/view/report.py": "the shapes of reports, which mypyc does not take with a text of their own",
}
COMPILED_ALL_THE_SAME = ("gamecore/rules/side_wagers.py", "gamecore/rules/strategies.py")
_MODEL = "gamecore/model/"
_HELD = "@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)\n"
_IMPORT = "import dataclasses as _dataclasses; from typing import Any, TYPE_CHECKING\n"
_FOR_TYPES = "if TYPE_CHECKING: from mypy_extensions import mypyc_attr\n"
_TOLD = '    def __getstate__(self) -> Any: return getattr(_dataclasses, "_dataclass_getstate")(self)\n'
_FILLED = '    def __setstate__(self, told: Any) -> None: getattr(_dataclasses, "_dataclass_setstate")(self, told)\n'


def listed(root: Path) -> list[str]:
    """Every source of the packages, by its path from the root."""
    found = (path for package in PACKAGES for path in (root / package).rglob("*.py"))
    return sorted(path.relative_to(root).as_posix() for path in found)


def compiled(names: list[str]) -> list[str]:
    """Those of the sources that are compiled."""
    return [
        name
        for name in names
        if name in COMPILED_ALL_THE_SAME or not (name.startswith(tuple(LEFT)) or name.endswith("/__init__.py"))
    ]


def digest(root: Path, *others: str) -> str:
    """What names a build: every source, what compiles them, and what else it was made with."""
    total = hashlib.sha256("\0".join(others).encode())
    tools = [Path(__file__), Path(__file__).with_name("build.py")]
    for name, path in [*((name, root / name) for name in listed(root)), *((tool.name, tool) for tool in tools)]:
        total.update(f"\0{name}\0".encode())
        total.update(path.read_bytes())
    return total.hexdigest()[:24]


def name_of(root: Path, machine: str) -> str:
    """The name of the build of these sources for a machine and this Python."""
    tag = str(sys.implementation.cache_tag)
    return f"{machine}-{tag}-{digest(root, machine, tag)}"


def rewritten(name: str, text: str) -> str:
    """A source as mypyc reads it; what is added stands on lines that were empty, so every line keeps its number."""
    lines = text.splitlines(keepends=True)
    module = ast.parse(text)
    for_types = _imported_for_types(module)
    changed = False
    for kind in sorted(_classes(module), key=lambda found: -found.lineno):
        if any("dataclass" in ast.unparse(decorator) for decorator in kind.decorator_list):
            _rewrite_dataclass(lines, kind, for_types)
            changed = True
        elif name.startswith(_MODEL) and _has_slots(kind):
            lines[kind.lineno - 2] = _HELD
            changed = True
    if changed:
        imports = [node.end_lineno or 0 for node in module.body if isinstance(node, ast.ImportFrom)]
        lines[imports[-1]], lines[imports[0]] = _FOR_TYPES, _IMPORT
    return "".join(lines)


def _rewrite_dataclass(lines: list[str], kind: ast.ClassDef, for_types: set[str]) -> None:
    """No slots, annotations as texts; one that is frozen is filled past its guard when it is copied."""
    if any("frozen=True" in ast.unparse(decorator) for decorator in kind.decorator_list):
        after = kind.body[-1].end_lineno or 0
        lines[after : after + 2] = [_TOLD, _FILLED]
    for field in reversed(kind.body):
        if isinstance(field, ast.AnnAssign):
            said = ast.unparse(field.annotation)
            _replace(lines, field.annotation, repr("Any" if said in for_types else said))
    for decorator in kind.decorator_list:
        _replace(lines, decorator, _without_slots(decorator))


def _classes(module: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(module) if isinstance(node, ast.ClassDef))


def _imported_for_types(module: ast.Module) -> set[str]:
    """Names that only the type checker imports: nothing can be looked up by them."""
    blocks = [node for node in module.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [line for block in blocks for line in block.body if isinstance(line, ast.ImportFrom)]
    return {name.asname or name.name for line in imports for name in line.names}


def _has_slots(kind: ast.ClassDef) -> bool:
    return any(isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__slots__" for line in kind.body)


def _without_slots(decorator: ast.expr) -> str:
    if isinstance(decorator, ast.Call):
        decorator.keywords = [keyword for keyword in decorator.keywords if keyword.arg != "slots"]
    return ast.unparse(decorator)


def _replace(lines: list[str], node: ast.expr, text: str) -> None:
    """Put a text where an expression stands; it is on one line."""
    assert node.lineno == node.end_lineno, f"line {node.lineno} has an expression that goes on"  # noqa: S101
    line = lines[node.lineno - 1].encode()
    lines[node.lineno - 1] = (line[: node.col_offset] + text.encode() + line[node.end_col_offset :]).decode()
