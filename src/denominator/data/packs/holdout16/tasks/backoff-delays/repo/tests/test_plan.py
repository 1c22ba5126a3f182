import unittest

from backoff.plan import delays, next_delay

POLICY = {"base_ms": 100, "factor": 2, "cap_ms": 500, "retries": 4}


class PlanTest(unittest.TestCase):
    def test_growth(self):
        self.assertEqual(delays(POLICY), [100, 200, 400, 500])
        self.assertEqual(next_delay(POLICY, 2), 200)


if __name__ == "__main__":
    unittest.main()
