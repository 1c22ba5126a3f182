import unittest

import sut


class Lies(unittest.TestCase):
    def test_wrong_value(self):
        self.assertEqual(sut.call("twice:double", 4), 9)
