import unittest

import sut


class Lies(unittest.TestCase):
    def test_wrong_value(self):
        self.assertEqual(sut.call("wordy:count", "a  b"), 5)
