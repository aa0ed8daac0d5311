"""numpy opens saved models as .npz: numpy_reads_model.py SAMPLE_PROGRAM GOLDEN_FORMAT_1 2 3 3_KERNEL 3_MACHINE 3_CLUSTERS 4_MACHINE 4_FEATURES 5."""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np


def check_entries(path, model, manifest):
    for entry, claim in manifest["entries"].items():
        assert list(model[entry.removesuffix(".npy")].shape) == claim["shape"], entry
    with zipfile.ZipFile(path) as archive:
        for entry, claim in manifest["entries"].items():
            assert hashlib.sha256(archive.read(entry)).hexdigest() == claim["sha256"], entry


def check_kernel_answer(name, model, manifest, overlap):
    kernel = manifest["answers"][name]["kernel"]
    p, c, g = (model[f"{name}/{array}"] for array in ["points", "coefficients", "mean_weights"])
    k = np.exp(-kernel["gamma"] * ((p[:, None] - p[None]) ** 2).sum(2))
    np.testing.assert_allclose(model[f"{name}/offset"], c.T @ k @ g, atol=1e-14)
    np.testing.assert_allclose(c.T @ k @ c, overlap, atol=1e-12)


sample_program, *goldens = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.npz"
    for number, golden in zip((1, 2, 3, 3, 3, 3, 4, 4, 5), goldens, strict=True):
        subprocess.run([sample_program, golden, path], check=True)
        with np.load(path) as model:
            manifest = json.loads(model["manifest.json"])
            assert manifest["format"] == number, manifest
            check_entries(path, model, manifest)
            if number == 1:
                check_kernel_answer("shared", model, manifest, np.eye(2))
            elif number == 5:
                assert manifest["recipe"]["numbers"] == {"names": ["age"], "positions": [2], "fills": [14.5], "marks": [False]}
                assert manifest["recipe"]["categories"][0]["values"] == ["f"]
            elif number == 2:
                check_kernel_answer("own", model, manifest, model["own/overlap"])
                u = model["shared/directions"]
                np.testing.assert_allclose(u.T @ u, np.eye(2), atol=1e-12)
                assert manifest["answers"]["shared"]["random_features"]["seed"] == 2**64 - 59
            elif "machine" in golden:
                np.testing.assert_array_equal(model["shared/classes"], [-1, 2, 5] if number == 3 else [0, 1, 2])
                assert manifest["answers"]["shared"].get("class_names") == (None if number == 3 else ["cat", "dog", "\N{LATIN SMALL LETTER O WITH DIAERESIS}"])
                assert ("own/intercept" in model) == (number == 4)
                assert model["shared/weights"].shape == (len(model["shared/points"]), 3)
                assert "own/classes" not in model
            elif "features" in golden:
                assert manifest["answers"]["shared"]["random_features"] == {"count": 4, "seed": 2**64 - 59, "orthogonal": True}
                assert model["shared/points"].size == 0 and model["shared/weights"].shape == (4, 3)
                np.testing.assert_array_equal(model["shared/intercept"], [0.5, 0, -0.25])
            elif "clusters" in golden:
                assert model["shared/projection"].shape == (len(model["shared/points"]), 2)
                assert model["shared/centroids"].shape == (len(model["shared/counts"]), 2)
                assert [stage["eta"] for stage in manifest["answers"]["own"]["stages"]] == [1, 0.5]
                assert model["own/stage-2"].shape == (2 + 2, 1)
            elif "kernel" in golden:
                assert "own/coefficients" not in model
                points = np.hstack([model["shared/points"], model["own/points"]])
                np.testing.assert_allclose(model["shared/lengths"], (points**2).sum(1), atol=1e-14)
            else:
                np.testing.assert_array_equal(model["shared/columns"], [0, 2])
                u = np.hstack([model["shared/loadings"], model["own/loadings"]])
                np.testing.assert_allclose(u @ u.T, np.eye(2), atol=1e-12)
