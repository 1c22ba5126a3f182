"""Markdown, HTML, reStructuredText and notebooks: what is text, what is passed over and counted, and where it stands."""

from __future__ import annotations

import json

import pytest

from denominator.errors import InputError
from denominator.readers.documents import form_of, read_document
from denominator.records.documents import SpanKind


def read(text, name="a.md"):
    return read_document(text.encode(), name)


def shown(document, *kinds):
    return [one.text.strip() for one in document.spans if not kinds or one.kind in kinds]


def test_markdown_blocks():
    text = (
        "---\ntitle: 5% faster\naudience: deck\n---\n# Head\n\nOne\nline.\n- item *a*\n- item b\n\n> quoted **7**%\n\nSetext\n===\n"
        "```py\n50%\n```\n~~~\n60%\n```\n~~~\nafter\n"
    )
    document = read(text)
    assert shown(document) == [
        "title: 5% faster",
        "# Head",
        "One line.",
        "item a",
        "item b",
        "quoted 7%",
        "Setext",
        "after",
    ]
    assert document.audience == "deck" and document.skipped == {"code fences": 2, "lines of code": 3}


def test_an_unclosed_fence_in_a_comment_hides_nothing():
    document = read("<!--\n```\n-->\nseen 50%\n\n<!-- ``` -->\nseen too\n")
    assert shown(document, SpanKind.PROSE) == ["seen 50%", "seen too"] and not document.skipped


def test_comments_belong_to_the_block_behind_or_around_them():
    document = read("<!-- a -->\nOne.\n\n- Two <!-- b -->\n- Three\n\nFour\n<!-- c\nc -->\nfive\n<!-- d -->\n")
    blocks = {one.text.strip(): one.block for one in document.spans}
    assert blocks["a"] == blocks["One."] and blocks["b"] == blocks["Two"] != blocks["Three"]
    assert blocks["c\nc"] == blocks["five"] and blocks["d"] not in (blocks["five"], blocks["Four"])


def test_a_table_has_rows_heads_and_a_caption():
    document = read("Table 1: x slip:ab12cd34\n\n| arm | rate \\| n |\n|---|:-:|\n| a | `1%` |\nafter\n")
    cells = [one for one in document.spans if one.kind == SpanKind.CELL]
    assert [(one.row, one.text.strip()) for one in cells] == [(1, "arm"), (1, "rate | n"), (2, "a"), (2, "`1%`")]
    assert document.spans[0].kind == SpanKind.CAPTION and document.spans[0].table == cells[0].table
    assert "rate" in cells[-1].context and document.spans[-1].text == "after"
    assert cells[-1].position(cells[-1].text.index("1")) == (5, 8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[71%](slips/ab12cd34.md) x", "[71%] slip:ab12cd34 x"), ("[71%][slip:ab12cd34] x", "[71%] slip:ab12cd34 x"),
        ("[71%](https://example.org/slips/ab12cd34.json#rate)", "[71%] slip:ab12cd34#rate"), ("[a](b.md) x", "[a] x"),
        ("71%[^n] x\n\n[^n]: see slip:ab12cd34", "71% slip:ab12cd34  x"), ("a\\*b &lt; <b>7</b>% <br>x", "a*b < 7% \x1ex"),
        ("[71%][s] x\n\n[s]: slips/ab12cd34.md", "[71%] slip:ab12cd34 x"), ("<https://example.org/5%25> x", "x"),
        ('<a href="slips/ab12cd34.md">7%</a>', "slip:ab12cd34 7%"), ("snake_case_7 and __b__", "snake_case_7 and b"),
    ],
)  # fmt: skip
def test_inline_markup_as_text(text, said):
    assert shown(read(text), SpanKind.PROSE)[0] == said


def test_alt_texts_are_text_and_images_are_unread():
    document = read("![rate 5%](p/a.png) and <img alt='rate 6%' src=b.png>")
    assert shown(document, SpanKind.ALT) == ["rate 5%", "rate 6%"]
    assert [(one.what, one.about, one.line) for one in document.unread] == [
        ("image", "rate 5%", 1),
        ("image", "rate 6%", 1),
    ]


