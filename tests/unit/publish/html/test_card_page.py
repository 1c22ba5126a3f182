"""The page of a run: whole, in order, inert, silent on what is withheld, and small however much there is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.pipeline.companion_sources import sealed_probe
from denominator.pipeline.reporting import MOST, chosen, quieted, report_of
from denominator.pipeline.results import judge_ledger
from denominator.publish.html.card import card_html
from denominator.publish.html.card.attempts import fitted
from denominator.records.findings import Waiver
from denominator.records.labelled import LabelledRow
from denominator.records.labels import Evidence, Label
from denominator.records.reports import Excerpt, RunFacts, Story, Untold
from denominator.records.values import NotMeasured
from judging_data import by_outcome, key, ledger, own, probe, terms
from report_pages import read

HOSTILE = (
    "</pre></details><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\x1b[31m\x00\u202egnp.exe\u2066"
    "\ud800\udfff\x9b\r\x7f\u2028\ufeff\u061c-->]]><!--<svg onload=alert(3)><style>*{display:none}</style>"
)
LIMIT = 1_500_000


def report(rows=None, given=None, **over):
    made, labels = (rows, []) if rows is not None else by_outcome(**{"pass": 16, "fail": 4})
    return replace(report_of("r1", judge_ledger(ledger(made, labels), given or terms())), **over)


def beside(found, **over):
    return replace(found, beside=replace(found.beside, **over))


def row(task="t1", **over):
    return LabelledRow(**({"task_id": task, "repeat": 1, "attempt": 1, "run_id": "r1", "outcome": "fail"} | over))


def story(task="t1", text="x", **over):
    labels = tuple(
        Label(key=key(task), axis=axis, value="v", by="rule@1", why="because it is so")
        for axis in ("outcome", "origin", "reason", "mix")
    )
    left = (Excerpt(name="change", text=text), Excerpt(name="agent stdout", text=text, cut="start"))
    return Story(row=row(task, labels=labels, **over), excerpts=left)


def test_the_sentence_comes_first_and_every_part_is_there_in_order():
    found = report(
        given=terms(probe=probe(models=["big"]), allow=({"rule": "few-tasks", "why": "w", "who": "a team", "until": "2027-01-01"},)),
        stories=(story(),),
    )  # fmt: skip
    reader = read(card_html(found))
    assert reader.text.index(found.card.verdict.sentence) < reader.text.index("Declared draws of the solvable slice")
    parts = ["said", "counts", "numbers", "map", "controls", "findings", "may-not", "waivers", "attempts", "spend"]
    parts += ["durability", "probe", "replays", "versions", "limits"]
    assert [one for one in reader.ids if one in parts] == parts
    for told in ("16 of 20", "a team", "bench", "t01", "headline", "rule@1", "t1 r1 a1"):
        assert told in reader.text, told


def test_the_same_rows_in_any_order_give_the_same_page():
    rows, labels = by_outcome(**{"pass": 9, "fail": 3})
    pages = {
        card_html(report_of("r1", judge_ledger(ledger(some, labels, [r.key.task_id for r in rows]), terms())))
        for some in (rows, rows[::-1])
    }
    assert len(pages) == 1


def test_every_finding_has_its_fix_and_the_page_of_its_rule():
    found = report()
    page = read(card_html(found)).text
    open_ones = [one for one in found.card.verdict.findings if one.severity != "held"]
    assert open_ones
    for one in open_ones:
        assert f"{one.code} {one.allow_name}" in page and (not one.fix or f"Fix: {one.fix}" in page)
        assert f"The page of {one.code} {one.allow_name}" in page


FIELDS = {
    "run id": lambda r: replace(r, card=replace(r.card, run_id=HOSTILE)),
    "name": lambda r: replace(r, name=HOSTILE),
    "question": lambda r: replace(r, card=replace(r.card, question=HOSTILE, meant=HOSTILE, pack_reason=HOSTILE)),
    "stamps": lambda r: replace(r, card=replace(r.card, stamps=(HOSTILE,), notes=(HOSTILE,), house=(HOSTILE,))),
    "environment": lambda r: replace(r, card=replace(r.card, environment={HOSTILE: HOSTILE}, budgets={HOSTILE: HOSTILE})),
    "counts": lambda r: replace(r, card=replace(r.card, tags={HOSTILE: 1}, never_started=(HOSTILE,))),
    "estimates": lambda r: replace(r, card=replace(r.card, estimates=tuple(replace(e, method=HOSTILE, unit=HOSTILE) for e in r.card.estimates))),
    "findings": lambda r: replace(r, card=replace(r.card, verdict=replace(r.card.verdict, sentence=HOSTILE, may_not=(HOSTILE,), findings=tuple(replace(f, what=HOSTILE, where=HOSTILE, fix=HOSTILE, allow_name=HOSTILE, severity="block") for f in r.card.verdict.findings)))),
    "marks": lambda r: replace(r, marks=((HOSTILE, "PF"),)),
    "waivers": lambda r: replace(r, waivers=(Waiver(rule=HOSTILE, why=HOSTILE, who=HOSTILE, until=HOSTILE),)),
    "probe": lambda r: beside(r, probe=(sealed_probe(replace(probe(models=[HOSTILE]), name=HOSTILE, model=HOSTILE, sentences=(HOSTILE,))),)),
    "row": lambda r: replace(r, stories=(story(HOSTILE, why=HOSTILE, control=HOSTILE, reason=HOSTILE, read_it=HOSTILE),)),
    "excerpt": lambda r: replace(r, stories=(story(text=f"+{HOSTILE}\n-{HOSTILE}\n{HOSTILE}"), replace(story(), excerpts=(Excerpt(name=HOSTILE, text="x"),)))),
    "untold": lambda r: replace(r, untold=(Untold(kind=HOSTILE, count=1, names=(HOSTILE,)),), quoted=HOSTILE),
    "facts": lambda r: replace(r, facts=RunFacts(defects=((HOSTILE, 1),))),
    "spend": lambda r: beside(r, spend=replace(r.beside.spend, name=HOSTILE, reading_why=HOSTILE, blocks=(HOSTILE,))),
    "not shown": lambda r: beside(r, refused=(HOSTILE,)),
}  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_text_from_outside_is_inert(field):
    page = card_html(FIELDS[field](report(stories=(story(),))))
    reader = read(page)
    assert page.encode(), "half a character of UTF-16 is text like any other"
    assert not {char for char in page if not char.isprintable()} - {"\n", "\t"}
    assert "alert(1)" in reader.text and "\\u202e" in reader.text, "shown, not dropped"


ANY_TEXT = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(
    ["\ud83d", "\x00", "\x1b]0;t\x07", "\u202e", "<!--", "</main>", "&#x1f;", "+\t-", "\r\n", "<![CDATA["]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ANY_TEXT, min_size=3, max_size=3))
def test_any_text_at_all_is_inert(words):
    first, second, third = words
    told = story(first or "t", text=f"+{second}\n{third}", why=third, reason=first)
    page = card_html(beside(report(stories=(told,), quoted=second), refused=(third,)))
    page.encode()
    reader = read(page)
    assert len([one for one in reader.ids if one == "attempts"]) == 1
    assert page.count("<details") == page.count("</details>") and page.count("<script") == 0


def test_lines_of_a_megabyte_are_cut_and_said_to_be():
    line = "x" * 1_000_000
    found = report(stories=tuple(story(f"t{n}", f"+{line}\n", why=line, read_it=line[:400]) for n in range(30)))
    page = card_html(found)
    assert len(page.encode()) < LIMIT
    assert "bytes are left out at its end" in read(page).text


def violated():
    rows = [own("neg-01", slice="negative", control="must_fail"), *[own(f"t{n}") for n in range(6)]]
    rows += [own(f"r{n}", "red") for n in range(3)]
    return report_of("r1", judge_ledger(ledger(rows), terms(origin="seal")))


def test_where_a_control_is_violated_nothing_tells_passes_from_fails():
    found = violated()
    assert [one.row.task_id for one in found.stories] == ["neg-01"]
    assert isinstance(found.marks, NotMeasured) and found.hidden == 9
    reader = read(card_html(found))
    assert "pass or fail 9" in reader.text and "violated" in reader.text and "GL010" in reader.text
    for told in ("6 of 9", "3 of 9", "0.667", "r0 r1", "t0 r1"):
        assert told not in reader.text, told


def test_the_same_page_whatever_is_hidden():
    pages = set()
    for green in (2, 7):
        rows = [own("neg-01", slice="negative", control="must_fail")]
        rows += [own(f"t{n}", "green" if n < green else "red") for n in range(9)]
        pages.add(card_html(report_of("r1", judge_ledger(ledger(rows), terms(origin="seal")))))
    assert len(pages) == 1


def test_a_large_page_keeps_its_limit_and_says_what_is_missing_and_where():
    text = "\n".join(f"+line {n} <with> & markup" for n in range(150))
    found = report(stories=tuple(story(f"task-{n:04}", text) for n in range(500)))
    page = card_html(found)
    assert len(page.encode()) < LIMIT
    text = read(page).text
    assert all(f"task-{n:04} r1 a1" in text for n in range(500))
    assert "bytes are left out at its end" in text and "denominator show task-0000 --run r1" in text


def test_hostile_text_that_grows_as_markup_keeps_the_limit_too():
    found = report(stories=tuple(story(f"task-{n:04}", "\u202e<&" * 2000, why="\x1b" * 5000) for n in range(500)))
    page = card_html(found)
    assert len(page.encode()) < LIMIT
    read(page)


def test_what_does_not_fit_is_counted_by_name():
    stories = tuple(story(f"task-{n}") for n in range(40))
    told, left = fitted(stories, "r1", 9_000)
    assert told and left and len(told) + len(left) == 40
    assert sum(map(len, told)) <= 9_000


def test_ten_thousand_attempts_are_folded():
    rows, labels = by_outcome(**{"pass": 6_000, "fail": 4_000})
    found = report_of("r1", judge_ledger(ledger(rows, labels), terms()))
    page = card_html(found)
    assert len(page.encode()) < LIMIT
    reader = read(page)
    assert "too many to draw one by one" in reader.text and "6000 of 10000" in reader.text
    assert len(found.stories) == MOST and sum(one.count for one in found.untold) == 4_000 - MOST
    assert "Counted here, not told" in reader.text


def test_every_kind_of_ending_is_told_before_any_kind_twice():
    rows = [row(f"a{n}", mix="SCORER_RED") for n in range(10)] + [row("b", mix="TIMEOUT"), row("c", control="canary")]
    told, rest = chosen(rows, 3)
    assert {one.task_id for one in told} == {"c", "b", "a0"} and len(rest) == 9


def test_a_run_without_failures_says_so():
    rows, labels = by_outcome(**{"pass": 12})
    assert "None." in read(card_html(report_of("r1", judge_ledger(ledger(rows, labels), terms())))).text


def test_what_labels_quote_is_quiet_too():
    secret = "sk-" + "a1" * 12
    shown = Evidence(kind="call", ref="1", quote=f"key {secret} at /home/somebody/x")
    label = Label(key=key("t1"), axis="outcome", value="fail", by="rule@1", why=secret, evidence=(shown,))
    page = card_html(report(stories=(Story(row=quieted(row(labels=(label,), why=secret))),)))
    assert secret not in page and "somebody" not in page and "it looks like an access key" in page
