import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_half_up(self):
        self.assertEqual(sut.call("receipts.tax:receipt", [[150, 70]])["tax"], 11)
