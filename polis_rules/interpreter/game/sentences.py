"""The report as a player would tell it: a sentence for each action, with all that was chosen and came of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from polis_rules.interpreter.game.report import Fact, Line
from polis_rules.semantics import TypedRules, called_by, every_step

MOST_EFFECTS = 4
"""Of more that comes of one action so much is told."""


class Sentences:
    """Tells the games of one ruleset in sentences."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self.actions = {each.id: each for each in rules.actions}
        self._parts: dict[str, set[str]] = {}

    def of(self, lines: Iterable[Line], waiting: str = "") -> tuple[list[str], str]:
        """The sentences that tell these lines, and one about an action that is not done yet, as the rule that
        asks now, `waiting`, is part of it; empty where there is none."""
        told: list[str] = []
        now: Deed | None = None
        heading = ""
        for line in lines:
            fact = line.fact
            if fact is not None and fact.sort == "phase":
                told += _ended(now)
                now = None
                if line.text != heading:
                    told.append(line.text)
                heading = line.text
            elif fact is not None and fact.sort == "decision":
                if now is None or not self._belongs(now, fact):
                    told += _ended(now)
                    now = Deed(self, fact)
                else:
                    now.chose(fact)
            elif now is None:
                if told and fact is not None and fact.about and told[-1].startswith(f"{fact.about}: "):
                    told.pop()  # it has another value already
                told.append(line.text.strip())
            else:
                now.came(line)
        if now is not None and waiting and waiting in self.parts(now.action):
            return told, now.text(done=False)
        return told + _ended(now), ""

    def _belongs(self, deed: Deed, fact: Fact) -> bool:
        """Whether a decision is part of an action that was chosen before."""
        return not fact.action and fact.procedure in self.parts(deed.action)

    def parts(self, action: str) -> set[str]:
        """The rules that an action consists of: its own, and all that it calls."""
        if action and action not in self._parts:
            found, waiting = set(), [self.actions[action].procedure]
            while waiting:
                path = waiting.pop()
                if path not in found and path in self.rules.procedures:
                    found.add(path)
                    for step in every_step(self.rules.procedures[path].body):
                        waiting += called_by(step, self.rules.symbols)
            self._parts[action] = found
        return self._parts.get(action, set())


def _ended(deed: Deed | None) -> list[str]:
    return [] if deed is None else [deed.text()]


