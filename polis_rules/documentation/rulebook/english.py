"""English grammar for the rulebook: lists, articles, plurals, possessives and verbs. It knows no game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

_BEFORE_NOUNS = """
above after against at before below beneath beside between by during for from in into near of off on onto out
over per since than through till to toward towards under until up upon via with within without
"""
PREPOSITIONS = frozenset(_BEFORE_NOUNS.split())
MODALS = frozenset(("may", "can", "cannot", "must", "might", "will", "shall", "should", "would", "could"))
_AFTER_BE = """
alive asleep awake bare best big black blue dead dry empty equal even fair fast first flat free full good
green hidden high idle last late left low new odd old open out own poor private public ready red rich safe secret
single slow small sure tired true weak wet white whole wild young
"""
ADJECTIVES = frozenset(_AFTER_BE.split())
"""Frequent words that stand after `is` without an article."""
_PAST = "began broke came drew fell fled flew gave got grew held led met ran rose sank sold stood took went won"
HAPPENED = frozenset(_PAST.split())
"""Frequent verbs in the past that do not end with `ed`."""
_PARTICIPLES = ("ing", "ed", "ful", "able", "ible", "ous", "ive", "less", "ic", "ary")


BEFORE_LETTERS = "'\"*(`"
"""What may stand before the first letter of a sentence."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase. Where it belongs to somebody, `owner` has `head`, perhaps `where`: your coins on the space."""

    text: str
    plural: bool = False
    owner: Noun | None = None
    head: str = ""
    where: str = ""

    @property
    def is_you(self) -> bool:
        return self.text == "you"

    @property
    def ends_open(self) -> bool:
        """Whether what is said of its owner ends with a preposition: somebody is `at odds with`."""
        return self.owner is not None and self.head.split(" ")[-1] in PREPOSITIONS

    def ended(self, end: str, negative: bool = False) -> str:
        """What is said of its owner, where that ends with a preposition.

        >>> it = Noun("it")
        >>> it.of("leans on").ended("the tree", True), it.of("came from").ended("A"), it.of("far from").ended("B")
        ('it does not lean on the tree', 'it came from A', 'it is far from B')
        """
        assert self.owner is not None
        if self.head.split(" ")[0] in HAPPENED:
            return f"{'it is not so that ' if negative else ''}{self.owner.text} {self.head} {end}"
        return f"{self.owner.does(self.head if is_verb(self.head) else f'is {self.head}', negative)} {end}"

    def of(self, head: str, where: str = "") -> Noun:
        """Something of its own, as short as it stays clear: your coins, the price of the red card's front."""
        chained = self.owner is not None and self.owner.text not in ("you", "it") and bool(where)
        heavy = chained or len(self.text.split(" ")) > 3 or self.text.endswith(")") or bool(self.where)
        if heavy and not self.text.startswith(("your ", "its ", "all ")):
            text = f"the {head} of {self.text} {where}".rstrip()
        else:
            text = f"{possessive(self.text)} {head} {where}".rstrip()
        return Noun(text, has_plural_look(head), self, head, where)

    def be(self, negative: bool = False) -> str:
        """Itself with the form of `to be` that follows it: `you are`, `it is not`."""
        return f"{self.text} {'are' if self._is_several else 'is'}{' not' if negative else ''}"

    def have(self) -> str:
        """Itself with the form of `to have` that follows it."""
        return f"{self.text} {'have' if self._is_several else 'has'}"

    @property
    def _is_several(self) -> bool:
        return self.plural or self.is_you

    def does(self, words: str, negative: bool = False, noun_like: bool = False) -> str:
        """A clause about it from the words of a flag or a named condition, which begin with a verb.

        >>> Noun("you").does("controls", negative=True), Noun("it").does("is reef", noun_like=True)
        ('you do not control', 'it is a reef')
        """
        verb, _, rest = words.partition(" ")
        if verb in ("is", "are"):
            return f"{self.be(negative)} {_complement(rest, noun_like)}".rstrip()
        if verb in ("has", "have"):
            if negative and (rest.startswith(("a ", "an ")) or not _is_participle(rest)):
                return f"{self.have()} no {rest.removeprefix('a ').removeprefix('an ')}"
            return f"{self.have()}{' not' if negative else ''} {rest}"
        if noun_like and is_adjective(verb) and not verb.endswith("eed"):
            return f"{self.be(negative)} {words}"
        if verb in MODALS:
            form = {"can": "cannot"}.get(verb, f"{verb} not") if negative else verb
            return f"{self.text} {form} {rest}".rstrip()
        if negative:
            return f"{self.text} {'do' if self._is_several else 'does'} not {_stem(verb)} {rest}".rstrip()
        return f"{self.text} {_stem(verb) if self._is_several else verb} {rest}".rstrip()


