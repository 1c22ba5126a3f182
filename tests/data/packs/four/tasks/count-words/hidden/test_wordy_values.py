import unittest

import sut


class Values(unittest.TestCase):
    def test_case_0(self):
        self.assertEqual(sut.call("wordy:count", "a  b"), 2)

    def test_case_1(self):
        self.assertEqual(sut.call("wordy:count", ""), 0)

    def test_case_2(self):
        self.assertEqual(sut.call("wordy:count", "one two three"), 3)
