import unittest

from inkwell.fill import fill


class FillTest(unittest.TestCase):
    def test_paragraphs(self):
        self.assertEqual(fill("one two\nthree\n\n\nfour", 9), "one two\nthree\n\nfour")


if __name__ == "__main__":
    unittest.main()
