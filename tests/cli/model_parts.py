"""PCA by numpy, cut into parts as choir's nodes would have them, and written without choir."""
import hashlib
import io
import json
import zipfile

import numpy as np
from program import ProgramTest


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


class PartsTest(ProgramTest):
    """Six parts of PCA with three components of ten features, 80 training samples, 25 new ones."""
    COLUMNS = [[0, 7], [1], [2, 4, 6], [3], [5, 8], [9]]
    D = 3

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(5)
        mixing = random.normal(size=(10, 10)) * (3.0 / np.arange(1, 11))[:, None]
        x = random.normal(size=(80, 10)) @ mixing + 2
        self.mean = x.mean(0)
        _, values, vectors = np.linalg.svd(x - self.mean, full_matrices=False)
        self.directions, self.eigenvalues, self.trace = vectors[: self.D], values[: self.D] ** 2, (values**2).sum()
        self.new = random.normal(size=(25, 10)) @ mixing + 2
        self.scores = (self.new - self.mean) @ self.directions.T
        self.errors = ((self.new - self.mean - self.scores @ self.directions) ** 2).sum(1)
        self.save("new.npy", self.new)
        (self.folder / "run").mkdir()
        for node in range(len(self.COLUMNS)):
            self.write_part(node)

    def write_part(self, node, name=None, columns=True, training_samples=80, components=D):
        own = self.COLUMNS[node]
        arrays = {"mean": self.mean[own], "loadings": self.directions[:components, own],
                  "eigenvalues": self.eigenvalues[:components]}
        if columns:
            arrays["columns"] = np.array(own)
        answer = {"kind": "linear-part", "columns": columns, "trace": self.trace, "training_samples": training_samples,
                  "preprocessing": {"divide": 1.0, "standardize": "none"}}
        write_model(self.folder / "run" / (name or f"model-{node}.npz"), answer, arrays, node,
                    {"nodes": str(len(self.COLUMNS))})

    def parts(self, command, *options, data="new.npy", out="out.npy"):
        return (command, "--model", "run/model-{node}.npz", "--data", data, "--out", out, *options)

    def answer(self, command, *options, data="new.npy"):
        """What the program wrote, and what it said."""
        done = self.choir(*self.parts(command, *options, data=data))
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.folder / "out.npy"), done.stderr
