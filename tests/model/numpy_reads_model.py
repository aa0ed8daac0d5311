"""numpy opens a saved model as an .npz: numpy_reads_model.py SAMPLE_PROGRAM GOLDEN_MODEL."""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.npz"
    subprocess.run([sys.argv[1], sys.argv[2], path], check=True)
    with np.load(path) as model:
        manifest = json.loads(model["manifest.json"])
        assert manifest["format"] == 1 and manifest["use"] == "shared", manifest
        for entry, claim in manifest["entries"].items():
            assert list(model[entry.removesuffix(".npy")].shape) == claim["shape"], entry
        kernel = manifest["answers"]["shared"]["kernel"]
        p, c, g = (model["shared/" + name] for name in ["points", "coefficients", "mean_weights"])
        k = np.exp(-kernel["gamma"] * ((p[:, None] - p[None]) ** 2).sum(2))
        np.testing.assert_allclose(model["shared/offset"], c.T @ k @ g, atol=1e-14)
        np.testing.assert_allclose(c.T @ k @ c, np.eye(2), atol=1e-12)
    with zipfile.ZipFile(path) as archive:
        for entry, claim in manifest["entries"].items():
            assert hashlib.sha256(archive.read(entry)).hexdigest() == claim["sha256"], entry
