"""choir against scikit-learn: eigenvalues, scores of training and new samples, every kernel, preprocessing."""
import numpy as np
from program import DIGITS, ProgramTest
from sklearn.decomposition import PCA, KernelPCA
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.preprocessing import Normalizer, StandardScaler


def up_to_sign(a, b):
    return a * np.sign((a * b).sum(0))


class AgainstSklearn(ProgramTest):
    def setUp(self):
        super().setUp()
        images = np.load(DIGITS.split(":")[0])["images"].astype(float)
        self.train, self.fresh = images[:1000], images[1000:1200]
        self.save("train.npy", self.train)
        self.save("fresh.npy", self.fresh)

    def compare(self, peer, *options, train=None, fresh=None, count=10, tolerance=1e-8):
        train = self.train if train is None else train
        fresh = self.fresh if fresh is None else fresh
        expected = peer.fit_transform(train)
        self.ok("fit", "central-kpca", "--data", "train.npy", "--n-components", count, "--tol", 1e-11, "--out", "run",
                "--force", *options)
        values = np.array(self.result("run")["eigenvalues"])
        np.testing.assert_allclose(values, peer.eigenvalues_, rtol=tolerance)
        for name, truth in (("train", expected), ("fresh", peer.transform(fresh))):
            self.ok("transform", "--model", "run/model-0.npz", "--data", f"{name}.npy", "--out", "scores.npy", "--force")
            scores = np.load(self.folder / "scores.npy")
            error = np.abs(up_to_sign(scores, truth) - truth).max() / np.abs(truth).max()
            self.assertLessEqual(error, tolerance, f"{options} {name}")

    def test_rbf(self):
        self.compare(KernelPCA(10, kernel="rbf", gamma=2e-7, eigen_solver="dense"), "--gamma", 2e-7)

    def test_poly(self):
        self.compare(KernelPCA(5, kernel="poly", gamma=1e-6, degree=3, coef0=1, eigen_solver="dense"), "--kernel", "poly",
                     "--gamma", 1e-6, "--degree", 3, "--coef0", 1, count=5)

    def test_sigmoid(self):
        self.compare(KernelPCA(5, kernel="sigmoid", gamma=1e-8, coef0=0.5, eigen_solver="dense"), "--kernel", "sigmoid",
                     "--gamma", 1e-8, "--coef0", 0.5, count=5)

    def test_laplacian(self):
        kernel = lambda x: laplacian_kernel(x, self.train, gamma=1e-5)  # KernelPCA does not know its name
        self.compare(KernelPCA(5, kernel="precomputed", eigen_solver="dense"), "--kernel", "laplacian", "--gamma", 1e-5,
                     train=kernel(self.train), fresh=kernel(self.fresh), count=5)

    def test_cosine(self):
        self.compare(KernelPCA(5, kernel="cosine", eigen_solver="dense"), "--kernel", "cosine", count=5)

    def test_linear(self):
        self.compare(KernelPCA(5, kernel="linear", eigen_solver="dense"), "--kernel", "linear", count=5)

    def test_zscore_is_the_standard_scaler(self):
        scaler = StandardScaler().fit(self.train)
        self.compare(KernelPCA(5, kernel="rbf", gamma=1e-3, eigen_solver="dense"), "--gamma", 1e-3, "--standardize", "zscore",
                     train=scaler.transform(self.train), fresh=scaler.transform(self.fresh), count=5)

    def test_unit_is_the_normalizer(self):
        unit = Normalizer()
        self.compare(KernelPCA(5, kernel="rbf", gamma=1.0, eigen_solver="dense"), "--gamma", 1, "--standardize", "unit",
                     train=unit.transform(self.train), fresh=unit.transform(self.fresh), count=5)

    def test_gamma_scale_is_that_of_support_vector_machines(self):
        gamma = 1 / (self.train.shape[1] * self.train.var())
        self.compare(KernelPCA(5, kernel="rbf", gamma=gamma, eigen_solver="dense"), "--gamma", "scale", count=5)

    def test_explained_variance_of_the_linear_kernel_is_that_of_pca(self):
        self.ok("fit", "central-kpca", "--data", "train.npy", "--kernel", "linear", "--n-components", 5, "--out", "run")
        peer = PCA(5, svd_solver="full").fit(self.train)
        np.testing.assert_allclose(self.result("run")["explained_variance_ratio"], peer.explained_variance_ratio_, rtol=1e-9)
