import unittest

import sut


class Values(unittest.TestCase):
    def test_case_0(self):
        self.assertEqual(sut.call("twice:double", 4), 8)

    def test_case_1(self):
        self.assertEqual(sut.call("twice:double", -1), -2)
