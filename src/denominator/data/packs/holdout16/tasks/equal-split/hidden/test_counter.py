import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_one_payer_pays_nothing(self):
        self.assertEqual(sut.call("payers.split:split", 100, 1), [0])
