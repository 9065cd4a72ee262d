"""What a header names can be found: a reader who follows a reference arrives somewhere.

1. A reference is a dotted name in backticks, all small letters: `journal.signed.keys`. It is read from the package of
   its module, then from each package around that.
2. It leads to a module, or to a name that a module defines at its top.
3. A class or a constant in backticks, `Like` or `LIKE_THIS`, is a name of the product or of Python.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache

from tests.places import ROOT

REFERENCE = re.compile(r"(?<!`)`([a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9]*)+)(?:\(\))?`(?!`)")
NAME = re.compile(r"(?<!`)`([A-Z][A-Za-z_0-9]+)`(?!`)")
OTHERS = {
    "app.state.parts": "an object of the web framework",
    "nacl.bindings": "a library's",
    "table.control": "an object of the example",
    "table.toml": "a file",
    "truedeal.drivers": "a group of entry points",
    "vectors.json": "a file",
}
"""Dotted names that are no references, and what they are."""
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("drivers", "firmware_bridge", "gamecore", "hal_sim")
    for path in (ROOT / package).rglob("*.py")
}


@cache
def parsed(module: str) -> ast.Module:
    """The code of a module."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def defines(module: str, name: str) -> bool:
    """Whether a module defines a name at its top."""
    for node in parsed(module).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                return True
            case ast.Assign(targets=targets) if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                return True
    return False


@cache
def names() -> frozenset[str]:
    """Every name that the product defines or uses."""
    found = set(dir(builtins))
    for module in MODULES:
        for node in ast.walk(parsed(module)):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.ClassDef(name=name):
                    found.add(name)
    return frozenset(found)


def leads_somewhere(module: str, reference: str) -> bool:
    """Whether a reference in a module is to another, or to a name in one."""
    around = module.split(".")
    before, _, last = reference.rpartition(".")
    for depth in range(len(around) + 1):
        packages = around[:depth]
        if ".".join((*packages, reference)) in MODULES:
            return True
        holder = ".".join((*packages, before))
        if holder in MODULES and defines(holder, last):
            return True
    return False


def references(module: str) -> Iterator[str]:
    """The references in all docstrings of a module."""
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from REFERENCE.findall(ast.get_docstring(node) or "")


def test_references_lead_somewhere() -> None:
    """A module that is moved or renamed takes the references to it along."""
    lost = [
        f"{module}: {reference}"
        for module in sorted(MODULES)
        for reference in references(module)
        if reference not in OTHERS and not leads_somewhere(module, reference)
    ]
    assert [] == lost


def test_a_reference_is_read_from_the_packages_around_it() -> None:
    """A sibling, a room of the same package and a full name are found; a module that is gone is not."""
    found = {
        reference: leads_somewhere("firmware_bridge.pump.gate", reference)
        for reference in ("people.guard", "gamecore.view.veil", "pump.items", "people.guard.nobody", "people.gone")
    }
    assert [True, True, True, False, False] == list(found.values())


def test_classes_and_constants_that_headers_name_exist() -> None:
    """A constant that is renamed is renamed in the header that explains it."""
    lost = [
        f"{module}: {name}"
        for module in sorted(MODULES)
        for name in NAME.findall(ast.get_docstring(parsed(module)) or "")
        if name not in names()
    ]
    assert [] == lost
