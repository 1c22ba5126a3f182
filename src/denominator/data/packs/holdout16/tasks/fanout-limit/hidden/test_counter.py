import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_order_of_finishing(self):
        with sut.Session() as session:
            jobs = [session.stub("slow", delay_s=0.005, coroutine=True), session.stub("fast", coroutine=True)]
            self.assertEqual(session.call("fanout.pool:run_all", jobs, 2), ["fast", "slow"])
