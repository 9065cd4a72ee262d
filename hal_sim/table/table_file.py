"""The configuration of a simulated table, as a table of the house would have it in `table.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.people.accounts.roles import Person

if TYPE_CHECKING:
    from hal_sim.table.sim_table import SimTable

GAME = "mbs-blackjack-v6"


def table_file(at: SimTable, boot: Path, tables: Sequence[str], people: Sequence[Person]) -> str:
    """What stands in table.toml: the devices, and for people who log in the tables that they may put in place."""
    lines = [
        "[table]",
        'name = "SIM 1"',
        f'game = "{GAME}"',
        f'state = "{at.state_path}"',
        f'control = "{at.control_path}"',
        f'boot = "{boot}"',
        f"open = {'false' if people else 'true'}",
        "",
        "[link]",
        f'secret = "{at.secret.hex()}"',
    ]
    for name in at.names:
        lines += ["", f"[devices.{name}]", f'driver = "{at.kinds[name]}"', f'port = "{at.port(name)}"']
        lines += [f"patience = {at.patience}", *at.proof(name)]
        if at.on_usb(name):
            lines.append(f'usb_backend = "simulated:{at.directory / name}.usb"')
    for number, text in enumerate(tables if people else ()):
        keys = [line.split(": ", 1) for line in text.splitlines()]
        lines += ["", "[[tables]]", f'name = "table {number}"']
        lines += [f'{key} = "{value}"' for key, value in keys if key != "seed"]
    if people:
        lines += ["", "[roles]"]
        lines += [f'"{one.name}" = {{role = "{one.role}", pin = "{one.pin.text}"}}' for one in people]
    return "\n".join(lines) + "\n"
