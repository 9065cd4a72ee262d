"""Reads a file in TOML; what is no text at all is told in plain words."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


class TomlError(ValueError):
    """A file is not TOML, and why."""


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a file.

    Raises:
        TomlError: it is not TOML.
        OSError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except UnicodeDecodeError as error:
        raise TomlError(f"it is not a text file: byte {error.start + 1} is not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from error
