"""Playing a game to its end, and writing it down."""

from polis_rules.play.play_game import play_game, steps
from polis_rules.play.recorder import Recorder
from polis_rules.play.transcript import (
    Replay,
    Transcript,
    TranscriptError,
    dump,
    read,
    record,
    replay,
    resume,
    rules_of,
    write,
)
