"""The studio under load: many games at once, a long evening of edits and moves, and how long it takes to start.

`games` starts a studio in a process of its own and plays all its games over HTTP and websockets, two pages or more a
game, as browsers do but without drawing. Each game makes a move every `--pace` seconds. A move's time is what a player
waits: from the click being sent to his own page having been told all of the position after it.

`soak` edits and plays in this process, without a network, and prints its memory at each tenth.

`start` tells how long it takes until the first page can be opened, and until it has been sent.

`keys` types into a file in a real browser, and tells how long it takes from a key to what is found being drawn.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import psutil
from studio_clients import Client

from polis_rules.composition import find
from polis_rules.play import HUMAN
from polis_rules.ruleset import load
from polis_rules.studio import Gallery, Opened, Studio, free_place, serve
from polis_rules.studio.drafts import Drafts


def opened(ruleset: str, folder: Path) -> Studio:
    """A studio in which people play everybody, and which keeps its files in a folder."""
    everybody = dict.fromkeys(load(ruleset).players, HUMAN)
    return Studio(Opened(ruleset, seats=everybody, seed=1), Drafts(folder / "drafts"), folder / "games")


# -- many games -----------------------------------------------------------------------------------------------------


def serve_games(ruleset: str, games: int, folder: Path) -> None:
    """Serve so many games, and print the links of their seats."""
    studio = opened(ruleset, folder)
    where = free_place()

    def started() -> None:
        asyncio.get_running_loop().create_task(begin())

    async def begin() -> None:
        while studio.table is None:
            await asyncio.sleep(0.05)
        for number in range(games):
            if number:
                await studio.add_table(seed=number)
            print(*(f"http://{where[0]}:{where[1]}/open/{key}" for key in studio.seat_keys.values()), flush=True)

    serve(Gallery(studio), where, started)


@contextmanager
def served(ruleset: str, games: int) -> Iterator[tuple[list[list[str]], psutil.Process]]:
    """The links of the seats of each game, and the process that serves them."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "serve", ruleset, "--games", str(games), "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield [process.stdout.readline().split() for _ in range(games)], psutil.Process(process.pid)
            finally:
                process.terminate()
                process.wait(20)


async def play(seats: list[Client], moves: int, pace: float, rng: random.Random) -> list[float]:
    """Play a game at random; the seconds that each move took."""
    took = []
    await asyncio.sleep(rng.random() * pace)
    for _ in range(moves):
        begun = time.perf_counter()
        asked = next((each for each in seats if each.choices), None)
        if asked is None:
            break
        moment = asked.moment
        await asked.choose(rng.choice(asked.choices))
        await asked.until_other(moment)
        took.append(time.perf_counter() - begun)
        for each in seats:
            if each.moment == moment:
                await each.until_other(moment)
        await asyncio.sleep(max(0.0, rng.gauss(pace, pace / 4) - (time.perf_counter() - begun)))
    return took


async def all_games(links: list[list[str]], moves: int, pace: float, process: psutil.Process) -> None:
    """Play all games at once, and tell how long the moves took."""
    tables = [[Client(link) for link in each] for each in links]
    for seats in tables:
        for seat in seats:
            await seat.open()
    await asyncio.sleep(3)
    cpu, begun = sum(process.cpu_times()[:2]), time.perf_counter()
    found = await asyncio.gather(
        *(play(seats, moves, pace, random.Random(number)) for number, seats in enumerate(tables))
    )
    seconds, cpu = time.perf_counter() - begun, sum(process.cpu_times()[:2]) - cpu
    took = sorted(each * 1000 for game in found for each in game)
    print(f"{len(tables)} games, {sum(map(len, tables))} pages, {len(took)} moves in {seconds:.0f} s")
    print(f"{len(took) / seconds:.1f} moves a second, {cpu / len(took) * 1000:.0f} ms of the server's CPU time each")
    late = quantiles(took, n=20)[-1]
    print(f"a move: median {median(took):.0f} ms, 95th percentile {late:.0f} ms, worst {took[-1]:.0f} ms")
    print(f"memory of the server: {process.memory_info().rss / 1e6:.0f} MB")
    for seats in tables:
        for seat in seats:
            await seat.leave()


