"""What the configuration says of the floor to which a table belongs: ``[centre]``, as ``truedeal enrol`` prints it.

1. `table` is the table's name on the floor, CASINO/TABLE, and `nkey` the public key of its shipper: the row of every
   start names both, so that the journal itself says to which place of the floor it belongs.
2. `key` is the floor's public key. With `people`, the file in which the shipper keeps the roster of the floor, the
   people of the table are kept there (`people.accounts.central_roster`).
3. The daemon only reads files. It speaks to nobody, and waits for nothing of this.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from firmware_bridge.setup.problems import Problems
from firmware_bridge.setup.toml_values import check_known, hex_key_of, optional_text, section_of, text_of

_TABLE = re.compile(r"([a-z0-9-]{1,32})/([a-z0-9-]{1,32})")
_NKEY = re.compile(r"U[A-Z2-7]{55}")


class CentreConfig(NamedTuple):
    """The place of a table on its floor."""

    table: str
    nkey: str
    key: bytes | None = None
    people: Path | None = None

    @property
    def casino(self) -> str:
        """The casino of the table."""
        return self.table.partition("/")[0]


def read_centre(values: dict[str, Any]) -> CentreConfig | None:
    """The place of a table on its floor; None if it has none.

    Raises:
        ConfigError: something in it is wrong.
    """
    if "centre" not in values:
        return None
    found, section = Problems(), section_of(values, "centre")
    found.of(check_known, section, ("table", "nkey", "key", "people"), "centre.")
    table, nkey = found.of(text_of, section, "table", "centre."), found.of(text_of, section, "nkey", "centre.")
    key, people = found.of(hex_key_of, section, "key", "centre."), found.of(optional_text, section, "people", "centre.")
    found.raise_all()
    if not _TABLE.fullmatch(table):
        found.add(f"centre.table: expected CASINO/TABLE in small letters, digits and hyphens, got {table!r}")
    if not _NKEY.fullmatch(nkey):
        found.add(f"centre.nkey: expected U and 55 letters and digits, got {nkey!r}")
    if people is not None and (key is None or not Path(people).is_absolute()):
        found.add(f"centre.people: expected an absolute path beside centre.key, got {people!r}")
    found.raise_all()
    return CentreConfig(table, nkey, key, None if people is None else Path(people))
