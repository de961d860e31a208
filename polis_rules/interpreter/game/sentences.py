"""The report as a player would tell it: a sentence for each action, with all that was chosen and came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from polis_rules.diagnostics import amount
from polis_rules.interpreter.game.alike import AMOUNTS, commas, in_one, is_again, is_alike, more, together
from polis_rules.interpreter.game.report import Fact, Line
from polis_rules.interpreter.game.twin import twin
from polis_rules.semantics import TypedRules, called_by, every_step, ir, is_told_whole
from polis_rules.source import spoken

MOST_EFFECTS = 4
"""Of more that comes of one action so much is told."""

OPEN_ENDS = frozenset(("after", "at", "before", "by", "for", "from", "in", "of", "on", "to", "under", "with"))
"""A title that ends with one of these asks for a word behind it: `bids on nothing`, where others say `no owner`."""


class Sentences:
    """Tells the games of one ruleset in sentences."""

    def __init__(self, rules: TypedRules) -> None:
        self.rules = rules
        self.actions = {each.id: each for each in rules.actions}
        self._parts: dict[str, set[str]] = {}
        self._whole: dict[str, bool] = {}

    def of(
        self, lines: list[Line], waiting: Fact | None = None, earlier: Earlier | None = None
    ) -> tuple[list[str], str]:
        """The sentences that tell these lines, and one about what is not done yet, as the decision that is `waiting`
        is part of it; empty where there is none.

        Up to the last title of a phase they are the same whatever follows: what was told `earlier` is not told anew.
        """
        told, first = Told(), 0
        if earlier is not None and lines[: len(earlier.lines)] == earlier.lines:
            told, first = earlier.told.copy(), len(earlier.lines)
        title = next((number for number in range(len(lines), first, -1) if _is_title(lines[number - 1])), first)
        if title > first:
            self._tell(told, lines[first:title])
            if earlier is not None:
                earlier.lines, earlier.told = lines[:title], told.copy()
        now = self._tell(told, lines[title:])
        if (
            now is not None
            and waiting is not None
            and (waiting.procedure in self.parts(now.action) or now.goes_on(waiting))
        ):
            return told.sentences, now.text(done=False)
        told.done(now)
        return told.sentences, ""

    def _tell(self, told: Told, lines: Iterable[Line]) -> Deed | None:
        """Go on with what was told; what may not be done yet."""
        now: Deed | None = None
        for line in lines:
            fact = line.fact
            if _is_title(line):
                told.done(now)
                now = None
                told.heading(line.text)
            elif fact is not None and fact.sort == "supply" and not self._is_whole(line.rule):
                continue
            elif fact is not None and fact.sort == "decision":
                if now is not None and (self._belongs(now, fact) or now.goes_on(fact)):
                    now.chose(fact)
                else:
                    told.done(now)
                    now = None if fact.is_other and not fact.what else Deed(self, fact)
            elif now is None or self._is_past(now, line):
                told.done(now)
                now = Deed(self, Fact("happens", procedure=line.rule)) if self._is_whole(line.rule) else None
                if now is None:
                    told.happened(line)
                else:
                    now.came(line)
            else:
                now.came(line)
        return now

    def _belongs(self, deed: Deed, fact: Fact) -> bool:
        """Whether a decision is part of an action that was chosen before."""
        return not fact.action and fact.procedure in self.parts(deed.action)

    def _is_past(self, deed: Deed, line: Line) -> bool:
        """Whether a line tells what no longer comes of an action, or a decision, or a rule that is told whole."""
        if deed.whole:
            return line.rule != deed.whole or (line.fact is not None and deed.is_over(line.fact))
        parts = self.parts(deed.action) if deed.action else self._called(deed.asked[0])
        is_elsewhere = bool(line.rule) and line.rule not in parts
        is_told_whole = not deed.action and self._is_whole(line.rule)
        return is_elsewhere or is_told_whole or (line.fact is not None and deed.is_over(line.fact))

    def _is_whole(self, path: str) -> bool:
        """Whether a rule says how all of it is told."""
        if path not in self._whole:
            rule = self.rules.procedures.get(path)
            self._whole[path] = rule is not None and is_told_whole(rule, rule.says)
        return self._whole[path]

    def parts(self, action: str) -> set[str]:
        """The rules that an action consists of: its own, and all that it calls."""
        return self._called(self.actions[action].procedure) if action else set()

    def _called(self, rule: str) -> set[str]:
        """A rule, and all that it calls."""
        if rule not in self._parts:
            found, waiting = set(), [rule]
            while waiting:
                path = waiting.pop()
                if path not in found and path in self.rules.procedures:
                    found.add(path)
                    for step in every_step(self.rules.procedures[path].body):
                        waiting += called_by(step, self.rules.symbols)
            self._parts[rule] = found
        return self._parts[rule]


def _is_title(line: Line) -> bool:
    """Whether it is the title of a phase, with which all before it is done."""
    return line.fact is not None and line.fact.sort == "phase"


def followed(told: list[str], begun: list[str]) -> list[str]:
    """Sentences with the titles of phases that have begun since, of which the innermost is told.

    >>> followed(["A pays 1 coin", "-- Turns --"], ["-- Turn --", "-- First half --"])
    ['A pays 1 coin', '-- First half --']
    """
    if not begun:
        return told
    is_empty = bool(told) and told[-1].startswith("-- ") and told[-1].endswith(" --")
    return [*(told[:-1] if is_empty else told), begun[-1]]


class Told:
    """Sentences one after the other; what is alike and comes together is told together."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self._heading = ""
        """the title under which something was told last"""
        self._is_empty = False
        """whether a title is last, and nothing told under it yet"""
        self._alike: list[Fact] = []
        """what the last sentence tells, if more of it may follow"""

    def copy(self) -> Told:
        """The same, to be gone on with in another way."""
        return twin(self)

    def done(self, deed: Deed | None) -> None:
        """An action has come to its end, if there is one."""
        if deed is not None and (text := deed.text()):
            self._say(text)

    def heading(self, title: str) -> None:
        """A phase begins; of phases that begin together the innermost is told, unless what was told last is under the
        same title."""
        if self._is_empty:
            self.sentences.pop()
        self._alike = []
        self._is_empty = title != self._heading
        if self._is_empty:
            self.sentences.append(title)

    def happened(self, line: Line) -> None:
        """Something has happened that comes of no decision."""
        fact = line.fact
        if fact is not None and fact.sort == "told":
            if not fact.about:
                return
            if self._alike and self._alike[0].sort == "told" and (text := in_one([*self._alike, fact])):
                self.sentences.pop()
                self._alike.append(fact)
                self.sentences.append(_begun(text))
            else:
                self._say(in_one([fact]), fact)
        elif fact is not None and fact.says:
            if self.sentences[-1:] != [_begun(fact.says)]:
                self._say(fact.says)
        elif fact is None or fact.sort == "becomes":
            if fact is None or fact.who or fact.number >= 0:  # that nothing lies there any more is no news
                text = _begun(line.text.strip())
                if self.sentences[-1:] != [text]:  # such as an order that stays what it was
                    self._say(text)
        elif self._alike and is_again(self._alike[-1], fact):
            self.sentences.pop()
            self._alike[-1] = fact
            self.sentences.append(_begun(together(self._alike)))
        elif self._alike and is_alike(self._alike[-1], fact):
            self.sentences.pop()
            self._alike.append(fact)
            self.sentences.append(_begun(together(self._alike)))
        else:
            is_short = fact.sort in ("flag", "changes", "goes", "roll")
            self._say(together([fact]) if is_short else line.text.strip(), fact)

    def _say(self, sentence: str, *alike: Fact) -> None:
        if self._is_empty:
            self._heading, self._is_empty = self.sentences[-1], False
        self.sentences.append(_begun(sentence))
        self._alike = list(alike)


