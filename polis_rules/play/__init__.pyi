from .games import play_game as play_game, steps as steps
from .recorder import Recorder as Recorder
from .transcript import (
    Replay as Replay,
    Transcript as Transcript,
    TranscriptError as TranscriptError,
    dump as dump,
    read as read,
    record as record,
    replay as replay,
    resume as resume,
    rules_of as rules_of,
    write as write,
)
