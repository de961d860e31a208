"""Reads a page of HTML strictly: elements that are not closed, links that lead nowhere, and anything from outside."""

from __future__ import annotations

from html.parser import HTMLParser

EMPTY = ("meta", "br", "hr", "img", "input", "source")
PICTURE = "data:image/svg+xml;base64,"


class Page(HTMLParser):
    """What stands on a page; reading one that is not well-formed fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []
        self.scripts = 0
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action", "data", "srcset"):
                self.links.append(value or "")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words."""
        return " ".join(" ".join(self.words).split())


def checked(text: str) -> Page:
    """A page whose ids are different, whose links lead to them, and which loads nothing."""
    page = Page(text)
    assert len(page.ids) == len(set(page.ids)), sorted({each for each in page.ids if page.ids.count(each) > 1})
    links = [link for link in page.links if not link.startswith(PICTURE)]
    assert [link for link in links if not (link.startswith("#") and link[1:] in page.ids)] == []
    assert "default-src 'none'" in text
    assert not {name for name in page.attributes if name.startswith("on")}
    return page
