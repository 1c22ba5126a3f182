import unittest

import sut


def policy(**more):
    return {"base_ms": 100, "factor": 3, "cap_ms": 1000, "retries": 5, **more}


class BackoffTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def delays(self, **more):
        return self.sut.call("backoff.plan:delays", policy(**more))

    def next(self, retry, *args, **more):
        return self.sut.call("backoff.plan:next_delay", policy(**more), retry, *args)

    def test_cap(self):
        self.assertEqual(self.delays(), [100, 300, 900, 1000, 1000])
        self.assertEqual(self.delays(base_ms=2000, retries=2), [1000, 1000])
        self.assertEqual(self.delays(factor=1, retries=3), [100, 100, 100])
        self.assertEqual(self.delays(retries=0), [])

    def test_budget(self):
        self.assertEqual(self.delays(budget_ms=1300), [100, 300, 900])
        self.assertEqual(self.delays(budget_ms=1299), [100, 300])
        self.assertEqual(self.delays(budget_ms=3300), [100, 300, 900, 1000, 1000])
        self.assertEqual(self.delays(budget_ms=99), [])
        self.assertEqual(self.delays(budget_ms=0), [])

    def test_no_such_retry(self):
        self.assertEqual([self.next(n) for n in (0, -1, 6)], [None, None, None])
        self.assertEqual([self.next(n) for n in (1, 5)], [100, 1000])
        self.assertEqual([self.next(3, 50, budget_ms=500), self.next(0, 5000)], [None, None])

    def test_server_wishes(self):
        self.assertEqual([self.next(2, 5000), self.next(2, 299), self.next(2, 0), self.next(2, 301, budget_ms=400)], [5000, 300, 300, 301])

    def test_policy_stays(self):
        _, after = self.sut.call_mut("backoff.plan:next_delay", policy(budget_ms=500), 2)
        self.assertEqual(after, [policy(budget_ms=500), 2])
