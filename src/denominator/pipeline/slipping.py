"""`slip`: from a judged result or a hand file to a slip in its store, and what people say of it. START HERE for slips."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import (
    BlockedError,
    DenominatorError,
    Exit,
    InputError,
    OpenPromisesError,
    Problem,
    UnknownStateError,
)
from denominator.pipeline.results import Result, judge_saved
from denominator.pipeline.rules import rules_digest
from denominator.pipeline.slip_conditions import TABLE, stated_and_observed
from denominator.pipeline.slip_harness import digest_of_folder
from denominator.pipeline.slip_store import (
    append_line,
    before_of,
    find_id,
    keep_slip,
    read_all,
    read_entry,
    slip_of_file,
    standing,
)
from denominator.records.boxes import Box
from denominator.records.hand_slips import HandSlip
from denominator.records.rows import Flag
from denominator.records.seals import Seal
from denominator.records.slips import PairVerdict, RawOutput, Slip, SlipLine, SlipOrigin, SlipStanding, Tier
from denominator.records.values import NotMeasured
from denominator.slips.hand import Beside, hand_slip, refuse_impossible
from denominator.slips.lineage import with_lineage
from denominator.slips.making import Pinned, slip_of
from denominator.slips.pair import check, delta
from denominator.slips.roles import rejection_line, revocation_line, signoff_line, verdict_line
from denominator.slips.tiers import VERDICT, Entry, has_number, lower, twins
from denominator.slips.words import AUDIENCES, REFUSED, binds
from denominator.stats import decimal6, rerun
from denominator.wire.bounded import read_chunks, read_text
from denominator.wire.toml import read_toml

WORDS: Mapping[str, bool] = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised:
    """What the settings say of the box: may somebody else slow it down (shared) or take it away (reclaimable)?"""

    shared: Flag
    reclaimable: Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A slip that was made: as it stands, and what moved since the one before it."""

    standing: SlipStanding
    verdict: PairVerdict | None


def promised(shared: str, reclaimable: str) -> Promised:
    """Settings as flags; an empty one is unknown."""
    return Promised(shared=_flag("box_shared", shared), reclaimable=_flag("box_reclaimable", reclaimable))


def _flag(name: str, word: str) -> Flag:
    if not word:
        return NotMeasured(f"nobody declared it ({name} in denominator.toml)")
    if word not in WORDS:
        raise InputError(f"{word!r} is neither yes nor no", where=f"denominator.toml {name}", fix=f'{name} = "no"')
    return WORDS[word]


def slip_of_run(result: Result, seal: Seal, root: Path, store: Path, now: str, box: Promised) -> Slip:
    """The slip of a run of ours that has ended. Raises OpenPromisesError and UnknownStateError for one that has not."""
    if result.exit == Exit.UNKNOWN_STATE:
        raise UnknownStateError(
            "the run is in an unknown state: no number is pinned", where=root.name, fix="denominator status"
        )
    if result.exit == Exit.OPEN:
        raise OpenPromisesError("promises of the run are open", where=root.name, fix=f"denominator resume {root.name}")
    pinned = _pinned(result, root / "ledger.jsonl", root, store, now, box)
    return slip_of(result.ledger, result.terms, result.judged, pinned, seal)


def slip_of_import(result: Result, root: Path, store: Path, now: str, box: Promised) -> Slip:
    """The slip of a kept import; what its source does not state is among the gaps."""
    file = next(root / name for name in ("ledger.json", "ledger.jsonl") if (root / name).is_file())
    pinned = _pinned(result, file, root, store, now, box)
    return slip_of(
        result.ledger, result.terms, result.judged, replace(pinned, run_id=result.ledger.run_id or root.name)
    )


def _pinned(result: Result, file: Path, root: Path, store: Path, now: str, box: Promised) -> Pinned:
    if not file.is_file():
        raise InputError("there is no ledger", where=str(file), fix=f"denominator resume {root.name}")
    sha = sha_of(file)
    return Pinned(
        run_id=root.name,
        raw=RawOutput(path=_relative(file, store), sha256=sha),
        ledger_sha256=sha,
        made_at=now,
        rules_digest=rules_digest(),
        table=TABLE,
        conditions=stated_and_observed(result),
        notes=result.card.stamps,
        shared=box.shared,
        reclaimable=box.reclaimable,
    )


