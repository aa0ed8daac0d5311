"""Directions of model files, from files written without choir."""
import io
import json
import pathlib
import tempfile
import unittest
import zipfile

import numpy as np
from models import answer_of_model, answer_of_part
from truth import Kernel, central_kpca, group_similarities, kernel_matrix

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(30, 4)) * [3, 2, 1, 0.5]
RBF = {"kind": "rbf", "gamma": 0.1, "degree": 3, "coef0": 1.0}


class Models(unittest.TestCase):
    def write(self, about, arrays):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "model-0.npz"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("manifest.json", json.dumps({"use": "shared", "answers": {"shared": about}}))
            for name, array in arrays.items():
                file = io.BytesIO()
                np.save(file, array)
                archive.writestr(f"shared/{name}.npy", file.getvalue())
        return path

    def test_lengths_of_kernel_directions(self):
        coefficients = RANDOM.normal(size=(30, 2))
        path = self.write({"kind": "kernel", "kernel": RBF}, {"points": X, "coefficients": coefficients})
        expected = coefficients.T @ kernel_matrix(X, X, Kernel("rbf", 0.1)) @ coefficients
        np.testing.assert_allclose(answer_of_model(path, np.zeros((5, 2))).overlap, expected, rtol=1e-12)

    def test_a_large_mean_costs_linear_directions_no_digits(self):
        coefficients = RANDOM.normal(size=(30, 2))
        coefficients -= coefficients.mean(0)
        path = self.write({"kind": "kernel", "kernel": RBF | {"kind": "linear"}}, {"points": X + 1e8, "coefficients": coefficients})
        directions = X.T @ coefficients
        np.testing.assert_allclose(answer_of_model(path, np.zeros((5, 2))).overlap, directions.T @ directions, rtol=1e-5)

    def test_linear_directions_and_random_features(self):
        path = self.write({"kind": "linear"}, {"components": np.eye(4)[:2]})
        np.testing.assert_array_equal(answer_of_model(path, np.zeros((5, 2))).overlap, np.eye(2))
        self.assertIsNone(answer_of_model(self.write({"kind": "features"}, {}), np.zeros((5, 2))).overlap)

    def test_the_part_of_a_party_that_has_the_answer(self):
        central = central_kpca(X, Kernel("rbf", 0.1))
        path = self.write({"kind": "kernel-part"}, {"coefficients": central.vectors[:, :3] / central.values[:3]})  # of any length
        for *_, cosine in group_similarities(central, answer_of_part(path, central)):
            self.assertGreater(cosine, 1 - 1e-9)
