"""Rulesets whose files are sound YAML, and whose rules are not meant well: too deep, too wide, without an end."""

from __future__ import annotations

from hostile_builders import (
    chain_of_editions,
    doubling,
    expression,
    listing,
    many_variants,
    nested,
    rows,
    terms,
    wide,
    with_files,
    with_more,
    with_steps,
    with_things,
)
from hostile_files import Builder

A_OR_B = "{a: {title: A}, b: {title: B}}"


def numbered(attribute: str) -> str:
    """As many members as numbers may make, with an attribute."""
    return f"kinds:\n  line:\n    numbers: 1..2000\n    attributes:\n      {attribute}\n"


RULES: dict[str, dict[str, Builder]] = {
    "": {
        "many expressions of ifs that ask for none": with_more(
            terms(*(f"t{n}:\n    is: {wide(60, 'favourite.owner is not none', 'or')}" for n in range(90)))
        ),
        "many loops": with_more(
            terms(
                *(
                    f"t{n}:\n    is: sum(1 for x in region for y in region for z in region if x.size < y.size + z.size)"
                    for n in range(1500)
                )
            )
        ),
        "terms that double by ifs": with_more(doubling(60, "{0} if round == 1 else {0}"), "run", "--seed", "1"),
        "variants that each require all after them": lambda folder: with_files(
            {
                f"variants/v{n}.yaml": f"variant: v{n}\ntitle: V\nextends: small\nwhy: X\n"
                f"requires: [{', '.join(f'v{more}' for more in range(n + 1, 40))}]\nadd:\n  terms.t{n}: {{is: 5}}\n"
                for n in range(40)
            }
        )(folder),
        "lines as long as may be": with_more(
            numbered("next: {type: line or none, is: 'line[it.number + 1]'}")
            + terms("t: {is: 'len(line_of(x.next for x in line[1]))'}"),
            "run",
            "--seed",
            "1",
        ),
        "much to work out before play": with_more(
            numbered("more: {type: set of line, is: '{x for x in line if x.number > it.number}'}").replace(
                "2000", "500"
            )
        ),
        "a range as wide as may be": with_things("round: 0..9", "round: 0..999999999", "run", "--seed", "1"),
        "ten thousand rows": with_things("  season: {spring: {}, amber: {}}\n", rows("season", 10_000)),
        "ten thousand rows, run": with_things(
            "  season: {spring: {}, amber: {}}\n", rows("season", 10_000), "run", "--seed", "1"
        ),
        "a thousand regions": with_things(
            "    north: {worth",
            "".join(f"    m{n}: {{worth: 1}}\n" for n in range(1_000)) + "    north: {worth",
            "run",
            "--seed",
            "1",
        ),
        "a thousand players": with_things(
            "    red: {rival: blue}",
            "".join(f"    p{n}: {{rival: red}}\n" for n in range(900)) + "    red: {rival: blue}",
            "run",
            "--seed",
            "1",
        ),
        "thirty players": with_things(
            "    red: {rival: blue}",
            "".join(f"    p{n}: {{rival: red}}\n" for n in range(28)) + "    red: {rival: blue}",
            "run",
            "--seed",
            "1",
        ),
        "a thousand goods": with_things(
            "wine: {}", ", ".join(f"g{n}: {{}}" for n in range(1000)) + ", wine: {}", "run", "--seed", "1"
        ),
        "a thousand cards with effects": with_things(
            "    feast:", "".join(f"    c{n}: {{now: [{{gain: {{coins: 1}}}}]}}\n" for n in range(1000)) + "    feast:"
        ),
        "twelve thousand kinds": with_more("kinds:\n" + "".join(f"  k{n}: {{}}\n" for n in range(12_000))),
        "twelve thousand states": with_more("state:\n" + "".join(f"  k{n}: flag\n" for n in range(12_000))),
        "a hundred kinds with members and states of each other": with_more(
            "kinds:\n"
            + "".join(f"  k{n}:\n    state: {{s{n}: {{per: k{(n + 1) % 100}, type: 0..9}}}}\n" for n in range(100))
            + "tables:\n"
            + "".join(rows(f"k{n}", 60) for n in range(100)),
            "run",
            "--seed",
            "1",
        ),
        "a graph in which everything is joined": with_more(
            "kinds:\n  k: {}\ntables:\n"
            + rows("k", 120)
            + "graphs:\n  all:\n    edges:\n"
            + "".join(f"      m{a}-m{b}: {{}}\n" for a in range(120) for b in range(a))
            + "routes:\n  all_over: {over: [all], through: {k: round == 0}, costs: {k: order(space)}}\n"
            + terms("far:\n    is: cheapest_route(all_over, k.m0, k.m9)"),
            "run",
            "--seed",
            "1",
        ),
        "a long road": with_more(
            "kinds:\n  k: {}\ntables:\n"
            + rows("k", 3000)
            + "graphs:\n  all:\n    edges:\n"
            + "".join(f"      m{a}-m{a + 1}: {{}}\n" for a in range(2999))
            + "routes:\n  road: {over: [all], through: {k: round == 0}}\n"
            + terms("far:\n    is: route_exists(road, k.m0, k.m9)"),
            "run",
            "--seed",
            "1",
        ),
        "as many dice as may be": with_steps("- roll: n\n  dice: 99d999\n"),
        "a thousand choices": with_steps(
            "".join(f"- either:\n    a{n}: {{title: A}}\n    b{n}: {{title: B}}\n" for n in range(1000))
        ),
        "five hundred ifs in one another": with_steps(
            "".join("  " * (2 * n) + "- if: round == 1\n" + "  " * (2 * n + 1) + "then:\n" for n in range(28))
            + "  " * 56
            + "- set: {round: 1}\n"
        ),
        "ifs one after the other with choices": with_steps(
            "".join(
                f"- if: round == {n % 9}\n  then:\n    - either:\n        a: {{title: A}}\n        b: {{title: B}}\n"
                f"  else:\n    - roll: r{n}\n      dice: 1d6\n"
                for n in range(400)
            )
        ),
        "a thousand actions": with_more(
            "actions:\n" + "".join(f"  a{n}: {{do: [{{gain: {{coins: 1}}}}]}}\n" for n in range(1000)),
            "run",
            "--seed",
            "1",
        ),
        "a hundred actions with choices": with_more(
            "actions:\n"
            + "".join(
                f"  a{n}:\n    choose:\n      t{n}:\n        from: region\n        where: t{n}.size > 0\n"
                f"    do: [{{gain: {{coins: 1}}}}]\n"
                for n in range(100)
            ),
            "run",
            "--seed",
            "1",
        ),
        "a title that shows everything": with_steps(
            "- choose: n\n  from: 0..3\n  title: " + "'" + "{round}" * 5000 + "'" + "\n- set: {round: 1}"
        ),
        "a variant of seven thousand additions": many_variants(
            1,
            lambda n: (
                "variant: v0\ntitle: V\nextends: small\nwhy: X\nadd:\n"
                + "".join(f"  terms.t{m}: {{is: 5}}\n" for m in range(7000))
            ),
        ),
    },
    "too long to work out before play": {
        "sets of everything for everything": with_more(
            numbered("more: {type: set of line, is: '{x for x in line if x.number > it.number}'}")
        ),
    },
    "did not end": {
        "a repeat that never ends": with_steps("- repeat: {while: true, do: [{set: {round: 1}}]}"),
        "a repeat that goes on and on": with_steps("- repeat: {while: round < 5, do: [{set: {shown: none}}]}"),
        "a game that never ends, counted": with_steps(
            "- repeat:\n    while: round == 0\n    do:\n      - set: {round: 0}\n", "perft", "--depth", "2"
        ),
    },
    "error[duplicate-id]": {
        "a file listed a thousand times": lambda folder: with_files({"ruleset.yaml": listing(*["things.yaml"] * 9000)})(
            folder
        ),
    },
    "error[endless-loop]": {
        "a repeat of a great number of times": with_steps("- repeat: {times: 999999999, do: [{set: {round: 1}}]}"),
    },
    "error[endless-rule]": {
        "a procedure that calls itself": with_steps("- do: again", more="procedures: {again: {do: [{do: again}]}}"),
    },
    "error[endless-term]": {
        "a term that calls itself": with_more(terms("t: {is: t + 1}")),
    },
    "error[expression-size]": {
        "an expression of ten thousand levels": expression("(" * 10_000 + "1" + ")" * 10_000),
        "an expression just as long as may be, of minus signs": expression("-" * 1990 + "1"),
        "an expression of nots": expression("not " * 490 + "true"),
        "an expression of ifs": expression("1 if true else " * 120 + "1"),
        "a long product": expression(wide(600, "9", "*")),
        "a product of great numbers": expression(wide(180, "999999999", "*")),
        "a product of sums": expression(wide(150, "(round+1)", "*"), "run", "--seed", "1"),
        "a chain of comparisons": expression(wide(600, "1", "<")),
        "a chain of ands": expression(wide(380, "1==1", "and")),
        "a chain of attributes": expression("red" + ".rival" * 280 + ".coins"),
        "many checks in one and": expression(
            wide(40, "favourite.owner is not none and favourite.owner.coins > 0", "and")
        ),
        "terms that all use all before them": with_more(
            terms("t0: {is: round}", *(f"t{n}:\n    is: {' + '.join(f't{m}' for m in range(n))}" for n in range(1, 50)))
        ),
    },
    "error[expression-syntax]": {
        "letters that look like others": expression("ｒound + ſound"),  # noqa: RUF001
        "an expression of parentheses": expression("(" * 900 + "1" + ")" * 900),
        "an f-string": expression("f'{1:{1:{1}}}'"),
    },
    "error[expression-word]": {
        "a power": expression("9**9**9**9"),
        "a shift": expression("1 << 10**9"),
        "a number of two thousand digits": expression("1" + "0" * 1990),
        "an octal number of two thousand digits": expression("0x" + "f" * 1990),
        "a call of Python": expression("__import__('os').system('touch opened')"),
        "a walrus": expression("(a := 10**9)"),
    },
    "error[extends-loop]": {
        "endless extends": chain_of_editions(3, "e0"),
    },
    "error[file-outside]": {
        "files outside": lambda folder: with_files(
            {"ruleset.yaml": listing(*["../" * n + "etc/passwd.yaml" for n in range(1, 200)])}
        )(folder),
    },
    "error[nested-loops]": {
        "twenty loops within loops": with_steps(
            "".join(
                "  " * (3 * n) + f"- each: x{n}\n" + "  " * (3 * n + 1) + "in: region\n" + "  " * (3 * n + 1) + "do:\n"
                for n in range(18)
            )
            + "  " * 54
            + "- set: {round: 1}\n"
        ),
    },
    "error[rule-failed]": {
        "dice that are rolled for ever, in all games": with_steps(
            "- repeat:\n    while: round == 0\n    do:\n      - roll: n\n        dice: 1d6\n", "validate", "--full"
        ),
        "a game that never ends, in all games": with_steps(
            f"- repeat:\n    while: round == 0\n    do:\n      - either: {A_OR_B}\n",
            "validate",
            "--full",
        ),
    },
    "error[too-large]": {
        "a state of great cross products": with_things(
            "  round: 0..9",
            "  big: {per: "
            + "{"
            + ", ".join(f"a{n}: region" for n in range(40))
            + "}"
            + ", type: flag}\n  round: 0..9",
        ),
        "an attribute of great cross products": with_things(
            "      size: {type: 0..9, default: 1}",
            "      size: {type: 0..9, default: 1}\n      big: {per: "
            + "{"
            + ", ".join(f"a{n}: region" for n in range(30))
            + "}"
            + ", type: flag, default: false}",
        ),
    },
    "error[too-many-errors]": {
        "ten thousand regions": with_things(
            "    north: {worth", "".join(f"    m{n}: {{}}\n" for n in range(7_000)) + "    north: {worth"
        ),
        "an edge to nowhere ten thousand times": with_more(
            "graphs:\n  all:\n    edges:\n" + "".join(f"      north-nort{a}: {{}}\n" for a in range(6000))
        ),
        "ids that are nearly right": with_more(
            "kinds:\n" + "".join(f"  k{n}: {{attributes: {{a: {'regio' + 'n' * (n % 9 + 2)}}}}}\n" for n in range(4000))
        ),
        "files that are not there": lambda folder: with_files(
            {"ruleset.yaml": listing(*(f"f{n}.yaml" for n in range(9000)))}
        )(folder),
        "a variant of five thousand changes": many_variants(
            1,
            lambda n: (
                "variant: v0\ntitle: V\nextends: small\nwhy: X\nchange:\n"
                + "".join(f"  terms.limit.is{m}: {{was: 5, to: 6}}\n" for m in range(5000))
            ),
        ),
    },
    "error[too-many-files]": {
        "a chain of a thousand editions": chain_of_editions(1000, "small"),
        "a thousand files": lambda folder: with_files(
            {
                "ruleset.yaml": listing(*(f"f{n}.yaml" for n in range(1000))),
                **{f"f{n}.yaml": "terms:\n" + f"  t{n}: {{is: 1}}\n" for n in range(1000)},
            }
        )(folder),
        "forty full files": lambda folder: with_files(
            {
                "ruleset.yaml": listing("things.yaml", "play.yaml", *(f"f{n}.yaml" for n in range(40))),
                **{f"f{n}.yaml": terms(*(f"t{n}_{m}: {{is: 1}}" for m in range(9000))) for n in range(40)},
            }
        )(folder),
        "two hundred variants": many_variants(
            200, lambda n: f"variant: v{n}\ntitle: V\nextends: small\nwhy: X\nadd:\n  terms.t{n}: {{is: 5}}\n"
        ),
        "two hundred variants, one broken": many_variants(
            200,
            lambda n: (
                f"variant: v{n}\ntitle: V\nextends: small\nwhy: X\nadd:\n  terms.t{n}: {{is: {'5' if n else 'x'}}}\n"
            ),
        ),
        "a hundred variants that touch one value": many_variants(
            100,
            lambda n: (
                f"variant: v{n}\ntitle: V\nextends: small\nwhy: X\nchange:\n  terms.limit.is: {{was: 5, to: {n + 6}}}\n"
            ),
        ),
    },
    "error[too-many-numbers]": {
        "a choice over a great range": with_steps("- choose: n\n  from: 0..999999999\n- set: {round: 1}"),
    },
    "error[too-much-work]": {
        "a generator over a great range": expression("sum(x for x in range(0, 999999999))", "run", "--seed", "1"),
        "loops within loops": expression(f"sum(1 {nested(12)})", "run", "--seed", "1"),
        "a count over a great range": expression("count(x for x in range(0 - 999999999, 999999999) if x > 5)"),
        "numbers within numbers": expression(
            "sum(1 " + " ".join(f"for x{n} in range(0, round + 9000)" for n in range(4)) + ")", "run", "--seed", "1"
        ),
        "a hundred loops": expression(f"sum(1 {nested(100)})"),
        "many long ifs": with_more(terms(*(f"t{n}:\n    is: {'1 if round == 1 else ' * 30}2" for n in range(250)))),
        "terms that double, 60 deep": with_more(doubling(60, "{0} + {0}"), "run", "--seed", "1"),
        "terms that double by ands": with_more(
            terms("t0: {is: round == 1}", *(f"t{n}:\n    is: t{n - 1} and t{n - 1}" for n in range(1, 60))),
        ),
        "terms that double by min": with_more(doubling(60, "min({0}, {0})")),
        "terms that square": with_more(
            terms("t0: {is: round + 9}", *(f"t{n}:\n    is: t{n - 1} * t{n - 1}" for n in range(1, 18))),
            "run",
            "--seed",
            "1",
        ),
        "terms with parameters that double": with_more(
            terms(
                "f0: {of: {a: number}, is: a}",
                *(f"f{n}:\n    of: {{a: number}}\n    is: f{n - 1}(a) + f{n - 1}(a + 1)" for n in range(1, 50)),
            )
        ),
        "terms whose arguments double": with_more(
            terms(
                "f0: {of: {a: number}, is: a + a}",
                *(f"f{n}:\n    of: {{a: number}}\n    is: f{n - 1}(f{n - 1}(a))" for n in range(1, 50)),
            )
        ),
        "a chain of a thousand terms": with_more(doubling(1000, "{0} + 1")),
        "a circle of a thousand terms": with_more(
            terms(*(f"t{n}:\n    is: t{(n + 1) % 1000} + 1" for n in range(1000)))
        ),
        "a thousand cards that change a term": with_things(
            "    feast:", "".join(f"    c{n}: {{changes: {{limit: base + 1}}}}\n" for n in range(1000)) + "    feast:"
        ),
        "sixty cards that double a term": with_things(
            "    feast:",
            "".join(f"    c{n}: {{changes: {{limit: base + base}}}}\n" for n in range(60)) + "    feast:",
            "run",
            "--seed",
            "1",
        ),
        "a thousand procedures in a row": with_steps(
            "- do: p1000",
            more="procedures:\n  p0: {do: [{set: {round: 1}}]}\n"
            + "".join(f"  p{n}: {{do: [{{do: p{n - 1}}}]}}\n" for n in range(1, 1001)),
        ),
        "ten thousand steps": with_steps("- set: {round: 1}\n" * 8000),
    },
    "error[variant-order]": {
        "variants that come after each other in a circle": many_variants(
            60,
            lambda n: (
                f"variant: v{n}\ntitle: V\nextends: small\nwhy: X\nafter: [v{(n + 1) % 60}]\n"
                f"add:\n  terms.t{n}: {{is: 5}}\n"
            ),
        ),
    },
    "error[unfit-keys]": {
        "a state for each member of each member": with_things(
            "  season: {}\n", "  season:\n    state: {a: {per: [region, region, region], type: flag}}\n"
        ),
    },
    "error[unknown-name]": {
        "a text": expression("'" + "a" * 1900 + "'"),
        "names of Python": expression("red.__class__.__mro__"),
        "long ids that are nearly right": with_more(terms(*(f"t{n}:\n    is: {'a' * 900}{n}" for n in range(180)))),
    },
    "error[unknown-type]": {
        "a range without end": with_things("round: 0..9", "round: 0..99999999999999999999999"),
    },
    "error[wrong-dice]": {
        "dice without number": with_steps("- roll: n\n  dice: 99999999999999d99999999999999\n"),
    },
    "goes on for more": {
        "dice that are rolled for ever": with_steps(
            "- repeat:\n    while: round == 0\n    do:\n      - roll: n\n        dice: 1d6\n"
        ),
    },
    "not come to an end": {
        "a game that never ends": with_steps(
            "- turn_again\n",
            more="procedures:\n  turn_again:\n    do:\n      - repeat:\n          while: round == 0\n"
            f"          do: [{{do: wait}}]\n  wait:\n    do:\n      - either: {A_OR_B}\n",
        ),
    },
    "too many to go over": {
        "a choice over a computed range": with_steps(
            "- choose: n\n  from: 0..(round + 9) * 99999999\n- set: {round: 1}"
        ),
    },
    "without anybody": {
        "repeats within repeats": with_steps(
            "".join(
                "  " * (3 * n) + "- repeat:\n" + "  " * (3 * n + 2) + "times: 100000\n" + "  " * (3 * n + 2) + "do:\n"
                for n in range(8)
            )
            + "  " * 24
            + "- set: {round: 1}\n"
        ),
        "loops through all members within loops": with_steps(
            "".join(
                "  " * (3 * n) + f"- each: x{n}\n" + "  " * (3 * n + 1) + "in: region\n" + "  " * (3 * n + 1) + "do:\n"
                for n in range(12)
            )
            + "  " * 36
            + "- set: {round: 1}\n"
        ),
        "a repeat of a computed number of times": with_steps(
            "- repeat: {times: 30000 * 30000 * (round + 1), do: [{set: {round: 1}}]}"
        ),
        "procedures that double": with_steps(
            "- do: p50",
            more="procedures:\n  p0: {do: [{set: {round: 1}}]}\n"
            + "".join(f"  p{n}: {{do: [{{do: p{n - 1}}}, {{do: p{n - 1}}}]}}\n" for n in range(1, 55)),
        ),
        "a choice tried out that tries choices": with_steps(
            "- choose: a\n  from: 0..9999\n  do:\n    - repeat: {times: 100000, do: [{set: {round: 1}}]}\n"
            "  leaving: round > 3\n"
        ),
    },
}
"""By what is said about them; those under an empty text are played, or only found to be idle."""
