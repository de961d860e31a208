"""A game on the whole screen of a terminal; imported by `polis play` alone, as it needs Textual."""

from .app import PlayApp as PlayApp
from .beside import answering as answering
from .pictures import pictures_here as pictures_here
