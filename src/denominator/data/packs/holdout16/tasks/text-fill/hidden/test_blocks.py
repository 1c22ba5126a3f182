import unittest

import sut


class BlocksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def check(self, text, width, *lines):
        self.assertEqual(self.sut.call("inkwell.fill:fill", text, width).split("\n"), list(lines))

    def test_items_hang(self):
        self.check("- one two three\n  four\n12. five six seven", 10, "- one two", "  three", "  four", "12. five", "    six", "    seven")
        self.check("- one two", 9, "- one two")
        self.check("- one two", 8, "- one", "  two")

    def test_one_list(self):
        self.check("  - a\n\n\n   2. b\n-  c", 20, "- a", "2. b", "- c")

    def test_lists_and_paragraphs(self):
        self.check("intro\ngoes on\n- a\nb\n\nafter\n- c", 20, "intro goes on", "", "- a b", "", "after", "", "- c")

    def test_no_items(self):
        self.check("-\n-x 1.y\n3 . z", 20, "- -x 1.y 3 . z")
        self.check("a\n-  \nb -1. c\n1.\n.5 -", 30, "a - b -1. c 1. .5 -")

    def test_code_is_copied(self):
        self.check("text\n    x  =  1   \n\n\n      - y\n\n    z\n\ntext text", 6,
                   "text", "", "    x  =  1", "", "", "      - y", "", "    z", "", "text", "text")

    def test_code_ends_an_item(self):
        self.check("- a\n    code\nb\n- c\n\n    more", 20, "- a", "", "    code", "", "b", "", "- c", "", "    more")
        self.check("    1. x\n   - y", 20, "    1. x", "", "- y")

    def test_long_words(self):
        self.check("- extraordinary a b\n9. extraordinary", 6, "- extraordinary", "  a b", "9. extraordinary")

    def test_edges(self):
        self.check("\n \n  a  b \n\n", 10, "a b")
        self.check("\n\n    c\n   \n", 10, "    c")
        self.check("    c\n\n    d", 10, "    c", "", "    d")
        self.check("", 10, "")
        self.check("- a\n\nb", 10, "- a", "", "b")