def upper_first(text: str) -> str:
    """The text with a large first letter, leaving the rest as it is.

    That is also the first one behind quotes, marks and round brackets; other signs begin a name as it is written.

    >>> upper_first("red card"), upper_first("'draft' begins"), upper_first("[b] card")
    ('Red card', "'Draft' begins", '[b] card')
    """
    for place, letter in enumerate(text):
        if letter.isalnum():
            return text[:place] + letter.upper() + text[place + 1 :]
        if letter not in BEFORE_LETTERS:
            return text
    return text


def lower_first(text: str) -> str:
    """The text with a small first letter, unless it begins with an abbreviation.

    >>> lower_first("Red card"), lower_first("UN seat")
    ('red card', 'UN seat')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def end(text: str) -> str:
    """The text with a full stop, unless it ends as a sentence already.

    >>> end("draw a card"), end("Which space?")
    ('draw a card.', 'Which space?')
    """
    return text if not text or text[-1] in ".?!:" else f"{text}."


def listed(parts: Iterable[str], word: str = "and") -> str:
    """Things in a row.

    >>> listed(["red", "blue", "green"]), listed(["red", "blue"], "or")
    ('red, blue and green', 'red or blue')
    """
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    between = f", {word} " if any("," in item or f" {word} " in f" {item} " for item in items) else f" {word} "
    return f"{', '.join(items[:-1])}{between}{items[-1]}"


def in_order(parts: Iterable[str]) -> str:
    """The members of a list from its top, equal ones that follow each other once.

    >>> in_order(["penny", "penny", "penny", "hut"])
    'penny (3 times) and hut'
    """
    counted = ((part, len(list(same))) for part, same in groupby(parts))
    return listed(f"{part} ({times} times)" if times > 1 else part for part, times in counted)


def a(noun: str) -> str:
    """The noun with its indefinite article.

    >>> a("coin"), a("open space")
    ('a coin', 'an open space')
    """
    first = noun.lower()
    vowel = first[:1] in "aeio" or (first[:1] == "u" and not first.startswith(("uni", "use")))
    return f"an {noun}" if vowel else f"a {noun}"


def plural(noun: str) -> str:
    """The plural of a noun phrase.

    >>> plural("coin"), plural("story"), plural("bush of the garden"), plural("basis")
    ('coins', 'stories', 'bushes of the garden', 'bases')
    """
    head, tail = _head(noun)
    before, space, word = head.rpartition(" ")
    return f"{before}{space}{_plural_word(word)}{tail}"


def _head(noun: str) -> tuple[str, str]:
    """A noun phrase up to its first preposition, and the rest."""
    words = noun.split(" ")
    cut = next((at for at, word in enumerate(words) if at and word in PREPOSITIONS), len(words))
    rest = words[cut:]
    return " ".join(words[:cut]), " ".join(["", *rest]) if rest else ""


def _plural_word(word: str) -> str:
    lower = word.lower()
    if lower in ("man", "woman"):
        return f"{word[:-2]}en"
    if lower.endswith("is"):
        return f"{word[:-2]}es"
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def has_plural_look(head: str) -> bool:
    """Whether a noun phrase looks like a plural.

    >>> has_plural_look("coins in reserve"), has_plural_look("price"), has_plural_look("basis")
    (True, False, False)
    """
    words = _head(head)[0].split(" ")
    return any(word.endswith("s") and not word.endswith(("ss", "us", "is")) for word in words[-2:])


def possessive(owner: str) -> str:
    """What stands before a thing of the owner's.

    >>> possessive("you"), possessive("it"), possessive("the friend"), possessive("Reds")
    ('your', 'its', "the friend's", "Reds'")
    """
    if owner in ("you", "it"):
        return {"you": "your", "it": "its"}[owner]
    return f"{owner}'" if owner.endswith("s") else f"{owner}'s"


def agreeing(noun: str, verb: str) -> str:
    """A verb in the third person, as it stands after a noun.

    >>> agreeing("the road", "leads"), agreeing("the roads", "leads")
    ('leads', 'lead')
    """
    return _stem(verb) if has_plural_look(noun) else verb


def _is_participle(words: str) -> bool:
    first = words.split(" ")[0]
    return first.endswith("ed") or first in ("been", "done", "gone", "had", "left", "lost", "made", "won")


def is_past(word: str) -> bool:
    """Whether a word says what happened: `ran`, `ended`."""
    return word in HAPPENED or (word.endswith("ed") and not word.endswith("eed"))


def is_verb(words: str) -> bool:
    """Whether a name says what somebody does.

    >>> is_verb("leads the dance"), is_verb("status")
    (True, False)
    """
    first = words.split(" ")[0]
    return len(first) > 2 and first.endswith("s") and not first.endswith(("ss", "us", "is"))


def is_adjective(word: str) -> bool:
    """Whether a single word is an adjective, as far as its looks tell.

    >>> is_adjective("native"), is_adjective("token")
    (True, False)
    """
    return word in ADJECTIVES or (" " not in word and word.endswith(_PARTICIPLES))


def _complement(rest: str, noun_like: bool) -> str:
    words = rest.split(" ")
    plain = len(words) > 1 or is_adjective(words[0]) or words[0].endswith("s")
    return rest if plain or not noun_like else a(rest)


def _stem(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "oes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def relative(clauses: Iterable[str], pronoun: str = "it", many: bool = False, person: bool = False) -> str:
    """Clauses about one thing, as what follows its noun.

    >>> relative(["it is not red", "its price is 2", "you are its owner", "you live in it", "you are here"])
    'that is not red, whose price is 2, whose owner you are, in which you live and for which you are here'
    """
    return listed(_relative(clause, pronoun, many, person) for clause in clauses)


def _relative(clause: str, pronoun: str, many: bool, person: bool) -> str:
    that, which = ("who", "whom") if person else ("that", "which")
    name, its = re.escape(pronoun), re.escape(possessive(pronoun))
    if not re.search(rf"\bor {name}\b", clause):
        if clause.startswith(f"{pronoun} "):
            rest = clause.removeprefix(f"{pronoun} ")
            return f"{that} {_many(rest) if many else rest}"
        if clause.startswith(f"{possessive(pronoun)} "):
            return f"whose {clause.removeprefix(f'{possessive(pronoun)} ')}"
        once = len(re.findall(rf"\b(?:{name}|{its})\b", clause)) == 1
        if once and (match := re.fullmatch(rf"(.+) (is|are)( not)? {its} (\w+)", clause)):
            return f"whose {match[4]} {match[1]} {match[2]}{match[3] or ''}"
        if once and (match := re.fullmatch(rf"(.+?) (\w+) {name}( .+)?", clause)) and match[2] in PREPOSITIONS:
            return f"{match[2]} {which} {match[1]}{match[3] or ''}"
        if once and (match := re.fullmatch(rf"(.+) (\w+) {name}", clause)) and match[2] not in ("is", "are", "not"):
            return f"{which if person or match[1].startswith('that ') else that} {match[1]} {match[2]}"
    if clause.startswith(("for every ", "there is ")):
        return f"such that {clause}"
    return f"for {which} {clause}"


def _many(rest: str) -> str:
    """A clause's rest after its subject, made plural: `is red` to `are red`."""
    verb, space, more = rest.partition(" ")
    if verb in ("is", "has", "does"):
        return {"is": "are", "has": "have", "does": "do"}[verb] + space + more
    return rest if verb in MODALS else _stem(verb) + space + more
