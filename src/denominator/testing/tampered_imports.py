"""Every way to tamper with the bundle of an import (of `runs.jsonl`) that `verify` must name although the sums were made again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from denominator.bundles.imports import HEAD, LEDGER, TERMS
from denominator.bundles.layout import STATEMENT
from denominator.testing.tampering import Tamper, Tampering, a_blob, edit_json, first_blob, link, put, remove, rewrite


def _set(key: str, value: Any) -> Any:
    return lambda document: document.__setitem__(key, value)


def _original(change: bytes) -> Tamper:
    """Another original file, named as such everywhere."""

    def tamper(folder: Path) -> None:
        head = json.loads((folder / HEAD).read_bytes())
        one = next(one for one in head["sources"]["files"] if one["name"] == "runs.jsonl")
        data = (folder / "blobs" / one["sha256"]).read_bytes() + change
        (folder / "blobs" / one["sha256"]).unlink()
        one |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        (folder / "blobs" / one["sha256"]).write_bytes(data)
        edit_json(HEAD, _set("sources", head["sources"]))(folder)

    return tamper


def _name(name: str) -> Tamper:
    return edit_json(HEAD, lambda head: head["sources"]["files"][0].__setitem__("name", name))


RESEALED_IMPORTS: dict[str, Tampering] = {
    "a row is gone": (edit_json(LEDGER, lambda v: v["rows"].pop()), "head", HEAD, "rows"),
    "a row says otherwise": (
        edit_json(LEDGER, lambda v: v["labels"][9].__setitem__("value", "pass")), "ledger", LEDGER, "original",
    ),
    "the ledger is spread out": (rewrite(LEDGER, lambda b: b.replace(b",", b", ", 1)), "unreadable", LEDGER, "canonical"),
    "the ledger is gone": (remove(LEDGER), "missing", LEDGER, "without"),
    "a ceiling of the terms": (edit_json(TERMS, _set("invalid_ceiling", "0.9")), "ledger", TERMS, "invalid_ceiling"),
    "what nobody stated": (edit_json(TERMS, lambda v: v["missing"].pop()), "ledger", TERMS, "missing"),
    "the verdict": (
        edit_json("card.json", lambda v: v["verdict"].__setitem__("status", "publishable")), "card", "card.json", "status",
    ),
    "a number": (edit_json("card.json", lambda v: v["estimates"][0].__setitem__("numerator", 9)), "card", "card.json", "estimates"),
    "the README": (rewrite("README.md", lambda b: b.replace(b"cannot show", b"shows")), "derived", "README.md", ""),
    "the statement": (edit_json(STATEMENT, lambda v: v["subject"].pop()), "derived", STATEMENT, ""),
    "the statement is gone": (remove(STATEMENT), "missing", STATEMENT, ""),
    "the run id": (edit_json(HEAD, _set("run_id", "x")), "head", HEAD, "run_id"),
    "other rules": (edit_json(HEAD, _set("rules_digest", "0" * 64)), "rules", HEAD, "nothing was judged"),
    "rules of a house": (edit_json(HEAD, _set("house", ["H001 x@1 y"])), "rules", HEAD, "H001"),
    "a note": (edit_json(HEAD, _set("notes", ["all went well"])), "card", "card.json", "notes"),
    "an original is changed": (first_blob(lambda p: p.write_bytes(b"x")), "artifact", "blobs/", "not those"),
    "an original is gone": (first_blob(lambda p: p.unlink()), "artifact", "blobs/", "and is not"),
    "an original of nobody": (a_blob(b"more"), "artifact", "blobs/", "no original file"),
    "an original is said to be left out": (
        edit_json(HEAD, lambda v: v["sources"]["files"][0].__setitem__("left_out", "lost")), "artifact", "blobs/", "and is there",
    ),
    "another row in the original": (
        _original(b'{"task_id":"parse-9","outcome":"pass"}\n'), "ledger", LEDGER, "original files",
    ),
    "an original that cannot be read": (_original(b"\xff\xfe{"), "ledger", LEDGER, ""),
    "a name that leaves the folder": (_name("../../escaped"), "ledger", LEDGER, "no name of an original"),
    "an absolute name": (_name("/tmp/escaped"), "ledger", LEDGER, "no name of an original"),
    "a file of a run": (put("events.jsonl"), "foreign", "events.jsonl", "no file of a bundle"),
    "a link": (link("seal.json", "/etc/hostname"), "link", "seal.json", ""),
    "labels of a machine": (put("labels.jsonl", b'{"by":"rule"}\n'), "unreadable", "labels.jsonl", ""),
    "a head of no record": (edit_json(HEAD, lambda v: v.pop("rows")), "unreadable", HEAD, "rows"),
}  # fmt: skip
