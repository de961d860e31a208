"""A game on the screen goes on: questions that answer themselves, bots that think, people who pass the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual import work
from textual.worker import Worker, get_current_worker

from polis_rules import Option
from polis_rules.diagnostics import PolisError
from polis_rules.play import Session

from ..answers import ROLL, ROLL_ALL
from .choices import Choice
from .display import Display
from .overlays import Curtain

SHOWN_EVERY = 0.25
"""While bots play on, the screen is drawn anew after so many seconds."""
TOLD_AFTER = 0.5
"""A bot that thinks for longer, in seconds, is said to think."""


class Running(Display):
    """Lets one session go on until somebody at the screen has to decide."""

    def __init__(self, session: Session, answer_single: bool = False) -> None:
        super().__init__(session)
        self.answer_single = answer_single
        self._thought = 0
        """which of the bots' thoughts counts; what an earlier one comes to is of a game that is no more"""
        self._thinker: Worker[None] | None = None
        self._since: float | None = None
        """when the bot began that thinks"""

    def on_mount(self) -> None:
        self.set_interval(0.2, self._tell_thinking)
        self.call_after_refresh(self.go_on)

    def go_on(self) -> None:
        """Show where the game stands, and let whoever is to go on do so."""
        session = self.session
        self._answer_what_leaves_no_choice()
        if session.handover is not None:
            self.choices = []
            self.show()
            player = session.rules.titles[session.handover]
            self.push_screen(Curtain(player), lambda _: self._keyboard_taken())
            return
        if session.turn == "bot" and not self.paused and not session.looking_back:
            if monotonic() - self.drawn > SHOWN_EVERY:
                self.show()
            self._since = monotonic()
            self._thinker = self._think(self._thought)
            return
        self.show()

    def _keyboard_taken(self) -> None:
        self.session.take_keyboard()
        self.go_on()

    def take(self, choice: Choice | None) -> None:
        """Answer with a choice, if it is one of those of now."""
        if choice is None or choice not in self.choices:
            return
        eyes = self.session.eyes
        self.known[eyes] = self.session.shown.sentences(eyes)
        self.paused = False
        if choice.option is not None:
            self._carry_out(choice.option)
        else:
            self._guarded(lambda: self._come_out(choice.id))
        self._answer_what_leaves_no_choice()  # what is rolled for it then came of the decision, too
        self.own[eyes] = len(self.told_to(eyes))
        self.go_on()

    def _come_out(self, outcome: str) -> None:
        if outcome in (ROLL, ROLL_ALL):
            self.session.roll(every=outcome == ROLL_ALL)
        else:
            self.session.answer(outcome)

    def _answer_what_leaves_no_choice(self) -> None:
        while not self.paused and self.session.handover is None and self.session.answers_itself(self.answer_single):
            assert self.session.decision is not None
            self._carry_out(self.session.decision.options[0])

    def _carry_out(self, option: Option) -> None:
        self._guarded(lambda: self.session.choose(option))

    def _guarded(self, change: Callable[[], None]) -> None:
        """Change the game; where a rule fails, or nothing can be written, that is told and everybody waits."""
        try:
            change()
        except (PolisError, OSError) as error:
            self.paused = True
            self.note(f"{error}")

    # -- bots -------------------------------------------------------------------------------------------------------

    @property
    def is_thinking(self) -> bool:
        """Whether a bot is thinking."""
        return self._since is not None

    @work(thread=True, exit_on_error=False)
    def _think(self, thought: int) -> None:
        """Let the bot that is asked choose, beside the screen."""
        worker = get_current_worker()
        try:
            found: Option | PolisError = self.session.bot_choice(lambda: worker.is_cancelled)
        except PolisError as error:
            found = error
        if self.is_running and not worker.is_cancelled:
            self.call_from_thread(self._thought_out, thought, found)

    def _thought_out(self, thought: int, found: Option | PolisError) -> None:
        if thought != self._thought:
            return
        self._since = None
        if isinstance(found, PolisError):
            self.paused = True
            self.note(f"The bot cannot go on: {found}")
        else:
            self.note("")  # such as that a branch was made: what the bot does now is news
            self._carry_out(found)
        self.go_on()

    def stop_thinking(self) -> None:
        """Let no bot think on."""
        self._thought += 1
        self._since = None
        if self._thinker is not None:
            self._thinker.cancel()

    def _tell_thinking(self) -> None:
        if self._since is not None and monotonic() - self._since > TOLD_AFTER and self.session.asked is not None:
            player = self.session.asked
            who = f"{self.session.rules.titles[player]} ({self.session.seats[player]})"
            self.ask(f"{who} thinks, {monotonic() - self._since:.0f} s. Esc stops it.")
