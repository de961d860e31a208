"""Many games at once in native code, told in arrays of numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polis_rules.interpreter.compiler.native import BATCH, WORD
from polis_rules.interpreter.runtime.native.engine import TrappedError
from polis_rules.interpreter.runtime.native.native import BEFORE, Native, Playing, native_of, signed

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, numpy.dtype[numpy.int64]]

LINE = 8
"""How many words a line of the processor's cache has; states begin with one."""


class Batch:
    """Plays many games side by side, one decision of each at a time; games that are over are followed by new ones.

    What can be told stands in arrays, one row for each game, which every call changes: copy what shall last.

    - `options`: the numbers of the options, -1 after the last; `counts`: how many; `who`: who decides
    - `ended`: 1 where the last step ended a game, of which `endings` tells the number of the ending, `scores` the total
      of each player, `won` who has won as bits (if the score decides, all who share the best one after ties are broken)
    - `seeds`: the seed of the game; games get `seed`, `seed` + 1 and so on in the order in which they begin
    - `states`: the state itself, as native code keeps it

    Without `restarts` a game that is over has no options, and stays as it is.

    Raises NativeMissingError where the program has no native code, ImportError without numpy, ValueError where a
    decision has more options than `width`, MemoryError.
    """

    def __init__(
        self, program: Playing | Native, states: int = 256, width: int = 128, seed: int = 0, restarts: bool = True
    ) -> None:
        numpy = _numpy()
        if states < 1 or width < 1:
            raise ValueError("a batch has at least one state, and room for one option")
        native = native_of(program)
        players = native.players
        stride = -(-(native.shape.size + 1) // LINE) * LINE
        rows = {"CHOSEN": 1, "COUNTS": 1, "WHO": 1, "ENDED": 1, "ENDINGS": 1, "WON": 1, "SEEDS": 1}
        rows |= {"OPTIONS": width, "SCORES": players}
        words = len(BATCH) + BEFORE + LINE + states * (stride + sum(rows.values())) + LINE
        self.native = native = native.another(words)
        base, at = native.instance.base, native.more
        memory: Array = numpy.frombuffer(native.words, dtype=numpy.int64)
        self._record = memory[at : at + len(BATCH)]
        self._address = base + WORD * at
        at += len(BATCH)
        found: dict[str, Array] = {}
        for name, size in rows.items():
            found[name] = memory[at : at + states * size]
            self._record[BATCH[name]] = base + WORD * at
            at += states * size
        first = -(-(at + BEFORE) // LINE) * LINE
        both = memory[first - 1 : first - 1 + states * stride].reshape(states, stride)
        both[:, 0] = base  # the context of each
        self.states: Array = both[:, 1 : 1 + native.shape.size]
        for name, value in (
            ("STATES", base + WORD * first), ("STRIDE", WORD * stride), ("MANY", states), ("WIDTH", width),
            ("RESTARTS", int(restarts)),
        ):  # fmt: skip
            self._record[BATCH[name]] = value
        self.size, self.width = states, width
        self.chosen = found["CHOSEN"]
        self.options = found["OPTIONS"].reshape(states, width)
        self.scores = found["SCORES"].reshape(states, players)
        self.counts, self.who, self.seeds = found["COUNTS"], found["WHO"], found["SEEDS"]
        self.ended, self.endings, self.won = found["ENDED"], found["ENDINGS"], found["WON"]
        self._step_all = native.instance.function("step_all")
        self._players = numpy.arange(players)
        self._places = numpy.arange(width)
        self.options[:] = -1
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """All games begin anew."""
        self._record[BATCH["NEXT"]] = signed(seed)
        self.ended[:] = 0
        try:
            self.native.call("begin_all", self._address)
        except TrappedError as error:
            raise self._failed(error) from None

    def step(self, chosen: Any = None) -> None:
        """Each game goes on with the option at a place among its own, from 0 on; one place for each game.

        Without an argument, the places that stand in the array `chosen`. Raises IndexError where there is none (before
        anything is done), TrappedError with the game's seed where a rule fails: then the batch has to begin anew.
        """
        if chosen is not None:
            self.chosen[:] = chosen
        if ((self.chosen < 0) | (self.chosen >= self.counts)).any() and self._beyond():
            raise IndexError("a place beyond the options of a game")
        try:
            self._step_all(self._address)
        except TrappedError as error:
            raise self._failed(error) from None

    def _beyond(self) -> bool:
        """Whether a place is chosen that is not there, in a game that is not over."""
        return bool(((self.counts > 0) & ((self.chosen < 0) | (self.chosen >= self.counts))).any())

    def mask(self) -> Any:
        """Which places have an option: an array of booleans, a row for each game."""
        return self._places < self.counts[:, None]

    def offered(self, options: Any) -> Any:
        """Which of some numbers of options are offered: an array of booleans, a row for each game."""
        return (self.options[:, :, None] == _numpy().asarray(options)).any(axis=1)

    def rewards(self) -> Any:
        """What the last step was worth for each player: 1 for who has won, in parts where several have; otherwise 0."""
        won = (self.won[:, None] >> self._players & 1) * self.ended[:, None]
        return won / won.sum(axis=1, keepdims=True).clip(min=1)

    def state(self, game: int) -> list[int]:
        """The state of a game, as a program has it."""
        first = self.native.first
        self.native.words[first : first + self.native.shape.size] = self.states[game].tolist()
        return self.native.read()

    def _failed(self, error: TrappedError) -> Exception:
        game, wanted = int(self._record[BATCH["AT"]]), int(self._record[BATCH["WANTED"]])
        if wanted:
            self._record[BATCH["WANTED"]] = 0
            return ValueError(f"a decision has {wanted} options: Batch(..., width={wanted})")
        return TrappedError(f"{error} (game {game} of the batch, seed {int(self.seeds[game])})")


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("a batch of games needs numpy: pip install numpy") from None
    return numpy
