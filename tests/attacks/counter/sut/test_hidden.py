import unittest

import sut

CASES = [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([1], 1), ([2, 1], 1.5), ([5, 5, 1, 9, 2, 7], 5.0)]


class Median(unittest.TestCase):
    def test_values(self):
        for xs, expected in CASES:
            self.assertEqual(sut.call("calc:median", xs), expected)

    def test_no_mutation(self):
        self.assertEqual(sut.call_mut("calc:median", [3, 1, 2, 0]), (1.5, [[3, 1, 2, 0]]))
