"""From a run or an imported ledger to its judgement and card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.envelopes.terms import sandbox_stamps, terms_of
from denominator.errors import Exit
from denominator.judge import judge
from denominator.pipeline.house import house_lines, house_rules, other_house
from denominator.pipeline.log_ends import keep_logs
from denominator.pipeline.looks import looks_of
from denominator.pipeline.people import with_people_of
from denominator.pipeline.replaying import began_at, ended_at, replay_note, replays_of
from denominator.pipeline.rules import rules_digest
from denominator.pipeline.run import open_promises, read_ledger
from denominator.pipeline.sealing import read_sealed
from denominator.pipeline.siblings import siblings_of
from denominator.pipeline.soundness import broken_chain, changed_evidence, missing_blobs
from denominator.pipeline.world import OpenRun
from denominator.publish.card import make_card
from denominator.readers.logs import LogRead
from denominator.records.cards import Card
from denominator.records.events import Json
from denominator.records.judgements import Judged
from denominator.records.packs import Baseline
from denominator.records.replays import Replay
from denominator.records.rows import Defect, Ledger
from denominator.records.seals import Seal, Terms
from denominator.records.standing import Standing
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import UNTOLD, Steps, new_folder, write_file

SCRATCH = "scratch-"
SAVED_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A judged ledger. `exit` is the gate's word, or 4 while promises of a run of ours are open.

    `began` and `ended` are the first start and the last ending in the journal of a run of ours; "" of everything else.
    """

    ledger: Ledger
    terms: Terms
    judged: Judged
    card: Card
    exit: Exit
    began: str = ""
    ended: str = ""


def unfinished(*results: Result) -> list[int]:
    """The exit codes of runs that are still open or in an unknown state: whatever is made of them, they keep them."""
    return [int(one.exit) for one in results if one.exit in (Exit.OPEN, Exit.UNKNOWN_STATE)]


def judge_run(run: OpenRun, beside: Iterable[Defect] = (), replays: Iterable[Replay] = ()) -> Result:
    """Judge a run of ours as its journal stands now; `beside` is what else was found wrong with it (a contract).

    `replays` are further ones than lie beside it.
    """
    ledger = with_people_of(run.folder.root, read_ledger(run))
    ledger = replace(ledger, defects=(*ledger.defects, *beside))
    baseline, baseline_sha = read_baseline(run.folder.baseline), stored_digest(run.folder.baseline)
    waiting = len(open_promises(run)) + unpromised(run)
    chain = broken_chain(run)
    evidence = tuple(changed_evidence(run, baseline, chain))
    changed = (*_changed(ledger), *_other_rules(run.seal), *other_house(run.seal.house), *evidence, *_narrowed(run))
    terms = terms_of(run.seal, seal_sha=run.seal_digest, baseline=baseline, baseline_sha=baseline_sha, changed=changed)
    terms = replace(terms, replays=(*replays_of(run), *replays), looks=looks_of(run))
    terms = replace(terms, siblings=siblings_of(run, frozenset(one.run_id for one in terms.replays)))
    notes = (*_open_notes(waiting), *_blob_notes(len(missing_blobs(run))))
    result = judge_ledger(ledger, terms, run.seal, stamps(run), notes)
    unknown = chain or any(d.kind == "unknown_state" for d in ledger.defects)
    codes = [int(result.exit)]
    codes += [int(Exit.OPEN)] if waiting else []
    codes += [int(Exit.UNKNOWN_STATE)] if unknown else []
    times = {"began": began_at(run), "ended": ended_at(run)}
    return Result(ledger=ledger, terms=terms, judged=result.judged, card=result.card, exit=Exit.worst(codes), **times)


def unpromised(run: OpenRun, standing: Standing | None = None) -> int:
    """Declared draws that no start of the run has promised yet. A scratch run promises a part of them and no more."""
    promised = {key.draw for key in (standing or run.journal.standing()).promised}
    if promised and is_scratch(run.run_id):
        return 0
    return len({declared.draw for declared in run.seal.plan.draws} - promised)


