"""Every way to tamper with the bundle of a run that `verify` must name: by its sums, and although the sums were made again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from denominator.bundles.layout import CARD, EVENTS, HEAD, LEDGER, STATEMENT
from denominator.testing.tampering import (
    Tampering,
    a_blob,
    both,
    chained,
    edit_json,
    edit_lines,
    first_blob,
    grade,
    link,
    put,
    remove,
    rewrite,
)


def _headline(card: Any) -> Any:
    return next(one for one in card["estimates"] if one["metric"] == "headline")


def _of_another_run(values: list[Any]) -> None:
    for value in values:
        value["run_id"] = "other"


def _set(value: Any, key: str, new: Any) -> None:
    assert value[key] != new
    value[key] = new


def _more(value: Any, key: str) -> None:
    value[key] += 1


PLAIN: dict[str, Tampering] = {
    "a file is gone": (remove(CARD), "missing", CARD, "not there"),
    "a byte is changed": (rewrite("README.md", lambda b: b.replace(b"R", b"r", 1)), "changed", "README.md", "mismatch"),
    "the ledger is cut": (rewrite(LEDGER, lambda b: b[:-9]), "changed", LEDGER, "mismatch"),
    "a patch is changed": (first_blob(lambda p: p.write_bytes(b"x")), "changed", "blobs/", "mismatch"),
    "a file is added": (put("more.txt"), "unlisted", "more.txt", "does not list"),
    "a blob is added": (a_blob(b"y"), "unlisted", "blobs/", "does not list"),
    "a hidden file is added": (put(".profile"), "odd_name", ".profile", "called so"),
    "a name with a line break": (put("a\nb"), "odd_name", "a\\nb", "called so"),
    "a name of no text": (lambda f: Path(os.fsdecode(os.fsencode(f) + b"/\xff")).write_bytes(b""), "odd_name", "\\udcff", ""),
    "a file became a link": (link(CARD, "/etc/hostname"), "link", CARD, "is a link"),
    "a link to a folder": (link("blobs2", "/etc"), "link", "blobs2", "is a link"),
    "a dangling link": (link("gone", "nowhere"), "link", "gone", "is a link"),
    "a pipe": (lambda f: os.mkfifo(f / "pipe"), "odd_name", "pipe", "a pipe"),
    "an empty folder": (lambda f: (f / "extra").mkdir(), "unlisted", "extra/", "empty folder"),
    "no sums": (remove("SHA256SUMS"), "missing", "SHA256SUMS", "without"),
    "empty sums": (rewrite("SHA256SUMS", lambda _: b""), "sums", "SHA256SUMS", "empty"),
    "a line of the sums is gone": (rewrite("SHA256SUMS", lambda b: b.split(b"\n", 1)[1]), "unlisted", "README.md", ""),
    "a line stands twice": (rewrite("SHA256SUMS", lambda b: b + b.split(b"\n", 1)[0] + b"\n"), "sums", "", "second time"),
    "the sums leave the folder": (rewrite("SHA256SUMS", lambda b: b + b"0" * 64 + b"  ../x\n"), "sums", "", "'../x'"),
    "the sums name a file of the system": (
        rewrite("SHA256SUMS", lambda b: b + b"0" * 64 + b"  /etc/passwd\n"), "sums", "", "'/etc/passwd'",
    ),
    "the sums are cut off": (rewrite("SHA256SUMS", lambda b: b[:-1]), "sums", "SHA256SUMS", "cut off"),
    "the sums hold something else": (rewrite("SHA256SUMS", lambda b: b + b"hello\n"), "sums", "SHA256SUMS:", "no line"),
    "the sums sign themselves": (
        rewrite("SHA256SUMS", lambda b: b + b"0" * 64 + b"  SHA256SUMS\n"), "sums", "", "cannot hold",
    ),
    "a digest is zeros": (rewrite("SHA256SUMS", lambda b: b"0" * 64 + b[64:]), "changed", "", "listed 000000000000"),
}  # fmt: skip
"""What is found by the sums: tamper, kind, part of the place, part of the words."""

RESEALED: dict[str, Tampering] = {
    "a stranger's file": (put("run.sh"), "foreign", "run.sh", "no file of a bundle"),
    "the sentence": (
        edit_json(CARD, lambda c: _set(c["verdict"], "sentence", "16 of 16.")), "card", CARD, "verdict.sentence",
    ),
    "the verdict": (edit_json(CARD, lambda c: _set(c["verdict"], "status", "excellent")), "card", CARD, "verdict.status"),
    "a numerator": (
        edit_json(CARD, lambda c: _set(_headline(c), "numerator", 77)), "card", CARD, "estimates[headline].numerator",
    ),
    "an interval": (edit_json(CARD, lambda c: _set(_headline(c), "lo", "0.999")), "card", CARD, "estimates[headline].lo"),
    "a number that nobody measured": (
        edit_json(CARD, lambda c: c["estimates"].append({**_headline(c), "metric": "made_up"})), "card", CARD, "made_up",
    ),
    "an exit": (edit_json(CARD, lambda c: _more(c["equation"], "pass")), "card", CARD, "equation.pass"),
    "a note is gone": (edit_json(CARD, lambda c: c["notes"].clear()), "card", CARD, "notes"),
    "a finding is gone": (edit_json(CARD, lambda c: c["verdict"]["findings"].pop()), "card", CARD, "findings"),
    "a control": (edit_json(CARD, lambda c: _set(c["controls"][0], "state", "violated")), "card", CARD, ".state"),
    "the card's version": (edit_json(CARD, lambda c: _set(c, "version", "9.9")), "card", CARD, "version"),
    "the card is spread out": (rewrite(CARD, lambda b: b.replace(b",", b", ", 1)), "unreadable", CARD, "canonical"),
    "a key twice": (rewrite(CARD, lambda b: b[:-2] + b',"arm":"x"}\n'), "unreadable", CARD, ""),
    "a card that is no JSON": (rewrite(CARD, lambda b: b[:40]), "unreadable", CARD, ""),
    "a card that is no UTF-8": (rewrite(CARD, lambda b: b.replace(b"arm", b"\xff\xfe", 1)), "unreadable", CARD, ""),
    "a row is gone": (edit_lines(LEDGER, lambda v: v.pop()), "ledger", LEDGER, "is missing"),
    "a row is turned round": (edit_lines(LEDGER, lambda v: _set(v[0], "grade", "none")), "ledger", LEDGER, "grade"),
    "a row twice": (edit_lines(LEDGER, lambda v: v.append(v[0])), "ledger", LEDGER, "twice"),
    "rows in another order": (edit_lines(LEDGER, lambda v: v.reverse()), "ledger", LEDGER, "another order"),
    "a row of nobody": (
        edit_lines(LEDGER, lambda v: v.append({**v[0], "key": {**v[0]["key"], "task_id": "new"}})), "ledger", LEDGER, "no event",
    ),
    "an empty line": (rewrite(LEDGER, lambda b: b + b"\n"), "unreadable", LEDGER, "empty"),
    "an event is changed": (edit_lines(EVENTS, grade), "chain", EVENTS, "changed after"),
    "an event is gone": (edit_lines(EVENTS, lambda v: v.pop(3)), "chain", EVENTS, "missing"),
    "the first event is gone": (edit_lines(EVENTS, lambda v: v.pop(0)), "chain", EVENTS, "events 1 to 1 are missing"),
    "two events changed places": (edit_lines(EVENTS, lambda v: v.insert(4, v.pop(5))), "chain", EVENTS, ""),
    "an event twice": (edit_lines(EVENTS, lambda v: v.insert(4, v[3])), "chain", EVENTS, "stands behind"),
    "the last events are gone": (edit_lines(EVENTS, lambda v: v.__delitem__(slice(-8, None))), "ledger", LEDGER, ""),
    "the end of the run is gone": (edit_lines(EVENTS, lambda v: v.pop()), "head", HEAD, "events"),
    "an event changed and the chain made again": (edit_lines(EVENTS, both(grade, chained)), "ledger", LEDGER, "grade"),
    "no event at all": (rewrite(EVENTS, lambda _: b""), "chain", EVENTS, "no event says"),
    "a number of an event that is text": (edit_lines(EVENTS, lambda v: _set(v[2], "seq", "3")), "chain", EVENTS, "no number"),
    "events of another run": (
        edit_lines(EVENTS, both(_of_another_run, chained)), "chain", EVENTS, "other",
    ),
    "a budget of the seal": (
        edit_json("seal.json", lambda s: _more(s["envelope"]["budget"], "wall_s")), "seal", "seal.json", "another seal",
    ),
    "the time of the seal": (
        edit_json("seal.json", lambda s: _set(s, "sealed_at", "2026-01-01T00:00:00.000Z")), "seal", "seal.json", "another seal",
    ),
    "a task of the seal is gone": (edit_json("seal.json", lambda s: s["tasks"].pop()), "head", HEAD, "tasks_root"),
    "the baseline": (
        edit_json("baseline.json", lambda b: _set(b, "taken_at", "2026-01-01T00:00:00.000Z")), "seal", "baseline.json", "sealed",
    ),
    "labels of nobody": (put("labels.jsonl", b'{"by":"rule"}\n'), "unreadable", "labels.jsonl", ""),
    "a subject of the statement": (edit_json(STATEMENT, lambda s: s["subject"].pop()), "derived", STATEMENT, "give"),
    "what the statement says": (
        edit_json(STATEMENT, lambda s: _set(s["predicate"]["verdict"], "sentence", "16 of 16.")), "derived", STATEMENT, "give",
    ),
    "the statement is gone": (remove(STATEMENT), "missing", STATEMENT, "without"),
    "lines of no slip": (put("slip.lines.jsonl"), "slip", "slip.lines.jsonl", "no slip"),
    "the README": (rewrite("README.md", lambda b: b + b"Ours is first.\n"), "derived", "README.md", "give"),
    "the commands": (rewrite("commands.txt", lambda b: b + b"curl x\n"), "derived", "commands.txt", "give"),
    "a probe that was never run": (put("narration_probe.json", b"[]\n"), "derived", "narration_probe.json", "give"),
    "a root": (edit_json(HEAD, lambda h: _set(h, "rows_root", "0" * 64)), "head", HEAD, "rows_root"),
    "the head of the chain": (edit_json(HEAD, lambda h: _set(h, "events_head", "0" * 64)), "head", HEAD, "events_head"),
    "other rules": (edit_json(HEAD, lambda h: _set(h, "rules_digest", "0" * 64)), "rules", HEAD, "nothing was judged again"),
    "rules of a house": (edit_json(HEAD, lambda h: _set(h, "house", ["H001 x@1 y"])), "rules", HEAD, "H001"),
    "siblings kept silent or made up": (edit_json(HEAD, lambda h: h["beside"]["siblings"].append("x")), "card", CARD, ""),
    "another run id": (edit_json(HEAD, lambda h: _set(h, "run_id", "other")), "chain", EVENTS, "another run"),
    "a head of no record": (edit_json(HEAD, lambda h: h.pop("rows")), "unreadable", HEAD, "rows"),
    "the bytes of a patch": (first_blob(lambda p: p.write_bytes(b"x")), "artifact", "blobs/", "not those"),
    "a patch is gone": (first_blob(lambda p: p.unlink()), "artifact", "blobs/", "and is not"),
    "a patch of nobody": (a_blob(b"z"), "artifact", "blobs/", "no event"),
    "a patch is said to be left out": (
        edit_json(HEAD, lambda h: _set(h["artifacts"][0], "left_out", "lost")), "artifact", "blobs/", "and is there",
    ),
    "a patch is listed as a report": (
        edit_json(HEAD, lambda h: _set(h["artifacts"][0], "kind", "log")), "artifact", "blobs/", "not a log",
    ),
    "a patch is not listed": (edit_json(HEAD, lambda h: h["artifacts"].pop(0)), "artifact", "blobs/", "does not list"),
    "a signature of nothing": (put("SHA256SUMS.sig", b"x"), "signature", "SHA256SUMS.sig", "no signature"),
}  # fmt: skip
"""What is found although the sums were made again."""
