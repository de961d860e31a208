"""`polis lsp`: the language server."""

from __future__ import annotations

from importlib.util import find_spec

from polis_rules.diagnostics import PolisError, version
from polis_rules.language_server import make_server


def command() -> None:
    """Start the language server for editors.

    Findings while typing, completion, hover with each rule in words, go to definition, references, rename, outline.
    It needs the extra `lsp`: pip install "polis-rules[lsp]".

    \b
    Example:
      polis lsp
    """
    if find_spec("pygls") is None:
        raise PolisError('the language server needs pygls: pip install "polis-rules[lsp]"')
    make_server(version()).start_io()
