"""A file that a command writes for a person: it has its name when it is complete.

1. Until then it lies beside its place under a hidden name that no other file has, and a fault removes it.
2. What goes wrong is told of the name that the person gave, never of the hidden one.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """A file to write, which takes the place of `path` at the end.

    Raises:
        OSError: it cannot be written.
    """
    hidden = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with hidden.open("x", encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield file
        hidden.replace(path)
    except OSError as error:
        if error.filename in {None, str(hidden)}:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        hidden.unlink(missing_ok=True)
