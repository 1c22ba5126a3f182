"""A strict reader of pages: elements that do not nest, ids used twice, links to nowhere, and whatever could act."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

VOID = frozenset({"meta", "br", "img", "hr", "link", "input"})
BLOCKS = frozenset(
    {
        "p",
        "div",
        "ul",
        "ol",
        "li",
        "table",
        "figure",
        "details",
        "pre",
        "h1",
        "h2",
        "h3",
        "h4",
        "nav",
        "main",
        "section",
    }
)
PHRASES = frozenset({"p", "h1", "h2", "h3", "h4", "summary", "span", "pre", "code", "ins", "del", "a", "caption"})
"""Elements that hold text and no blocks."""
CHILDREN = {
    "ul": {"li"}, "table": {"caption", "thead", "tbody"}, "thead": {"tr"}, "tbody": {"tr"}, "tr": {"th", "td"},
    "html": {"head", "body"},
}  # fmt: skip
ACTS = frozenset(
    {"script", "link", "img", "iframe", "object", "form", "base", "input", "foreignobject", "use", "image"}
)


class Reader(HTMLParser):
    """What a page holds, and what is wrong with it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.levels: list[int] = []
        self.words: list[str] = []
        self.policy = ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.names |= set(given)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        self.levels += [int(tag[1])] if tag in ("h1", "h2", "h3", "h4") else []
        if len(given) != len(attrs):
            self.wrong.append(f"an attribute twice in {tag}")
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        above = self.open[-1] if self.open else ""
        if tag in BLOCKS and set(self.open) & PHRASES:
            self.wrong.append(f"{tag} inside {self.open}")
        if above in CHILDREN and tag not in CHILDREN[above]:
            self.wrong.append(f"{tag} is no child of {above}")
        if tag == "li" and above != "ul":
            self.wrong.append(f"li outside a list: {above}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def read(page: str) -> Reader:
    """The page as read; it is well-formed, its headings go down by one, and nothing on it could act."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert page.startswith("<!doctype html>\n") and page.endswith("</html>\n")
    assert not reader.open and not reader.wrong, (reader.open, reader.wrong[:5])
    assert len(set(reader.ids)) == len(reader.ids), reader.ids
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links), reader.links
    assert not reader.tags & ACTS, reader.tags & ACTS
    assert not {name for name in reader.names if name.startswith("on") or name == "src"}
    assert reader.policy.startswith("default-src 'none'")
    assert "@import" not in page and "url(" not in page
    assert reader.levels[0] == 1 and reader.levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(reader.levels)), reader.levels
    assert not [char for char in page if not char.isprintable() and char not in "\n\t"]
    return reader
