"""Eight shards for the tests of gossip PCA, and what numpy makes of them."""
import json

import numpy as np
from program import ProgramTest

METHOD = ("fit", "gossip-pca")
# Of fixed length: when a node settles depends on the moment that threads have for it.
FIXED = ("--tol", 0, "--messages-per-node", 60, "--interval", "2ms")
FIT = (*METHOD, *FIXED, "--n-components", 3)
NODES, FEATURES = 8, 6


def pca(x, count):
    """Mean, components (rows) and eigenvalues of the scatter."""
    mean = x.mean(0)
    _, values, components = np.linalg.svd(x - mean, full_matrices=False)
    return mean, components[:count], values[:count] ** 2


def smallest_cosine(a, b):
    """Between the spans of rows, orthonormal or nearly."""
    a, b = (np.linalg.qr(rows.T)[0] for rows in (a, b))
    return np.linalg.svd(a.T @ b, compute_uv=False).min()


class GossipTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x = self.blobs(30 * NODES, FEATURES)
        for node in range(NODES):
            self.save(f"part-{node}.npy", self.x[30 * node : 30 * (node + 1)])
        self.save("x.npy", self.x)
        self.shards = ("--data", "part-{node}.npy", "--nodes", NODES)

    def array(self, run, node, name):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return model[f"shared/{name}"]

    def is_pca(self, run, x, nodes=range(NODES), atol=1e-3):
        """Every node has the mean and the principal components of these samples."""
        mean, components, values = pca(x, 3)
        for node in nodes:
            np.testing.assert_allclose(self.array(run, node, "mean"), mean, atol=atol)
            self.assertGreater(smallest_cosine(self.array(run, node, "components"), components), 1 - atol)
        np.testing.assert_allclose(self.result(run)["eigenvalues"], values, rtol=10 * atol)

    def lines(self, run):
        return [json.loads(line) for line in (self.folder / run / "metrics.jsonl").read_text().splitlines()]

    def transformed(self, model, data="x.npy"):
        self.ok("transform", "--model", model, "--data", data, "--out", "scores.npy", "--force")
        return np.load(self.folder / "scores.npy")
