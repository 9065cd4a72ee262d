"""What the computer tells of itself: clock, supply voltage, USB resets.

1. Every probe only reads. What a machine does not tell, or does not let this user read, is None: that is no problem by
   itself.
2. The clock: the kernel says whether something keeps it right (`adjtimex`). The voltage: the kernel's sensor of a
   Raspberry Pi, else its firmware's own tool. USB resets: the kernel's log since the computer started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path

_NOT_SYNCHRONISED = 5  # TIME_ERROR of adjtimex(2)
_TIMEX = 512  # more bytes than struct timex has on any machine
_SECONDS = 2.0
_UNDERVOLTAGE = 0x10001  # now, and at any time since the start
_RESET = re.compile(r"usb \S+: (?:reset |device descriptor read|device not accepting)")
_MOST = 16 * 1024 * 1024


def clock_synchronised() -> bool | None:
    """Whether the clock is kept right."""
    try:
        status = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX))
    except (OSError, AttributeError):
        return None
    return None if status < 0 else status != _NOT_SYNCHRONISED


def undervoltage(sensors: Path = Path("/sys/class/hwmon")) -> bool | None:
    """Whether the supply voltage is or was too low."""
    for name in sensors.glob("*/name"):
        with contextlib.suppress(OSError):
            if name.read_text(encoding="ascii").strip() == "rpi_volt":
                return (name.parent / "in0_lcrit_alarm").read_text(encoding="ascii").strip() != "0"
    tool = shutil.which("vcgencmd")
    if tool is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603  the tool of the firmware
            [tool, "get_throttled"], capture_output=True, text=True, timeout=_SECONDS, check=True
        )
        return bool(int(said.stdout.partition("=")[2], 16) & _UNDERVOLTAGE)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def usb_resets(log: Path = Path("/dev/kmsg")) -> int | None:
    """How often the kernel had to reset a USB device since the computer started."""
    try:
        handle = os.open(log, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    count = read = 0
    try:
        while read < _MOST:
            record = os.read(handle, 8192)
            if not record:
                break
            read += len(record)
            count += len(_RESET.findall(record.decode("utf-8", "replace")))
    except BlockingIOError:
        pass  # that was all of it
    except OSError:
        return count or None
    finally:
        os.close(handle)
    return count
