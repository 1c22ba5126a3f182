"""Words of pages and documents that are not plain English, each with what it means here; `explain WORD` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from denominator.catalog import Entry
from denominator.catalog.probe_words import PROBE_WORDS, reason_text

FAMILY = "words"
_OURS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "draw": (
        ("draws",),
        "A task and a repeat of it: the unit of every rate. Draws are declared before a run, and each of them ends "
        "in one of five ways: pass, fail, abstain, unscoreable, never started. Later attempts of a draw are no "
        "draws.",
    ),
    "attempt": (
        ("attempts", "incarnation"),
        "One try of a draw. The first one counts in rates; a retry or a rerun has a number and a cause of its own. "
        "What began again because the runner died, before anything was graded, is another incarnation of the same "
        "attempt.",
    ),
    "declared": (
        ("scheduled",),
        "What was to be run, as it was written down before: it is the denominator. The source of a foreign run "
        "says it as its plan (scheduled); it is never counted from the rows that exist.",
    ),
    "slice": (
        ("slices", "solvable", "negative"),
        "A part of a pack. solvable: tasks that an agent can solve; every rate is of these alone. negative: "
        "controls, of which it is known how they must end, and which is no ordinary pass. canary: a solvable task "
        "whose hidden files hold a token that no patch can know. floor: a fix of one line, which measures what the "
        "harness itself costs.",
    ),
    "floor": (
        ("floor task",),
        "A task that takes one line: what a draw of it costs in time and tokens is the overhead of the harness. It "
        "is a slice of its own and in no rate. A floor that does not come to a verdict is a control that was "
        "violated or inconclusive.",
    ),
    "canary": (
        (),
        "A token that stands in hidden files only. A patch or a call that holds it has seen what no agent may see.",
    ),
    "control": (
        ("controls", "held", "violated", "inconclusive"),
        "A task, or a check of the whole run, of which it is known beforehand how it must end. held: it did. "
        "violated: it did not, and no number of the run is printed. inconclusive: nobody can tell. Controls are "
        "never averaged into a rate.",
    ),
    "rung": (
        ("rungs", "ladder", "refused", "counts", "rate_with_interval", "directional", "not_worse"),
        "How much a sentence may say, lowest first: refused (no number), counts (K of N, no rate), "
        "rate_with_interval; of two arms also directional, established_on_this_pack, "
        "established_for_tasks_like_these, not_worse_by_more_than_margin, equivalent_within_margin. The gate takes "
        "the highest that the evidence reaches.",
    ),
    "verdict": (
        ("publishable", "blocked", "NO_AGGREGATE"),
        "The gate's word. publishable: the sentence may be printed. blocked: a rule found something, or could not "
        "check it, and no rate, fraction or interval is printed anywhere. NO_AGGREGATE: blocked by a ceiling or by "
        "a control that was violated.",
    ),
    "finding": (
        ("findings", "block", "unknown", "note"),
        "What a rule of the gate says. block: no number. unknown: it could not be checked, which blocks too. note: "
        "to be read, and it may lower the sentence to counts. `explain CODE` has the page of each rule.",
    ),
    "headline": (
        (),
        "The one rate that was named before the run: by default passes of declared draws. Every other rate is "
        "secondary.",
    ),
    "unscoreable": (
        ("never started", "never_started", "scoreable"),
        "A draw that came to no verdict for a reason that is not the agent's (infrastructure, harness, a flaky "
        "test). It stays in the denominator and is counted apart. never started: declared, and there is no row of "
        "it at all.",
    ),
    "abstain": (
        (),
        "The agent said that it will not or cannot do the task, or left the tree as it was. No pass, and counted.",
    ),
    "origin": (
        ("MODEL", "HARNESS", "INFRA", "FLAKY_TEST"),
        "Whose ending it was: MODEL (agent and model), HARNESS (the runner or grader), INFRA (host, network, "
        "provider), FLAKY_TEST.",
    ),
    "mix": (
        ("failure_class",),
        "Why an attempt of the model ended so, one word of a closed list; `denominator explain` lists them.",
    ),
    "grading level": (
        ("graded", "G1", "G2", "G3", "level"),
        "How far a solution is kept from its verdict. G1: the exit status of a command. G2: the exact ids of the "
        "tests, and tests that must fail. G3: the solution runs in a process of its own, and tests reach it only "
        "from outside.",
    ),
    "stratum": (
        ("strata", "family"),
        "A kind of task, in free words. Counts are also shown by it; tasks of one family may fail together.",
    ),
    "bounds": (
        ("least", "most", "Manski"),
        "What a rate can be at least and at most: all that has no score failed, or all of it passed. Bounds are no "
        "interval: nothing about chance is in them. Without width they are the rate itself.",
    ),
    "interval": (
        ("95 % interval",),
        "What chance alone leaves open, for tasks like these. It says nothing of draws that have no score.",
    ),
    "manifest": (
        ("seal", "envelope", "contract"),
        "What was written down beside a run. Of a run of ours it is sealed before the first draw (the seal: "
        "envelope, pack, plan, rules). Of a foreign run it is what its files record and what a person declares.",
    ),
    "arm": (
        ("arms",),
        "One agent with one model at one endpoint, under a label. Two arms are compared draw by draw.",
    ),
    "pack": (
        ("packs", "lock"),
        "A folder of tasks that is frozen: its lock has the digests, and a changed pack is another experiment.",
    ),
    "ledger": (
        ("rows", "journal"),
        "One row for each attempt, with facts only. Judgements are labels, apart from it.",
    ),
    "label": (
        ("labels",),
        "A judgement on a row, by a rule or a person, with its evidence. Facts are never written over by one.",
    ),
    "waiver": (
        ("waived", "allow"),
        "A finding that somebody answers for: why, who, until when. It stands in the sentence.",
    ),
    "ceiling": (
        ("ceilings",),
        "A share that was declared before the run; above it no number is printed, for example of lost draws.",
    ),
    "replay": (
        ("replays", "flip", "flips"),
        "The same draws once more under the same seal. A draw that changes its verdict flips.",
    ),
    "reducer": (
        ("reducers", "quorum", "at_least_k", "pass_at_k"),
        "How a source makes one value of the several draws of a task: mean, median, mode, max, at_least_K (K of "
        "them passed), pass_at_K (the chance that one of K draws passes). Each gives another number of the same "
        "rows.",
    ),
    "published": (
        ("said", "given", "unexplained", "impossible"),
        "What the source prints of itself, quoted and never a result of ours. given: its rows make that number. "
        "impossible: no count out of the number that it states does. unexplained: nobody says out of how many it "
        "is, so it accuses nobody.",
    ),
    "slip": (
        ("card", "bundle", "claim"),
        "A slip pins one sentence to its evidence; a card is the whole result, counts first.",
    ),
}
WORDS = {**_OURS, **PROBE_WORDS}
"""Each word with others that are explained by it."""


def word_entries() -> tuple[Entry, ...]:
    """A page for each word; it has no code of its own."""
    return tuple(Entry(name, name, "0.1.0", FAMILY, text) for name, (_, text) in WORDS.items())


def meant_by(word: str) -> Iterator[Entry]:
    """The page of a word, and the line of a reason of the endpoint bench; none where nobody explains it."""
    wanted = _plain(word)
    for entry in word_entries():
        if wanted in (_plain(entry.name), *map(_plain, WORDS[entry.name][0])):
            yield entry
    if text := reason_text(word.strip().lower()):
        yield Entry(word.strip().lower(), word.strip().lower(), "0.1.0", FAMILY, text)


def _plain(word: str) -> str:
    return " ".join(word.strip().lower().replace("_", " ").replace("-", " ").split())
