import unittest

from answer import answer


class AnswerTest(unittest.TestCase):
    def test_counts_words_and_names_the_longest(self):
        self.assertEqual(answer("water the plants"), "You said 3 words. The longest is plants.")
        self.assertEqual(answer(" "), "You said 0 words. The longest is nothing.")
