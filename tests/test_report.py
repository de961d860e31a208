"""`polis report`: a page of figures that needs nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from support.command import Polis, command

from polis_rules.lab import LabError, Plan, play, report, simulate, table_of
from polis_rules.lab.report.svg import Bar, HeatSpot, bars, heat_map, histogram, number

polars = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

polis = pytest.fixture(command)

PLAN = Plan("yucata", games=40, seats=("random", "random"), rows=("rounds", "decisions")).settled()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("results") / "results.parquet"
    simulate(PLAN, table_of(PLAN), out, play)
    return out


class Elements(HTMLParser):
    """The elements of a page, and which of them are not closed as they were opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def test_the_page_needs_nothing_else(results: Path) -> None:
    """It names no other file and no address, and has no script."""
    page = report(results)
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", page)


def test_the_page_is_well_formed_and_its_links_lead_somewhere(results: Path) -> None:
    page = Elements(report(results))
    assert page.open == []
    ids = {each["id"] for _, each in page.found if "id" in each}
    assert {each["href"] for each in page.all("a")} == {f"#{id}" for id in ids}


def test_each_drawing_says_what_it_is_and_has_its_table(results: Path) -> None:
    for figure in re.findall(r"<figure>.*?</figure>", report(results), re.DOTALL):
        about = re.search(r'<svg [^>]*role="img" aria-label="([^"]+)"', figure)
        assert about is not None
        assert f'<summary>As a table<span class="heard">: {about[1]}</span></summary>' in figure
        assert f'role="region" aria-label="{about[1]}"' in figure and "<th scope=" in figure


def test_what_is_scrolled_is_reached_by_keyboard(results: Path) -> None:
    wide = [each for each in Elements(report(results)).all("div") if each.get("class") == "wide"]
    assert wide and all(each["tabindex"] == "0" and each["aria-label"] for each in wide)


def test_the_page_tells_the_share_of_wins_of_the_file(results: Path) -> None:
    share = polars.read_parquet(results)["share__athens"].mean()
    assert f"{100 * share:.1f} %" in report(results)


def table_of_map(page: str, about: str) -> dict[str, list[float]]:
    """The rows of the table below a map, by place."""
    table = page[page.index(f'aria-label="Map. {about}') :].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', table)
    return {place: [float(each) for each in re.findall("<td>(.*?)</td>", cells)] for place, cells in rows}


def test_maps_tell_where_units_stand_and_what_is_decided_where(results: Path) -> None:
    """Units by the rounds, in all and by player; battles and all else by the rule that asks where."""
    page, rounds = report(results), polars.read_parquet(results.with_name("results.rounds.parquet"))
    whole, *by_player = table_of_map(page, "Units (Territory)")["Attika"]
    means = [rounds[f"state__territory__units__attika__{player}"].mean() for player in ("athens", "sparta")]
    assert by_player == pytest.approx(means, abs=0.01)
    assert whole == pytest.approx(sum(means), abs=0.01)
    decisions = polars.read_parquet(results.with_name("results.decisions.parquet"))
    taken = decisions.filter(polars.col("rule") == "actions.besiege_polis.target")["chosen"].value_counts(sort=True)
    times = table_of_map(page, "Besiege Polis: Which polis?")
    assert max(times.values()) == [pytest.approx(taken["count"][0] / 40, abs=0.01)]


def test_population_of_each_player_and_prices_are_told_by_round(results: Path) -> None:
    """Population belongs to whoever owns the polis; a price is its place in the order that the rules ask for."""
    rounds = polars.read_parquet(results.with_name("results.rounds.parquet")).filter(polars.col("round") == 1)
    poleis = [each.removeprefix("state__polis__owner__") for each in rounds.columns if "state__polis__owner" in each]
    owned = [
        polars.when(polars.col(f"state__polis__owner__{each}") == "athens")
        .then(polars.col(f"state__polis__population__{each}")).otherwise(0)
        for each in poleis
    ]  # fmt: skip
    mean = rounds.select(polars.sum_horizontal(owned).mean()).item()
    told = report(results).partition('aria-label="Population (Polis), all together, by round"')[2]
    assert f'<tr><th scope="row">1</th><td>Athens</td><td>{number(mean)}</td>' in told
    column = rounds["state__good__value__wood"].str.strip_prefix("column_").cast(int).mean()
    told = report(results).partition('aria-label="Market value: column of the market value chart')[2]
    assert f"<td>Wood</td><td>{number(column)}</td>" in told.partition("<tbody>")[2].partition("</tbody>")[0]


