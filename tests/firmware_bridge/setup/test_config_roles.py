"""The configuration of a table: who may act."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from firmware_bridge.people.accounts.roles import LEAST, ROLES, Pin, fits
from firmware_bridge.setup.config import load
from firmware_bridge.setup.problems import ConfigError

TABLE = '[table]\ngame = "mbs-blackjack-v6"\nstate = "/var/lib/td"\ncontrol = "/run/td.sock"\n[devices]\n'
SALT = b"salt" * 4
TEXT = Pin(LEAST, 8, 1, SALT, hashlib.scrypt(b"4711", salt=SALT, n=LEAST, r=8, p=1, dklen=32)).text
"""The same in every process, as the names of the tests hold it."""
DIGEST = TEXT.rpartition("$")[2]


def write(tmp_path: Path, roles: str) -> Path:
    """Write a configuration with this section."""
    path = tmp_path / "table.toml"
    path.write_text(TABLE + roles, encoding="utf-8")
    return path


def test_people_are_read_with_their_roles(tmp_path: Path) -> None:
    """Each has a name, a role and a PIN; the PIN is shown nowhere."""
    people = "".join(f'"{role} 1" = {{role = "{role}", pin = "{TEXT}"}}\n' for role in ROLES)
    config = load(write(tmp_path, f"[roles]\n{people}"))
    assert [(f"{role} 1", role) for role in ROLES] == [(person.name, person.role) for person in config.roles]
    assert all(fits(person.pin, "4711") for person in config.roles)
    assert DIGEST not in repr(config)


def test_without_the_section_there_are_no_roles(tmp_path: Path) -> None:
    """Simulated tables have none."""
    assert () == load(write(tmp_path, "")).roles


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ("[roles]\n", 'roles: names nobody, expected NAME = {role = "…", pin = "…"} for each person'),
        (
            f'[roles]\nann = {{role = "boss", pin = "{TEXT}"}}\n',
            f"roles.ann.role: expected one of {', '.join(ROLES)}, got 'boss'",
        ),
        (f'[roles]\nann = {{pin = "{TEXT}"}}\n', f"roles.ann.role: expected one of {', '.join(ROLES)}, got nothing"),
        (
            f'[roles]\nann = {{role = "{TEXT}", pin = "dealer"}}\n',
            f"roles.ann.role: expected one of {', '.join(ROLES)}, got something else",
        ),
        (
            '[roles]\nann = {role = "dealer"}\n',
            "roles.ann.pin: is missing, expected the kept form of a PIN, scrypt$N$R$P$SALT$DIGEST",
        ),
        (
            '[roles]\nann = {role = "dealer", pin = 98765}\n',
            "roles.ann.pin: is no text, expected the kept form of a PIN, scrypt$N$R$P$SALT$DIGEST",
        ),
        (
            '[roles]\nann = {role = "dealer", pin = "98765"}\n',
            "roles.ann.pin: expected the kept form of a PIN, scrypt$N$R$P$SALT$DIGEST",
        ),
        ('[roles]\nann = "98765"\n', "roles.ann: expected a section [roles.ann], got str"),
        (
            f'[roles]\nann = {{role = "dealer", pin = "{TEXT}", shift = 1}}\n',
            "roles.ann.shift: no such key, expected one of role, pin",
        ),
        (
            f'[roles]\n" " = {{role = "dealer", pin = "{TEXT}"}}\n',
            "roles.' ': expected a name of at most 40 printable characters",
        ),
    ],
)
def test_an_error_names_the_key_and_what_is_allowed_but_no_pin(tmp_path: Path, roles: str, said: str) -> None:
    """Neither a PIN that somebody wrote down plainly nor the kept form of one is repeated."""
    path = write(tmp_path, roles)
    with pytest.raises(ConfigError) as raised:
        load(path)
    assert f"{path}: {said}" == raised.value.problems[0]
    assert (False, False) == (DIGEST in said, "98765" in said)
