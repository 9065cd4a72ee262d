"""`python -m tests.drivers.link.editions.noise_vectors FILE`: our handshake beside vectors in the Noise wiki's format.

1. `FILE` is JSON with a list of `vectors`; those of another pattern, curve, cipher or hash are passed over. Public
   files of this kind come with cacophony and snow; they are not copied here.
2. Without a file: ours, `noise.json`, whose keys and payloads were chosen here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from drivers.link.editions.noise import Shake, encrypt

NAME = "Noise_KK_25519_ChaChaPoly_BLAKE2s"
OURS = Path(__file__).with_name("noise.json")


def end(vector: dict[str, Any], who: str) -> Shake:
    """One end of a vector."""
    given = {name: bytes.fromhex(vector[f"{who}_{name}"]) for name in ("static", "remote_static", "prologue")}
    return Shake(
        initiator=who == "init",
        secret=given["static"],
        other=given["remote_static"],
        prologue=given["prologue"],
        ephemeral=bytes.fromhex(vector[f"{who}_ephemeral"]),
    )


def made(vector: dict[str, Any]) -> tuple[list[str], str]:
    """The messages that our code makes of a vector's payloads, and the hash of the handshake."""
    first, second = end(vector, "init"), end(vector, "resp")
    payloads = [bytes.fromhex(message["payload"]) for message in vector["messages"]]
    messages = []
    for writer, reader, payload in ((first, second, payloads[0]), (second, first, payloads[1])):
        message = writer.write(payload)
        if reader.read(message) != payload:
            raise ValueError("the other end reads something else")
        messages.append(message)
    keys = first.split()
    if keys != second.split() or first.hash != second.hash:
        raise ValueError("the two ends have different keys")
    messages += [encrypt(keys[at % 2], at // 2, b"", payload) for at, payload in enumerate(payloads[2:])]
    return [message.hex() for message in messages], first.hash.hex()


def wrong(file: Path) -> tuple[int, list[str]]:
    """How many vectors of a file are ours to keep, and what differs."""
    vectors = [one for one in json.loads(file.read_text(encoding="utf-8"))["vectors"] if one["protocol_name"] == NAME]
    differs = []
    for at, vector in enumerate(vectors):
        messages, digest = made(vector)
        if messages != [message["ciphertext"] for message in vector["messages"]]:
            differs.append(f"vector {at}: messages")
        if vector.get("handshake_hash", digest) != digest:
            differs.append(f"vector {at}: hash")
    return len(vectors), differs


if __name__ == "__main__":
    count, problems = wrong(Path(sys.argv[1]) if len(sys.argv) > 1 else OURS)
    sys.stdout.write(("\n".join(problems) or f"{count} vectors of {NAME}: equal") + "\n")
    sys.exit(bool(problems) or not count)
