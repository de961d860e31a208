"""Native code beside the compiled engine: it is taken through the same game, and then plays that by itself."""

from __future__ import annotations

from polis_rules.interpreter.machine import ENDING, PC, SEED, WINNER
from polis_rules.interpreter.runtime import Played, Program, State
from polis_rules.interpreter.runtime.native import Native, TrappedError, signed


class NativeFollower:
    """Does what the compiled program has done. Each answer says in what it differs; empty when in nothing."""

    def __init__(self, program: Program, native: Native) -> None:
        self.program, self.native = program, native

    def follow(self, seed: int, last: int | None) -> str:
        """Begin, or else carry out an option."""
        native = self.native
        try:
            if last is None:
                native.call("begin", native.state, seed)
            else:
                native.call("apply", native.state, last)
        except TrappedError:
            return "only native code fails"
        return ""

    def differs(self, state: State, options: list[int], option: int) -> str:
        """Where the game waits. `option` is what comes of it."""
        native, program = self.native, self.program
        if self.at_another(state):
            return "native code has another state"
        try:
            if program.is_chance[state[PC]]:
                answer = native.call("outcome", native.state)
                return "" if answer == option else f"chance gives {option} against {answer} in native code"
            offered = native.members(native.call("options", native.state))
            if offered != options:
                return f"{options} against {offered} in native code"
            if options and native.call("decider", native.state) != program.decider(state):
                return "another player decides in native code"
        except TrappedError:
            return "only native code fails"
        return ""

    def differs_at_the_end(self, state: State, decisions: int) -> str:
        """Where it is over, after so many decisions: also in the scores, and in the whole game played by one call."""
        if self.at_another(state):
            return "native code has another state at the end"
        native = self.native
        rows, failed = native.rows(state[SEED], 1)
        if failed or self.at_another(state):
            return "a whole game in native code comes to another end"
        scores = tuple(self.program.score(state, player) for player in range(native.players))
        game = Played(decisions, state[ENDING], state[WINNER], scores)
        return "" if rows == [game] else f"{game} against {rows[0]} in native code"

    def fails_too(self, seed: int) -> bool:
        """Whether a game fails that fails in Python at a point, or after it."""
        native = self.native
        try:
            if native.read()[PC] != native.finished:
                native.call("decider", native.state)
        except TrappedError:
            return True
        return native.rows(seed, 1)[1]

    def at_another(self, state: State) -> bool:
        """Whether native code has another state."""
        mine = self.native.read()
        return mine[SEED] != signed(state[SEED]) or mine[:SEED] + mine[SEED + 1 :] != state[:SEED] + state[SEED + 1 :]
