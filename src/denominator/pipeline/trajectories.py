"""An agent's own trajectory: kept as it was left, told as ATIF (stream `atif`), its account and its end as facts beside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from denominator.pipeline.material import Material
from denominator.ports import Blobs, Ended, Trace
from denominator.readers.trajectories import Told, read_told
from denominator.records.events import Json
from denominator.records.facts import Facts, OwnEnd, OwnEnding
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import to_json
from denominator.wire.trees import read_file

VERSION = 1
MAX_BYTES = 32 << 20
STREAM, ATIF = "trajectory", "atif"
NO_TRACE = NotMeasured("the agent has no preset that says where its trajectory lies")

Left = dict[str, tuple[str, int]]


def read_traces(trace: Trace | None, out: Path | None, ended: Ended, blobs: Blobs) -> tuple[Told | NotMeasured, Left]:
    """What the trajectory tells, and its streams: the files as they are, and the ATIF document made of them."""
    if trace is None:
        return NO_TRACE, {}
    left: Left = {}
    parts = {"": ended.stdout} if not trace.files else {}
    for part, name in sorted(trace.files.items()):
        try:
            data = read_file(out, name, MAX_BYTES) if out is not None else b""
        except OSError:
            continue
        if data.strip():
            parts[part] = data
            left[f"{STREAM}.{part}" if part else STREAM] = (blobs.put(data), len(data))
    told = _told(trace.format, parts)
    if isinstance(told, Told):
        document = canonical(told.atif)
        left[ATIF] = (blobs.put(document), len(document))
    return told, left


def _told(format_: str, parts: Mapping[str, bytes]) -> Told | NotMeasured:
    """A reader that fails loses nothing but what it would have said."""
    try:
        return read_told(format_, parts)
    except Exception as error:
        return NotMeasured(f"the reader of {format_} failed: {type(error).__name__}: {error}"[:500])


def own_end(trace: Trace, told: Told | NotMeasured, ended: Ended) -> OwnEnd:
    """The agent's own word for its end, else its exit code, as a word of ours; what no table knows is unknown."""
    said = told if isinstance(told, NotMeasured) else told.said
    keys = ([] if isinstance(said, NotMeasured) else [f"status:{said}"]) or [f"exit:{ended.exit_code}"]
    word = next((trace.endings[key] for key in keys if key in trace.endings), None)
    unknown = NotMeasured(f"no table of {trace.format} knows {keys[0]!r}"[:200])
    return OwnEnd(word=unknown if word is None else OwnEnding(word), said=said, exit=ended.exit_code)


def own_facts(material: Material, trace: Trace | None, told: Told | NotMeasured, ended: Ended) -> list[Facts]:
    """The readers `own_account` and `own_ending` of an agent with a preset: observations beside the row."""
    if trace is None:
        return []
    names = [name for name in material.streams if name.partition(".")[0] == STREAM] or ["stdout"]
    sources = tuple(sorted(material.streams[name] for name in names if name in material.streams))
    account: object = {"not_measured": told.not_measured} if isinstance(told, NotMeasured) else told.account
    said = {"own_account": account, "own_ending": own_end(trace, told, ended)}
    return [
        Facts(key=material.notes.key, reader=reader, version=VERSION, data=_data(value), sources=sources)
        for reader, value in said.items()
    ]


def _data(value: object) -> Mapping[str, Json]:
    written = value if isinstance(value, dict) else to_json(value)
    return written if isinstance(written, dict) else {}
