"""`python -m polis_cli` is the command `polis`."""

from .start import main

main()
