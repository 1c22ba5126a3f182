import unittest

import sut


class FieldsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def split(self, line):
        return self.sut.call("fields.line:split", line)

    def join(self, fields):
        return self.sut.call("fields.line:join", fields)

    def test_quotes(self):
        self.assertEqual(self.split('"say ""hi""",5" pipe,a""b'), ['say "hi"', '5" pipe', 'a""b'])
        self.assertEqual(self.split('"","""",",",""""""'), ["", '"', ",", '""'])

    def test_spaces(self):
        self.assertEqual(self.split(' a , "b",  '), [" a ", ' "b"', "  "])

    def test_refused(self):
        for line in ('"a" ,b', '"a"b', '"a', 'a,"b""', '"'):
            with self.assertRaises(sut.Raised) as caught:
                self.split(line)
            self.assertEqual(caught.exception.type, "ValueError", line)

    def test_empty(self):
        self.assertEqual([self.split(""), self.split(","), self.split("a,"), self.split('""')], [[""], ["", ""], ["a", ""], [""]])

    def test_join(self):
        self.assertEqual(self.join(["a b", 'c"d', "e,f", "g\nh", " "]), 'a b,"c""d","e,f","g\nh", ')
        self.assertEqual([self.join([""]), self.join(["", ""]), self.join(["'"])], ['""', ",", "'"])

    def test_round_trip(self):
        for fields in ([""], ["", ""], ['"'], ['a"', '"b', ","], [" x", "y "], ["\n", '""']):
            self.assertEqual(self.split(self.join(fields)), fields)
