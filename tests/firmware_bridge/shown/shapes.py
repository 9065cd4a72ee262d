"""Whether a value has the shape that a type states, down to its last field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from firmware_bridge.shown.scene_type import FieldsOf, OneOf

Check = Callable[[Any], str]
"""What the first thing is that does not fit, after the way to it; empty if all fits."""


@cache
def misfit_of(hint: Any) -> Check:
    """Return the check of a type: it is made once, for it is done many thousand times."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in {Any, object}:
        return lambda _: ""
    if is_typeddict(hint):
        return _fields(hint)
    if origin is Annotated:
        words = [word for note in hint.__metadata__ if isinstance(note, OneOf) for word in note.words]
        shapes = [note.shape for note in hint.__metadata__ if isinstance(note, FieldsOf)]
        if shapes:
            return _names(shapes[0], none=NoneType in get_args(parts[0]))
        return _words(words) if words else misfit_of(parts[0])
    if origin in {Union, UnionType}:
        checks = [misfit_of(part) for part in parts]
        return lambda value: f": {value!r} is no {hint}" if all(check(value) for check in checks) else ""
    if origin is list:
        return _list(misfit_of(parts[0]))
    if origin is dict:
        return _dict(misfit_of(parts[1]))
    return lambda value: "" if type(value) is hint else f": {value!r} is no {hint.__name__}"


def _words(words: list[str]) -> Check:
    return lambda value: "" if value in words else f": {value!r} is none of {', '.join(words)}"


def _names(shape: Any, *, none: bool) -> Check:
    """The fields of a dataclass by their names."""
    names = [item.name for item in fields(shape)]

    def misfit(value: Any) -> str:
        fits = (none and value is None) or (type(value) is dict and names == list(value))
        return "" if fits else f": {value!r} has not the fields of {shape.__name__}"

    return misfit


def _list(check: Check) -> Check:
    def misfit(value: Any) -> str:
        if type(value) is not list:
            return f": {value!r} is no list"
        return next((f"[{index}]{found}" for index, one in enumerate(value) if (found := check(one))), "")

    return misfit


def _dict(check: Check) -> Check:
    def misfit(value: Any) -> str:
        if type(value) is not dict or not all(type(key) is str for key in value):
            return f": {value!r} is no dict by names"
        return next((f".{key}{found}" for key, one in value.items() if (found := check(one))), "")

    return misfit


def _fields(shape: Any) -> Check:
    hints = get_type_hints(shape, include_extras=True)
    wrapped = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    needed = hints.keys() - wrapped if shape.__total__ else set()
    checks = {name: misfit_of(get_args(hint)[0] if name in wrapped else hint) for name, hint in hints.items()}

    def misfit(value: Any) -> str:
        if type(value) is not dict:
            return f": {value!r} is no {shape.__name__}"
        for name in sorted(needed - value.keys()):
            return f".{name} is missing"
        for name, one in value.items():
            if name not in checks:
                return f".{name} is not in {shape.__name__}"
            if found := checks[name](one):
                return f".{name}{found}"
        return ""

    return misfit
