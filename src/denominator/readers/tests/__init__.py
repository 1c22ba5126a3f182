"""Who wrote the tests of a patch, and what they rest on (METHODS M1: PASS_WEAK)."""

from denominator.readers.tests.authors import VisibleTests, written_by_agent
from denominator.readers.tests.origins import MOCK, SNAPSHOT
from denominator.readers.tests.weak import weak_in_diff, weak_tests

__all__ = ["MOCK", "SNAPSHOT", "VisibleTests", "weak_in_diff", "weak_tests", "written_by_agent"]