def slip_of_hand(path: Path, store: Path, now: str, box: Promised, here: Box | None) -> Slip:
    """The slip of a hand file; `here` is this machine, where the file says that it ran on it."""
    hand = read_hand(path)
    raw = path.parent / hand.raw
    refuse_impossible(hand, str(path), [*_absent(path, hand)])
    folder = (
        digest_of_folder(path.parent / hand.harness.folder, hand.harness.leave_out) if hand.harness.folder else None
    )
    beside = Beside(
        raw=RawOutput(path=_relative(raw, store), sha256=sha_of(raw)),
        made_at=now,
        folder_digest=folder or NotMeasured("not given"),
        box=here,
        shared=box.shared,
        reclaimable=box.reclaimable,
    )
    return hand_slip(hand, beside)


def _absent(path: Path, hand: HandSlip) -> Iterator[Problem]:
    """What the file names beside itself and is not there. A name too long for a file is none (os.path, not Path)."""
    raw, folder, fix = hand.raw, hand.harness.folder, "a path from the folder of this file"
    if raw and raw.isprintable() and not os.path.exists(path.parent / raw):  # noqa: PTH110
        yield Problem(f"{path} raw", f"no such file: {raw[:80]}", fix)
    if folder and folder.isprintable() and not os.path.isdir(path.parent / folder):  # noqa: PTH112
        yield Problem(f"{path} harness.folder", f"{folder[:80]!r} is no folder", fix)


def read_hand(path: Path) -> HandSlip:
    """A hand file, every mistake in one pass."""
    return read_toml(HandSlip, read_text(path), str(path))


def keep(slip: Slip, store: Path, previous: str = "") -> Made:
    """Give the slip its lineage and put it into the store."""
    entries, _ = read_all(store)
    before = read_entry(store, find_id(store, previous)) if previous else before_of(entries, slip)
    if before is not None and before.slip.run_id == slip.run_id:
        raise InputError("is a slip of the same run", where="--previous", fix="name a slip of an earlier run")
    made = with_lineage(slip, before.id if before else "", before.slip if before else None)
    made = replace(made, re_run_spread=_spread(made, entries, store))
    slip_id = _kept(made, entries) or keep_slip(store, made)
    stood = standing(store, slip_id)
    verdict = check(before, Entry(slip_id, made)) if before else None
    return Made(standing=stood, verdict=verdict)


def _kept(slip: Slip, entries: list[Entry]) -> str:
    """The id of a slip that says the same already; "" where none does. Making it again makes no other one."""
    bare = _bare(slip)
    return next((one.id for one in entries if not one.revoked and _bare(one.slip) == bare), "")


def _bare(slip: Slip) -> Slip:
    """A slip without when it was made and what it was held against."""
    return replace(slip, made_at="", previous="", previous_lineage="", moved=())


def _spread(slip: Slip, entries: list[Entry], store: Path) -> str | NotMeasured:
    """Two fresh passes stay within so many percentage points of each other 95 times in 100, by every run of the lineage."""
    if not has_number(Entry("", slip)):
        return NotMeasured("the slip pins no number that may be printed")
    again = [one.slip for one in twins(Entry("", slip), entries)]
    if not again:
        return NotMeasured("no other slip of this lineage matches it")
    if slip.origin == SlipOrigin.HAND:
        return NotMeasured("declared by hand: there are no rows to count")
    found = [_passes(one, store) for one in {one.run_id: one for one in (*again, slip)}.values()]
    unknown = next((one for one in found if isinstance(one, NotMeasured)), None)
    return unknown or _spread_of([one for one in found if not isinstance(one, NotMeasured)])


def _spread_of(runs: list[tuple[Mapping[str, int], int]]) -> str | NotMeasured:
    """From passes a task and the repeats of each run."""
    total: Counter[str] = Counter()
    for passes, _ in runs:
        total.update(passes)
    if any(set(passes) != set(total) for passes, _ in runs):
        return NotMeasured("the runs are of other tasks")
    repeats = sum(each for _, each in runs)
    measured = rerun([total[task] for task in sorted(total)], repeats)
    if isinstance(measured, NotMeasured):
        return measured
    why = f" ({measured.interval.reason})" if measured.interval.reason else ""
    return f"{decimal6(100 * measured.spread95)} points over {len(total)} tasks and {repeats} passes{why}"


