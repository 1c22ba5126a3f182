import asyncio
import unittest

from fanout.pool import run_all
from fanout.retry import delays


class PoolTest(unittest.TestCase):
    def test_order(self):
        async def slow():
            await asyncio.sleep(0.01)
            return "slow"

        async def fast():
            return "fast"

        self.assertEqual(asyncio.run(run_all([slow, fast])), ["slow", "fast"])

    def test_delays(self):
        self.assertEqual(delays(1, 5, 4), [1, 2, 4, 5])


if __name__ == "__main__":
    unittest.main()
