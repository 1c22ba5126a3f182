import unittest

import sut


class Shapes(unittest.TestCase):
    def test_shape(self):
        self.assertEqual(sut.call("calc:median", [4, 1, 3, 2]), 8)
