"""The driver of the dealer's panel: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import framed
from drivers.panel.messages import CATALOGUE

make = partial(framed, CATALOGUE)
