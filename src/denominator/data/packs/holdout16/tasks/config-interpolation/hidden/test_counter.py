import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_reference_is_left_alone(self):
        with sut.Session() as session:
            config = session.new("confparse.reader:Config", "a = 1\nb = ${a}\n")
            self.assertEqual(session.method(config, "get", "default", "b"), "${a}")
