"""The driver of the sensor hub: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import framed
from drivers.hub.messages import CATALOGUE

make = partial(framed, CATALOGUE)