class Earlier:
    """What was told of a game, as one player reads it, up to the last title of a phase."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.told = Told()


def _begun(sentence: str) -> str:
    """A sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


class Deed:
    """One action with what belongs to it, or one decision that is no action, or what a rule does that is told whole."""

    def __init__(self, sentences: Sentences, fact: Fact) -> None:
        self.who, self.action = fact.who, fact.action
        rule = sentences.actions.get(fact.action)
        asking = sentences.rules.procedures.get(fact.procedure)
        self.whole = fact.procedure if fact.sort == "happens" else ""
        self.own = self.says = fact.says
        """how this choice or way is told, if it says so itself"""
        if rule is not None:
            self.says = rule.says
        elif asking is not None and not fact.is_other and fact.says is None:
            self.says = asking.says
        self.is_way = fact.is_other
        self.times = 1
        """how often it was chosen, where it is a way that says how that is told"""
        self.head = fact.what or fact.about if rule is not None else _asked(fact)
        if self.whole and asking is not None:
            self.head = asking.title or spoken(self.whole.rpartition(".")[2]).capitalize()
        self.names: dict[str, Counter[str]] = {}
        self.chosen: Counter[str] = Counter()
        self.paid: Counter[tuple[str, str]] = Counter()
        self.gained: Counter[tuple[str, str]] = Counter()
        self.rolls: list[tuple[str, int, str, str]] = []
        """of each roll its name, what it shows, the dice, and what the name is called"""
        self.lost: Counter[tuple[str, str]] = Counter()
        self.told: list[list[Fact]] = []
        """what steps tell in their own words, what makes one sentence together"""
        self.told_rolls: list[list[Fact]] = []
        """the same of rolls"""
        self.has_rolled = False
        """whether it is told what was rolled, or a roll says itself how it is told"""
        self.effects: dict[str, list[str]] = {}
        """what has come of it besides, and to what each happened"""
        self.changed: Counter[tuple[str, str]] = Counter()
        """how much more or less there is of something of somebody"""
        self.became: dict[tuple[str, str], str] = {}
        """the effect that tells what something of somebody is now"""
        self.values: dict[str, str] = {}
        """the new value that such an effect tells: where that was chosen, it is told already"""
        self.asked = fact.procedure, fact.about
        self._name(fact)

    def _name(self, fact: Fact) -> None:
        for name, title in (*(fact.names if fact.what else ()), *(fact.of if self.whole else ())):
            titles = self.names.setdefault(name, Counter())
            titles[title] = 1 if self.whole else titles[title] + 1  # several steps change the same thing

    def goes_on(self, fact: Fact) -> bool:
        """Whether a decision is told together with this one, of which neither is an action."""
        if fact.says is None:
            return self._asks_on(fact) or (self.own is None and self._is_asked_again(fact))
        is_alone = len(fact.names) == 1  # what is chosen together is told together
        return is_alone and (fact.says, fact.is_other) == (self.own, self.is_way) and self._is_asked_again(fact)

    def _is_asked_again(self, fact: Fact) -> bool:
        """Whether a decision is the same question again, with nothing to tell of the answers but themselves."""
        same = (
            not self.action and not fact.action and self.who == fact.who and self.asked == (fact.procedure, fact.about)
        )
        return (
            same
            and bool(fact.about and fact.what)
            and not (self.told or self.effects or self.has_rolled or self.gained or self.lost)
        )

    def _asks_on(self, fact: Fact) -> bool:
        """Whether a decision names what a rule that is no action, and says how it is told, still lacks."""
        is_same = not self.action and not fact.action and (self.who, self.asked[0]) == (fact.who, fact.procedure)
        wanted = {name for name, _ in ir.IN_BRACES.findall(self.says or "")}
        return is_same and any(name in wanted and name not in self.names for name, _ in fact.names)

    def is_over(self, fact: Fact) -> bool:
        """Whether another player has or pays something now, which is no part of what is told of this one."""
        is_known = not self.whole or bool(self.who)
        return not self.action and is_known and fact.sort in AMOUNTS and fact.who != self.who

    def chose(self, fact: Fact) -> None:
        """Something was chosen for it."""
        self.times += 1
        self._name(fact)
        if fact.what:
            asked = fact.what if fact.who == self.who else f"{fact.who} {fact.what}"
            self.chosen[asked] += 1

    def came(self, line: Line) -> None:
        """Something came of it."""
        fact = line.fact
        if self.whole:
            if fact is None or fact.sort not in (*AMOUNTS, "roll"):
                self._name(fact or Fact(""))
                return
            if "{you}" in (self.says or ""):
                self.who = fact.who or self.who
        if fact is not None and fact.sort in ("supply", "told"):
            if fact.sort == "told":
                self._is_told(fact)
            return
        if fact is not None and fact.says:
            self._is_no_more(self.became.get((fact.about or fact.what, fact.who)), fact.who)
            self.became[fact.about or fact.what, fact.who] = fact.says
            if fact.sort == "becomes":
                self.values[fact.says] = fact.what
            self.effects.setdefault(fact.says, [])
        elif fact is not None and fact.sort == "flag" and self.has_rolled:
            self.effects.setdefault(fact.what, []).append(fact.who)
        elif fact is not None and fact.sort == "changes" and self.has_rolled:
            what = f"{fact.what}, {fact.about}"
            self.changed[what, fact.who] += fact.number
            self._is_no_more(self.became.get((what, fact.who)), fact.who)
            if total := self.changed[what, fact.who]:
                self.became[what, fact.who] = more(fact, total)
                self.effects.setdefault(more(fact, total), []).append(fact.who)
        elif fact is None or fact.sort in ("is", "flag", "changes", "moves", "goes"):
            if self.has_rolled:
                self.effects.setdefault(line.text.strip(), [])
        elif fact.sort == "pays":
            self.paid[fact.who, fact.what] += fact.number
        elif fact.sort == "gains":
            self.gained[fact.who, fact.what] += fact.number
        elif fact.sort == "loses":
            self.lost[fact.who, fact.what] += fact.number
        elif fact.sort == "roll":
            self._name(fact._replace(what=fact.what or "dice"))
            self.has_rolled = True
            self.rolls.append((fact.names[0][0], fact.number, fact.what, fact.about))
        else:
            is_none = fact.number < 0 and fact.about.rpartition(" ")[2] not in OPEN_ENDS
            now = f"no {fact.about}" if is_none else f"{fact.about} {fact.what}"
            text = now if fact.who else f"{fact.about}: {fact.what}"
            self._is_no_more(self.became.get((fact.about, fact.who)), fact.who)
            self.became[fact.about, fact.who] = text
            self.values[text] = fact.what
            self.effects.setdefault(text, []).extend([fact.who] if fact.who else [])

    def _is_told(self, fact: Fact) -> None:
        """Keep what a step or a roll tells in its own words, if anything, with what makes one sentence with it."""
        if fact.what:
            self._name(Fact("roll", what=fact.what, names=fact.of))
            self.has_rolled = True
        told = self.told_rolls if fact.what else self.told
        for alike in told:
            if in_one([*alike, fact]):
                alike.append(fact)
                return
        told += [[fact]] if fact.about else []

    def _is_no_more(self, text: str | None, who: str) -> None:
        """Forget what something was meanwhile."""
        if text is not None:
            rest = [each for each in self.effects.pop(text, []) if each != who]
            if rest:
                self.effects[text] = rest

    # -- in words ---------------------------------------------------------------------------------------------------

    def text(self, done: bool = True) -> str:
        """The sentence; of what is not `done` yet it is not said that nothing is paid or gained."""
        words = {name: _all(titles) for name, titles in self.names.items()}
        words |= {"you": self.who} if self.who else {}
        words |= {
            "paid": self._mine(self.paid) or "nothing",
            "gained": self._mine(self.gained) or "nothing",
        }
        says = self.says or ""
        wanted = [name for name, _ in ir.IN_BRACES.findall(says)]
        open_ = () if done else [name for name in ("paid", "gained") if words[name] == "nothing"]
        if self.says is not None and all(name in words and name not in open_ for name in wanted):
            counted = {name: sum(self.names[name].values()) for name, things in ir.IN_BRACES.findall(says) if things}
            words |= {name: _all(self.names[name], of=number) for name, number in counted.items()}
            begin = ir.IN_BRACES.sub(
                lambda match: amount(counted[match[1]], match[2]) if match[2] else words[match[1]], says
            )
            if self.is_way and begin and self.times > 1:
                begin = f"{begin} ({self.times} times)"
        elif not done and (begun := self._so_far(words)):
            begin = begun
        else:
            wanted = []
            counted = {title: number for title, number in self.chosen.items() if not (title.isdecimal() and self.paid)}
            begin = ", ".join([f"{self.who}: {self.head}" if self.who else self.head, *_counted(counted)])
        begin = self._priced(begin, wanted)
        return "; ".join([begin, *self._after(wanted)] if begin else self._after(wanted, subject=""))

    def _so_far(self, words: Mapping[str, str]) -> str:
        """The parts of a sentence, up to a comma or semicolon, that tell what is known already; empty where they tell
        nothing that was chosen, or where an action is told, whose questions follow its title."""
        says = self.says or ""
        lacking = next(match.start() for match in ir.IN_BRACES.finditer(says + "{?}") if match[1] not in words)
        known = says[: max(0, *(says.rfind(mark, 0, lacking) for mark in ",;"))]
        if self.action or not any(name in self.names for name, _ in ir.IN_BRACES.findall(known)):
            return ""
        return ir.IN_BRACES.sub(lambda match: words[match[1]], known)

    def _priced(self, begin: str, wanted: list[str]) -> str:
        price = self._mine(self.paid)
        if not price or "paid" in wanted:
            return begin
        return f"{begin}, for {price}" if begin else f"{self.who} pays {price}"

    def _after(self, wanted: list[str], subject: str | None = None) -> Iterator[str]:
        """What else is to be told of it; of whom, where that has not been said."""
        subject = f"{self.who} " if subject is None else subject
        rolled: dict[str, dict[str, list[str]]] = {}
        for name, number, dice, label in self.rolls:
            if name not in wanted:
                rolled.setdefault(dice, {}).setdefault(label, []).append(str(number))
        for dice, labelled in rolled.items():
            told = {label: " and ".join(commas(numbers)) for label, numbers in labelled.items()}
            if len(told) == 1:
                yield from (f"rolls {numbers} on {dice} ({label})" for label, numbers in told.items())
            else:
                yield f"rolls {' and '.join(commas([f'{each} ({label})' for label, each in told.items()]))} on {dice}"
        yield from (in_one(alike).removeprefix(subject) for alike in self.told_rolls)
        if (mine := self._mine(self.gained)) and "gained" not in wanted:
            yield f"gains {mine}"
        if mine := self._mine(self.lost):
            yield f"loses {mine}"
        others = dict.fromkeys(who for who, _ in (*self.paid, *self.gained, *self.lost) if who != self.who)
        for who in others:
            for verb, sums in (("pays", self.paid), ("gains", self.gained), ("loses", self.lost)):
                if words := self._sum(sums, who):
                    yield f"{who} {verb} {words}"
        named = {title for name in wanted or self.names for title in self.names.get(name, ())}
        effects: list[tuple[str, list[str]]]
        effects = [(in_one(alike).removeprefix(subject), []) for alike in self.told]
        effects += [(text, whose) for text, whose in self.effects.items() if self.values.get(text) not in named]
        for whose, alike in groupby(effects[:MOST_EFFECTS], key=itemgetter(1)):
            texts = [text for text, _ in alike]
            yield from [f"{' and '.join(commas(whose))}: {', '.join(texts)}"] if whose else texts
        if len(effects) > MOST_EFFECTS:
            yield f"and more ({len(effects) - MOST_EFFECTS})"

    def _mine(self, sums: Counter[tuple[str, str]]) -> str:
        return self._sum(sums, self.who)

    @staticmethod
    def _sum(sums: Counter[tuple[str, str]], player: str) -> str:
        return " and ".join(
            commas([amount(number, what) for (who, what), number in sums.items() if who == player and number])
        )


def _asked(fact: Fact) -> str:
    """A decision that is no action: the question and the answer."""
    if not fact.about or (fact.is_other and fact.what):
        return fact.what
    mark = "" if fact.about.endswith(("?", "!", ".")) else ":"
    return f"{fact.about}{mark} {fact.what or 'no more'}"


def _counted(titles: Mapping[str, int]) -> list[str]:
    return [title if number == 1 else f"{title} ({number} times)" for title, number in titles.items()]


def _all(titles: Counter[str], of: int = 0) -> str:
    """Titles in a sentence, such as `North and South (2 times)`; where it is told `of` how many, `North (1) and South
    (2)`."""
    parts = [title if number == of else f"{title} ({number})" for title, number in titles.items()]
    return " and ".join(commas(parts if of else _counted(titles)))
