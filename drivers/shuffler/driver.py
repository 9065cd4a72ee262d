"""The driver of the shuffler: our own link with the messages of this folder."""

from functools import partial

from drivers.framed import framed
from drivers.shuffler.messages import CATALOGUE

make = partial(framed, CATALOGUE)
