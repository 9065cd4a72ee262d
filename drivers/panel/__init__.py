"""The dealer's panel, on our own link."""

from drivers.panel.messages import (
    BUTTONS,
    CATALOGUE,
    LAMP_BLINK,
    LAMP_OFF,
    LAMP_STEADY,
    LINE_LENGTH,
    UNICODE,
    Alarm,
    KeySwitch,
    Lamps,
    Press,
    Text,
    UnicodeText,
    fitted,
    fitted_unicode,
)

__all__ = [
    "BUTTONS",
    "CATALOGUE",
    "LAMP_BLINK",
    "LAMP_OFF",
    "LAMP_STEADY",
    "LINE_LENGTH",
    "UNICODE",
    "Alarm",
    "KeySwitch",
    "Lamps",
    "Press",
    "Text",
    "UnicodeText",
    "fitted",
    "fitted_unicode",
]