def judge_ledger(
    ledger: Ledger, terms: Terms, seal: Seal | None = None, marks: Iterable[str] = (), notes: Iterable[str] = ()
) -> Result:
    """Judge any ledger under its terms."""
    judged = judge(ledger, terms, house_rules())
    card = make_card(
        ledger, terms, judged, seal=seal, rules_digest=rules_digest(), house=house_lines(), stamps=marks, notes=notes
    )
    return Result(ledger=ledger, terms=terms, judged=judged, card=card, exit=Exit(judged.verdict.exit))


def write_card(path: Path, card: Card, told: Steps = UNTOLD) -> None:
    """Write card.json, canonical, whole or not at all; one that says this already is left alone."""
    data = canonical(card) + b"\n"
    if not path.is_file() or path.read_bytes() != data:
        write_file(path, data, told=told)


def read_baseline(path: Path) -> Baseline | None:
    """The baseline that the run was sealed with, as kept in its folder."""
    if not path.is_file():
        return None
    return from_json(Baseline, loads(read_bytes(path, SAVED_BYTES), str(path)), str(path))


def stored_digest(path: Path) -> str:
    """The digest of a document of ours as it is stored; "" where there is none."""
    return sha256_bytes(read_bytes(path, SAVED_BYTES).rstrip(b"\n")) if path.is_file() else ""


def sealed_terms(folder: Path) -> tuple[Seal, Terms]:
    """The seal in a run's folder and the terms that it gives, with the baseline that lies beside it."""
    seal, sha = read_sealed(folder / "seal.json")
    beside = folder / "baseline.json"
    return seal, terms_of(seal, seal_sha=sha, baseline=read_baseline(beside), baseline_sha=stored_digest(beside))


def stamps(run: OpenRun) -> tuple[str, ...]:
    """What must be printed across a result of this run."""
    marks = sandbox_stamps(run.seal)
    if (note := replay_note(run.folder.root)) is not None:
        marks = (*marks, f"REPLAY of {note.of}")
    return (*marks, "SCRATCH, never counted") if is_scratch(run.run_id) else marks


def is_scratch(run_id: str) -> bool:
    """Is it a run of `--only`?"""
    return run_id.startswith(SCRATCH)


def _open_notes(count: int) -> tuple[str, ...]:
    return (f"draws or promised attempts without an ending yet: {count}; resume the run",) if count else ()


def _blob_notes(count: int) -> tuple[str, ...]:
    return (
        (f"{count} artifacts that the journal names are gone: nothing here can be quoted from them",) if count else ()
    )


def _narrowed(run: OpenRun) -> tuple[str, ...]:
    """A scratch run seals the whole plan and runs a part of it, so its number is never one."""
    return ("the plan was narrowed with --only: scratch, never counted",) if is_scratch(run.run_id) else ()


def _other_rules(seal: Seal) -> tuple[str, ...]:
    """The rules that judge now must be those that were sealed; else the number is of another method."""
    now = rules_digest()
    return () if now == seal.rules_digest else (f"the rule set: sealed {seal.rules_digest[:12]}, judging {now[:12]}",)


def _changed(ledger: Ledger) -> tuple[str, ...]:
    return tuple(d.what for d in ledger.defects if d.kind == "changed_seal")


def save_imported(folder: Path, ledger: Ledger, terms: Terms, card: Card, logs: Iterable[LogRead] = ()) -> None:
    """Keep an imported ledger, whole or not at all, so that `gate` and `card` can read it again; of logs both ends."""
    with new_folder(folder) as half:
        write_file(half / "ledger.json", canonical(ledger) + b"\n")
        write_file(half / "terms.json", canonical(terms) + b"\n")
        write_card(half / "card.json", card)
        keep_logs(half / "logs", logs)


def judge_saved(folder: Path) -> Result:
    """Judge an imported ledger that was kept in a folder."""
    ledger = from_json(Ledger, _document(folder / "ledger.json"), str(folder / "ledger.json"))
    ledger = with_people_of(folder, ledger)
    return judge_ledger(ledger, from_json(Terms, _document(folder / "terms.json"), str(folder / "terms.json")))


def _document(path: Path) -> Json:
    found: Json = loads(read_bytes(path, SAVED_BYTES, "denominator import rows ... -o FOLDER"), str(path))
    return found
