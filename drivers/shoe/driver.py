"""The driver of the shoe: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import FramedDriver
from drivers.shoe.messages import CATALOGUE

make = partial(FramedDriver, CATALOGUE)
