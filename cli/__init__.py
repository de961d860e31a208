"""The command line of polis-rules, installed as the package `polis_cli`."""
