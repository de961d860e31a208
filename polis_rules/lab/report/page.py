"""A report of a file of games: one page of HTML that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from polis_rules.diagnostics import some
from polis_rules.lab.report.draws import drawn_effects
from polis_rules.lab.report.figures import Effect, Results, heat
from polis_rules.lab.report.svg import Bar, Curve, HeatSpot, bars, curves, heat_map, histogram, number
from polis_rules.lab.report.totals import places, totals
from polis_rules.lab.summary import interval

MOST = 24
"""So many rows has a drawing of bars at most; the table below it has all."""

CELLS = 40
"""So many rows has a table of cells at most."""

FEWEST_PLACES = 4
"""A kind with fewer places on the board has no map."""

Section = tuple[str, str, str]
"""An id, a title, and what stands below it."""


def report(path: Path) -> str:
    """The page of a file of games. Raises LabError where it is none, and OSError."""
    results = Results(path)
    sections = [each for each in _sections(results) if each[2]]
    links = "".join(f'<li><a href="#{id}">{escape(title)}</a></li>' for id, title, _ in sections)
    body = "".join(f'<section id="{id}"><h2>{escape(title)}</h2>{inner}</section>' for id, title, inner in sections)
    title = f"{results.said['title']}: {results.games.num_rows:,} games"
    navigation = f'<nav aria-label="Contents"><ul>{links}</ul></nav>'
    return page(title, _played(results) + navigation, body)


def page(title: str, top: str, body: str) -> str:
    """A page that needs nothing else."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style()}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{top}</header><main>{body}</main></body></html>\n"
    )


def style() -> str:
    """How pages and drawings look."""
    return Path(__file__).with_name("page.css").read_text("utf-8")


def _played(results: Results) -> str:
    said = results.said
    seats = ", ".join(f"{title}: {bot}" for title, bot in zip(results.players.values(), said["seats"], strict=True))
    facts = {
        "Ruleset": f"{said['ruleset']}, {said['scenario']}",
        "Variants": ", ".join(said["variants"]) or "none",
        "Settings": ", ".join(f"{name} {value}" for name, value in said["settings"].items()) or "none",
        "Bots": seats,
        "Seeds": f"{said['first_seed']:,} to {said['first_seed'] + said['games'] - 1:,}",
        "Rules": said["hash"],
        "Played by": f"polis-rules {said['polis_rules']}",
    }
    if results.failed:
        facts["Failed"] = f"{some(results.failed, 'game')} without an end, left out"
    if not said["whole"]:
        facts["Stopped"] = "before all games were played"
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{escape(text)}</dd>' for name, text in facts.items())}</dl>"


def _sections(results: Results) -> Iterator[Section]:
    yield "wins", "Who wins", _wins(results)
    yield "endings", "How games end", _endings(results)
    yield "scores", "Scores", _scores(results)
    yield "length", "Length", _length(results)
    if results.rounds is not None:
        yield "rounds", "Over the rounds", _over_rounds(results)
    yield "use", "What is taken", _use(results)
    yield "map", "Where", _map(results)
    if results.rounds is not None:
        yield "mix", "Taken by round", _mix(results)
        yield "state", "What the state holds", _state(results)
        yield "draws", "What draws do", _draws(results)
    yield "effects", "What winners take", _effects(results)


# -- sections -------------------------------------------------------------------------------------------------------


def _wins(results: Results) -> str:
    games, rows, table = results.games.num_rows, [], []
    for series, (player, title) in enumerate(results.players.items()):
        share = results.mean(f"share__{player}")
        low, high = interval(share * games, games)
        told = f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        rows.append(Bar(title, share, low, high, series, told))
        table.append([title, *(f"{100 * each:.1f} %" for each in (share, low, high))])
    note = "The share of the win, with its interval of 95 % (Wilson). Where several win, or nobody, it is divided."
    about = "The share of wins of each player"
    drawn = bars(rows, about, high=max(0.6, *(each.high or 0 for each in rows)))
    return figure(about, drawn, note, ["Player", "wins", "from", "to"], table)


def _endings(results: Results) -> str:
    games, titles, rows, table = results.games.num_rows, results.said["endings"], [], []
    for ending, times in sorted(results.counts("ending").items(), key=lambda each: -each[1]):
        low, high = interval(times, games)
        title, told = titles[ending], f"{100 * times / games:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        rows.append(Bar(title, times / games, low, high, 5, told))
        table.append([title, f"{times:,}", *(f"{100 * each:.1f} %" for each in (times / games, low, high))])
    about, head = "How often each ending comes", ["Ending", "games", "share", "from", "to"]
    return figure(about, bars(rows, about), "The share of games that end so.", head, table)


