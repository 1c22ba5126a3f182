import unittest

import sut


class Tool(unittest.TestCase):
    def test_sorted(self):
        self.assertEqual(sut.files(["tool.py"], ["out.txt"], stdin="3 1 2"), {"out.txt": b"1 2 3"})

    def test_more(self):
        self.assertEqual(sut.run(["tool.py"], stdin="10 9").files, {"out.txt": "9 10"})
