"""A variant of `othello` that renames a player, for tests of the studio."""

from __future__ import annotations

HEAD = """\
variant: tried
title: Tried
extends: othello
why: To see what becomes of the game.
"""
RENAMED = "change:\n  tables.player.black.title: {was: Black, to: Dark}"
TRIED = f"{HEAD}{RENAMED}\n"
