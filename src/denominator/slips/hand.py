"""A slip that a person declares: checked for what can be refuted, marked declared, never judged by the gate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from denominator.errors import InputError, Problem
from denominator.records.boxes import Box
from denominator.records.hand_slips import HandBox, HandSlip
from denominator.records.rows import Flag, Text
from denominator.records.slips import (
    Number,
    RawOutput,
    Slip,
    SlipBox,
    SlipGate,
    SlipHarness,
    SlipModel,
    SlipOrigin,
    SlipPack,
)
from denominator.records.values import NotMeasured, is_placeholder
from denominator.slips.budgets import made as budget_made
from denominator.slips.making import BOX_FIELDS, task_ids_sha256, with_gaps
from denominator.slips.tiers import DECLARED
from denominator.stats import decimal6, possible_counts, prints_as, wilson
from denominator.stats.decimals import finite_decimal
from denominator.wire.byvalue import number_text

HEX64 = re.compile(r"(sha256:)?[0-9a-f]{64}\Z")
PRINTED = re.compile(r"\s*(?P<number>[0-9]+(?:[.,][0-9]+)?)\s*(?P<percent>[%％])?\s*\Z")
NO_LEDGER = NotMeasured("declared by hand: there are no rows")
METHOD = "Wilson score interval, exact normal quantile"
LARGEST = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What was read beside the hand file: the raw log, the harness's folder, this machine where the file says `here`."""

    raw: RawOutput
    made_at: str
    folder_digest: Text
    box: Box | None = None
    shared: Flag = NotMeasured("nobody declared it")
    reclaimable: Flag = NotMeasured("nobody declared it")


def hand_slip(hand: HandSlip, beside: Beside) -> Slip:
    """The slip without its lineage. Its numbers were checked by `refuse_impossible` before."""
    return with_gaps(
        Slip(
            schema_version=1,
            origin=str(SlipOrigin.HAND),
            run_id=hand.run_id or f"raw {beside.raw.sha256[:12]}",
            arm=hand.arm,
            made_at=beside.made_at,
            days=tuple(sorted(set(hand.days))),
            seal_sha256=NotMeasured("declared by hand: there is no seal"),
            ledger_sha256=NO_LEDGER,
            raw=beside.raw,
            harness=_harness(hand, beside.folder_digest),
            model=_model(hand),
            pack=_pack(hand),
            budget=budget_made(hand.budget.tokens_used, hand.budget.tokens_limit),
            box=_box(hand.box, beside),
            numbers=(number_of(hand),),
            headline=hand.metric,
            gate=SlipGate(status=DECLARED),
            lineage="",
            notes=hand.notes,
            owner=hand.owner,
        )
    )


def number_of(hand: HandSlip) -> Number:
    """k of n with Wilson's interval, or the score as it was declared."""
    interval = wilson(hand.k, hand.n) if isinstance(hand.k, int) else None
    none = NotMeasured("no interval is made of a score without its counts")
    return Number(
        metric=hand.metric,
        k=hand.k if isinstance(hand.k, int) else NotMeasured("only a score was declared"),
        n=hand.n,
        score=hand.score or NotMeasured("k of n says it"),
        lo=decimal6(interval.lo) if interval else none,
        hi=decimal6(interval.hi) if interval else none,
        method=METHOD if interval else "",
        estimand="as its owner declares it",
        printed=hand.printed or NotMeasured("nothing printed was named"),
        declared=True,
    )


def refuse_impossible(hand: HandSlip, where: str, beside: Sequence[Problem] = ()) -> None:
    """Every mistake of the declared number in one pass, with those of what lies `beside` the file. Raises InputError."""
    counts = [*_counts(hand, where)]
    found = [*counts, *_forms(hand, where), *beside]
    if not counts and (not hand.printed or PRINTED.match(hand.printed)):
        found += _granular(hand, where)
    if found:
        fix = "declare what the raw log shows; a number that no count can give has another n than the one declared"
        raise InputError("the declared number cannot be", where=where, problems=found, fix=fix)


def _counts(hand: HandSlip, where: str) -> Iterator[Problem]:
    if not 1 <= hand.n <= LARGEST:
        yield Problem(f"{where} n", f"{hand.n} is no number of draws", "n is at least 1")
    if isinstance(hand.k, int) and not 0 <= hand.k <= max(hand.n, 0):
        yield Problem(f"{where} k", f"{hand.k} of {hand.n} is no count")
    if isinstance(hand.k, NotMeasured) and not hand.score:
        yield Problem(f"{where} k", "neither k nor score is given", "k of n, or score with its n")
    for name in ("tokens_used", "tokens_limit"):
        if isinstance(value := getattr(hand.budget, name), int) and value < 0:
            yield Problem(f"{where} budget.{name}", f"{value} is no count of tokens")


