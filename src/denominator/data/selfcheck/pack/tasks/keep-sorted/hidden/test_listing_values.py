import unittest

import sut


class Values(unittest.TestCase):
    def test_case_0(self):
        self.assertEqual(sut.call("listing:ordered", [3, 1, 2]), [1, 2, 3])

    def test_case_1(self):
        self.assertEqual(sut.call("listing:ordered", []), [])
