"""The benchmark of streams: its data sets are what they say, its figures what they mean, and sums of features keep up with scikit-learn."""
import os
import pathlib
import tempfile
import unittest

import numpy as np

from streams import NAMES, Run, Stream, averaged_sgd, choir_answer, pooled_kernel, quality, stream

CHOIR = os.environ["CHOIR"]
SUMS = "landmarks"


class StreamsTest(unittest.TestCase):
    def test_train_and_test_are_of_one_kind_and_the_same_again(self):
        for name in NAMES:
            data, again = stream(name, 1), stream(name, 1)
            self.assertEqual(data.x.shape[1], data.test_x.shape[1], name)
            self.assertEqual((len(data.x), len(data.test_x)), (len(data.y), len(data.test_y)), name)
            np.testing.assert_array_equal(data.x, again.x, name)
            self.assertTrue(data.values or set(data.test_y) <= set(data.y), name)

    def test_quality_is_the_mean_over_classes_or_relative_to_the_constant_answer(self):
        labels = Stream(None, None, None, np.array([0, 0, 0, 1]))
        self.assertEqual(quality(labels, np.array([0, 0, 0, 0])), 0.5)
        self.assertEqual(quality(labels, np.array([0, 1, 1, 1])), 2 / 3)
        values = Stream(None, None, None, np.array([1.0, 3.0]), values=True)
        self.assertEqual(quality(values, np.array([2.0, 2.0])), 1)

    def test_yardsticks_learn_what_can_be_learned(self):
        data = stream("moons", 1)
        self.assertGreater(pooled_kernel(data), 0.9)
        self.assertGreater(averaged_sgd(data, 1), 0.8)

    def test_sums_of_features_come_close_to_the_pooled_machine_whoever_has_which_class(self):
        for name, bar in {"wine": 0.05, "cancer": 0.05}.items():
            data = stream(name, 1)
            least = pooled_kernel(data) - bar
            for run in (Run(1, representation=SUMS), Run(5, representation=SUMS), Run(20, "label", SUMS)):
                with tempfile.TemporaryDirectory() as folder:
                    answer, note = choir_answer(CHOIR, data, run, pathlib.Path(folder))
                self.assertIsNotNone(answer, note)
                self.assertGreaterEqual(answer, least, (name, run))

    def test_values_are_learned_whatever_their_scale(self):
        errors = []
        for name in ("diabetes", "diabetes x 0.01", "diabetes x 1000", "diabetes + 100"):
            data = stream(name, 1)
            with tempfile.TemporaryDirectory() as folder:
                errors.append(choir_answer(CHOIR, data, Run(5, representation=SUMS), pathlib.Path(folder))[0])
        self.assertLess(errors[0], 1.1 * averaged_sgd(stream("diabetes", 1), 1))
        np.testing.assert_allclose(errors, errors[0], rtol=0.02)
