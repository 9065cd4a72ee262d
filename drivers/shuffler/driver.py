"""The driver of the shuffler: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import FramedDriver
from drivers.shuffler.messages import CATALOGUE

make = partial(FramedDriver, CATALOGUE)
