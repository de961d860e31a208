from .games import play_game as play_game, steps as steps
from .missing import missed as missed, place as place, title_of as title_of
from .person import HUMAN as HUMAN
from .previews import Preview as Preview, Previews as Previews
from .recorder import Recorder as Recorder
from .saved import (
    SavedGame as SavedGame,
    SavedGameError as SavedGameError,
    games_folder as games_folder,
    saved_game as saved_game,
    saved_games as saved_games,
    unreadable_games as unreadable_games,
)
from .session import Session as Session, UndoError as UndoError
from .situation import Sheet as Sheet, Situation as Situation
from .transcript import (
    Replay as Replay,
    Transcript as Transcript,
    TranscriptError as TranscriptError,
    dump as dump,
    opened as opened,
    read as read,
    record as record,
    replay as replay,
    resume as resume,
    rules_of as rules_of,
    write as write,
)
