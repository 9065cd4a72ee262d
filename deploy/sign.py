"""Lists the files of a program and signs the list, when its package is built: ``manifest.json``, ``manifest.sig``.

1. ``python deploy/sign.py FOLDER --version VERSION --name NAME --key FILE`` reads the key, 64 hexadecimal digits, from
   a file that is not in the repository, and writes the two files into the folder. `firmware_bridge.program.manifest`
   says what they mean.
2. ``python deploy/sign.py --make FILE`` makes such a key, readable by its owner alone. Beside it goes ``FILE.pub``,
   which tables put into their folder ``makers`` as ``NAME.pub``.
3. The same files, version and key give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from nacl.signing import SigningKey

from firmware_bridge.program import manifest


def listed(folder: Path, version: str) -> bytes:
    """Return the manifest of a folder."""
    files = {}
    for name, path in manifest.files_under(folder):
        if name in {manifest.MANIFEST, manifest.SIGNATURE}:
            continue
        digest, size = blake2b(digest_size=manifest.DIGEST), 0
        for piece in manifest.pieces(path):
            digest.update(piece)
            size += len(piece)
        files[name] = (size, digest.hexdigest())
    said = {"manifest": manifest.EDITION, "version": version, "files": dict(sorted(files.items()))}
    return json.dumps(said, indent=0).encode() + b"\n"


def sign(folder: Path, version: str, name: str, key: SigningKey) -> None:
    """Write the manifest of a folder and its signature."""
    data = listed(folder, version)
    proof = {"key": name, "signature": key.sign(manifest.PREFIX + data).signature.hex()}
    (folder / manifest.MANIFEST).write_bytes(data)
    (folder / manifest.SIGNATURE).write_text(json.dumps(proof) + "\n", encoding="ascii")


def make(path: Path) -> SigningKey:
    """Make a key, write it and its public half, and return it."""
    key = SigningKey.generate()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(bytes(key).hex() + "\n")
    path.with_name(f"{path.name}.pub").write_text(bytes(key.verify_key).hex() + "\n", encoding="ascii")
    return key


def main(argv: Sequence[str] | None = None) -> int:
    """Make a key, or sign a folder; return the exit status."""
    parser = argparse.ArgumentParser(description="Lists the files of a program and signs the list.")
    parser.add_argument("folder", nargs="?", type=Path, help="the program's folder")
    parser.add_argument("--version", help="its version")
    parser.add_argument("--name", help="the name of the key")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the key")
    parser.add_argument("--make", type=Path, metavar="FILE", help="make a key, and FILE.pub beside it")
    args = parser.parse_args(argv)
    if args.make is not None:
        make(args.make)
        return 0
    if None in {args.folder, args.version, args.name, args.key}:
        parser.error("expected FOLDER, --version, --name and --key, or --make")
    sign(args.folder, args.version, args.name, SigningKey(bytes.fromhex(args.key.read_text(encoding="ascii").strip())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
