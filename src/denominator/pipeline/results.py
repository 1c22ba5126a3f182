"""From a run or an imported ledger to its judgement and card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from denominator.envelopes.terms import terms_of
from denominator.errors import Exit
from denominator.judge import judge
from denominator.pipeline.rules import rules_digest
from denominator.pipeline.run import open_promises, read_ledger
from denominator.pipeline.world import OpenRun
from denominator.publish.card import make_card
from denominator.records.cards import Card
from denominator.records.judgements import Judged
from denominator.records.packs import Baseline
from denominator.records.rows import Ledger
from denominator.records.seals import Seal, Terms
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import write_file

SCRATCH = "scratch-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A judged ledger. `exit` is the gate's word, or 4 while promises of a run of ours are open."""

    ledger: Ledger
    terms: Terms
    judged: Judged
    card: Card
    exit: Exit


def judge_run(run: OpenRun) -> Result:
    """Judge a run of ours as its journal stands now."""
    ledger = read_ledger(run)
    changed = (*_changed(ledger), *_other_rules(run.seal))
    terms = terms_of(run.seal, baseline=read_baseline(run.folder.baseline), changed=changed)
    waiting = open_promises(run)
    result = judge_ledger(ledger, terms, run.seal, stamps(run), _open_notes(len(waiting)))
    unknown = [int(Exit.UNKNOWN_STATE)] if any(d.kind == "unknown_state" for d in ledger.defects) else []
    codes = [int(result.exit), *([int(Exit.OPEN)] if waiting else []), *unknown]
    return Result(ledger=ledger, terms=terms, judged=result.judged, card=result.card, exit=Exit.worst(codes))


def judge_ledger(
    ledger: Ledger, terms: Terms, seal: Seal | None = None, marks: Iterable[str] = (), notes: Iterable[str] = ()
) -> Result:
    """Judge any ledger under its terms."""
    judged = judge(ledger, terms)
    card = make_card(ledger, terms, judged, seal=seal, rules_digest=rules_digest(), stamps=marks, notes=notes)
    return Result(ledger=ledger, terms=terms, judged=judged, card=card, exit=Exit(judged.verdict.exit))


def write_card(path: Path, card: Card) -> None:
    """Write card.json, canonical, whole or not at all."""
    write_file(path, canonical(card) + b"\n")


def read_baseline(path: Path) -> Baseline | None:
    """The baseline that the run was sealed with, as kept in its folder."""
    if not path.is_file():
        return None
    return from_json(Baseline, loads(path.read_bytes(), str(path)), str(path))


def stamps(run: OpenRun) -> tuple[str, ...]:
    """What must be printed across a result of this run."""
    marks = ("NOT SANDBOXED",) if run.seal.unsandboxed else ()
    return (*marks, "SCRATCH, never counted") if run.run_id.startswith(SCRATCH) else marks


def _open_notes(count: int) -> tuple[str, ...]:
    return (f"{count} promised attempts have no ending yet: resume the run",) if count else ()


def _other_rules(seal: Seal) -> tuple[str, ...]:
    """The rules that judge now must be those that were sealed; else the number is of another method."""
    now = rules_digest()
    return () if now == seal.rules_digest else (f"the rule set: sealed {seal.rules_digest[:12]}, judging {now[:12]}",)


def _changed(ledger: Ledger) -> tuple[str, ...]:
    return tuple(d.what for d in ledger.defects if d.kind == "changed_seal")


def save_imported(folder: Path, ledger: Ledger, terms: Terms, card: Card) -> None:
    """Keep an imported ledger so that `gate` and `card` can read it again. Refuses a folder in use."""
    folder.mkdir(parents=True, exist_ok=False)
    write_file(folder / "ledger.json", canonical(ledger) + b"\n")
    write_file(folder / "terms.json", canonical(terms) + b"\n")
    write_card(folder / "card.json", card)


def judge_saved(folder: Path) -> Result:
    """Judge an imported ledger that was kept in a folder."""
    read = {name: loads((folder / name).read_bytes(), str(folder / name)) for name in ("ledger.json", "terms.json")}
    ledger = from_json(Ledger, read["ledger.json"], str(folder / "ledger.json"))
    return judge_ledger(ledger, from_json(Terms, read["terms.json"], str(folder / "terms.json")))
