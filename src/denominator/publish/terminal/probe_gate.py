"""The gate's word on a probe as a page: the word, each clause, what may be said, and which probe it is of."""

from __future__ import annotations

from dataclasses import replace

from denominator.publish.terminal.page import Page
from denominator.publish.terminal.probe import head
from denominator.publish.terminal.verdict import verdict_page
from denominator.records.findings import Verdict
from denominator.records.probe_results import ProbeScore


def gated_page(page: Page, verdict: Verdict, word: str, score: ProbeScore, verbose: bool) -> None:
    """`word` is the verdict without the sentences of the score, which follow one by one where the probe is let through."""
    verdict_page(page, replace(verdict, sentence=word), verdict.findings, verbose)
    page.bullets("WHAT MAY BE SAID", score.sentences if verdict.status == "publishable" else ())
    page.bullets("MAY NOT BE WRITTEN", verdict.may_not)
    page.title("JUDGED")
    head(page, score)
