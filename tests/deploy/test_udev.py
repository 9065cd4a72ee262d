"""The udev rules, as a real udev reads them for devices that a made-up /sys shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.boxes.box import Box

pytestmark = pytest.mark.root


def test_the_rules_name_and_let_in_the_devices_of_a_table(box: Box) -> None:
    """Each device of a table gets its name and the group, and is kept awake and prompt; the console is left alone."""
    container = box.container
    container.write("/tmp/fake_sysfs.py", (Path(__file__).parent / "fake_sysfs.py").read_text(encoding="utf-8"))  # noqa: S108
    script = "mount -t tmpfs none /sys && exec python3 /tmp/fake_sysfs.py"
    found: dict[str, Any] = json.loads(container.run("unshare", "--mount", "sh", "-c", script))
    rights = {"GROUP": container.run("getent", "group", "truedeal-devices").split(":")[2], "MODE": "0660"}
    expected = {
        "adapter": {"links": ["/dev/truedeal/0403-6015-DK0A1B2C"], "rights": rights, "written": {}},
        "chip": {"links": [], "rights": {}, "written": {"latency_timer": "1"}},
        "nameless": {"links": ["/dev/truedeal/at-pci-0000:00:14.0-usb-0:3:1.0"], "rights": rights, "written": {}},
        "panel": {"links": [], "rights": rights, "written": {"control": "on"}},
        "board": {"links": [], "rights": rights, "written": {}},
        "console": {"links": [], "rights": {}, "written": {}},
    }
    assert expected == found
