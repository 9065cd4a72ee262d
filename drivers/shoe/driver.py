"""The driver of the shoe: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import framed
from drivers.shoe.messages import CATALOGUE

make = partial(framed, CATALOGUE)
