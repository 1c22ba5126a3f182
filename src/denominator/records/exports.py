"""What an exporter is given: a judged run with everything that a report of it may say."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.cards import Card
from denominator.records.cases import Case
from denominator.records.judgements import Judged
from denominator.records.labelled import LabelledRow
from denominator.records.rows import Ledger
from denominator.records.seals import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A judged run. `rows` are the ledger's rows with their labels, in its order; `cases` its declared draws as test cases.

    What the gate withholds is in `judged` and `ledger` all the same, for they are what was judged: an exporter takes numbers
    from `card` alone, and where `judged.split_hidden` it shows nothing by which passes could be told from failures.
    """

    ledger: Ledger
    terms: Terms
    judged: Judged
    card: Card
    rows: tuple[LabelledRow, ...]
    cases: tuple[Case, ...]
