"""Stands in for the installed package `polis_cli` in a source checkout, where its files are in `cli`."""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parents[2] / "cli")]
