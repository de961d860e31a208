"""The module that wasmtime runs is one that a browser's engine runs: the same bytes play the same games there."""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

from polis_rules import load
from polis_rules.interpreter.compiler.native import Lowering, wasm_text
from polis_rules.interpreter.runtime.native.native import TALLY

RULESETS = Path(__file__).parent / "rulesets"
GAMES = 20
PLAY = """
import {readFileSync} from "fs"
const [bytes, said] = process.argv.slice(2).map(path => readFileSync(path))
const module = new WebAssembly.Module(bytes)
if (WebAssembly.Module.imports(module).length) throw Error("it imports something")
const {memory, heap, playouts} = new WebAssembly.Instance(module).exports
const {words, count, state, tally, games} = JSON.parse(said), base = Number(heap.value)
memory.grow(Math.ceil((base + 8 * count) / 65536))
const all = new BigInt64Array(memory.buffer, base, count)
for (const [place, value] of words) all[place] = BigInt(value)
playouts(base + 8 * state, 0n, BigInt(games), BigInt(base + 8 * tally))
console.log(JSON.stringify([...all.slice(tally)].map(Number)))
"""


@pytest.mark.skipif(find_spec("wasmtime") is None, reason="wasmtime, which makes the bytes, is not installed")
@pytest.mark.skipif(which("node") is None, reason="there is no engine of a browser")
@pytest.mark.parametrize("name", ["agora", "hex", pytest.param("yucata", marks=pytest.mark.slow)])
def test_a_browsers_engine_plays_the_games_of_python(name: str, tmp_path: Path) -> None:
    """It is given nothing but memory, in which the first words stand as they do in wasmtime's."""
    import wasmtime

    program = load(folder if (folder := RULESETS / name).is_dir() else name).program(native="wasm")
    native = program.native
    assert native is not None
    fresh = native.another()
    begun = [(place, word) for place, word in enumerate(fresh.words) if word]
    said = {"words": begun, "count": len(fresh.words), "state": fresh.first, "tally": fresh.tally, "games": GAMES}
    (tmp_path / "game.wasm").write_bytes(wasmtime.wat2wasm(wasm_text(Lowering(program.compiled).unit())))
    (tmp_path / "game.json").write_text(json.dumps(said), encoding="utf-8")
    (tmp_path / "play.mjs").write_text(PLAY, encoding="utf-8")
    command = ["node", "play.mjs", "game.wasm", "game.json"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    told, width = json.loads(done.stdout), 3 + native.players
    rows = [told[at : at + width] for at in range(TALLY, TALLY + GAMES * width, width)]
    played = [(game.decisions, game.ending, game.winner, *game.scores) for game in program.playouts(0, GAMES)]
    assert [tuple(row) for row in rows] == played