class Deed:
    """One action with what belongs to it, or one decision that is no action."""

    def __init__(self, sentences: Sentences, fact: Fact) -> None:
        self.who, self.action = fact.who, fact.action
        rule = sentences.actions.get(fact.action)
        self.says = "" if rule is None else rule.says
        self.head = fact.what or fact.about if rule is not None else _asked(fact)
        self.names: dict[str, Counter[str]] = {}
        self.chosen: Counter[str] = Counter()
        self.paid: Counter[tuple[str, str]] = Counter()
        self.gained: Counter[tuple[str, str]] = Counter()
        self.rolls: list[tuple[str, str]] = []
        self.lost: Counter[tuple[str, str]] = Counter()
        self.effects: dict[str, list[str]] = {}
        """what has come of it besides, and to what each happened"""
        self._name(fact)

    def _name(self, fact: Fact) -> None:
        if fact.what:
            for name, title in fact.names:
                self.names.setdefault(name, Counter())[title] += 1

    def chose(self, fact: Fact) -> None:
        """Something was chosen for it."""
        self._name(fact)
        if fact.what:
            asked = fact.what if fact.who == self.who else f"{fact.who} {fact.what}"
            self.chosen[asked] += 1

    def came(self, line: Line) -> None:
        """Something came of it."""
        fact = line.fact
        if fact is None or fact.sort == "is":
            if self.rolls:
                self.effects.setdefault(line.text.strip(), [])
        elif fact.sort == "pays":
            self.paid[fact.who, fact.what] += fact.number
        elif fact.sort == "gains":
            self.gained[fact.who, fact.what] += fact.number
        elif fact.sort == "loses":
            self.lost[fact.who, fact.what] += fact.number
        elif fact.sort == "roll":
            self._name(fact._replace(what=fact.what or "dice"))
            self.rolls.append((fact.names[0][0], f"rolls {fact.number} on {fact.what} ({fact.about})"))
        elif fact.what not in self.known:
            text = f"{fact.about} {fact.what}" if fact.who else f"{fact.about}: {fact.what}"
            self.effects.setdefault(text, []).extend([fact.who] if fact.who else [])

    @property
    def known(self) -> set[str]:
        """The titles of all that was chosen."""
        return {title for titles in self.names.values() for title in titles}

    # -- in words ---------------------------------------------------------------------------------------------------

    def text(self, done: bool = True) -> str:
        """The sentence; of what is not `done` yet it is not said that nothing is paid or gained."""
        words = {name: _all(titles) for name, titles in self.names.items()}
        words |= {
            "you": self.who,
            "paid": self._mine(self.paid) or "nothing",
            "gained": self._mine(self.gained) or "nothing",
        }
        wanted = re.findall(r"\{(\w+)\}", self.says)
        open_ = () if done else [name for name in ("paid", "gained") if words[name] == "nothing"]
        if self.says and all(name in words and name not in open_ for name in wanted):
            begin = re.sub(r"\{(\w+)\}", lambda match: words[match[1]], self.says)
        else:
            wanted = []
            counted = {title: number for title, number in self.chosen.items() if not (title.isdecimal() and self.paid)}
            begin = ", ".join([f"{self.who}: {self.head}", *_counted(counted)])
        return "; ".join([self._priced(begin, wanted), *self._after(wanted)])

    def _priced(self, begin: str, wanted: list[str]) -> str:
        price = self._mine(self.paid)
        return f"{begin}, for {price}" if price and "paid" not in wanted else begin

    def _after(self, wanted: list[str]) -> Iterator[str]:
        """What else is to be told of it."""
        yield from (text for name, text in self.rolls if name not in wanted)
        if (mine := self._mine(self.gained)) and "gained" not in wanted:
            yield f"gains {mine}"
        if mine := self._mine(self.lost):
            yield f"loses {mine}"
        others = dict.fromkeys(who for who, _ in (*self.paid, *self.gained, *self.lost) if who != self.who)
        for who in others:
            for verb, sums in (("pays", self.paid), ("gains", self.gained), ("loses", self.lost)):
                if words := self._sum(sums, who):
                    yield f"{who} {verb} {words}"
        for text, whose in list(self.effects.items())[:MOST_EFFECTS]:
            yield f"{' and '.join(_commas(whose))}: {text}" if whose else text
        if len(self.effects) > MOST_EFFECTS:
            yield f"and more ({len(self.effects) - MOST_EFFECTS})"

    def _mine(self, sums: Counter[tuple[str, str]]) -> str:
        return self._sum(sums, self.who)

    @staticmethod
    def _sum(sums: Counter[tuple[str, str]], player: str) -> str:
        return " and ".join(
            _commas([f"{number} {what}" for (who, what), number in sums.items() if who == player and number])
        )


def _asked(fact: Fact) -> str:
    """A decision that is no action: the question and the answer."""
    if not fact.about:
        return fact.what
    mark = "" if fact.about.endswith(("?", "!", ".")) else ":"
    return f"{fact.about}{mark} {fact.what or 'no more'}"


def _counted(titles: Mapping[str, int]) -> list[str]:
    return [title if number == 1 else f"{title} ({number} times)" for title, number in titles.items()]


def _all(titles: Counter[str]) -> str:
    """Titles in a sentence, such as `North and South (2 times)`."""
    return " and ".join(_commas(_counted(titles)))


def _commas(words: list[str]) -> list[str]:
    """The words with all but the last as one."""
    return words if len(words) < 3 else [", ".join(words[:-1]), words[-1]]
