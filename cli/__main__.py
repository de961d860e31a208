"""`python -m polis_cli` is the command `polis`."""

from .main import main

main()
