"""Takes out of a text what must not leave the table: keys, PINs, bytes of frames. Cards are `gamecore.view.veil`'s.

1. The bytes of a frame may tell a card: in what is told of a fault they become ``(bytes left out)``.
2. A key is 32 hexadecimal digits or more, a PIN's kept form begins with ``scrypt$``. Both become ``(left out)``, and so
   does every value of bytes, and the value of every field whose name says that it is a secret.
"""

from __future__ import annotations

import re

LEFT_OUT, BYTES_LEFT_OUT = "(left out)", "(bytes left out)"
_SECRET = re.compile(r"scrypt\$[^\s\"',}]*|(?<![0-9a-fA-F])[0-9a-fA-F]{32,}")
_DUMP = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{2}(?:(?: [0-9a-f]{2})+|(?:[0-9a-f]{2}){3,})(?![0-9A-Za-z])")
_NAMES = re.compile(r"(?i)(?:^|[-_])(?:keys?|pins?|secret|password|passphrase|token)$")


def without_bytes(text: str) -> str:
    """The text of a fault without the bytes that were seen; they are in the journal."""
    return _DUMP.sub(BYTES_LEFT_OUT, text)


def without_secrets(text: str) -> str:
    """The text with every key and every kept PIN left out; cards stay."""
    return _SECRET.sub(LEFT_OUT, text)


def scrubbed(value: object, name: str = "") -> object:
    """A value with its secrets left out, whatever it holds; cards stay."""
    match value:
        case _ if _NAMES.search(name):
            return LEFT_OUT
        case str():
            return without_secrets(value)
        case dict():
            return {key: scrubbed(one, str(key)) for key, one in value.items()}
        case list() | tuple():
            return [scrubbed(one, name) for one in value]
        case bytes():
            return LEFT_OUT
        case _:
            return value
