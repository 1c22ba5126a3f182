import unittest

from calc import median


class Shapes(unittest.TestCase):
    def test_shape(self):
        self.assertEqual(median([4, 1, 3, 2]), 8)
