"""Lets the tests run in a source checkout that is not installed; an installed package is tested as it is."""

import sys
from importlib.util import find_spec
from pathlib import Path

if find_spec("polis_cli") is None:
    checkout = Path(__file__).resolve().parents[1]
    sys.path[:0] = [str(checkout), str(checkout / "dev")]
