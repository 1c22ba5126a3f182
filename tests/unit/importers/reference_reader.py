"""A second, deliberately simple reader of row cases: only the counts, by another road than the importer's.

`counts` returns exits by name, or None when this reader would refuse the files. It knows no shapes, only file names.
"""

from __future__ import annotations

import json
import math

DONE = ("pass", "fail", "abstain")


class Refused(Exception):
    """This reader does not read that."""


def counts(files: dict[str, bytes]) -> dict[str, int] | None:
    try:
        return _counts(files)
    except (Refused, ValueError, RecursionError, TypeError, AttributeError, KeyError):
        return None


def _counts(files: dict[str, bytes]) -> dict[str, int]:
    declared, n = _declared(files)
    tries: dict[tuple, dict[int, str]] = {}
    for row in _unique(files, ("runs.jsonl", "output.jsonl", "events.json")):
        draw, attempt = _draw(row)
        if attempt in tries.setdefault(draw, {}):
            raise Refused("conflict")
        tries[draw][attempt] = _ending(row)
    for row in _unique(files, ("output_errors.jsonl",)):
        draw, _ = _draw(row)
        tries.setdefault(draw, {}).setdefault(0, "unscoreable") if draw not in tries else None
    if "stop.json" in files:
        tries.setdefault((json.loads(files["stop.json"])["during"], 1), {1: "unresolved"})
    exits = {draw: _counting(by_attempt) for draw, by_attempt in tries.items()}
    if declared is not None:
        exits = {draw: exits.get(draw, "never_started") for draw in ((one, 1) for one in declared)}
    found = {}
    for one in exits.values():
        found[one] = found.get(one, 0) + 1
    if n is not None and n > len(exits):
        found["never_started"] = found.get("never_started", 0) + n - len(exits)
    return found


def _declared(files):
    if "tasks.jsonl" in files:
        return [row["id"] for row in _rows(files["tasks.jsonl"])], None
    for name in ("scoring_contract.json", "manifest.json"):
        if name in files:
            told = json.loads(files[name])
            told = {**told, **told.get("dataset", {})}
            return told.get("task_ids"), told.get("task_count")
    return None, None


def _draw(row):
    task = row.get("task_id", row.get("task"))
    attempt, repeat = row.get("attempt"), row.get("repeat")
    attempt, repeat = 1 if attempt is None else attempt, 1 if repeat is None else repeat
    if not isinstance(task, str) or type(attempt) is not int or type(repeat) is not int or attempt < 1 or repeat < 1:
        raise Refused("key")
    return (task, repeat), attempt


def _ending(row):
    if "task_pass" in row or "excluded_after_lock" in row:
        return {True: "pass", False: "fail", None: "unresolved"}[row.get("task_pass")]
    if row.get("outcome") is not None:
        if row["outcome"] not in (*DONE, "unscoreable"):
            raise Refused("outcome")
        return row["outcome"]
    code = row.get("exit_code")
    if code is None or int(code) in (124, 126, 127) or int(code) < 0 or 128 < int(code) <= 192:
        return "unresolved"
    return "pass" if int(code) == 0 else "fail"


def _counting(by_attempt):
    for attempt in sorted(by_attempt):
        if by_attempt[attempt] in DONE:
            return by_attempt[attempt]
    return by_attempt[max(by_attempt)]


def _unique(files, names):
    for name in names:
        seen = set()
        for row in _rows(files[name]) if name in files else []:
            text = json.dumps(row, sort_keys=True)
            if text not in seen:
                seen.add(text)
                yield row


def _rows(data):
    text = data.decode("utf-8") if data.lstrip().startswith(b"[") else data
    if isinstance(text, str):
        return [_object(row) for row in _loads(text)]
    rows = []
    lines = data.split(b"\n")
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            rows.append(_object(_loads(line.decode("utf-8"))))
        except ValueError:
            if place != len(lines) - 1:
                raise
    return rows


def _object(value):
    if not isinstance(value, dict):
        raise Refused("no object")
    return value


def _loads(text):
    def pairs(found):
        if len({key for key, _ in found}) != len(found):
            raise Refused("twice")
        return dict(found)

    def constant(word):
        raise Refused(word)

    def number(word):
        if not math.isfinite(float(word)):
            raise Refused(word)
        return float(word)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=number)