def _scores(results: Results) -> str:
    counts = {title: results.counts(f"score__{player}") for player, title in results.players.items()}
    if all(set(each) <= {0} for each in counts.values()):
        return ""  # nothing is scored
    rows = []
    for player, title in results.players.items():
        rows.append([title, *map(number, _spread(counts[title])), number(results.mean(f"score__{player}"))])
    about = "How often each score comes, by player"
    drawn = histogram(counts, about, "points at the end")
    return figure(about, drawn, "The share of games with a score.", ["Player", *SPREAD, "mean"], rows)


def _length(results: Results) -> str:
    counts = results.counts("decisions")
    about = "How many decisions games have"
    drawn = histogram({"games": counts}, about, "decisions in a game")
    row = ["Decisions", *map(number, _spread(counts)), number(results.mean("decisions"))]
    return figure(about, drawn, "The share of games of a length.", ["", *SPREAD, "mean"], [row])


def _over_rounds(results: Results) -> str:
    groups: dict[str, dict[str, str]] = {
        "Score": {f"score__{player}": title for player, title in results.players.items()}
    }
    for name, about in results.state_columns():
        members = about[b"members"].decode().split()
        if about[b"of"] == b"player":
            kept = [results.players[members[0]], *members[1:]]
            what = " ".join([about[b"title"].decode().capitalize(), *kept[1:]])
            groups.setdefault(what, {})[name] = kept[0]
    drawn = []
    for what, columns in {**groups, **totals(results), **places(results)}.items():
        series = results.over_rounds(columns)
        if _moves(series):
            shown = f"{what} of each player by round" if what in groups else f"{what}, by round"
            shape = figure(shown, curves(series, shown, "round"), "", CURVE_HEAD, _curve_rows(series))
            drawn.append(f"<div><h3>{escape(what)}</h3>{shape}</div>")
    return _note("Means, with intervals of 95 %, when the next round begins or the game is over.") + two(drawn)


