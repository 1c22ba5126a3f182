import unittest

import sut

TEXT = """
[default]
root = /srv
data = ${root}/data
who = base
hello = hi ${who}
[app]
root = /opt
who = app
home = ${root}/app
deep = ${home}:${data}
cross = ${ db.main : url }/x
fall = ${db.main:root}
plain = ${hello}
port = ${db.main:port}
twice = ${who}-${who}-$${who}
[db.main]
url = "${root}/db"
port = 54${tail}
tail = 32
"""


class ReferencesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def config(self, text):
        handle = self.sut.new("confparse.reader:Config", text)
        return lambda name, *args: self.sut.method(handle, name, *args)

    def refuses(self, function, *args):
        with self.assertRaises(sut.Raised) as caught:
            function(*args)
        self.assertEqual(caught.exception.type, "ConfigError")

    def test_same_section_and_chain(self):
        do = self.config(TEXT)
        self.assertEqual(do("get", "app", "home"), "/opt/app")
        self.assertEqual(do("get", "app", "deep"), "/opt/app:/srv/data")
        self.assertEqual(do("get", "app", "twice"), "app-app-${who}")

    def test_seen_from_where_it_is_written(self):
        do = self.config(TEXT)
        self.assertEqual(do("get", "app", "data"), "/srv/data")
        self.assertEqual(do("get", "app", "hello"), "hi base")
        self.assertEqual(do("get", "app", "plain"), "hi base")

    def test_named_section(self):
        do = self.config(TEXT + "[x]\nk = ${odd:a:b}\n[odd]\na:b = colon\n")
        self.assertEqual(do("get", "app", "cross"), "/srv/db/x")
        self.assertEqual(do("get", "app", "fall"), "/srv")
        self.assertEqual(do("get", "x", "k"), "colon")
        self.assertEqual(do("get_int", "app", "port"), 5432)

    def test_dollars(self):
        do = self.config("a = $${b}\nb = no\nc = ${a}\nd = $5 and $\ne = $$$${b}$$\nf = $$${b}\ng = ${c}|${e}\n")
        for key, want in (("a", "${b}"), ("c", "${b}"), ("d", "$5 and $"), ("e", "$${b}$"), ("f", "$no"), ("g", "${b}|$${b}$")):
            self.assertEqual(do("get", "default", key), want, key)

    def test_output_is_final(self):
        do = self.config("open = $$\nb = secret\nmix = ${open}{b}\npair = ${open}${open}\n")
        self.assertEqual(do("get", "default", "mix"), "${b}")
        self.assertEqual(do("get", "default", "pair"), "$$")

    def test_circles(self):
        do = self.config("a = ${b}\nb = ${c}x\nc = ${a}\nself = ${self}\nok = ${leaf}${leaf}\nleaf = 1\n[s]\nroot = ${default:root}/s\n[default]\nroot = /r\n")
        for key in ("a", "b", "c", "self"):
            self.refuses(do, "get", "default", key)
        self.assertEqual(do("get", "default", "ok"), "11")
        self.assertEqual(do("get", "s", "root"), "/r/s")

    def test_faults_show_on_reading_only(self):
        do = self.config("[s]\ngood = 1\ngoo = 2\nbad = ${nowhere}\nopen = x${good\nuses = ${bad}\nother = ${gone:good}\n[gone]\n")
        self.assertEqual(do("get", "s", "good"), "1")
        for key in ("bad", "open", "uses", "other"):
            self.refuses(do, "get", "s", key)
        self.refuses(do, "items", "s")
        self.assertEqual(do("raw", "s", "bad"), "${nowhere}")

    def test_items_raw_and_set(self):
        do = self.config(TEXT)
        self.assertEqual(do("items", "db.main"), [["url", "/srv/db"], ["port", "5432"], ["tail", "32"]])
        self.assertEqual(do("raw", "app", "data"), "${root}/data")
        do("set", "default", "root", "/new")
        self.assertEqual(do("get", "app", "cross"), "/new/db/x")
        do("set", "db.main", "root", "${app:who}")
        self.assertEqual(do("items", "db.main")[0], ["url", "app/db"])
