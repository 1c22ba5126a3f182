"""Where the logs of Inspect are in a source, what stands in their headers, and their samples one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.importers.formats.inspect.samples import (
    SAMPLE_BYTES,
    Parsed,
    Sample,
    raw_digest,
    sample_or_none,
    summaries_of,
)
from denominator.wire.sources import Source, loose_json, nested, slices, wholes

HEADER, START, SUMMARIES, JOURNAL = "header.json", "_journal/start.json", "summaries.json", "_journal/summaries/"
SAMPLE = re.compile(r"samples/(.+)_epoch_(\d{1,9})(?:\.json|/sample\.json)\Z", re.DOTALL)
PART_OF_SAMPLE = re.compile(
    r"samples/.+_epoch_\d{1,9}/(?:metadata\.json|skeleton\.json|(?:messages|events|calls|attachments)/.*)\Z", re.DOTALL
)
"""Where a large sample is kept in parts: what stands beside its `sample.json`."""
START_OF_LOG = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:version|status|eval)"\s*:')
SIGNS = (rb'"eval"\s*:\s*\{', rb'"(?:eval_id|run_id|task_id)"\s*:', rb'"(?:status|version)"\s*:')
HEAD_BYTES = 1 << 18
STATUS = ("started", "success", "cancelled", "error")
SAMPLES = "samples"
NEEDED = frozenset(("status", "eval", "stats"))
KEPT = NEEDED | {"version", "plan", "results", "error", "invalidated", "config_updates"}
BLOCK_BYTES = 64 << 20


class Held(NamedTuple):
    """A sample as it stands in a log: its place, the id and epoch that its name says ("" and 0: none), its bytes or why not.

    `sha256` is of the bytes, `sample` what they are, where they had to be parsed already.
    """

    place: str
    id: str
    epoch: int
    data: bytes
    sha256: str
    fault: str = ""
    sample: Sample | None = None


@dataclass(slots=True, eq=False)
class Log:
    """One log: its name, where it is (a zip file, a file beside others, or a zip file beside others), and its header."""

    name: str
    source: Source
    member: str = ""
    inside: str = ""
    header: Mapping[str, Any] = field(default_factory=dict)
    _opened: Source | None = None

    @property
    def files(self) -> Source:
        """The members that it stands in. A zip file in a folder is opened when it is needed. InputError: damaged."""
        if self._opened is None:
            self._opened = nested(self.source, self.name) if self.inside else self.source
        return self._opened

    def let_go(self) -> None:
        """Keep no file open; a folder can hold more logs than a process may hold files."""
        self._opened = None

    @property
    def spec(self) -> Mapping[str, Any]:
        """What was to be run."""
        return table(self.header.get("eval"))

    @property
    def status(self) -> str:
        """started, success, cancelled or error; "" where it says something else."""
        said = self.header.get("status")
        return said if isinstance(said, str) and said in STATUS else ""

    @property
    def head(self) -> str:
        """The file that the header was read from."""
        return self.member or self.inside + (HEADER if HEADER in self.files.names() else START)

    def looked_at(self) -> dict[str, str]:
        """The files that are looked at for this log, and what each was taken for."""
        if self.member or self.inside:
            return {self.member or self.name: "log"}
        samples = filter(_is_sample, self.files.names())
        return {self.head: "header"} | dict.fromkeys(self._thin(), "summaries") | dict.fromkeys(samples, "sample")

    def samples(self) -> Iterator[Held]:
        """Every sample, one at a time. InputError: the log breaks off, after the samples that were whole."""
        return _of_document(self) if self.member else _of_members(self)

    def summaries(self) -> dict[tuple[str, int], Sample]:
        """The thin lines beside the samples, of a zip file only. InputError: not readable."""
        lines = [
            line for one in self._thin() for line in summaries_of(self.files.read(one, BLOCK_BYTES), self.inside + one)
        ]
        return {(str(line.id), line.epoch): line for line in lines if isinstance(line.epoch, int)}

    def _thin(self) -> list[str]:
        """The members that hold summaries."""
        names = () if self.member else self.files.names()
        return (
            [SUMMARIES]
            if SUMMARIES in names
            else sorted((one for one in names if one.startswith(JOURNAL)), key=_number)
        )


def table(value: object) -> Mapping[str, Any]:
    """A JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def logs_of(files: Source) -> tuple[list[Log], dict[str, str]]:
    """Every log in a source with its header, and the members that look like one and cannot be read, with the reason."""
    names, faults = files.names(), {}
    if _is_log(names):
        found = [Log(files.name, files)]
    else:
        found = []
        for name in names:
            try:
                found += _candidate(files, name)
            except InputError as error:
                faults[name] = error.what
    for log in found:
        try:
            log.header = _header(log)
        except InputError as error:
            faults[log.name] = error.what
        log.let_go()
    return [log for log in found if log.spec], faults


def _is_log(names: Any) -> bool:
    return (
        HEADER in names and any(SAMPLE.match(one) or one.startswith("_journal/") for one in names)
    ) or START in names


def _candidate(files: Source, name: str) -> list[Log]:
    if name.endswith(".eval"):
        log = Log(name, files, inside=f"{name}#/")
        found = _is_log(log.files.names())
        log.let_go()
        return [log] if found else []
    if not name.endswith(".json"):
        return []
    with files.open(name) as stream:
        head = stream.read(256)
        if not START_OF_LOG.match(head):
            return []
        head += stream.read(HEAD_BYTES)
    return [Log(name, files, member=name)] if all(re.search(sign, head) for sign in SIGNS) else []


def _header(log: Log) -> Mapping[str, Any]:
    if log.member:
        return _of_top(log)
    name = HEADER if HEADER in log.files.names() else START
    found = table(loose_json(log.files.read(name), log.inside + name))
    return found if name == HEADER else {**found, "status": "started"}


def _of_top(log: Log) -> Mapping[str, Any]:
    """The values beside the samples; those that stand behind the samples only where something needed has not come yet."""
    found: dict[str, Any] = {}
    with log.files.open(log.member) as stream:
        for piece in slices(stream, log.member, (SAMPLES,), SAMPLE_BYTES):
            if piece.key == SAMPLES:
                if found.keys() >= NEEDED:
                    break
                continue
            if piece.key in KEPT and len(piece.data) <= BLOCK_BYTES:
                found[piece.key] = loose_json(piece.data, f"{log.member}#/{piece.key}")
    return found


def _of_document(log: Log) -> Iterator[Held]:
    parsed = Parsed(log.member)
    with log.files.open(log.member) as stream:
        for piece in slices(stream, log.member, (SAMPLES,), SAMPLE_BYTES, parses=parsed.parses):
            if piece.key == SAMPLES and piece.place >= 0:
                place = f"{log.member}#/{SAMPLES}/{piece.place}"
                yield Held(place, "", 0, piece.data, raw_digest(piece.data), sample=parsed.of(piece.data))


def _of_members(log: Log) -> Iterator[Held]:
    for one in wholes(log.files, filter(_is_sample, log.files.names()), SAMPLE_BYTES, sample_or_none):
        found = SAMPLE.match(one.name)
        of = (found[1], int(found[2])) if found else ("", 0)
        yield Held(log.inside + one.name, *of, one.data, one.sha256, one.fault, one.seen)


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json") and PART_OF_SAMPLE.match(name) is None


def _number(name: str) -> tuple[int, str]:
    digits = name.removeprefix(JOURNAL).removesuffix(".json")
    return (int(digits) if digits.isdecimal() and len(digits) < 12 else 0, name)
