"""A scoring contract as people write it: its template, every reason not to lock it, the lock, and forks of it."""

from denominator.envelopes.contracts.checks import problems_of
from denominator.envelopes.contracts.forking import fork
from denominator.envelopes.contracts.locking import State, contract_digest, lock, state_of
from denominator.envelopes.contracts.template import contract_template
from denominator.wire.contracts import Contract, read_document

__all__ = [
    "Contract",
    "State",
    "contract_digest",
    "contract_template",
    "fork",
    "lock",
    "problems_of",
    "read_document",
    "state_of",
]
