"""Where the code lies that the clause matrix names.

1. A name is ``module.name`` of `gamecore`, as `gamecore.rules.clauses.trace` says: a function, a class, a method or
   property of it, a constant, or a field of a constant that is made by a call (a ruleset).
2. The line is that of the definition, read from the source; nothing is imported.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import gamecore

_CORE = Path(gamecore.__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A named piece of code, the file in which it is defined, and the line."""

    name: str
    file: Path
    line: int


@lru_cache(maxsize=1024)
def find_code(name: str) -> CodePlace:
    """Where the code of that name is defined.

    Raises:
        LookupError: there is no such code.
    """
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        file = _CORE.joinpath(*parts[:count]).with_suffix(".py")
        if file.is_file():
            node: ast.AST = _parsed(file)
            for member in parts[count:]:
                node = _member(node, member, name)
            return CodePlace(name, file, getattr(node, "lineno", 1))
    raise LookupError(f"{name}: there is no such module in gamecore")


@lru_cache(maxsize=256)
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _member(node: ast.AST, member: str, name: str) -> ast.AST:
    """The definition of a member: in a module or class, or the argument of the call that makes a constant."""
    found: ast.AST | None = None
    match node:
        case ast.Module(body=body) | ast.ClassDef(body=body):
            found = next((one for one in body if member in _defined(one)), None)
        case ast.Assign(value=ast.Call(keywords=keywords)) | ast.AnnAssign(value=ast.Call(keywords=keywords)):
            found = next((one for one in keywords if one.arg == member), None)
    if found is None:
        raise LookupError(f"{name}: '{member}' is not defined there")
    return found


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case _:
            return set()