def _forms(hand: HandSlip, where: str) -> Iterator[Problem]:
    """Texts that must not be empty, digests, and a number that was printed."""
    for name, value in (("metric", hand.metric), ("raw", hand.raw)):
        if is_placeholder(value):
            yield Problem(f"{where} {name}", "is empty or a placeholder", "fill it in")
    names = {"metric": hand.metric, "raw": hand.raw, "run_id": hand.run_id, "arm": hand.arm, "owner": hand.owner}
    for name, text in {**names, "harness.folder": hand.harness.folder}.items():
        if isinstance(text, str) and not text.isprintable():
            yield Problem(f"{where} {name}", "holds a control character", "one line of plain text")
    digests = (("pack.task_ids_sha256", hand.pack.task_ids_sha256), ("harness.digest", hand.harness.digest))
    for name, digest in digests:
        if isinstance(digest, str) and HEX64.match(digest) is None:
            yield Problem(f"{where} {name}", "is no sha256", "64 lowercase hex digits")
    if hand.printed and PRINTED.match(hand.printed) is None:
        yield Problem(f"{where} printed", f"{hand.printed!r:.60} is no number", 'as it was printed: "71.4%" or "0.714"')
    if hand.harness.folder and isinstance(hand.harness.digest, str):
        yield Problem(f"{where} harness.digest", "is declared beside harness.folder", "one of the two")
    if hand.harness.leave_out and not hand.harness.folder:
        yield Problem(f"{where} harness.leave_out", "there is no folder to leave it out of", "name harness.folder")
    if len(set(hand.pack.task_ids)) != len(hand.pack.task_ids):
        yield Problem(f"{where} pack.task_ids", "an id is there twice", "each task once")
    elif hand.pack.task_ids and isinstance(hand.pack.tasks, int) and hand.pack.tasks != len(hand.pack.task_ids):
        yield Problem(f"{where} pack.tasks", f"says {hand.pack.tasks}, {len(hand.pack.task_ids)} ids are listed")
    elif hand.pack.task_ids and isinstance(told := hand.pack.task_ids_sha256, str) and told != _ids_sha(hand):
        yield Problem(f"{where} pack.task_ids_sha256", "is not the digest of the ids that are listed")


def _ids_sha(hand: HandSlip) -> str:
    """The digest of the listed ids, with the prefix that the declared one has."""
    prefix = "sha256:" if str(hand.pack.task_ids_sha256).startswith("sha256:") else ""
    return prefix + task_ids_sha256(hand.pack.task_ids)


def _granular(hand: HandSlip, where: str) -> Iterator[Problem]:
    """A score, and what was printed, must be counts of n at their own precision; with k, that very count."""
    given = (("score", f"{hand.score}" if hand.score else ""), ("printed", hand.printed))
    for name, text in given:
        if not text or (name == "score" and not hand.counts) or (name == "printed" and not hand.counts):
            continue
        percent = percent_of(text)
        if isinstance(hand.k, int):
            if not prints_as(percent, Fraction(hand.k, hand.n)):
                yield Problem(f"{where} {name}", f"{text:.40} is not {hand.k} of {hand.n} at its precision")
        elif not possible_counts(percent, hand.n):
            fix = "another n, or counts = false where it is no count of n"
            yield Problem(f"{where} {name}", f"no count of {hand.n} prints as {text:.40}", fix)


def percent_of(text: str) -> str:
    """A number as it was printed, as a percentage with the same digits: `0.714` and `71.4%` are both 71.4."""
    found = PRINTED.match(text)
    number = (found["number"] if found else text.strip()).replace(",", ".")
    if (found and found["percent"]) or Fraction(number) > 1:
        return number
    whole, _, digits = number.partition(".")
    moved = whole + digits[:2].ljust(2, "0")
    rest = digits[2:]
    return f"{int(moved)}.{rest}" if rest else str(int(moved))


def _harness(hand: HandSlip, folder: Text) -> SlipHarness:
    given = hand.harness
    left = tuple(f"{one}: left out of the folder by its owner" for one in given.leave_out)
    declared = () if given.folder else ("everything that its owner's digest does not cover: nobody told",)
    digest = folder if given.folder else given.digest
    return SlipHarness(
        name=_filled(given.name),
        version=_filled(given.version),
        commit=_filled(given.commit),
        digest=digest.removeprefix("sha256:") if isinstance(digest, str) else digest,
        left_out=left or declared,
        covers={"folder": "every file by path and sha256"} if given.folder else {},
    )


def _model(hand: HandSlip) -> SlipModel:
    given = hand.model
    sampling: dict[str, Text] = {name: _filled(_number(value)) for name, value in given.sampling.items()}
    return SlipModel(
        id=_filled(given.id),
        snapshot=_filled(given.snapshot),
        served=tuple(sorted(set(given.served))),
        sampling=sampling,
        agent=_filled(given.agent),
        agent_version=_filled(given.agent_version),
    )


def _pack(hand: HandSlip) -> SlipPack:
    given = hand.pack
    sha = task_ids_sha256(given.task_ids) if given.task_ids else given.task_ids_sha256
    return SlipPack(
        id=_filled(given.id),
        version=_filled(given.version),
        digest=_filled(given.digest),
        task_ids_sha256=sha.removeprefix("sha256:") if isinstance(sha, str) else sha,
        tasks=len(given.task_ids) or given.tasks,
        repeats=given.repeats,
    )


def _box(given: HandBox, beside: Beside) -> SlipBox:
    """As declared; what is not is read of this machine where the file says that it ran here."""
    told = {one.name: getattr(given, one.name) for one in fields(given) if one.name != "here"}
    if given.here and beside.box is not None:
        read = {name: getattr(beside.box, name) for name in BOX_FIELDS}
        told |= {name: value for name, value in read.items() if isinstance(told[name], NotMeasured)}
    for name in ("shared", "reclaimable"):
        if isinstance(told[name], NotMeasured):
            told[name] = getattr(beside, name)
    return replace(SlipBox(), **told)


def _number(text: str) -> str:
    """A number by its value, so that 0 and 0.0 are one temperature; any other text as it is."""
    found = finite_decimal(text)
    return text if found is None else number_text(found)


def _filled(value: Text) -> Text:
    return NotMeasured("not filled in") if is_placeholder(value) else value
