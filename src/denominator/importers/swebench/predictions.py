"""Predictions of the SWE-bench family: a table by id, a list, or one JSON line each. Of an id that stands twice the last counts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from denominator.errors import InputError
from denominator.importers.foreign import pointed, readable_id
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json, loose_lines

HEAD = 1 << 18
MODEL = re.compile(rb'"model_name_or_path"\s*:\s*"([^"\\]{1,300})"')
TRAJECTORY = (b'"trajectory"', b'"messages"', b'"trajectory_format"')
"""Files of agents that hold a patch as well, and much more."""
SHOWN = 20


class Prediction(NamedTuple):
    """One handed-in patch: digest and size of its text, digest without the blanks at its ends, and where it stands."""

    sha256: str
    size: int
    stripped: str
    place: str
    line: int
    null: bool
    file: str


@dataclass(slots=True)
class Predictions:
    """The predictions of one file, by id; `models` in the order in which they are named first."""

    file: str
    of: dict[str, Prediction] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)


def model_folder(model: str) -> str:
    """How the harness names the folder of a model."""
    return model.replace("/", "__")


def first_model(files: Source, name: str) -> str | None:
    """The model of the first prediction ("" none is named); None: it is no file of predictions. Reads its first bytes."""
    try:
        with files.open(name) as stream:
            head = stream.read(HEAD)
    except InputError:
        return None
    named = b'"instance_id"' in head or b'"model_patch"' in head
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))
    if not named or not begins or b'"model_name_or_path"' not in head or any(mark in head for mark in TRAJECTORY):
        return None
    found = MODEL.search(head)
    return found[1].decode("utf-8", "replace") if found else ""


def read_predictions(files: Source, name: str, told: Told) -> Predictions:
    """Every prediction of a file. Lines that cannot be read are told; InputError: the whole file cannot."""
    found = Predictions(name)
    before: dict[str, list[Prediction]] = {}
    for key, value, place, line in _entries(files, name, told):
        given = value.get("instance_id", key)
        where = f"{name}:{line}" if line else f"{name}#{place}"
        if not (task := readable_id(told, where, given)):
            continue
        if key and given != key:
            told.say("contradiction", where, f"stands under {key[:80]!r} and names {task!r}", task)
        model = value.get("model_name_or_path")
        if isinstance(model, str) and model not in found.models:
            found.models.append(model)
        patch = value.get("model_patch")
        if patch is not None and not isinstance(patch, str):
            told.say("bad_prediction", where, f"{task}: model_patch is no text", task)
            continue
        if task in found.of:
            before.setdefault(task, []).append(found.of[task])
        found.of[task] = _prediction(patch, place, line, name)
    _tell_twice(found, before, told)
    if len(found.models) > 1:
        names = ", ".join(found.models[:6])
        told.say(
            "several_models", name, f"predictions of {len(found.models)} models in one file: {names}", blocks=False
        )
    return found


def _prediction(patch: str | None, place: str, line: int, file: str) -> Prediction:
    data = (patch or "").encode("utf-8", "surrogatepass")
    return Prediction(digest_of(data), len(data), digest_of(data.strip()), place, line, patch is None, file)


def digest_of(data: bytes) -> str:
    """sha256 of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _entries(files: Source, name: str, told: Told) -> Iterator[tuple[str, Mapping[str, object], str, int]]:
    """(key, prediction, pointer, line) of each."""
    if name.endswith(".jsonl"):
        for line in loose_lines(files, name):
            if line.fault or not isinstance(line.value, dict):
                kind = "torn_tail" if line.torn else "bad_line"
                told.say(kind, f"{name}:{line.number}", line.fault or "is no prediction", blocks=not line.torn)
                continue
            yield "", line.value, "", line.number
        return
    found = loose_json(files.read(name), name)
    if isinstance(found, dict) and "instance_id" in found and not isinstance(found["instance_id"], dict):
        found = [found]
    if not isinstance(found, dict | list):
        raise InputError("holds neither a table nor a list of predictions", where=name)
    pairs = found.items() if isinstance(found, dict) else ((index, one) for index, one in enumerate(found))
    for key, value in pairs:
        if not isinstance(value, dict):
            told.say("bad_prediction", f"{name}#{pointed(key)}", "is no prediction")
            continue
        yield key if isinstance(key, str) else "", value, pointed(key), 0


def _tell_twice(found: Predictions, before: Mapping[str, list[Prediction]], told: Told) -> None:
    if not before:
        return
    differ = sorted(task for task, old in before.items() if {one.sha256 for one in old} != {found.of[task].sha256})
    last = [f"{task} from {_place(found.of[task])}" for task in sorted(before)][:5]
    what = f"{len(before)} ids stand more than once; the last counts, as in the harness: {', '.join(last)}"
    if differ:
        what += f"; {len(differ)} of them with another patch before"
    told.say("duplicate_predictions", found.file, what, *sorted(before)[:SHOWN], blocks=False)


def _place(one: Prediction) -> str:
    return f"line {one.line}" if one.line else one.place
