"""The driver of the jackpot meter: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import FramedDriver
from drivers.meter.messages import CATALOGUE

make = partial(FramedDriver, CATALOGUE)