def _passes(slip: Slip, store: Path) -> tuple[Mapping[str, int], int] | NotMeasured:
    """Passes a task, and how many repeats each has, of the rows that a slip was made of."""
    path = store / slip.raw.path
    try:
        if not path.is_file() or sha_of(path) != slip.raw.sha256:
            return NotMeasured(f"the rows of run {slip.run_id} are not there as they were")
        result = _judged(path)
    except DenominatorError:
        return NotMeasured(f"the rows of run {slip.run_id} cannot be judged again")
    tally, sizes = Counter[str](), Counter[str]()
    for task, _, draw in result.judged.sheet.placed(lambda _: True):
        sizes[task] += 1
        tally[task] += draw.exit == "pass"
    if len(set(sizes.values())) != 1:
        return NotMeasured(f"the tasks of run {slip.run_id} have unequal repeats")
    return tally, next(iter(sizes.values()))


def _judged(path: Path) -> Result:
    if path.name == "ledger.json":
        return judge_saved(path.parent)
    from denominator.pipeline.judging_file import judge_file, open_ledger

    file = open_ledger(path)
    try:
        return judge_file(path, file)
    finally:
        file.close()


def held_against(store: Path, old: str, new: str) -> tuple[PairVerdict, str]:
    """`slip check`: the verdict of two slips (ids, or files), and the difference where it may be shown."""
    one, other = _entry(store, old), _entry(store, new)
    if one.id == other.id:
        raise InputError("both are the same slip", where="NEW", fix="name the slip of another run")
    verdict = check(one, other)
    return verdict, delta(one.slip, other.slip, verdict)


def _entry(store: Path, named: str) -> Entry:
    if named.endswith(".json"):
        path = Path(named)
        slip, slip_id = slip_of_file(path)
        return Entry(slip_id, slip)
    return read_entry(store, find_id(store, named))


def stands(store: Path, named: str) -> SlipStanding:
    """A slip of the store by what was typed."""
    return standing(store, find_id(store, named))


def say_verdict(store: Path, named: str, tier: str, caveat: str, who: str, at: str) -> SlipStanding:
    """Append a score keeper's verdict."""
    one = stands(store, named)
    return _said(store, one, verdict_line(one, tier, caveat, who, at))


def say_signoff(store: Path, named: str, who: str, at: str, reject: str | None = None) -> SlipStanding:
    """Append a quote reviewer's sign-off, or the rejection that names the missing field."""
    one = stands(store, named)
    line = signoff_line(one, who, at) if reject is None else rejection_line(one, reject, who, at)
    return _said(store, one, line)


def refuse_audience(one: SlipStanding, audience: str) -> str:
    """Why an audience may not see a slip; "" where it may. Raises BlockedError for what no slip is for."""
    if binds(audience):
        raise BlockedError(
            REFUSED, where=f"--for {audience}", fix="name who reads it: team, docs, posts, deck, customers"
        )
    least = AUDIENCES.get(audience)
    if least is None:
        raise InputError(f"{audience!r} is no audience", where="--for", fix=f"one of: {', '.join(AUDIENCES)}")
    if lower(least, one.tier.tier) != least:
        return f"it asks for tier {least}, and this is {one.tier.tier}: {'; '.join(one.tier.why)}"
    if not any(line.what == VERDICT for line in one.lines):
        return "no score keeper has given a verdict (denominator slip verdict)"
    return "no quote reviewer has signed it off" if least == Tier.QUOTABLE and not one.signed_off else ""


def say_revoked(store: Path, named: str, why: str, who: str, at: str) -> SlipStanding:
    """Append that a slip falls, and why."""
    one = stands(store, named)
    return _said(store, one, revocation_line(one, why, who, at))


def _said(store: Path, one: SlipStanding, line: SlipLine) -> SlipStanding:
    append_line(store, one.id, line)
    return standing(store, one.id)


def sha_of(path: Path) -> str:
    """sha256 of a file of any size. A raw log that holds nothing shows nothing."""
    found, size = hashlib.sha256(), 0
    for chunk in read_chunks(path, "keep the raw output: nobody can check a number without it"):
        found.update(chunk)
        size += len(chunk)
    if not size:
        raise InputError("is empty: nobody can check a number by it", where=str(path), fix="name the raw output")
    return found.hexdigest()


def _relative(path: Path, store: Path) -> str:
    """Where a file lies, from the store."""
    return Path(os.path.relpath(path.absolute(), store.absolute())).as_posix()
