"""Envelopes: reading, completeness, the commented template, the seal, and what the gate needs of it."""

from denominator.envelopes.complete import complete, require_complete
from denominator.envelopes.read import read_envelope
from denominator.envelopes.sealing import Sealing, arm_named, make_seal, seal_digest
from denominator.envelopes.starters import AGENTS, PresetStart, starter, starter_files
from denominator.envelopes.template import demo_envelope, envelope_template
from denominator.envelopes.terms import terms_of

__all__ = [
    "AGENTS",
    "PresetStart",
    "Sealing",
    "arm_named",
    "complete",
    "demo_envelope",
    "envelope_template",
    "make_seal",
    "read_envelope",
    "require_complete",
    "seal_digest",
    "starter",
    "starter_files",
    "terms_of",
]
