"""What the live state keeps cards and wagers in, and where that is written: counted in the source, by its syntax.

1. A container is a field of a class that is not frozen, anywhere in the core but in what only reads or reads files. Its
   type is a collection or an option of cards, or of wagers: `list[CardRecord]`, `Card | None`. A field whose type is
   the card itself is a card and no container.
2. A place that writes one assigns to that name on an object, to an item of it, deletes it, or calls a method of the
   collection that changes it. Names are all that syntax knows: a field of the same name elsewhere counts too, so that
   the count is never too low.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CARDS = frozenset({"Card", "CardRecord", "CardLaid", "Drawn", "Move"})
WAGERS = frozenset({"MainWager", "SideWager", "InsuranceWager", "Stake", "WagerPlaced", "Row"})
_CHANGING = frozenset(
    {
        *("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault"),
        *("sort", "update"),
    }
)
_ONLY_READ = frozenset({"clauses", "games", "notation", "readings", "rules", "shuffle_test", "view"})


class Written(NamedTuple):
    """A place in the source where an attribute is written."""

    file: str
    line: int
    name: str
    base: str  # the last name before the attribute: `hand` in `box.hand.stood`, `hands` in `box.hands[0].stood`


def sources(core: Path) -> dict[str, ast.Module]:
    """The modules of a core that may hold or change the live state, by their path."""
    paths = [path for path in sorted(core.rglob("*.py")) if not _ONLY_READ & set(path.relative_to(core).parts)]
    return {path.relative_to(core).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def containers(core: Path, kinds: frozenset[str]) -> set[str]:
    """The containers of these kinds, as ``Class.field``."""
    return {
        f"{node.name}.{name}"
        for tree in sources(core).values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and not _is_frozen(node)
        for name, kind in _fields(node)
        if isinstance(kind, ast.Subscript | ast.BinOp) and kinds & _names(kind)
    }


def fields(core: Path, name: str) -> list[str]:
    """The fields of a class."""
    classes = [node for tree in sources(core).values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return [field for node in classes if node.name == name for field, _ in _fields(node)]


def writes(core: Path, names: frozenset[str]) -> list[Written]:
    """Every place that writes an attribute of one of these names, or changes the collection that it holds."""
    found = [
        Written(file, target.lineno, target.attr, base_of(target))
        for file, tree in sources(core).items()
        for node in ast.walk(tree)
        for target in _written(node)
        if target.attr in names
    ]
    return sorted(found)


def base_of(target: ast.Attribute) -> str:
    """The last name before an attribute."""
    base = target.value
    while isinstance(base, ast.Subscript | ast.Call):
        base = base.value if isinstance(base, ast.Subscript) else base.func
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _written(node: ast.AST) -> Iterator[ast.Attribute]:
    """The attributes that a statement or a call writes."""
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            for target in targets:
                yield from _attributes(target)
        case ast.AugAssign(target=target):
            yield from _attributes(target)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from _attributes(target)
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as target, attr=method)) if method in _CHANGING:
            yield target


def _attributes(target: ast.expr) -> Iterator[ast.Attribute]:
    match target:
        case ast.Attribute():
            yield target
        case ast.Subscript(value=value):
            yield from _attributes(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _attributes(part)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The names and types of what an object of a class holds: in its body, or as its `__init__` makes it."""
    for part in ast.walk(node):
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if part in node.body:
                yield name, kind
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=kind):
                yield name, kind


def _is_frozen(node: ast.ClassDef) -> bool:
    """Whether objects of a class never change: a frozen dataclass, a named tuple, a protocol."""
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    marks = [keyword.arg for part in node.decorator_list if isinstance(part, ast.Call) for keyword in part.keywords]
    return "frozen" in marks or bool(bases & {"NamedTuple", "Protocol"})


def _names(kind: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(kind) if isinstance(part, ast.Name)}