def _use(results: Results) -> str:
    parts = []
    for kind, title in _kinds(results).items():
        used = results.used(kind)
        if not any(sum(by.values()) for _, by in used):
            continue
        takers = {"": "drawn"} | dict(results.players)
        names = [player for player in takers if any(player in by for _, by in used)]
        series = {player: at for at, player in enumerate(results.players)}
        rows = [
            Bar(what if place == 0 else "", by.get(player, 0.0), None, None, series.get(player, 5),
                f"{number(by.get(player, 0.0))} ({what}, {takers[player]})")
            for what, by in used[: MOST // len(names) + 1]
            if any(by.values())
            for place, player in enumerate(names)
        ]  # fmt: skip
        legend = _legend([(takers[player], series.get(player, 5)) for player in names])
        head = [title, *(takers[player] for player in names)]
        table = [[what, *(number(by.get(player, 0.0)) for player in names)] for what, by in used]
        about = f"How often each {title} is taken in a game"
        shape = figure(about, bars(rows, about), "Times in a game.", head, table)
        parts.append(f"<h3>{escape(title.capitalize())}</h3>{legend}{shape}")
    return "".join(parts)


def _map(results: Results) -> str:
    parts, kinds = [], dict[str, list[Any]]()
    for spot in results.said["board"]["spots"]:
        kinds.setdefault(spot[0], []).append(spot)
    kinds = {kind: spots for kind, spots in kinds.items() if len(spots) >= FEWEST_PLACES}
    if results.rounds is not None:
        for kind, spots in kinds.items():
            for what, held in results.standing(kind).items():
                title = f"{what.capitalize()} ({results.said['kinds'].get(kind, kind)})"
                parts.append(_titled(title, _hot(results, title, spots, held, "at the end of a round")))
    for kind, spots in kinds.items():
        title = f"{results.said['kinds'].get(kind, kind).capitalize()}: chosen"
        chosen = {name: {"": times} for name, times in heat(results, kind)}
        parts.append(_titled(title, _hot(results, title, spots, chosen, "times in a game")))
    if results.decisions is not None:
        for rule, answers in results.answers().items():
            question = _plain(results.said["questions"].get(rule, rule))
            for spots in kinds.values():
                times = {spot[1]: {"": answers[spot[1]]} for spot in spots if spot[1] in answers}
                if drawn := _hot(results, question, spots, times, "times in a game"):
                    parts.append(f"<details><summary>{escape(question)}</summary>{drawn}</details>")
    return "".join(parts)


def _plain(question: str) -> str:
    """A question without what it fills in."""
    return re.sub(r"\{[^}]*\}", "…", question)


def _hot(results: Results, title: str, spots: list[Any], held: dict[str, dict[str, float]], unit: str) -> str:
    """A map and a table of numbers that places have, in all and by what else they are of; nothing where all are 0."""
    heats = {name: sum(by.values()) for name, by in held.items()}
    most = max((heats.get(spot[1], 0.0) for spot in spots), default=0.0)
    if most <= 0:
        return ""
    board = results.said["board"]
    others = [other for other in dict.fromkeys(other for by in held.values() for other in by) if other]
    about = f"Map. {title}, {unit}"
    drawn = heat_map(
        [_heat_spot(spot, heats.get(spot[1], 0.0), most, unit) for spot in spots],
        [spot[5] for spot in board["spots"] if spot[0] != spots[0][0] and spot[5]],
        board["height"] / board["width"],
        about,
    )
    rows = [
        [spot[2], number(heats.get(spot[1], 0.0)), *(number(held.get(spot[1], {}).get(other, 0.0)) for other in others)]
        for spot in sorted(spots, key=lambda spot: -heats.get(spot[1], 0.0))
    ]
    head = ["", unit, *(" ".join(results.players.get(each, each) for each in other.split()) for other in others)]
    note = f"The more, the fuller the colour; at most {number(most)} {unit}."
    return figure(about, drawn, note, head, rows)


def _titled(title: str, drawn: str) -> str:
    return f"<h3>{escape(title)}</h3>{drawn}" if drawn else ""


def _heat_spot(spot: Any, times: float, most: float, unit: str) -> HeatSpot:
    _, _, title, x, y, rims = spot
    return HeatSpot(title, x, y, rims, max(times, 0.0) / most, f"{number(times)} {unit}")


def _mix(results: Results) -> str:
    parts = []
    for kind, title in _kinds(results).items():
        rows = [(what, _summed(series)) for what, series in results.by_round(kind)]
        if cells := _cells(title, rows):
            parts.append(f"<h3>{escape(title.capitalize())}</h3>{cells}")
    return _note("How often it is chosen in a round, by all players together.") + "".join(parts) if parts else ""


def _state(results: Results) -> str:
    groups: dict[str, dict[str, str]] = {}
    titles = {(str(kind), str(id)): str(name) for kind, id, name, *_ in results.said["board"]["spots"]}
    for name, about in results.state_columns():
        members = about[b"members"].decode().split()
        owner = about[b"of"].decode()
        if owner and owner != "player":
            kind = results.said["kinds"].get(owner, owner)
            first = titles.get((owner, members[0]), members[0].replace("_", " "))
            more = [results.players.get(each, each) for each in members[1:]]
            group = f"{about[b'title'].decode().capitalize()} ({kind})"
            groups.setdefault(group, {})[name] = ", ".join([first, *more])
    parts = []
    for what, columns in groups.items():
        rows = [(each.label, {x: mean for x, mean, _, _ in each.points}) for each in results.over_rounds(columns)]
        if any(len({*row.values()}) > 1 for _, row in rows) and (cells := _cells(what, rows)):
            parts.append(f"<details><summary>{escape(what)}</summary>{cells}</details>")
    return _note("Means by round, when the next one begins or the game is over.") + "".join(parts) if parts else ""


def _effects(results: Results) -> str:
    effects = results.effects()
    if not effects:
        return ""
    rows = [_effect_bar(results, each) for each in effects[:MOST]]
    ends = [abs(end) for each in rows for end in (each.low or 0, each.high or 0)]
    about = "The difference in wins between games with and without"
    drawn = bars(rows, about, low=-max(ends), high=max(ends))
    table = [_effect_cells(results, each) for each in effects]
    note = (
        "How much more a player wins in games in which it takes or meets something than in those in which it does not, "
        "in points of per cent, the surest first. By chance one difference in twenty lies outside its interval (of "
        f"{some(len(effects), 'difference')} here), and what goes with winning need not cause it: who is ahead can do "
        "more, and long games have more of everything."
    )
    head = ["", "games with it", "wins with", "without", "difference", "within"]
    return f"{_legend_of(results)}{figure(about, drawn, note, head, table)}"


def _effect_cells(results: Results, each: Effect) -> list[str]:
    return [
        f"{each.thing.title} ({results.players[each.thing.player]})", f"{each.games:,}",
        *(f"{100 * share:.1f} %" for share in (each.with_it, each.without)),
        f"{100 * each.difference:+.1f}", f"{100 * each.low:+.1f} to {100 * each.high:+.1f}",
    ]  # fmt: skip


def _legend_of(results: Results) -> str:
    return _legend([(title, at) for at, title in enumerate(results.players.values())])


def _draws(results: Results) -> str:
    effects = drawn_effects(results)
    if not effects:
        return ""
    rows = [_effect_bar(results, each) for each in effects[:MOST]]
    ends = [abs(end) for each in rows for end in (each.low or 0, each.high or 0)]
    about = "The difference in wins that a draw makes"
    drawn = bars(rows, about, low=-max(ends), high=max(ends))
    table = [[*_effect_cells(results, each), "yes" if each.sure else "no"] for each in effects]
    sure = sum(each.sure for each in effects)
    note = (
        "How much more a player wins in games in which something is drawn than in those in which another one of its "
        "kind is drawn in its stead, in the same round, in points of per cent, the surest first. As chance alone "
        "decides which, the difference is what the draw does where these bots play. What comes back after it was "
        "drawn is left out. Surely there (all, with 95 %: Holm's test): "
        f"{sure:,} of {some(len(effects), 'difference')}."
    )
    head = ["", "games with it", "wins with", "without", "difference", "within", "surely differs"]
    return f"{_legend_of(results)}{figure(about, drawn, note, head, table)}"


def _effect_bar(results: Results, each: Effect) -> Bar:
    told = f"{100 * each.difference:+.1f} ({each.thing.title}, {results.players[each.thing.player]})"
    series = list(results.players).index(each.thing.player)
    return Bar(each.thing.title, each.difference, each.low, each.high, series, told)


# -- parts ----------------------------------------------------------------------------------------------------------

SPREAD = ("least", "a tenth below", "half below", "nine tenths below", "most")


def _spread(counts: Mapping[float, int]) -> list[float]:
    values = sorted(value for value, times in counts.items() for _ in range(times))
    return [values[min(len(values) - 1, int(share * len(values)))] for share in (0, 0.1, 0.5, 0.9, 1)]


def _kinds(results: Results) -> dict[str, str]:
    """The kinds of what is taken, with their titles, but for named ways."""
    titles: dict[str, str] = results.said["kinds"]
    return {each.kind: titles[each.kind] for each in results.things if each.kind in titles}


def _moves(series: Sequence[Curve]) -> bool:
    return any(len({round(point[1], 6) for point in each.points}) > 1 for each in series)


def _summed(series: Sequence[Curve]) -> dict[float, float]:
    found: dict[float, float] = {}
    for each in series:
        for x, mean, _, _ in each.points:
            found[x] = found.get(x, 0.0) + mean
    return found


def _cells(what: str, rows: Sequence[tuple[str, Mapping[float, float]]]) -> str:
    """A table whose cells are coloured by their values."""
    rounds = sorted({x for _, row in rows for x in row})
    most = max((value for _, row in rows for value in row.values()), default=0.0)
    if not most or not rounds:
        return ""
    shown = sorted(rows, key=lambda row: -sum(row[1].values()))[:CELLS]
    head = "".join(f'<th scope="col">{number(x)}</th>' for x in rounds)
    body = ""
    for name, row in shown:
        cells = "".join(
            f'<td style="--h:{max(0.0, row.get(x, 0.0)) / most:.2f}">{number(row.get(x, 0.0))}</td>' for x in rounds
        )
        body += f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    left = len(rows) - len(shown)
    caption = f"{what} by round" + (f"; {left} more are left out" if left else "")
    inner = f"<caption>{escape(caption)}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody>"
    return _wide(f'<table class="cells">{inner}</table>', caption)


def figure(about: str, drawn: str, note: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A drawing with its table, which says what it is of to those who only hear it."""
    caption = f"<figcaption>{escape(note)}</figcaption>" if note else ""
    summary = f'<summary>As a table<span class="heard">: {escape(about)}</span></summary>'
    return f"<figure>{drawn}{caption}<details>{summary}{_table(about, head, rows)}</details></figure>"


def _table(about: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(each)}</th>' if each else "<td></td>" for each in head)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(each)}</td>" for each in rest)}</tr>'
        for first, *rest in rows
    )
    return _wide(f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>", about)


def _wide(inner: str, label: str) -> str:
    """What may be wider than the page is scrolled, also by keyboard."""
    return f'<div class="wide" tabindex="0" role="region" aria-label="{escape(label)}">{inner}</div>'


CURVE_HEAD = ("Round", "", "mean", "within")


def _curve_rows(series: Sequence[Curve]) -> list[list[str]]:
    return [
        [number(x), each.label, number(mean), f"{number(low)} to {number(high)}"]
        for each in series
        for x, mean, low, high in each.points
    ]


def _legend(names: Sequence[tuple[str, int]]) -> str:
    boxes = (
        f'<span><svg viewBox="0 0 14 14" style="width:.9em;display:inline" aria-hidden="true">'
        f'<rect class="s{series % 6}" width="14" height="14"/></svg> {escape(name)}</span>'
        for name, series in names
    )
    return f'<p class="faint">{" &nbsp; ".join(boxes)}</p>'


def _note(text: str) -> str:
    return f'<p class="faint">{escape(text)}</p>'


def two(parts: Sequence[str]) -> str:
    return f'<div class="two">{"".join(parts)}</div>' if parts else ""