# -- a long evening ---------------------------------------------------------------------------------------------------


async def soak(ruleset: Path, edits: int, moves: int) -> None:
    """Edit a file and play a game, over and over; every twentieth edit is saved under the running game."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(ruleset, Path(folder) / ruleset.name))
        studio = opened(str(copy), Path(folder))
        await studio.begin()
        assert studio.table is not None, studio.trouble
        document = studio.workspace.open("ruleset.yaml")
        text, rng, own = document.text, random.Random(1), psutil.Process()
        print(f"{'edits':>8}{'moves':>8}{'MB':>8}")
        for part in range(10):
            for number in range(edits // 10):
                studio.workspace.change(document, f"{text}\n# edit {part}.{number}\n")
                if number % 20 == 19:
                    studio.workspace.change(document, re.sub("(?m)^title: .*$", f"title: Edit {part}.{number}", text))
                    await studio.save(document)
                await studio.checker.findings(document.path, thorough=False)
                studio.workspace.keep(document)
            for _ in range(moves // 10):
                await move(studio, rng)
            print(
                f"{edits // 10 * (part + 1):8}{moves // 10 * (part + 1):8}{own.memory_info().rss / 1e6:8.1f}",
                flush=True,
            )
        studio.close()


async def move(studio: Studio, rng: random.Random) -> None:
    """One move of the game, seen by everybody; another game where it is over."""
    table = studio.table
    assert table is not None
    decision = table.session.decision
    if decision is None or decision.player is None:
        await table.begin(table.rules, table.session.seats, rng.randrange(1000))
        return
    await table.choose(decision.player, rng.choice(decision.options).id, table.session.game.moment)
    for player in table.rules.players:
        await table.scene(player)


# -- starting -------------------------------------------------------------------------------------------------------


async def start(ruleset: str) -> None:
    """Start the command, and load its page."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        places = {"POLIS_GAMES_DIR": f"{folder}/games", "POLIS_DRAFTS_DIR": f"{folder}/drafts"}
        command = [sys.executable, "-m", "polis_cli", "studio", ruleset, "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | places) as process:
            assert process.stdout is not None
            address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            listening = time.perf_counter() - begun
            client = Client(address)
            await client.open()
            sent = time.perf_counter() - begun
            while not client.parts("moment"):
                await asyncio.sleep(0.01)
            shown = time.perf_counter() - begun
            print(f"listens after {listening:.1f} s, page sent after {sent:.1f} s, game on it after {shown:.1f} s")
            await client.leave()
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("games", "soak", "start", "keys", "serve"))
    parser.add_argument("ruleset", nargs="?", default="yucata", help="the game that is played (default yucata)")
    parser.add_argument("--games", type=int, default=50, help="how many games at once (default 50)")
    parser.add_argument("--moves", type=int, default=20, help="how many moves of each game, or of a soak")
    parser.add_argument("--edits", type=int, default=10_000, help="how many edits of a soak")
    parser.add_argument("--pace", type=float, help="seconds between the moves of a game (default 5), or keys (1)")
    parser.add_argument("--keys", type=int, default=30, help="how many keys are typed (default 30)")
    parser.add_argument("--file", default="phases.yaml", help="the file in which they are typed (default phases.yaml)")
    parser.add_argument("--name", default="set_out_projects", help="what stands before them, at the end of a line")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.what == "serve":
        serve_games(given.ruleset, given.games, given.folder)
    elif given.what == "soak":
        asyncio.run(soak(find(given.ruleset), given.edits, given.moves))
    elif given.what == "start":
        asyncio.run(start(given.ruleset))
    elif given.what == "keys":
        from studio_keys import keys  # which needs selenium

        keys(find(given.ruleset), given.file, given.name, given.keys, 1.0 if given.pace is None else given.pace)
    else:
        with served(given.ruleset, given.games) as (links, process):
            asyncio.run(all_games(links, given.moves, 5.0 if given.pace is None else given.pace, process))


if __name__ == "__main__":
    main()
