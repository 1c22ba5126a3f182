"""What readers make of stored bytes, once: labels are judged from facts and can be judged again without the bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.records.values import NotMeasured

UNREPORTED = NotMeasured("not reported")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one reader, in one version, says about one attempt. `sources` are digests of the blobs that it read, sorted."""

    key: AttemptKey
    reader: str
    version: int
    data: Mapping[str, Json] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCounts:
    """How many tests a verifier's report accounts for, by status. A status that the report lacks is unknown, never 0."""

    expected: int | NotMeasured = UNREPORTED
    passed: int | NotMeasured = UNREPORTED
    failed: int | NotMeasured = UNREPORTED
    errors: int | NotMeasured = UNREPORTED
    skipped: int | NotMeasured = UNREPORTED
    xfailed: int | NotMeasured = UNREPORTED
    xpassed: int | NotMeasured = UNREPORTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A block of tool calls that came again with the same arguments and the same results.

    `block` is its length in calls, `times` how often it stands in a row, `first` the index of its first call (from 0).
    """

    block: int
    times: int
    first: int
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """The tool calls of one attempt. `source`: wire (bodies that the gateway kept), tool_log, trajectory or import.

    `with_results` counts calls whose result digest is known; that there is no loop is known only where all are (`complete`).
    `repeats` holds, per block length 1 to 5, the longest repetition that was found. `gaps` says in words what is missing
    from the calls beside results.
    """

    source: str
    calls: int
    with_results: int
    complete: bool
    repeats: tuple[Repetition, ...] = ()
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceFacts:
    """Surfaces (calls, paths, types) that the attempt uses. `source`: patch, import.

    `invented` are defined nowhere: not in the spec, the repository, the patch, the language or a declared library.
    `unchecked` says why parts could not be evaluated; empty: everything was looked at.
    """

    source: str
    used: int
    invented: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A known text in a stream that somebody else than the agent owns: for reading, never a label where a verdict exists.

    `cause` is a word of the cause table; `stream` is `phase/stream`; `offset` and `length` are bytes of blob `ref`.
    """

    cause: str
    family: str
    writer: str
    stream: str
    offset: int
    length: int
    ref: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAccount:
    """What an agent says itself that it spent (reader `own_account`): a cross-check of the wire's counts, never in their place.

    `source` names the format that it was read from. `prompt` holds what was read from a cache too (`cached`); `completion`
    holds reasoning. Tokens; `cost` is a decimal number of US dollars as text. `calls` is how many model calls it counts.
    """

    source: str
    prompt: int | NotMeasured = UNREPORTED
    completion: int | NotMeasured = UNREPORTED
    cached: int | NotMeasured = UNREPORTED
    cost: str | NotMeasured = UNREPORTED
    calls: int | NotMeasured = UNREPORTED


class OwnEnding(StrEnum):
    """What an agent's own ending amounts to, by its preset's table; an observation beside the row, never the verdict."""

    FINISHED = "finished"
    GAVE_UP = "gave_up"
    OWN_LIMIT = "own_limit"
    CRASHED_AT_START = "crashed_at_start"
    MODEL_ERROR = "model_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEnd:
    """How an agent says it ended (reader `own_ending`). `said` is its own word, `exit` the code it ended with."""

    word: OwnEnding | NotMeasured
    said: str | NotMeasured
    exit: int
