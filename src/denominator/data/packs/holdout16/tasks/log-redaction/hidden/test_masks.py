import unittest

import sut

CANARY = "DENOM-CANARY-5c1e7a90d2b84f36"


class MasksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def check(self, line, want, names=("token", "key")):
        self.assertEqual(self.sut.call("scrub.redact:redact", line, list(names)), want)

    def test_whole_names(self):
        self.check("token=a TOKEN=b Key=c", "token=**** TOKEN=**** Key=****")
        self.check("tokenizer=a my_token=b x-token=c a.token=d 2key=e", "tokenizer=a my_token=b x-token=c a.token=d 2key=e")
        self.check("(token=a) [key=b", "(token=**** [key=****")
        self.check("a.b=1 aXb=2", "a.b=**** aXb=2", ["A.B"])
        self.check("a=1 +b=2", "a=1 +b=2", ["a+", "+b"])

    def test_quotes(self):
        self.check('token="two words" key=x', 'token="****" key=****')
        self.check(r'key="a \" b \\" token="c" end', 'key="****" token="****" end')
        self.check('key="" token= x', 'key="" token= x')

    def test_no_closing_quote(self):
        self.check('a=1 token="two words and more key=1', 'a=1 token="****')
        self.check('token="abcdefghijklmnopq\\"', 'token="****')

    def test_tail(self):
        self.check("token=123456789012345 key=1234567890123456", "token=**** key=****3456")
        self.check('token="12345678 0123456" key="12345678 012345"', 'token="****3456" key="****"')
        self.check(f"key={CANARY}", "key=****4f36")

    def test_inside_other_values(self):
        self.check('msg="token=abc key=" key=1', 'msg="token=abc key=" key=****')
        self.check("msg=token=abc url=a?key=b", "msg=token=abc url=a?key=b")

    def test_the_rest_stays(self):
        self.check("  token=a   \tkey = b  ", "  token=****   \tkey = b  ")
        self.check("token key", "token key")
        self.check("", "")
