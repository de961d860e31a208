"""`polis lsp`: the language server."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec

import typer

from polis_rules.language_server import make_server


def command() -> None:
    """Serve an editor: the language server.

    Findings while typing, completion, hover with each rule in words, go to definition, references, rename, outline.
    It needs the extra `lsp`: pip install "polis-rules[lsp]".

    \b
    Example:
      polis lsp
    """
    if find_spec("pygls") is None:
        typer.echo('Error: the language server needs pygls: pip install "polis-rules[lsp]"', err=True)
        raise typer.Exit(1)
    try:
        version = metadata.version("polis-rules")
    except metadata.PackageNotFoundError:
        version = "0"
    make_server(version).start_io()
