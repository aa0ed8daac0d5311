"""PCA and kernel PCA made without choir, cut into parts as its nodes would have them, and written without it, too."""
import hashlib
import io
import json
import zipfile

import numpy as np
from program import ProgramTest
from sklearn.decomposition import KernelPCA
from sklearn.metrics.pairwise import pairwise_kernels


def write_model(path, answer, arrays, node=0, parameters=None):
    entries, listed = {}, {}
    for name, array in arrays.items():
        file = io.BytesIO()
        np.save(file, array)
        entries[f"shared/{name}.npy"] = file.getvalue()
        listed[f"shared/{name}.npy"] = {"shape": list(array.shape),
                                        "sha256": hashlib.sha256(file.getvalue()).hexdigest()}
    manifest = {"format": 3, "choir": "0.1.0", "method": "gossip-pca", "node": node, "use": "shared",
                "parameters": parameters or {}, "answers": {"shared": answer}, "entries": listed}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, data in entries.items():
            archive.writestr(name, data)


class SpreadTest(ProgramTest):
    """80 training samples and 25 new ones of ten features, which six nodes share."""
    COLUMNS = [[0, 7], [1], [2, 4, 6], [3], [5, 8], [9]]
    D = 3

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(5)
        mixing = random.normal(size=(10, 10)) * (3.0 / np.arange(1, 11))[:, None]
        self.x = random.normal(size=(80, 10)) @ mixing + 2
        self.new = random.normal(size=(25, 10)) @ mixing + 2
        self.save("new.npy", self.new)
        (self.folder / "run").mkdir()

    def save_part(self, node, answer, arrays, columns=True, name=None):
        if columns:
            arrays = arrays | {"columns": np.array(self.COLUMNS[node])}
        answer = {"columns": columns, "preprocessing": {"divide": 1.0, "standardize": "none"}} | answer
        write_model(self.folder / "run" / (name or f"model-{node}.npz"), answer, arrays, node,
                    {"nodes": str(len(self.COLUMNS))})

    def parts(self, command, *options, data="new.npy", out="out.npy"):
        return (command, "--model", "run/model-{node}.npz", "--data", data, "--out", out, "--force", *options)

    def answer(self, command, *options, data="new.npy"):
        """What the program wrote, and what it said."""
        done = self.choir(*self.parts(command, *options, data=data))
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.folder / "out.npy"), done.stderr

    def answers_as_the_whole(self, *options, atol):
        """Scores and errors are those of the whole model; what the program said about the scores."""
        scores, said = self.answer("transform", *options)
        np.testing.assert_allclose(scores, self.scores, atol=atol)
        errors, _ = self.answer("score", *options)
        np.testing.assert_allclose(np.ravel(errors), self.errors, atol=1e-11)
        self.assertIn("25 x 3 values in out.npy", said)
        self.assertRegex(said, "no raw samples, no centroids, features .*")
        return said

    def answers_from_data_of_each_node(self, atol):
        """Nodes that have their own columns alone need not know which these are."""
        for node, columns in enumerate(self.COLUMNS):
            self.write_part(node, columns=False)
            self.save(f"new-{node}.npy", self.new[:, columns])
        scores, _ = self.answer("transform", data="new-{node}.npy")
        np.testing.assert_allclose(scores, self.scores, atol=atol)


class PartsTest(SpreadTest):
    """Six parts of PCA with three components."""

    def setUp(self):
        super().setUp()
        self.mean = self.x.mean(0)
        _, values, vectors = np.linalg.svd(self.x - self.mean, full_matrices=False)
        self.directions, self.eigenvalues, self.trace = vectors[: self.D], values[: self.D] ** 2, (values**2).sum()
        self.scores = (self.new - self.mean) @ self.directions.T
        self.errors = ((self.new - self.mean - self.scores @ self.directions) ** 2).sum(1)
        for node in range(len(self.COLUMNS)):
            self.write_part(node)

    def write_part(self, node, name=None, columns=True, training_samples=80, components=SpreadTest.D):
        own = self.COLUMNS[node]
        arrays = {"mean": self.mean[own], "loadings": self.directions[:components, own],
                  "eigenvalues": self.eigenvalues[:components]}
        answer = {"kind": "linear-part", "trace": self.trace, "training_samples": training_samples}
        self.save_part(node, answer, arrays, columns, name)


class KernelPartsTest(SpreadTest):
    """Six parts of kernel PCA with three components; node 2 was the centre."""
    CENTER = 2
    KERNEL = {"kind": "rbf", "gamma": 0.02, "degree": 3, "coef0": 1.0, "normalized": False}

    def setUp(self):
        super().setUp()
        for node in range(len(self.COLUMNS)):
            self.write_part(node)
        self.scores, self.errors = self.truth()

    def pairs(self, x, y):
        words = {"gamma": self.KERNEL["gamma"]}
        if self.KERNEL["kind"] in ("linear", "cosine"):
            words = {}
        if self.KERNEL["kind"] == "poly":
            words |= {"degree": self.KERNEL["degree"], "coef0": self.KERNEL["coef0"]}
        return pairwise_kernels(x, y, metric=self.KERNEL["kind"], **words)

    def fitted(self):
        return KernelPCA(self.D, kernel="precomputed", eigen_solver="dense").fit(self.pairs(self.x, self.x))

    def truth(self):
        k, k_new = self.pairs(self.x, self.x), self.pairs(self.new, self.x)
        scores = self.fitted().transform(k_new)
        lengths = self.pairs(self.new, self.new).diagonal() - 2 * k_new.mean(1) + k.mean()
        return scores, lengths - (scores**2).sum(1)

    def result(self):
        """What the centre's part has more than the others."""
        k, kpca = self.pairs(self.x, self.x), self.fitted()
        arrays = {"coefficients": kpca.eigenvectors_ / np.sqrt(kpca.eigenvalues_), "row_means": k.mean(0),
                  "eigenvalues": kpca.eigenvalues_}
        if self.KERNEL["kind"] == "cosine":
            arrays["lengths"] = (self.x**2).sum(1)
        return {"result": True, "grand_mean": k.mean(), "trace": np.trace(k) - len(k) * k.mean()}, arrays

    def write_part(self, node, columns=True, gamma=None, samples=80, result=None):
        about = {"kind": "kernel-part", "kernel": self.KERNEL | ({"gamma": gamma} if gamma else {}), "mean": False,
                 "result": False, "trace": 0.0, "training_samples": samples}
        arrays = {"points": self.x[:samples, self.COLUMNS[node]]}
        if (node == self.CENTER) if result is None else result:
            more, more_arrays = self.result()
            about, arrays = about | more, arrays | more_arrays
        self.save_part(node, about, arrays, columns)
