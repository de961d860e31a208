"""Writes HTML of which every word of a ruleset is text: no markup, no address, nothing that runs or loads."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TypeAlias

from polis_rules.diagnostics import printable


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Inner: TypeAlias = "str | Iterable[Inner]"
"""What stands in an element: text, markup, or several of these."""

EMPTY = frozenset(("br", "hr", "img", "input", "meta", "source"))
"""Elements that have no end tag."""

FOLDER = Path(__file__).parent


def markup(*inner: Inner) -> Markup:
    """Text and markup one after the other.

    >>> markup("1 < 2", element("b", "yes"))
    '1 &lt; 2<b>yes</b>'
    """
    parts: list[str] = []
    for each in inner:
        if isinstance(each, Markup):
            parts.append(each)
        elif isinstance(each, str):
            parts.append(escape(printable(each.replace("\n", " "))))
        else:
            parts.append(markup(*each))
    return Markup("".join(parts))


def element(tag: str, *inner: Inner, **attributes: str | int | None) -> Markup:
    """An element; `_` at the end of an attribute's name is left out, inside it is a hyphen, None is no attribute.

    >>> element("p", "<script>", class_="note")
    '<p class="note">&lt;script&gt;</p>'
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(printable(str(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{written}>" if tag in EMPTY else f"<{tag}{written}>{markup(*inner)}</{tag}>")


def anchor(text: str) -> str:
    """The name of a place on a page.

    >>> anchor("End of the round!")
    'end-of-the-round'
    """
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-") or "part"


def picture(svg: str) -> str:
    """The address of a picture that stands in the page itself."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def page(title: str, *body: Inner, sheet: str, script: str = "") -> str:
    """A whole page that loads nothing; `sheet` and `script` are the files with its CSS and with what may run."""
    style = "".join((FOLDER / name).read_text("utf-8") for name in ("style.css", sheet))
    code = (FOLDER / script).read_text("utf-8") if script else ""
    allowed = f"'sha256-{b64encode(hashlib.sha256(code.encode()).digest()).decode()}'" if code else "'none'"
    policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {allowed}"
    head = (
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        Markup(f"<style>\n{style}</style>"),
    )
    run = Markup(f"<script>{code}</script>") if code else ""
    whole = element("html", element("head", *head), "\n", element("body", *body, run), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"
