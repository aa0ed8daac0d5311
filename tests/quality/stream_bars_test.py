"""The bars of streams: paired by split, with the words of what missed them, and a page that says so."""
import unittest

from stream_bars import all_bars
from stream_page import stream_page


def record(who, seed, quality, name="digits", **more):
    return {"who": who, "name": name, "seed": seed, "values": False, "samples": 1797, "quality": quality, **more}


class StreamBarsTest(unittest.TestCase):
    def records(self, answers, kernel=(0.9, 0.8)):
        found = []
        for seed, (answer, ceiling) in enumerate(zip(answers, kernel)):
            found += [record("kernel", seed, ceiling), record("sgd", seed, 0.7), record("averaged", seed, 0.7, nodes=5),
                      record("landmarks", seed, answer, nodes=5, by="turn", recall=0.5)]
        return found

    def bar(self, records, words):
        return next(bar for bar in all_bars(records) if words in bar.words)

    def test_cells_may_be_below_the_ceiling_by_so_much(self):
        self.assertEqual(self.bar(self.records((0.88, 0.78)), "pooled SVC").missed(), [])
        (missed,) = self.bar(self.records((0.86, 0.76)), "pooled SVC").missed()
        self.assertIn("digits, 5 nodes: 0.810 against 0.850 (difference -0.040 +- 0.000)", missed.words)

    def test_two_standard_errors_of_the_paired_difference_are_allowed(self):
        self.assertEqual(self.bar(self.records((0.9, 0.72)), "pooled SVC").missed(), [])

    def test_a_run_that_failed_is_as_good_as_none(self):
        records = [each | {"quality": None} if each["who"] == "landmarks" else each for each in self.records((0.9, 0.9))]
        self.assertEqual(len(self.bar(records, "averaged").missed()), 1)

    def test_spoilt_streams_are_compared_with_clean_ones(self):
        spoilt = [record("landmarks", seed, 0.85, "digits, an outlier", nodes=5, by="turn", recall=0.5) for seed in range(2)]
        self.assertEqual(len(self.bar(self.records((0.9, 0.9)) + spoilt, "outlier").missed()), 1)
        self.assertEqual(len(self.bar(self.records((0.86, 0.86)) + spoilt, "outlier").missed()), 0)

    def test_the_page_says_how_many_splits_there_were_and_what_missed(self):
        page = stream_page(self.records((0.86, 0.76)))
        self.assertIn("| digits | 2 | .850 | .700 | .810 (.700) |", page)
        self.assertIn("  - digits, 5 nodes: 0.810", page)


if __name__ == "__main__":
    unittest.main()
