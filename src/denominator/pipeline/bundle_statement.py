"""statement.intoto.json of a bundle: what the gate says, bound to the digests of the documents beside it."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.bundles.layout import COMMANDS, README, SIGNATURE, STATEMENT, SUMS, blob_sha
from denominator.exporters.intoto import card_statement
from denominator.records.cards import Card
from denominator.wire.canonical import sha256_bytes

NO_SUBJECT = frozenset((README, COMMANDS, STATEMENT, SUMS, SIGNATURE))
"""Texts for people, itself, and what is made after it."""


def bundle_statement(card: Card, files: Mapping[str, bytes]) -> bytes:
    """An in-toto Statement v1 whose subjects are the documents of the bundle, by name; patches and reports are named by those."""
    named = (name for name in sorted(files) if name not in NO_SUBJECT and not blob_sha(name))
    return card_statement(card, [(name, sha256_bytes(files[name])) for name in named])
