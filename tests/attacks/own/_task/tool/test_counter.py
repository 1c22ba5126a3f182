import unittest

import sut


class Counter(unittest.TestCase):
    def test_reverse(self):
        self.assertEqual(sut.run(["tool.py"], stdin="1 2").files, {"out.txt": "2 1"})
