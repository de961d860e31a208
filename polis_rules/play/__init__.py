"""Playing a game to its end, and writing it down."""

from polis_rules.play.play_game import play_game, steps
from polis_rules.play.transcript import Transcript, read, record, replay, result_as_data, write
