import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_drifting_month_end(self):
        got = sut.call("rota.recur:occurrences", {"every": "month", "start": "2026-01-31"}, "2026-02-28", 1)
        self.assertEqual(got, ["2026-03-28"])
