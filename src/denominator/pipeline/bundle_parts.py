"""The bytes of every file of a bundle that follows from the others: ledger, narration probe, README, commands, head."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from denominator.bundles.chain import FIRST
from denominator.bundles.commands import commands_text
from denominator.bundles.layout import COMMANDS, LEDGER, NARRATION, README
from denominator.bundles.merkle import merkle_root
from denominator.bundles.readme import readme_text
from denominator.errors import DenominatorError
from denominator.pipeline.bundle_judging import Again, Evidence
from denominator.pipeline.bundle_shipping import contamination_of, lines_of, shipped_files
from denominator.pipeline.narration import probe_rows_of
from denominator.pipeline.rules import rules_digest
from denominator.records.bundles import Artifact, BundleHead
from denominator.records.events import Event
from denominator.records.trees import Patch
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads

ARTIFACTS = {"patch": "patch", "graded": "report"}
"""Events whose bytes travel, and what they are."""


def derived_files(evidence: Evidence, again: Again, contract: bytes = b"") -> dict[str, bytes]:
    """Files that are made of the others, by name; `contract` is the scoring contract, where there is one."""
    found = {
        LEDGER: lines_of(again.ledger.rows),
        README: readme_text(evidence.seal, again.card, contamination_of(contract)),
        COMMANDS: commands_text(evidence.seal, evidence.events),
    }
    found |= shipped_files(evidence, again, contract)
    if probed := probe_rows_of(evidence.events):
        found[NARRATION] = canonical([*probed]) + b"\n"
    return found


def head_of(evidence: Evidence, again: Again, artifacts: Sequence[Artifact]) -> BundleHead:
    """`bundle.json` as these files give it."""
    last = evidence.events[-1].sha if evidence.events else FIRST
    return BundleHead(
        run_id=evidence.run_id,
        version=evidence.version,
        rules_digest=rules_digest(),
        house=again.house,
        seal_sha256=evidence.seal_sha,
        events=len(evidence.events),
        events_head=last,
        calls=len(evidence.calls),
        calls_sha256=sha256_bytes(lines_of(evidence.calls)),
        tasks=len(evidence.seal.tasks),
        tasks_root=merkle_root([canonical(one) for one in sorted(evidence.seal.tasks, key=lambda one: one.task.id)]),
        rows=len(again.ledger.rows),
        rows_root=merkle_root([canonical(row) for row in again.ledger.rows]),
        artifacts=tuple(artifacts),
        beside=evidence.beside,
        replay_of=evidence.replay_of,
    )


def named_artifacts(events: Iterable[Event], patch_bytes: Callable[[str], bytes | None]) -> Mapping[str, str]:
    """Patches, grading reports, and the file contents that patches name: digest -> what it is, sorted.

    `patch_bytes` gives the bytes of a patch that is at hand, else None: what it changed is not known then.
    """
    found: dict[str, str] = {}
    for event in events:
        if event.kind in ARTIFACTS and event.blob and found.get(event.blob) != "patch":
            found[event.blob] = ARTIFACTS[event.kind]
    for sha in [sha for sha, kind in found.items() if kind == "patch"]:
        for content in _contents(patch_bytes(sha)):
            found.setdefault(content, "content")
    return dict(sorted(found.items()))


def _contents(patch: bytes | None) -> list[str]:
    """Digests of the files that a patch brings."""
    if patch is None:
        return []
    try:
        return [change.blob for change in from_json(Patch, loads(patch)).changes if change.blob]
    except DenominatorError:
        return []
