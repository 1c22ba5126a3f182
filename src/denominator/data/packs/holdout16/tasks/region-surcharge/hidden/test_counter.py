import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_free_of_charge(self):
        self.assertEqual(sut.call("shipping.price:base", 1), 0)
