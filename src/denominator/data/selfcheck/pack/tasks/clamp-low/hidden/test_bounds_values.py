import unittest

import sut


class Values(unittest.TestCase):
    def test_case_0(self):
        self.assertEqual(sut.call("bounds:clamp", -3, 0, 9), 0)

    def test_case_1(self):
        self.assertEqual(sut.call("bounds:clamp", 12, 0, 9), 9)

    def test_case_2(self):
        self.assertEqual(sut.call("bounds:clamp", 4, 0, 9), 4)
