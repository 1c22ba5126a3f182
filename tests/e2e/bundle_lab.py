"""Ways to tamper with a bundle: each takes a folder and changes one thing. Those of RESEALED make the sums again afterwards."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from denominator.bundles.chain import FIRST
from denominator.bundles.layout import CARD, EVENTS, HEAD, LEDGER, STATEMENT
from denominator.bundles.sums import write_sums
from denominator.pipeline.bundle_judging import Evidence, judge_again
from denominator.pipeline.bundle_parts import derived_files, head_of
from denominator.pipeline.bundle_reading import Reader
from denominator.pipeline.bundle_statement import bundle_statement
from denominator.records.bundles import BundleHead
from denominator.wire.canonical import canonical, digest

Tamper = Callable[[Path], None]


def reseal(folder: Path) -> None:
    """Make the sums again, as anybody can."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("SHA256SUMS")]
    sums = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (folder / "SHA256SUMS").write_bytes(write_sums(sums))


def edit_json(name: str, change: Callable[[Any], None]) -> Tamper:
    """Change a document, in canonical form."""

    def tamper(folder: Path) -> None:
        value = json.loads((folder / name).read_bytes())
        change(value)
        (folder / name).write_bytes(canonical(value) + b"\n")

    return tamper


def edit_lines(name: str, change: Callable[[list[Any]], None]) -> Tamper:
    """Change the lines of a document, each in canonical form."""

    def tamper(folder: Path) -> None:
        path = folder / name
        values = [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []
        change(values)
        path.write_bytes(b"".join(canonical(value) + b"\n" for value in values))

    return tamper


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Tamper:
    """Change the bytes of a file."""

    def tamper(folder: Path) -> None:
        path = folder / name
        before = path.read_bytes() if path.exists() else b""
        after = change(before)
        assert after != before, name
        path.write_bytes(after)

    return tamper


def remove(name: str) -> Tamper:
    return lambda folder: (folder / name).unlink()


def put(name: str, data: bytes = b"x\n") -> Tamper:
    def tamper(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)

    return tamper


def link(name: str, to: str) -> Tamper:
    def tamper(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(to)

    return tamper


def first_blob(change: Callable[[Path], None]) -> Tamper:
    return lambda folder: change(sorted((folder / "blobs").iterdir())[0])


def a_blob(data: bytes) -> Tamper:
    return put(f"blobs/{hashlib.sha256(data).hexdigest()}", data)


def first(values: list[Any], kind: str) -> Any:
    """The first event of a kind."""
    return next(value for value in values if value["kind"] == kind)


def grade(values: list[Any]) -> None:
    """A verdict turned round."""
    payload = first(values, "graded")["payload"]
    payload["grade"] = "red" if payload["grade"] == "green" else "green"


def chained(values: list[Any]) -> None:
    """The whole chain made again, as anybody can who has all events."""
    before = FIRST
    for number, value in enumerate(values, 1):
        value |= {"seq": number, "prev_sha": before, "sha": ""}
        value["sha"] = before = digest(value)


def both(*changes: Callable[[list[Any]], None]) -> Callable[[list[Any]], None]:
    def change(values: list[Any]) -> None:
        for one in changes:
            one(values)

    return change


def evidence_of(folder: Path) -> tuple[BundleHead, Evidence]:
    """The evidence of a bundle, however it was changed."""
    names = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    read = Reader(names).evidence()
    assert read is not None
    return read


def forge(folder: Path) -> None:
    """The best that a forger can do: a verdict turned round, and *everything* that follows from it made again."""
    edit_lines(EVENTS, both(grade, chained))(folder)
    head, evidence = evidence_of(folder)
    again = judge_again(evidence)
    for name, data in derived_files(evidence, again).items():
        (folder / name).write_bytes(data)
    (folder / CARD).write_bytes(canonical(again.card) + b"\n")
    (folder / HEAD).write_bytes(canonical(head_of(evidence, again, head.artifacts)) + b"\n")
    (folder / STATEMENT).write_bytes(bundle_statement(again.card, documents_of(folder)))
    reseal(folder)


def documents_of(folder: Path) -> dict[str, bytes]:
    """Every file of a bundle by name."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to, symlinks=True)
    return to


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


PLAIN: dict[str, tuple[Tamper, str, str, str]] = {
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

RESEALED: dict[str, tuple[Tamper, str, str, str]] = {
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
