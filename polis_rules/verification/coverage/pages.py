"""Coverage as annotated YAML: one HTML page a file, every line with what games did to it, and an index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from polis_rules.diagnostics import some
from polis_rules.verification.coverage.coverage import Coverage
from polis_rules.verification.coverage.instrument import Count

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #1d1d1f; background: #fff }
td, th { padding: 0 .8rem; text-align: left; vertical-align: top }
.code td { font: 13px/1.5 ui-monospace, monospace; white-space: pre } .number { text-align: right }
.line { color: #6e6e73; text-align: right } .counts { color: #6e6e73; font-size: 12px }
.met { background: #e9f6ec } .unmet { background: #fde8e8 } .explained { background: #fff6dd }
@media (prefers-color-scheme: dark) {
  body { color: #f5f5f7; background: #161617 } a { color: #6cb4ff }
  .met { background: #16301d } .unmet { background: #431c1e } .explained { background: #3b3213 }
}
"""


def pages(coverage: Coverage) -> dict[str, str]:
    """The pages, by file name: `index.html` and one for each file of rules.

    >>> sorted(pages(Coverage("mygame", games=3, sources={"mygame/a.yaml": "x: 1"})))
    ['index.html', 'mygame_a.yaml.html']
    """
    files = _files(coverage.sources)
    by_file = {"index.html": _index(coverage, files)}
    for name, text in coverage.sources.items():
        by_file[files[name]] = _page(coverage, name, text)
    return by_file


def write_pages(coverage: Coverage, folder: Path) -> Path:
    """Write the pages into a folder, which is made where there is none, and return the index. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(coverage).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder / "index.html"


def told(count: Count) -> str:
    """One count in words.

    >>> from polis_rules.diagnostics.span import Span
    >>> told(Count("requirement", "actions.dig", "it_is_day", Span("a.yaml", 1, 1, 1, 9), True, 5, 2))
    'it is day: 3 true, 2 false'
    """
    label = count.label.replace("_", " ")
    if not count.times:
        return f"{label}: never"
    if count.yes_no:
        return f"{label}: {count.times - count.no:,} true, {count.no:,} false"
    ends = f", {count.low} to {count.high}" if count.what == "term" else ""
    return f"{label}: {count.times:,}{ends}"


def _files(names: Iterable[str]) -> dict[str, str]:
    """A file name for each page, no two alike, also where upper and lower case are one."""
    files: dict[str, str] = {}
    taken = {"index.html"}
    for name in names:
        plain = re.sub(r"[^\w.-]", "_", name)
        spellings = (f"{plain}{number}.html" for number in ("", *(f"_{again}" for again in range(2, 10_000))))
        files[name] = next(each for each in spellings if each.lower() not in taken)
        taken.add(files[name].lower())
    return files


def _document(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n<h1>{escape(title)}</h1>\n{body}\n</html>\n"
    )


def _index(coverage: Coverage, files: Mapping[str, str]) -> str:
    rows = "".join(_index_row(coverage, name, files[name]) for name in coverage.sources)
    return _document(
        f"Coverage of {coverage.ruleset}",
        f"<p>{some(coverage.games, 'game')}, {some(coverage.decisions, 'decision')}.</p>\n"
        f'<table cellspacing="0"><tr><th>file<th>counted<th>met<th>explained<th>unmet</tr>\n{rows}</table>',
    )


def _index_row(coverage: Coverage, name: str, file: str) -> str:
    here = Counter(each.standing for each in coverage.counts if each.span.file == name)
    numbers = (here.total(), here["met"], here["explained"], here["unmet"])
    cells = "".join(f'<td class="number">{each}' for each in numbers)
    return f'<tr><td><a href="{escape(file)}">{escape(name)}</a>{cells}</tr>\n'


def _page(coverage: Coverage, name: str, text: str) -> str:
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        here = [each for each in coverage.counts if each.span.file == name and each.span.line == number]
        words = escape("; ".join(told(each) for each in here))
        row = f'<td class="line">{number}<td>{escape(line)}<td class="counts">{words}'
        lines.append(f'<tr id="L{number}"{_class(here)}>{row}</tr>')
    return _document(
        name,
        '<p><a href="index.html">all files</a></p>\n<table class="code" cellspacing="0">'
        + "\n".join(lines)
        + "</table>",
    )


def _class(counts: Sequence[Count]) -> str:
    worst = max((each.standing for each in counts), key=("met", "explained", "unmet").index, default=None)
    return f' class="{worst}"' if worst is not None else ""