def test_without_rounds_there_are_no_figures_of_rounds(results: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.parquet"
    shutil.copy(results, alone)
    assert 'id="rounds"' in report(results)
    page = report(alone)
    assert 'id="rounds"' not in page and "Units (Territory)" not in page


def test_a_grid_and_bars_tell_what_there_is() -> None:
    """Lines at quarters of 10 % are 2.5 % apart, and a title of 30 letters begins inside of the drawing."""
    assert "7.5 %" in histogram({"games": dict.fromkeys(range(12), 1)}, "about", "decisions")
    assert "a" * 29 + "…" in bars([Bar("a" * 40, 1.0)], "about")


def test_a_file_of_rounds_has_no_report(results: Path) -> None:
    with pytest.raises(LabError, match="made of the file of the games"):
        report(results.with_name("results.rounds.parquet"))


def test_a_file_that_is_none_is_told(polis: Polis, tmp_path: Path) -> None:
    file = tmp_path / "results.parquet"
    file.write_text("game,seed")
    told = polis("report", file, "--out", tmp_path / "report.html")
    assert (told.status, "half written" in told.err) == (1, True)


def test_the_command_writes_the_page(polis: Polis, results: Path, tmp_path: Path) -> None:
    assert polis("report", results, "--out", tmp_path / "report.html").status == 0
    assert (tmp_path / "report.html").read_text("utf-8") == report(results)


def test_a_page_does_not_take_the_place_of_the_games(polis: Polis, results: Path) -> None:
    before = results.read_bytes()
    told = polis("report", results, "--out", results)
    assert (told.status, "the file ends in .html" in told.err) == (2, True)
    assert results.read_bytes() == before


@pytest.mark.slow
def test_a_browser_draws_the_page(results: Path, tmp_path: Path) -> None:
    """Chromium runs no script and makes a picture of it."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "report.html").write_text(report(results), "utf-8")
    picture = tmp_path / "report.png"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
    flags += ["--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path / 'home'}"]
    called = [browser, *flags, f"--screenshot={picture}", "--window-size=900,1200", f"file://{tmp_path}/report.html"]
    subprocess.run(called, check=True, capture_output=True, timeout=60)
    assert picture.stat().st_size > 20_000


FITS = """
const drawn = [...document.querySelectorAll("svg[role=img]")].filter((each) => each.getClientRects().length);
const inside = drawn.flatMap((each) => [...each.querySelectorAll("text")]);
const texts = inside.filter((each) => each.getClientRects().length);
return {
  drawings: drawn.length,
  names: new Set(drawn.map((each) => each.getAttribute("aria-label"))).size,
  smallest: Math.min(...texts.map((each) => each.getBoundingClientRect().height)),
  outside: texts.filter((each) => {
    const [box, frame] = [each.getBoundingClientRect(), each.ownerSVGElement.getBoundingClientRect()];
    return box.left < frame.left - 1 || box.right > frame.right + 1;
  }).map((each) => each.textContent),
  scrolled: drawn.filter((each) => each.parentElement.scrollWidth > each.parentElement.clientWidth + 1).length,
};
"""
"""What a page shows of its drawings."""


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_drawings_are_read_without_scrolling_sideways(results: Path, tmp_path: Path, width: int) -> None:
    """One of each is shown, none is wider than the page, and no text is small or leaves its drawing."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    from support.browser import browser

    page = report(results).replace("<details>", "<details open>")
    (tmp_path / "report.html").write_text(page, "utf-8")
    with browser(tmp_path / "home") as driver:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(f"file://{tmp_path}/report.html")
        seen = driver.execute_script(FITS)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert seen["drawings"] == seen["names"] == len(re.findall("<figure>", page)) > 40
    assert (seen["outside"], seen["scrolled"]) == ([], 0)
    assert seen["smallest"] >= 11


def test_names_on_a_narrow_map_stand_apart_the_hottest_first() -> None:
    """Of two places whose names would lie over each other the hotter one has its name."""
    spots = [
        HeatSpot(title, x, 0.5, [], heat, "")
        for title, x, heat in (("Cold", 0.5, 0), ("Hot", 0.51, 1), ("Far", 0.9, 0))
    ]
    drawn = heat_map(spots, [], 0.5, "about")
    assert re.findall('class="slim name">(.*?)<', drawn) == ["Hot", "Far"]
    assert re.findall('class="broad name">(.*?)<', drawn) == ["Cold", "Hot", "Far"]


@pytest.mark.slow
def test_a_screen_reader_is_told_the_name_of_everything(results: Path, tmp_path: Path) -> None:
    """Drawings, parts that open, tables to scroll and links have names, and headings come level by level."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    from support.browser import browser

    (tmp_path / "report.html").write_text(report(results), "utf-8")
    with browser(tmp_path / "home") as driver:
        driver.get(f"file://{tmp_path}/report.html")
        nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    shown = [each for each in nodes if not each["ignored"]]
    named = [each for each in shown if each["role"]["value"] in ("image", "DisclosureTriangle", "region", "link")]
    assert len(named) > 40
    assert all(each["name"]["value"] for each in named)
    headings = [each["properties"] for each in shown if each["role"]["value"] == "heading"]
    levels = [part["value"]["value"] for each in headings for part in each if part["name"] == "level"]
    assert levels[0] == 1
    assert all(later <= level + 1 for level, later in pairwise(levels))
