"""The signed list of the program's files: what an installed program must be, byte for byte.

1. ``manifest.json`` in the program's folder names every other file under it with its size and BLAKE2b digest, byte code
   included, because that is what Python runs. A file that is not listed, or is no plain file, is a difference as well
   as one that has changed or is gone.
2. ``manifest.sig`` beside it names the maker's key and holds an Ed25519 signature over `PREFIX` and the bytes of the
   manifest. These two are the only files that are not listed.
3. Whom the table trusts stands in a folder beside its configuration: ``NAME.pub``, 64 hexadecimal digits. A key that
   came with the program would vouch for itself.
4. The program's digest is the BLAKE2b digest of the manifest's bytes. It does not depend on who signed them.
5. The answer to a challenge is BLAKE2b with the challenge as its key, over path, size and bytes of each listed file, in
   order of the paths. It cannot be prepared before the challenge is known.
6. `read` and `differences` never raise: they say what is wrong. Files are read piece by piece, and `differences` gives
   way after each piece; `answer` and `pieces` raise what the system says.
7. A program that was changed can lie about itself. An inspector runs these functions from a medium of their own.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
PREFIX = b"truedeal manifest 1\0"
EDITION = 1
DIGEST = 32
"""Bytes of a digest."""
LONGEST_CHALLENGE = 64
"""Bytes of a challenge: what BLAKE2b takes as a key."""
PIECE = 64 * 1024
"""Bytes that are read at once."""
_MOST = 8 * 1024 * 1024  # bytes of a manifest: no file is read into memory whole because it has the right name

Files = Mapping[str, tuple[int, str]]
"""By path: size and digest."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder says of itself; `wrong` is why that is not believed."""

    digest: str = ""
    version: str = ""
    signer: str = ""
    files: Files = field(default_factory=dict)
    wrong: str = ""


def read(folder: Path, makers: Path) -> Manifest:
    """The manifest of a folder, with its signature checked by the keys that are trusted."""
    try:
        data, proof = _content(folder / MANIFEST), _content(folder / SIGNATURE)
        version, files = _listed(data)
        said = json.loads(proof)
        signer, signature = str(said["key"]), bytes.fromhex(said["signature"])
    except OSError as error:
        return Manifest(wrong=f"{Path(error.filename or folder).name} cannot be read: {error.strerror or error}")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return Manifest(wrong=f"{MANIFEST} or {SIGNATURE} is none: {error}")
    digest = blake2b(data, digest_size=DIGEST).hexdigest()
    return Manifest(digest, version, signer, files, _unproved(data, signer, signature, makers))


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise ValueError(f"{path.name} has more than {_MOST} bytes")
    return data


def _listed(data: bytes) -> tuple[str, dict[str, tuple[int, str]]]:
    said = json.loads(data)
    if said["manifest"] != EDITION:
        raise ValueError(f"edition {said['manifest']}, expected {EDITION}")
    return str(said["version"]), {str(path): (int(size), str(digest)) for path, (size, digest) in said["files"].items()}


def _unproved(data: bytes, signer: str, signature: bytes, makers: Path) -> str:
    """Why a signature proves nothing; empty if it is that of a maker whom the table trusts."""
    from nacl.exceptions import BadSignatureError  # noqa: PLC0415  who runs from a checkout needs none
    from nacl.signing import VerifyKey  # noqa: PLC0415

    path = makers / f"{signer}.pub"
    if path.name != f"{signer}.pub":  # a name that leads elsewhere
        return f"{SIGNATURE} names no key: {signer!r}"
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        return f"it is signed by the key '{signer}', which this table does not trust ({path}: {why})"
    try:
        VerifyKey(key).verify(PREFIX + data, signature)
    except (BadSignatureError, ValueError, TypeError):
        return f"{MANIFEST} is not what the key '{signer}' has signed"
    return ""


# --- the files --------------------------------------------------------------------------------------------------------


def differences(folder: Path, files: Files) -> Iterator[str]:
    """Compare a folder with a list: each difference, and an empty text after each piece that was read without one."""
    seen = set()
    for name, path in files_under(folder):
        seen.add(name)
        if name in {MANIFEST, SIGNATURE}:
            continue
        yield from _compared(name, path, files.get(name))
    yield from (f"{name}: is missing" for name in files if name not in seen)


def _compared(name: str, path: Path, listed: tuple[int, str] | None) -> Iterator[str]:
    if listed is None:
        yield f"{name}: is not listed"
        return
    digest, size = blake2b(digest_size=DIGEST), 0
    try:
        for piece in pieces(path):
            digest.update(piece)
            size += len(piece)
            yield ""
            if size > listed[0]:
                break
    except OSError as error:
        yield f"{name}: cannot be read: {error.strerror or error}"
        return
    yield "" if (size, digest.hexdigest()) == listed else f"{name}: has changed"


def pieces(path: Path) -> Iterator[bytes]:
    """The content of a plain file; a link, a pipe or a device is an error."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("it is no plain file")
        while piece := file.read(PIECE):
            yield piece


def files_under(folder: Path) -> Iterator[tuple[str, Path]]:
    """Everything under a folder that is no folder itself, by its path from there, in order."""
    for root, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(root) / name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in linked)
        for name in sorted([*names, *linked]):
            path = Path(root) / name
            yield path.relative_to(folder).as_posix(), path


def answer(folder: Path, files: Files, challenge: str) -> str:
    """The answer of a folder to a challenge.

    Raises:
        ValueError: the challenge is empty or too long.
        OSError: a listed file cannot be read.
    """
    key = challenge.encode()
    if not 0 < len(key) <= LONGEST_CHALLENGE:
        raise ValueError(f"a challenge has 1 to {LONGEST_CHALLENGE} bytes, got {len(key)}")
    digest = blake2b(key=key, digest_size=DIGEST)
    for name in sorted(files):
        size = (folder / name).lstat().st_size
        digest.update(name.encode() + b"\0" + size.to_bytes(8, "little"))
        for piece in pieces(folder / name):
            digest.update(piece)
    return digest.hexdigest()
