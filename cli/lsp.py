"""`polis lsp`: the language server."""

from __future__ import annotations

from polis_rules.diagnostics import PolisError, version

from .options import Options


class Command(Options):
    """Start the language server for editors.

    Findings while typing with quick fixes, completion, hover with each rule in words, go to definition, references,
    rename, outline, symbols, formatting, folding, highlighting, inlay hints and help with what functions take.
    It needs the extra `lsp`: pip install "polis-rules[lsp]".

    \b
    Example:
      polis lsp
    """

    def run(self) -> None:
        try:
            from polis_rules.language_server import make_server
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
                raise
            raise PolisError('the language server needs one more package: pip install "polis-rules[lsp]"') from error
        make_server(version()).start_io()
