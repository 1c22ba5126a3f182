import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_wrong_total(self):
        got = sut.call("billing.invoice:change_plan", "2026-04-01", "2026-05-01", "2026-04-11", 3000, 6000)
        self.assertEqual(got["total"], 2001)
