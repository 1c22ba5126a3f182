"""`pack audit`: the checks a tool can decide alone, as data and pure functions; `pipeline/pack_audit.py` runs them."""

from denominator.packs.audit.age import looked_at
from denominator.packs.audit.blocks import Bomb, bombs_of
from denominator.packs.audit.corpus import Attack, corpus_digest, corpus_files, load_corpus
from denominator.packs.audit.declared import declared_items
from denominator.packs.audit.items import Said, audit_item, not_applicable_items, summed_up
from denominator.packs.audit.mutants import Mutant, mutants_of, sampled
from denominator.packs.audit.needles import Needles, needles_of, seen_in
from denominator.packs.audit.pins import pinned
from denominator.packs.audit.store import audit_line, read_audit, write_audit
from denominator.packs.layout import AUDIT_FILE

__all__ = [
    "AUDIT_FILE",
    "Attack",
    "Bomb",
    "Mutant",
    "Needles",
    "Said",
    "audit_item",
    "audit_line",
    "bombs_of",
    "corpus_digest",
    "corpus_files",
    "declared_items",
    "load_corpus",
    "looked_at",
    "mutants_of",
    "needles_of",
    "not_applicable_items",
    "pinned",
    "read_audit",
    "sampled",
    "seen_in",
    "summed_up",
    "write_audit",
]
