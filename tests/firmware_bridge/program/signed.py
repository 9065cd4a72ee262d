"""A program for tests: a folder with some files, listed and signed by a throwaway key named `test`."""

from __future__ import annotations

from pathlib import Path

from nacl.signing import SigningKey

from deploy.sign import make, sign
from firmware_bridge import VERSION

FILES = {
    "firmware_bridge/cli.py": b"print('cards')\n",
    "firmware_bridge/__pycache__/cli.cpython-311.pyc": bytes(range(256)) * 600,
    "nacl/_sodium.abi3.so": bytes(200_000),
    "empty.typed": b"",
}


class Program:
    """A signed program, and the keys that a table trusts."""

    def __init__(self, folder: Path, version: str = VERSION) -> None:
        """Write the files, sign them, and trust the key."""
        self.folder, self.makers = folder / "program", folder / "makers"
        self.makers.mkdir(parents=True)
        for name, content in FILES.items():
            self.write(name, content)
        self.key: SigningKey = make(folder / "test")
        (folder / "test.pub").rename(self.makers / "test.pub")
        self.sign(version)

    def write(self, name: str, content: bytes) -> None:
        """Put a file there."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def sign(self, version: str = VERSION) -> None:
        """List and sign what is there now."""
        sign(self.folder, version, "test", self.key)