def test_html():
    text = (
        "<title>T 1%</title><meta name=audience content=internal><script>50%</script><style>a</style><pre>60%</pre>\n"
        "<p>a <b>7</b>1.4&percnt;<br>b</p><!-- c --><div>d</div><table><caption>cap</caption><tr><th>h1<th>h2</tr>"
        "<tr><td>x<td>2%</tr></table><a href='slips/ab12cd34.html'>3%</a>"
    )
    document = read(text, "a.html")
    assert shown(document, SpanKind.PROSE) == ["T 1%", "a 71.4%", "b", "d", "3% slip:ab12cd34"]
    assert document.audience == "internal" and document.skipped["scripts"] == document.skipped["code blocks"] == 1
    cell = next(one for one in document.spans if one.text == "2%")
    assert (cell.row, cell.context.split()) == (2, ["h2", "cap", "x"])
    blocks = {one.text.strip(): one.block for one in document.spans}
    assert blocks["c"] == blocks["d"]


def test_a_table_of_html_in_markdown_is_a_table():
    document = read(
        "Intro\n\n<table>\n<tr><th>arm</th><th>pass rate</th></tr>\n<tr><td>a</td><td>\n71.4%</td></tr></table>\n\nAfter\n"
    )
    cell = next(one for one in document.spans if "71.4%" in one.text)
    assert (cell.kind, cell.row, cell.position(cell.text.index("7"))) == (
        SpanKind.CELL,
        2,
        (6, 1),
    ) and "pass rate" in cell.context
    assert shown(document, SpanKind.PROSE) == ["Intro", "After"] and len({one.block for one in document.spans}) == 3
    assert shown(read("<table><tr><td>1%\n\nnever closed\n"), SpanKind.CELL) == ["1%  never closed"]


def test_rst():
    text = (
        ":audience: deck\n\nTitle\n=====\n\nText `rate <slips/ab12cd34.md>`_ x.\nCode::\n\n   50%\n\n.. code-block:: sh\n\n   60%\n\n"
        ".. hidden\n   more\n\nAfter.\n\n.. image:: a.png\n   :alt: rate 5%\n\n.. note:: read 7%\n\n"
        "+----+----+\n| a  | b  |\n+====+====+\n| 1% | 2% |\n+----+----+\n"
    )
    document = read(text, "a.rst")
    assert shown(document, SpanKind.PROSE) == ["Title", "Text rate  slip:ab12cd34 x. Code::", "After.", "read 7%"]
    assert shown(document, SpanKind.CELL) == ["a", "b", "1%", "2%"] and shown(document, SpanKind.ALT) == ["rate 5%"]
    assert document.audience == "deck" and document.skipped["code blocks"] == 2


def test_a_notebook_is_its_markdown_cells():
    cells = [
        {"cell_type": "markdown", "source": ["# A\n", "passes 5%"]}, {"cell_type": "code", "source": "x", "outputs": [{}, {}]}, 7,
    ]  # fmt: skip
    document = read(json.dumps({"cells": cells}), "a.ipynb")
    assert [(one.place, one.text) for one in document.spans] == [
        ("cell 1 line 1", "# A"),
        ("cell 1 line 2", "passes 5%"),
    ]
    assert document.skipped == {"code cells": 1, "outputs": 2}
    for bad in ("{", "[]", '{"cells": 3}'):
        with pytest.raises(InputError):
            read(bad, "a.ipynb")


def test_what_is_not_read_is_refused_in_words():
    assert form_of("a.MD") == "markdown" and form_of("a.exe") == "" and form_of("README") == ""
    for data, name in ((b"\xff", "a.md"), (b"x", "a.exe"), (b"x" * (9 << 20), "a.md")):
        with pytest.raises(InputError, match=name):
            read_document(data, name)
    assert shown(read_document("é 5%".encode("utf-16"), "a.md")) == ["é 5%"]


@pytest.mark.parametrize("piece", ["[", "![", "<!--", "<a ", "`", "*", "|", "[^a]: [^a]", "&#", "<", "](", "\\"])
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.rst"])
def test_long_repetitions_take_no_more_than_their_length(piece, name):
    read_document((piece * 20_000).encode(), name)
