import unittest

from confparse import Config, ConfigError

TEXT = """
[default]
root = /srv
[web]
port = 8080
title = "  hello "
"""


class ReaderTest(unittest.TestCase):
    def test_lookup(self):
        config = Config(TEXT)
        self.assertEqual(config.get("web", "root"), "/srv")
        self.assertEqual(config.get_int("web", "port"), 8080)
        self.assertEqual(config.get("web", "title"), "  hello ")

    def test_missing(self):
        with self.assertRaises(ConfigError):
            Config(TEXT).get("web", "host")

    def test_items(self):
        self.assertEqual(Config(TEXT).items("web"), [["port", "8080"], ["title", "  hello "]])


if __name__ == "__main__":
    unittest.main()
