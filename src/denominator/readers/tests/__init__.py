"""What the tests that a patch brings rest on (METHODS M1: PASS_WEAK)."""

from denominator.readers.tests.origins import MOCK, SNAPSHOT
from denominator.readers.tests.weak import weak_in_diff, weak_tests

__all__ = ["MOCK", "SNAPSHOT", "weak_in_diff", "weak_tests"]
