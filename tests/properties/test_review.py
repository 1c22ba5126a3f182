"""Sheets survive every spreadsheet, and one person alone never changes a count."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.judge import judge
from denominator.publish import make_card
from denominator.records.labels import Evidence, Label
from denominator.records.reviews import PeopleWork
from denominator.records.rows import Failure, Hint
from denominator.review import Wish, check, make_sheet, questions, read_answers, read_csv, write_csv, write_jsonl
from denominator.review.cells import cell, same_cell
from denominator.wire.canonical import canonical
from judging_data import foreign, key, ledger, own, said, terms

WORDS = (
    "=1+1",
    "+x",
    "-2",
    "@sum",
    "2024-01",
    "MAR1",
    "true",
    "a;=b",
    "a,\t-c",
    'say "x"',
    "'=q",
    "x\ny",
    "\uff1dz",
    "é",
)
BEGINS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
ids = st.one_of(st.sampled_from(WORDS), st.text(st.characters(codec="utf-8"), min_size=1, max_size=8))
tasks = st.lists(ids, min_size=1, max_size=6, unique=True)
notes = st.one_of(st.sampled_from(WORDS), st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=12))
AXES = ("origin", "reason", "failure_class", "mix")


def copy_of(names, seed="s", labelers=("", "")):
    """A sheet over rows with these tasks and the questions of its first copy."""
    hint = Hint(cause="x", family="f", writer="harness", stream="verify/stderr", offset=3, length=2, quote="=evil()")
    rows = {key(name): foreign(name, hints=(hint,), stop_reason=name) for name in names}
    sheet = make_sheet(Wish(axes=AXES, seed=seed, labelers=labelers), "r1", rows.values(), (), PeopleWork())
    return sheet, questions(sheet, sheet.copies[0], rows, lambda _key: ("event 1",))


def cells(data, separator=","):
    text = data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))


@st.composite
def fillings(draw):
    """A sheet, what a person writes into some lines, and those answers by (row, axis)."""
    sheet, asked = copy_of(draw(tasks))
    filled, answers = [], {}
    for question in asked:
        if question.axis in ("origin", "reason") or draw(st.booleans()):
            filled.append(question)
            continue
        value, why = draw(st.sampled_from(question.allowed)), draw(notes)
        filled.append(replace(question, value=value, why=why))
        answers[question.key, question.axis] = (value, why.strip())
    return sheet, asked, filled, answers


def found(lines, sheet):
    checked = check(lines, sheet, "file")
    assert checked.problems == ()
    assert checked.open + len(checked.answers) == sum(len(row.axes) for row in sheet.rows)
    return {(one.key, one.axis): (one.value, one.why) for one in checked.answers}


@settings(max_examples=40)
@given(
    fillings(),
    st.randoms(use_true_random=False),
    st.sampled_from(",;\t"),
    st.sampled_from(["\r\n", "\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_csv_comes_back_from_any_spreadsheet(filling, random, separator, end, code, quoting):
    sheet, asked, filled, answers = filling
    header, *rows = cells(write_csv(asked))
    for row, question in zip(rows, filled, strict=True):
        row[header.index("value")], row[header.index("why")] = question.value, question.why
    random.shuffle(rows)
    order = [*range(len(header))]
    random.shuffle(order)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerow([*(header[at].upper() for at in order), "my own column"])
    writer.writerows([*(row[at] for at in order), "x"] for row in rows)
    writer.writerow([""] * (len(header) + 1))
    assert found(read_csv(out.getvalue().encode(code), "file"), sheet) == answers


@settings(max_examples=40)
@given(fillings())
def test_jsonl_comes_back_with_keys_in_any_order_and_keys_of_its_own(filling):
    sheet, _, filled, answers = filling
    lines = [json.loads(line) for line in write_jsonl(filled).splitlines()]
    text = "".join(json.dumps({"mine": 1, **dict(reversed(line.items()))}) + "\n" for line in lines)
    assert found(read_answers(text.encode(), "file"), sheet) == answers


@settings(max_examples=40)
@given(tasks, st.sampled_from(",;\t"))
def test_no_cell_is_a_formula_whatever_separates_them(names, separator):
    _, asked = copy_of(names)
    data = write_csv(asked)
    assert data.startswith(b"\xef\xbb\xbf") and b"\r\n" in data
    for row in cells(data):
        for text in row:
            for piece in text.split(separator):
                assert not piece.lstrip(" \t").startswith(BEGINS)
            assert "\n" not in text and "\r" not in text


@settings(max_examples=200)
@given(ids, st.sampled_from(["", " ", "  "]))
def test_a_cell_is_known_again_and_no_other_is(text, space):
    assert same_cell(cell(text) + space, text)
    assert same_cell(cell(text).removeprefix("'"), text)
    assert not same_cell(cell(text) + "x", text)


@settings(max_examples=40)
@given(st.lists(ids, min_size=2, max_size=9, unique=True), st.integers(1, 100), st.text(max_size=4))
def test_rows_are_drawn_by_hash_whatever_order_they_come_in(names, share, seed):
    rows = [foreign(name) for name in names]
    wish = Wish(axes=("mix",), seed=seed, share=share, labelers=("a", "b", "c"))
    one, two = (make_sheet(wish, "r1", order, (), PeopleWork()) for order in (rows, rows[::-1]))
    assert canonical(one) == canonical(two)
    assert len(one.rows) == -(-len(names) * share // 100)
    orders = [copy.order for copy in one.copies]
    assert all(sorted(order) == sorted(orders[0]) for order in orders)
    assert len(set(orders)) == min(3, len(one.rows) if len(one.rows) < 3 else 3)


values = st.sampled_from(
    [("origin", "MODEL"), ("origin", "INFRA"), ("reason", "evicted"), ("reason", "disk_full"), ("outcome", "pass"),
     ("failure_class", "timeout"), ("failure_class", "pass"), ("mix", "PASS_CONTRACT"), ("mix", "TOOL_LOOP"), ("tag", "x")]
)  # fmt: skip
people = st.sampled_from(["person:ann", "person:Ann", "person: ann "])
quotes = st.sampled_from([(), (Evidence(kind="event", ref="3"),), (Evidence(kind="file", ref="f"),)])
rows = st.sampled_from(
    [
        own("t1", "none", first_unrecovered=Failure(seq=1, cause="gremlins", writer="harness", phase="agent")),
        own("t1", "none", first_unrecovered=Failure(seq=1, cause="disk_full", writer="sandbox", phase="agent")),
        own("t1", "green"),
        own("t1", "red"),
        own("t1", "tampered"),
        own("t1", "green", green_without_agent=True),
        own("t1", "none", killed_by="budget_wall"),
        foreign("t1"),
    ]
)


@st.composite
def labels_of(draw, who, sheets=("a" * 64, "b" * 64)):
    axis, value = draw(values)
    return Label(
        key=key("t1"), axis=axis, value=value, by=draw(who), sheet=draw(st.sampled_from(sheets)), why=draw(st.text(max_size=2)),
        blind=draw(st.booleans()), evidence=draw(quotes), at=draw(st.sampled_from(["", "2026-11-29T00:00:00Z"])),
    )  # fmt: skip


def draws(rows, labels):
    return judge(ledger(rows, labels), terms()).sheet.draws


@settings(max_examples=150)
@given(rows, st.lists(labels_of(people), max_size=6), st.sampled_from(["", "pass", "fail"]))
def test_one_person_alone_never_changes_anything(row, labels, source):
    given_ = [said("t1", "outcome", source)] if source else []
    assert draws([row], [*given_, *labels]) == draws([row], given_)


everyone = st.sampled_from(["person:ann", "person:bob", "person:cat"])
any_labels = st.lists(labels_of(everyone, ("a" * 64, "adjudication")), max_size=8)


@settings(max_examples=100)
@given(rows, any_labels, st.randoms(use_true_random=False))
def test_nobody_makes_a_pass_and_order_says_nothing(row, labels, random):
    before, after = draws([row], [])[0], draws([row], labels)[0]
    assert after.exit in ("pass", "fail", "abstain", "unscoreable")
    assert after.exit != "pass" or before.exit == "pass"
    if row.grade in ("green", "red", "tampered") and after.exit == "unscoreable" and before.exit != "unscoreable":
        assert any(label.sheet == "adjudication" and label.evidence for label in labels)
    if after.exit == "unscoreable":
        assert after.reason or not before.reason
    made, given_ = ledger([row], labels), terms()
    shuffled = replace(made, labels=tuple(random.sample(labels, len(labels))))
    one, two = (make_card(each, given_, judge(each, given_)) for each in (made, shuffled))
    assert canonical(one) == canonical(two)
    assert [canonical(label) for label in judge(made, given_).labels] == [
        canonical(label) for label in judge(shuffled, given_).labels
    ]
