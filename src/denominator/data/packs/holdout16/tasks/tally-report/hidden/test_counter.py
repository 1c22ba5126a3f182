import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_smallest_first(self):
        done = sut.run(["-m", "tally", "sum", "-", "amount", "--by", "p"], stdin="amount,p\n1,a\n2,b\n")
        self.assertEqual(done.stdout, "a\t1.00\nb\t2.00\n")
