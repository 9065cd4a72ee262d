"""Run inside a container, in a mount namespace of its own: lays a made-up /sys and asks udev what it makes of it.

1. The devices are an FTDI adapter, an adapter without a serial number, a line on the board and the Dealer's panel, with
   the files and links that a kernel would show for them.
2. Printed is one JSON object: for each device the links and rights that our rules give it, and what they write into
   /sys.
"""

import json
import os
import re
import subprocess
from pathlib import Path

SYS = Path("/sys")
PCI = SYS / "devices/pci0000:00/0000:00:14.0"
USB = PCI / "usb1"
ADAPTER = USB / "1-2/1-2:1.0/ttyUSB0"
NAMELESS = USB / "1-3/1-3:1.0/ttyUSB1"
PANEL = USB / "1-4"
BOARD = SYS / "devices/platform/serial8250/tty/ttyS1"
CONSOLE = SYS / "devices/platform/serial8250/tty/ttyS0"
RULE = re.compile(r"60-truedeal\.rules:\d+ (GROUP|MODE) (\w+)")
WRITTEN = re.compile(r"60-truedeal\.rules:\d+ ATTR '\S+/(\S+)' writing '(\w+)'")


def device(path: Path, subsystem: str, driver: str = "", uevent: str = "", **files: str) -> None:
    """Lay one device."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "uevent").write_text(uevent, encoding="ascii")
    for name, value in files.items():
        (path / name).write_text(f"{value}\n", encoding="ascii")
    (SYS / subsystem).mkdir(parents=True, exist_ok=True)
    (path / "subsystem").symlink_to(SYS / subsystem)
    if driver:
        (SYS / subsystem / "drivers" / driver).mkdir(parents=True, exist_ok=True)
        (path / "driver").symlink_to(SYS / subsystem / "drivers" / driver)


def usb(path: Path, **files: str) -> None:
    """Lay a USB device."""
    device(path, "bus/usb", uevent=f"DEVTYPE=usb_device\nDEVNAME=bus/usb/001/{path.name[-1]}\n", **files)
    (path / "power").mkdir()
    (path / "power/control").touch()


def line(path: Path, minor: int) -> None:
    """Lay a serial line on USB, with its interface."""
    uevent = "DEVTYPE=usb_interface\n"
    device(path.parent, "bus/usb", uevent=uevent, bInterfaceNumber="00", bInterfaceClass="ff")
    device(path, "bus/usb-serial", "ftdi_sio", latency_timer="16")
    device(path / "tty" / path.name, "class/tty", uevent=f"MAJOR=188\nMINOR={minor}\nDEVNAME={path.name}\n")


def asked(path: Path) -> dict[str, object]:
    """Return what udev gives a device."""
    environment = os.environ | {"SYSTEMD_DEVICE_VERIFY_SYSFS": "0"}
    command = ["udevadm", "test", "--action=add", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    said = done.stdout + done.stderr
    links = next((text for text in done.stdout.splitlines() if text.startswith("DEVLINKS=")), "DEVLINKS=")
    return {
        "links": [name for name in links.removeprefix("DEVLINKS=").split() if name.startswith("/dev/truedeal/")],
        "rights": dict(RULE.findall(said)),
        "written": dict(WRITTEN.findall(said)),
    }


device(PCI, "bus/pci")
device(USB, "bus/usb", uevent="DEVTYPE=usb_device\n")
usb(ADAPTER.parents[1], idVendor="0403", idProduct="6015", serial="DK0A1B2C", product="FT230X", bDeviceClass="00")
line(ADAPTER, 0)
usb(NAMELESS.parents[1], idVendor="1a86", idProduct="7523", product="USB Serial", bDeviceClass="ff")
line(NAMELESS, 1)
usb(PANEL, idVendor="1209", idProduct="ca5e", serial="TD-PANEL-0001", bDeviceClass="00")
device(BOARD, "class/tty", uevent="MAJOR=4\nMINOR=65\nDEVNAME=ttyS1\n")
device(CONSOLE, "class/tty", uevent="MAJOR=4\nMINOR=64\nDEVNAME=ttyS0\n")
found = {
    "adapter": asked(ADAPTER / "tty/ttyUSB0"),
    "chip": asked(ADAPTER),
    "nameless": asked(NAMELESS / "tty/ttyUSB1"),
    "panel": asked(PANEL),
    "board": asked(BOARD),
    "console": asked(CONSOLE),
}
print(json.dumps(found))  # noqa: T201  it is what the test reads
