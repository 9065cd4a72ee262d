"""The driver of the sensor hub: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import FramedDriver
from drivers.hub.messages import CATALOGUE

make = partial(FramedDriver, CATALOGUE)
