"""The oracle against scikit-learn, and against answers whose distance from the truth is known by construction."""
import unittest

import numpy as np
from sklearn.decomposition import PCA, KernelPCA
from truth import Answer, Central, Kernel, captured_share, central_kpca, component_groups, components_for, group_similarities

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(80, 6)) * [5, 4, 3, 2, 1, 0.5] + 3


def exact(central, count):
    """The central answer itself."""
    return Answer(central.vectors[:, :count] * np.sqrt(central.values[:count]), np.eye(count))


def turned(central, angle, count, into):
    """The central answer with its last direction turned towards central component `into`."""
    scores = central.vectors * np.sqrt(central.values)
    found = scores[:, :count].copy()
    found[:, -1] = np.cos(angle) * scores[:, count - 1] + np.sin(angle) * scores[:, into]
    return Answer(found, np.eye(count))


class AgainstSklearn(unittest.TestCase):
    def test_eigenvalues_and_scores_of_every_kernel(self):
        for kernel, peer in ((Kernel("rbf", 0.02), KernelPCA(4, kernel="rbf", gamma=0.02, eigen_solver="dense")),
                             (Kernel("poly", 0.1), KernelPCA(4, kernel="poly", gamma=0.1, degree=3, coef0=1, eigen_solver="dense")),
                             (Kernel("sigmoid", 0.002), KernelPCA(4, kernel="sigmoid", gamma=0.002, coef0=1, eigen_solver="dense")),
                             (Kernel("linear"), PCA(4, svd_solver="full"))):
            with self.subTest(kernel.kind):
                central, scores = central_kpca(X, kernel), peer.fit_transform(X)
                self.assertGreater(min(cosine for *_, cosine in group_similarities(central, Answer(scores, np.eye(4)))), 1 - 1e-9)
                if kernel.kind != "sigmoid":
                    self.assertAlmostEqual(captured_share(central, Answer(scores, np.eye(4))), 1, places=9)

    def test_a_large_offset_loses_nothing(self):
        for kernel in (Kernel("rbf", 0.02), Kernel("laplacian", 0.05), Kernel("linear")):
            np.testing.assert_allclose(central_kpca(X + 1e8, kernel).values[:3], central_kpca(X, kernel).values[:3], rtol=1e-6)

    def test_components_for_a_share_of_the_variance(self):
        ratios = PCA().fit(X).explained_variance_ratio_
        expected = int(np.argmax(np.cumsum(ratios) >= 0.9)) + 1
        self.assertEqual(components_for(central_kpca(X, Kernel("linear")), 0.9), expected)


class Similarity(unittest.TestCase):
    def setUp(self):
        self.central = central_kpca(X, Kernel("rbf", 0.02))

    def test_a_turned_direction_has_the_cosine_of_its_angle(self):
        for angle in (0.1, 0.5, 1.2):
            *others, last = group_similarities(self.central, turned(self.central, angle, 3, into=7))
            self.assertAlmostEqual(last[2], np.cos(angle), places=9)
            self.assertTrue(all(cosine > 1 - 1e-9 for *_, cosine in others))

    def test_what_a_turned_direction_captures(self):
        values, angle = self.central.values, 0.5
        expected = (values[:2].sum() + np.cos(angle) ** 2 * values[2] + np.sin(angle) ** 2 * values[7]) / values[:3].sum()
        self.assertAlmostEqual(captured_share(self.central, turned(self.central, angle, 3, into=7)), expected, places=9)

    def test_the_length_of_directions_and_the_mean_of_scores_do_not_matter(self):
        answer = turned(self.central, 0.5, 3, into=7)
        scale = np.diag([0.3, 2.0, 0.7])
        other = Answer(answer.scores @ scale + 11, scale @ scale)
        np.testing.assert_allclose(group_similarities(self.central, other), group_similarities(self.central, answer), atol=1e-9)
        self.assertAlmostEqual(captured_share(self.central, other), captured_share(self.central, answer), places=9)

    def test_scores_of_other_features_are_compared_as_they_are(self):
        answer = exact(self.central, 3)
        other = Answer(answer.scores @ np.diag([0.1, 5, 3]))
        np.testing.assert_allclose([cosine for *_, cosine in group_similarities(self.central, other)], 1, atol=1e-9)
        self.assertAlmostEqual(captured_share(self.central, other), 1, places=9)


class Groups(unittest.TestCase):
    def test_as_the_library_has_them(self):  # tests/learn/assessment/separation_test.cpp
        self.assertEqual(component_groups([5, 2, 1.98, 1], 3), [[0, 0], [1, 2]])
        self.assertEqual(component_groups([5, 2, 1, 0.99, 0.98, 0.2], 3), [[0, 0], [1, 1], [2, 4]])

    def test_inside_a_group_directions_may_be_turned(self):
        vectors = np.linalg.qr(RANDOM.normal(size=(50, 5)) - 0)[0]
        vectors = np.linalg.qr(vectors - vectors.mean(0))[0]
        central = Central(np.array([5, 2, 1.98, 0.5, 0.1]), vectors, 10, resolved=1e-12)
        found = exact(central, 3).scores @ np.array([[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]])
        self.assertEqual([group[:2] for group in group_similarities(central, Answer(found, np.eye(3)))], [(0, 0), (1, 2)])
        self.assertGreater(group_similarities(central, Answer(found, np.eye(3)))[1][2], 0.999)

    def test_a_group_beyond_the_components_kept_counts_as_a_whole(self):
        vectors = np.linalg.qr(RANDOM.normal(size=(50, 5)))[0]
        vectors = np.linalg.qr(vectors - vectors.mean(0))[0]
        central = Central(np.array([5, 2, 1.98, 0.5, 0.1]), vectors, 10, resolved=1e-12)
        inside = turned(central, 0.9, 2, into=2)  # towards the other half of its group
        outside = turned(central, 0.9, 2, into=3)
        self.assertGreater(group_similarities(central, inside)[1][2], 0.99)
        self.assertAlmostEqual(group_similarities(central, outside)[1][2], np.cos(0.9), places=9)

    def test_what_rounding_errors_make_up_is_left_out(self):
        x = np.repeat(X[:4], 10, axis=0)  # three components
        central = central_kpca(x, Kernel("rbf", 0.02))
        self.assertEqual(group_similarities(central, exact(central_kpca(X[:40], Kernel("rbf", 0.02)), 5))[-1][1], 2)
