"""The driver of the jackpot meter: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import framed
from drivers.meter.messages import CATALOGUE

make = partial(framed, CATALOGUE)
