"""What an exporter is given: a judged run with everything that a report of it may say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from denominator.records.cards import Card
from denominator.records.cases import Case
from denominator.records.events import Json
from denominator.records.judgements import Judged
from denominator.records.labelled import LabelledRow
from denominator.records.rows import AttemptRow, CallRow, Ledger, Text
from denominator.records.seals import Seal, Terms
from denominator.records.values import NotMeasured

NO_EVENTS = NotMeasured("only the folder of a run of ours keeps what its agents did")
NO_SEAL = NotMeasured("only a run of ours has a seal")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptTrace:
    """What is stored of what the agent of one attempt did; everything of its last incarnation.

    `own` is the agent's own trajectory as ATIF, `log` its own tool log (may be empty), `calls` what the gateway recorded.
    `bodies` gives the bytes behind a digest, or raises `KeyError`.
    """

    row: AttemptRow
    agent: str
    agent_version: Text
    model: Text
    prompt: Text
    own: Mapping[str, Json] | NotMeasured
    log: bytes
    calls: tuple[CallRow, ...]
    bodies: Callable[[str], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A judged run. `rows` are the ledger's rows with their labels, in its order; `cases` its declared draws as test cases.
    `traces` gives what the agents did, one started attempt after the other, read when it is asked for.
    `files` are names of the files that are stored of it, with their sha256 as they lie there.

    What the gate withholds is in `judged` and `ledger` all the same, for they are what was judged: an exporter takes numbers
    from `card` alone, and where `judged.split_hidden` it shows nothing by which passes could be told from failures.
    """

    ledger: Ledger
    terms: Terms
    judged: Judged
    card: Card
    rows: tuple[LabelledRow, ...]
    cases: tuple[Case, ...]
    traces: Callable[[], Iterable[AttemptTrace]] | NotMeasured = NO_EVENTS
    files: tuple[tuple[str, str], ...] = ()
    seal: Seal | NotMeasured = NO_SEAL
