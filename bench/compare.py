"""Central kernel PCA: choir against scikit-learn, alternating in one run, the same number of threads.

Data: up to N = 2000 the digits of the repository, beyond that the first N images of MNIST (fetched once with
`choir data get mnist`), raw pixels; where it cannot be fetched, the digits of the repository with small shifts. The clock runs over the kernel matrix and the
eigensolver of each, not over reading files. Every row shows the residual max_d ||K_c v - l v|| / l_1, so that
nobody wins by stopping early."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

THREADS = int(os.environ.get("THREADS", "2"))
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402  the number of threads must be set before
from sklearn.decomposition import KernelPCA  # noqa: E402
from sklearn.metrics.pairwise import rbf_kernel  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read_idx(path):
    import gzip

    raw = (gzip.open if path.suffix == ".gz" else open)(path, "rb").read()
    shape = [int.from_bytes(raw[4 + 4 * i : 8 + 4 * i], "big") for i in range(raw[3])]
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def load(choir, count):
    images = np.load(ROOT / "datasets/digits.npz")["images"].reshape(-1, 28, 28)
    if count <= len(images):
        return images.reshape(-1, 784)[:count].astype(float), "the digits of the repository"
    folder = ROOT / "data"
    subprocess.run([choir, "data", "get", "mnist", "--dir", folder, "--quiet"], check=False)
    found = sorted(folder.rglob("train-images-idx3-ubyte*"))
    if found:
        return read_idx(found[0]).reshape(-1, 784)[:count].astype(float), "MNIST"
    shifts = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)]
    moved = np.concatenate([np.roll(images, shift, (1, 2)) for shift in shifts])
    return moved.reshape(-1, 784)[:count].astype(float), "shifted digits of the repository (MNIST could not be fetched)"


def centred(kernel):
    rows = kernel.mean(0)
    kernel -= rows[None]
    kernel -= rows[:, None] - rows.mean()
    return kernel


def residual(kernel, values, vectors):
    return float(np.linalg.norm(kernel @ vectors - vectors * values, axis=0).max() / values[0])


def run_sklearn(x, gamma, count, solver, tol):
    model = KernelPCA(count, kernel="rbf", gamma=gamma, eigen_solver=solver, tol=tol, random_state=0, n_jobs=1)
    start = time.perf_counter()
    model.fit(x)
    return time.perf_counter() - start, model.eigenvalues_, model.eigenvectors_


def run_choir(choir, path, gamma, count, tol, precision, folder):
    out = pathlib.Path(folder) / "run"
    subprocess.run(
        [choir, "fit", "central-kpca", "--data", path, "--out", out, "--force", "--quiet", "--gamma", str(gamma),
         "--n-components", str(count), "--tol", str(tol), "--threads", str(THREADS), "--precision", precision],
        check=True, stdout=subprocess.DEVNULL)
    result = json.loads((out / "result.json").read_text())
    values = np.array(result["eigenvalues"])
    coefficients = np.load(out / "model-0.npz")["shared/coefficients"]
    return result["time"]["setup_s"] + result["time"]["iterate_s"], values, coefficients * np.sqrt(values)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--choir", required=True)
    parser.add_argument("--samples", type=int, default=8000)
    parser.add_argument("--components", type=int, default=10)
    parser.add_argument("--gamma", type=float, default=2e-7)
    parser.add_argument("--tol", type=float, default=1e-6)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    x, name = load(arguments.choir, arguments.samples)
    print(f"{name}, N = {len(x)}, M = {x.shape[1]}, top {arguments.components}, rbf gamma {arguments.gamma}, "
          f"{THREADS} threads, median of {arguments.repeats}")
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.npy"
        np.save(path, x)
        runs = {
            "scikit-learn arpack": lambda: run_sklearn(x, arguments.gamma, arguments.components, "arpack", 0),
            "scikit-learn arpack, tol": lambda: run_sklearn(x, arguments.gamma, arguments.components, "arpack",
                                                            arguments.tol),
            "scikit-learn randomized": lambda: run_sklearn(x, arguments.gamma, arguments.components, "randomized", 0),
            "choir float64": lambda: run_choir(arguments.choir, path, arguments.gamma, arguments.components,
                                               arguments.tol, "float64", folder),
            "choir float32": lambda: run_choir(arguments.choir, path, arguments.gamma, arguments.components,
                                               arguments.tol, "float32", folder),
        }
        for _ in range(arguments.repeats):
            for key, call in runs.items():
                rows.setdefault(key, []).append(call())
    kernel = centred(rbf_kernel(x, gamma=arguments.gamma))
    truth = rows["scikit-learn arpack"][0][1]
    seconds = {key: float(np.median([run[0] for run in found])) for key, found in rows.items()}
    residuals = {key: residual(kernel, found[0][1], found[0][2]) for key, found in rows.items()}
    peers = [key for key in rows if key.startswith("scikit") and residuals[key] <= arguments.tol]
    best = min(peers, key=seconds.get)
    print(f"{'':26}{'seconds':>9}{'residual':>11}{'eigenvalue error':>18}{'against the best peer':>23}")
    for key, found in rows.items():
        error = float(np.abs(found[0][1] / truth - 1).max())
        print(f"{key:26}{seconds[key]:9.3f}{residuals[key]:11.1e}{error:18.1e}{seconds[best] / seconds[key]:22.2f}x")
    print(f"best peer with residual <= {arguments.tol}: {best}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
