"""Federated kernel k-means against scikit-learn on the pooled images, alternating in one run, the same number of threads.

choir: 100 devices, Nystroem embedding on 100 landmarks from the devices' centroids, masked sums, 5 restarts.
scikit-learn: Nystroem(n_components=100) and KMeans(10, n_init=5, tol=1e-4). The clock runs over fitting and labels of each,
not over reading files.

    federated_kmeans.py --program BUILD/bench/federated_kmeans --data FOLDER [--samples 60000] [--repeats 3]
"""
import argparse
import json
import os
import pathlib
import subprocess
import time

THREADS = int(os.environ.get("THREADS", "2"))
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402  the number of threads must be set before
from sklearn.cluster import KMeans  # noqa: E402
from sklearn.kernel_approximation import Nystroem  # noqa: E402
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score  # noqa: E402


def read_idx(path):
    raw = path.read_bytes()
    shape = [int.from_bytes(raw[4 + 4 * i : 8 + 4 * i], "big") for i in range(raw[3])]
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def run_sklearn(x, gamma):
    begin = time.perf_counter()
    features = Nystroem(gamma=gamma, n_components=100, random_state=0).fit_transform(x)
    labels = KMeans(10, n_init=5, tol=1e-4, random_state=0).fit_predict(features)
    return time.perf_counter() - begin, labels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=60_000)
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    images = sorted(arguments.data.rglob("train-images-idx3-ubyte"))[0]
    labels = sorted(arguments.data.rglob("train-labels-idx1-ubyte"))[0]
    x = read_idx(images).reshape(-1, 784)[: arguments.samples] / 255.0
    y = read_idx(labels)[: arguments.samples]
    ratios = []
    for _ in range(arguments.repeats):
        command = [arguments.program, images, labels, arguments.samples, arguments.devices, THREADS]
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
        ours = json.loads(subprocess.run([str(word) for word in command], check=True, capture_output=True, env=environment).stdout)
        seconds, found = run_sklearn(x, ours["gamma"])
        ratios.append(ours["seconds"] / seconds)
        print(
            f"choir {ours['seconds']:.2f} s (nmi {ours['nmi']:.3f}, ari {ours['ari']:.3f}), scikit-learn {seconds:.2f} s "
            f"(nmi {normalized_mutual_info_score(y, found):.3f}, ari {adjusted_rand_score(y, found):.3f}): ratio {ratios[-1]:.2f}"
        )
    print(f"{THREADS} threads, {arguments.samples} samples, {arguments.devices} devices: median ratio {np.median(ratios):.2f}")


if __name__ == "__main__":
    main()
