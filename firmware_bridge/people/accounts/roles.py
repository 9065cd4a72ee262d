"""Who may act at a table: roles and their PINs.

1. Four roles stand above each other: dealer, pit-supervisor, pit-manager, shift-manager. A higher one may do what a
   lower one may. Two stand beside them: surveillance reads, writes notes and disputes rounds; engineer sets up the
   table and its devices.
2. A PIN is never kept. Its text is ``scrypt$N$R$P$SALT$DIGEST``: the parameters of scrypt, then salt and digest in hex.
   Texts of other strength are read as they say, within `LEAST` and `MOST`, so that no configuration starves the daemon.
3. A PIN is compared in constant time. A name that nobody has costs the same work as one that somebody has.
4. No error, `str` or `repr` here ever holds a PIN or its digest. `Pin.text` alone has the digest, for the file.
5. The scrypt is libsodium's, which the journal's signatures have loaded anyway: OpenSSL's would cost three megabytes.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass, field

from nacl.bindings import crypto_pwhash_scryptsalsa208sha256_ll

DEALER, PIT_SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER = LADDER = (
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
)
SURVEILLANCE, ENGINEER = "surveillance", "engineer"
ROLES = (*LADDER, SURVEILLANCE, ENGINEER)

SHORTEST, LONGEST = 4, 64
"""Characters of a PIN."""
LEAST, MOST = 2**10, 2**15
"""The cost of scrypt: at most 32 MiB of memory."""
_COST, _BLOCK, _PARALLEL = 2**13, 8, 5  # 8 MiB, about a tenth of a second
_SALT, _DIGEST = 16, 32
_TEXT = re.compile(r"scrypt\$([0-9]{1,5})\$([0-9])\$([0-9]{1,2})\$([0-9a-f]{32})\$([0-9a-f]{64})", re.ASCII)
PIN_SHAPE = "expected the kept form of a PIN, scrypt$N$R$P$SALT$DIGEST"


class PinError(ValueError):
    """A text that cannot be a PIN, or the kept form of one; it is not repeated."""


@dataclass(frozen=True, slots=True)
class Pin:
    """The kept form of a PIN."""

    cost: int
    block: int
    parallel: int
    salt: bytes = field(repr=False)
    digest: bytes = field(repr=False)

    def __str__(self) -> str:
        return "scrypt$(left out)"

    @property
    def text(self) -> str:
        """As it stands in a file."""
        return f"scrypt${self.cost}${self.block}${self.parallel}${self.salt.hex()}${self.digest.hex()}"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may log in, until the end of the day `until` if there is one.

    The PIN is theirs since the day `pin_set`; `given`: somebody else has chosen it.
    """

    name: str
    role: str
    pin: Pin = field(repr=False)
    number: str = ""
    until: str = ""
    pin_set: str = ""
    given: bool = False

    @property
    def id(self) -> str:
        """The staff number, which tells one person from another; of somebody who has none it is the name."""
        return self.number or self.name

    @property
    def known_as(self) -> str:
        """How the journal calls them."""
        return self.name if self.id == self.name else f"{self.name} ({self.number})"


def at_least(role: str, wanted: str) -> bool:
    """Whether a role may do what another may."""
    if role in LADDER and wanted in LADDER:
        return LADDER.index(role) >= LADDER.index(wanted)
    return role == wanted


def make_pin(pin: str, cost: int = _COST) -> Pin:
    """Return the kept form of a PIN.

    Raises:
        PinError: it is too short or too long, or cannot be printed.
    """
    if not SHORTEST <= len(pin) <= LONGEST or not pin.isprintable():
        raise PinError(f"a PIN has {SHORTEST} to {LONGEST} printable characters")
    salt = secrets.token_bytes(_SALT)
    parallel = _PARALLEL if cost == _COST else 1
    return Pin(cost, _BLOCK, parallel, salt, _scrypt(pin, salt, cost, _BLOCK, parallel))


def read_pin(text: str) -> Pin:
    """Read the kept form of a PIN.

    Raises:
        PinError: the text is none; what it says is not repeated.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise PinError(PIN_SHAPE)
    cost, block, parallel = (int(part) for part in match.groups()[:3])
    fits = LEAST <= cost <= MOST and cost & (cost - 1) == 0 and block == _BLOCK and 1 <= parallel <= 16
    if not fits:
        raise PinError(f"{PIN_SHAPE}: N is a power of two from {LEAST} to {MOST}, R is {_BLOCK}, P from 1 to 16")
    return Pin(cost, block, parallel, bytes.fromhex(match[4]), bytes.fromhex(match[5]))


NOBODY = Pin(_COST, _BLOCK, _PARALLEL, bytes(_SALT), bytes(_DIGEST))
"""What a PIN is compared with where nobody has the name; nothing fits it."""


def fits(pin: Pin, tried: str) -> bool:
    """Whether this is the PIN; slow by design. Only printable texts fit: scrypt ignores zeros at the end."""
    made = _scrypt(tried[: LONGEST + 1], pin.salt, pin.cost, pin.block, pin.parallel)
    return hmac.compare_digest(made, pin.digest) and tried.isprintable() and pin is not NOBODY


def _scrypt(pin: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    memory = 256 * block * (cost + parallel + 2)
    return crypto_pwhash_scryptsalsa208sha256_ll(
        pin.encode("utf-8", "surrogatepass"), salt, cost, block, parallel, _DIGEST, memory
    )
