"""The types of the page, made from those of the program: ``python -m firmware_bridge.shown.typedefs`` writes them.

1. `ROOTS` are the shapes of the scene; `console.answers` makes the file of the other shapes. Whatever they hold is
   declared too, each shape once, after the shapes that it holds. A shape that extends another repeats all its fields,
   so that the page can use it as the other.
2. A shape becomes an interface with its docstring; what is annotated to a field becomes its comment, or the words that
   it may be. So does a dataclass that is sent as a dictionary of its fields. The interfaces are global, so that a page
   names them without an import.
3. A type that `written` does not know is an error: it would reach the page without a word about it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from firmware_bridge.shown.scene_type import FieldsOf, LiveScene, OneOf, Scene

ROOTS: tuple[type, ...] = (Scene, LiveScene)
TARGET = Path(__file__).resolve().parents[1] / "console" / "static" / "types" / "scene.d.ts"
_HEADER = """\
/* What a page gets from the table. Made by `python -m firmware_bridge.shown.typedefs`: change the types of the program,
   not this file. */
"""
_PLAIN: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "any",
    object: "unknown",
}


def declarations(roots: tuple[type, ...] = ROOTS, header: str = _HEADER, declared: tuple[type, ...] = ()) -> str:
    """The text of a file: every shape that the roots hold, except those that `declared` holds."""
    found: dict[str, str] = {}
    for root in declared:
        _declare(root, found)
    elsewhere = set(found)
    for root in roots:
        _declare(root, found)
    return "\n".join([header, *(text for name, text in found.items() if name not in elsewhere)])


def _declare(shape: type, found: dict[str, str]) -> None:
    """Declare a shape after those that it holds."""
    if shape.__name__ in found:
        return
    hints = get_type_hints(shape, include_extras=True)
    for held in [one for hint in hints.values() for one in _shapes(hint)]:
        _declare(held, found)
    may_lack = getattr(shape, "__optional_keys__", frozenset[str]())
    fields = "".join(_field(name, hint, optional=name in may_lack) for name, hint in hints.items())
    found[shape.__name__] = f"/** {_first_line(shape)} */\ninterface {shape.__name__} {{\n{fields}}}\n"


def _first_line(shape: type) -> str:
    return (inspect.getdoc(shape) or "").partition("\n")[0]


def _shapes(hint: object) -> Iterator[type]:
    """The shapes that a type speaks of."""
    if isinstance(hint, type) and is_typeddict(hint):
        yield hint
    yield from (note.shape for note in getattr(hint, "__metadata__", ()) if isinstance(note, FieldsOf))
    for part in get_args(hint):
        yield from _shapes(part)


def _field(name: str, hint: Any, *, optional: bool) -> str:
    """One field, with its comment."""
    if get_origin(hint) is NotRequired:
        optional = True
        (hint,) = get_args(hint)
    said = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)]
    comment = f"  /** {'; '.join(said)} */\n" if said else ""
    return f"{comment}  {name}{'?' if optional else ''}: {written(hint)};\n"


def written(hint: Any) -> str:
    """A type in the language of the page.

    Raises:
        TypeError: the page has no word for it.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    if origin is Annotated:
        return _annotated(parts[0], hint.__metadata__)
    if origin in {Union, UnionType}:
        return " | ".join(written(part) for part in parts)
    if origin is list or (origin is tuple and parts[1:] == (...,)):
        inner = written(parts[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(written, parts))}]"
    if origin in {dict, Mapping} and parts[0] is str:
        return f"Record<string, {written(parts[1])}>"
    raise TypeError(f"no type of the page for {hint!r}")


def _annotated(hint: Any, notes: tuple[object, ...]) -> str:
    """A type with notes: the words that it may be, or the dataclass whose fields it has."""
    words = [word for note in notes if isinstance(note, OneOf) for word in note.words]
    fields = [note.shape.__name__ for note in notes if isinstance(note, FieldsOf)]
    if fields:
        return " | ".join([*fields, *(["null"] if NoneType in get_args(hint) else [])])
    return " | ".join(f'"{word}"' for word in words) or written(hint)


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(declarations(), encoding="utf-8")
