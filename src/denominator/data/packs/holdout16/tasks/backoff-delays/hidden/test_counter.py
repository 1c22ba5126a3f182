import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_grows_for_ever(self):
        got = sut.call("backoff.plan:delays", {"base_ms": 100, "factor": 10, "cap_ms": 500, "retries": 2})
        self.assertEqual(got, [100, 1000])
