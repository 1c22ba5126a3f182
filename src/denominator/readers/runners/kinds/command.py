"""Any command: 0 says good, everything else bad, and neither says what ran. Only its report can."""

from denominator.readers.runners.kinds.shape import OK, Runner

RUNNER = Runner(name="command", exits={0: OK})
