"""Names under which files are looked for, and that are not quite those of the files.

Why: an edition finds its base by the name of a folder, and `conflicts` and `after` may name a variant that is not
installed, so a name that is spelt wrongly does nothing.
Example: `ruleset: orchard` in a folder `orchards`; `conflicts: [short_gamme]` beside a file `short_game.yaml`.
"""

from __future__ import annotations

from pathlib import Path

from polis_rules.composition import variant_folder, variant_ids
from polis_rules.diagnostics import nearest
from polis_rules.source import Sequence, Text
from polis_rules.validation.analysis import Subject


def check(subject: Subject) -> None:
    """Report `wrong-id` and `unknown-variant`."""
    _folder(subject)
    for file, tree in subject.variants.items():
        known = {*variant_ids(), *variant_ids(variant_folder(Path(file))), *subject.composed.variants}
        for key in ("conflicts", "after"):
            named = tree.get(key)
            for name in named.items if isinstance(named, Sequence) else (named,):
                if isinstance(name, Text) and name not in known and (meant := nearest(name, known)):
                    message = f"there is no variant `{name}`, so this does nothing"
                    subject.found.warning("unknown-variant", message, name.span, confidence="likely", suggestion=meant)


def _folder(subject: Subject) -> None:
    id = subject.document.manifest.ruleset
    folder = Path(id.span.file.rpartition(":")[2]).parent.name
    if folder and folder != id:
        message = f"the ruleset is called `{id}`, and its folder `{folder}`, by which others find it"
        subject.found.warning("wrong-id", message, id.span, confidence="likely", suggestion=folder)
