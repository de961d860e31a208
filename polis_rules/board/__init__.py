"""The board of a game: where its members lie, what stands there in a position, and a drawing of it.

>>> from polis_rules import load
>>> board = Board.of(load("yucata"))
>>> len(board.spots) > 10
True
"""

from polis_rules.board.drawing import draw, margin_of, unit_of
from polis_rules.board.making import Board, made
from polis_rules.board.model import Facts, Inset, Key, Label, Line, Plan, Player, Shown, Spot
from polis_rules.board.png import as_png
from polis_rules.board.position import Does, Listing, Place, Position, Row, Token, Track, places, position
from polis_rules.board.seeing import seen
