import unittest

from scrub.redact import redact


class RedactTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(redact("user=root password=hunter2 ok", ["password"]), "user=root password=**** ok")


if __name__ == "__main__":
    unittest.main()
