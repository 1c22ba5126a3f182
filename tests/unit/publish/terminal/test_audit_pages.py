"""The pages of an audit: what a list of the source is, bounds without width, long lists folded, folders that were kept."""

from __future__ import annotations

from dataclasses import replace

from denominator.publish.terminal.audit import add_audit
from denominator.publish.terminal.page import Page
from denominator.records.audits import Audit, AuditedRun, IdSets, PublishedLine, RunLine, Says
from denominator.records.findings import Verdict


def line(metric="resolved", printed="50.0", **others):
    known = {"unit": "percent", "role": "rate", "of": "", "where": "", "says": Says.IMPOSSIBLE, "what": "no count"}
    return PublishedLine(metric=metric, printed=printed, **(known | others))


def run(name, **others):
    known = {
        "passes": 3, "recorded": 6, "scored": 6, "scheduled": 6, "absent": 0, "least": "0.500000", "most": "0.500000",
        "status": "blocked", "rung": "refused", "blocked_by": ("GL002 unbalanced-ledger",), "exit": 1,
    }  # fmt: skip
    return RunLine(name=name, **(known | others))


def audit(*runs, **others):
    known = {"source": "s", "format": "f", "title": "t", "why": "w", "exit": 1, "ids": IdSets(union=6, intersection=2)}
    return Audit(runs=runs, **(known | others))


def text(document, **how):
    page = Page(400, False)
    add_audit(page, document, **how)
    return page.text()


def test_two_ends_that_are_one_number_are_not_printed_for_a_run_that_is_blocked():
    said = text(audit(run("a", no_width="no width: SO"), run("b", least="0.100000", most="0.600000", scored=4)))
    assert "a: no width: SO" in said
    assert "50.0 %" not in said
    assert "b: 10.0 % to 60.0 % (0 absent, 2 without a score)" in said
    free = run("a", no_width="no width: SO", status="publishable", exit=0)
    assert "a: 50.0 %, no width: SO" in text(audit(free, run("b")))


def test_ends_that_look_alike_when_rounded_are_told_apart():
    said = text(audit(run("a", least="0.500000", most="0.500100"), run("b")))
    assert "a: 0.500000 to 0.500100 of 1" in said


def test_many_runs_are_summed_and_folded_and_all_of_them_can_be_asked_for():
    many = audit(*(run(f"run-{n}", printed=(line(),)) for n in range(40)))
    short, whole = text(many), text(many, every=True)
    assert "40 blocked (refused) by GL002, exit 1" in short
    assert "and 28 more (--all prints them, --json lists them)" in short
    assert len(short.splitlines()) < 100
    assert all(f"run-{n}: resolved" in whole for n in range(40))
    assert "more (--all" not in whole
    assert sum(one == "  run-39" for one in short.splitlines()) == 0
    assert sum(one == "  run-39" for one in whole.splitlines()) == 1


def test_what_no_count_gives_stands_before_what_nobody_can_explain():
    first, last = line(says=Says.UNEXPLAINED, what="WHY"), line(says=Says.IMPOSSIBLE, what="NEVER")
    said = text(audit(run("a", printed=(first, last)), run("b")))
    assert said.index("NEVER") < said.index("WHY")


def test_kept_folders_are_named_as_verbs_take_them():
    said = text(audit(run("a/1", kept="a_1"), run("b", kept="b"), run("c", why="torn")), kept="out/")
    assert "out/a_1" in said
    assert "next: denominator compare out/a_1 out/b" in said
    assert "KEPT" not in text(audit(run("a"), run("b")))


ONE = AuditedRun(
    name="r", arm="r", run_id="r", digest="d" * 64, passes=3, counts=(), published=(), endings=(), conditions={},
    unknown={}, missing=(), defects=(), verdict=Verdict(status="blocked", rung="refused", sentence="Refused."),
)  # fmt: skip


def test_a_number_that_we_counted_is_not_quoted():
    counted = line("resolved (entries)", "241", unit="count", role="passed", says=Says.DISAGREES, counted=True)
    said = text(audit(run=replace(ONE, published=(line(), counted))))
    assert 'resolved: "50.0 %"' in said
    assert "COUNTED IN ITS LISTS (by us: the source prints no such number)\n  resolved (entries): 241\n" in said
    alone = text(audit(run=replace(ONE, published=(counted,))))
    assert "PUBLISHED (the source's words, no result of ours)\n  nothing that is read\n" in alone


def test_the_folder_of_one_run_is_named_too():
    assert "next: denominator card out" in text(audit(run=ONE), kept="out")
