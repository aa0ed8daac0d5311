#!/usr/bin/python3
"""How good the clusters of federated-kmeans are with its defaults: against exact kernel k-means of the pooled samples, and
scikit-learn's Nystroem and KMeans on them.

    bench/quality/clusters.py                                a few seeds of every data set, two minutes
    bench/quality/clusters.py --seeds 20 --only circles      more of some
    bench/quality/clusters.py --out runs/quality/clusters.csv

A cell is a data set, a number of devices and how the samples are dealt out. Cost: that of the labels in the kernel's feature space,
relative to the best of 40 runs of exact kernel k-means. A cell's seeds count as found where that is at most 1.001.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402
from sklearn import cluster, datasets, kernel_approximation, metrics  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOUND = 1.001
RESTARTS = 40
COLUMNS = ("table", "devices", "by", "seeds", "found", "cost", "worst", "sklearn_cost", "nmi", "exact_nmi", "sklearn_nmi",
           "silhouette", "auto_k", "not_good")


@dataclass(frozen=True)
class Shape:
    x: np.ndarray
    y: np.ndarray
    clusters: int
    gamma: float


def circles(seed):
    return Shape(*datasets.make_circles(400, factor=0.4, noise=0.05, random_state=seed), clusters=2, gamma=5)


def moons(gamma):
    return lambda seed: Shape(*datasets.make_moons(400, noise=0.05, random_state=seed), clusters=2, gamma=gamma)


def blobs(count):
    def made(seed):
        x, y = datasets.make_blobs(max(200, 40 * count), centers=count, n_features=5, center_box=(-10, 10), random_state=seed)
        return Shape(x, y, count, 1 / (x.shape[1] * x.var()))
    return made


def digits(seed):
    chosen = np.random.default_rng(seed).permutation(1797)[:900]
    x, y = datasets.load_digits(return_X_y=True)
    return Shape(x[chosen] / 16, y[chosen], 10, 1 / (64 * (x / 16).var()))


TABLES = {"circles, gamma 5": circles, "moons, gamma 1": moons(1), "moons, gamma 2": moons(2), "moons, gamma 5": moons(5),
          "blobs, k = 2": blobs(2), "blobs, k = 5": blobs(5), "blobs, k = 10": blobs(10), "blobs, k = 20": blobs(20),
          "digits, k = 10": digits}
DEALINGS = ((5, "iid"), (20, "iid"), (20, "label:2"))


def gram(x, gamma):
    squares = (x * x).sum(1)
    return np.exp(-gamma * np.maximum(0, squares[:, None] + squares - 2 * x @ x.T))


def means(kernel, labels, count):
    """Products of samples with the clusters' means, and the squared lengths of these."""
    members = np.eye(count)[labels]
    sizes = np.maximum(members.sum(0), 1e-9)
    products = kernel @ members / sizes
    return products, (members * products).sum(0) / sizes


def cost(kernel, labels, count):
    products, _ = means(kernel, labels, count)
    return np.trace(kernel) - products[np.arange(len(labels)), labels].sum()


def exact(kernel, count, random):
    """Kernel k-means from a k-means++ draw in feature space."""
    chosen = [random.integers(len(kernel))]
    for _ in range(count - 1):
        nearest = (2 - 2 * kernel[:, chosen]).min(1).clip(0)
        chosen.append(random.choice(len(kernel), p=nearest / nearest.sum()))
    labels = kernel[:, chosen].argmax(1)
    for _ in range(300):
        products, lengths = means(kernel, labels, count)
        moved = (lengths - 2 * products).argmin(1)
        if (moved == labels).all():
            break
        labels = moved
    return cost(kernel, labels, count), labels


def central(kernel, count, seed):
    random = np.random.default_rng(seed)
    return min((exact(kernel, count, random) for _ in range(RESTARTS)), key=lambda found: found[0])


def scikit(shape, seed):
    features = kernel_approximation.Nystroem(gamma=shape.gamma, n_components=min(100, len(shape.x)), random_state=seed)
    return cluster.KMeans(shape.clusters, n_init=20, random_state=seed).fit_predict(features.fit_transform(shape.x))


def fit(choir, shape, clusters, devices, by, seed, folder):
    np.save(folder / "x.npy", shape.x)
    np.save(folder / "y.npy", shape.y)
    done = subprocess.run([choir, "fit", "federated-kmeans", "--data", folder / "x.npy", "--labels", folder / "y.npy", "--nodes",
                           str(devices), "--by", by, "--gamma", str(shape.gamma), "--n-clusters", clusters, "--max-clusters", "25",
                           "--random-state", str(seed), "--force", "--out", folder / "run"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr)
    with np.load(folder / "run/labels-0.npz") as numbers:
        rows, labels = numbers["rows"], numbers["labels"]
    return done.returncode, json.loads((folder / "run/result.json").read_text()), rows, labels


def seed_of(choir, table, devices, by, seed, folder):
    shape = TABLES[table](seed)
    code, result, rows, labels = fit(choir, shape, str(shape.clusters), devices, by, seed, folder)
    _, counted, _, _ = fit(choir, shape, "auto", devices, by, seed, folder)
    dealt = Shape(shape.x[rows], shape.y[rows], shape.clusters, shape.gamma)  # label:K leaves some samples out
    kernel = gram(dealt.x, dealt.gamma)
    best, exactly = central(kernel, dealt.clusters, seed)
    theirs = scikit(dealt, seed)
    agreement = metrics.normalized_mutual_info_score
    return {"cost": cost(kernel, labels, dealt.clusters) / best, "sklearn_cost": cost(kernel, theirs, dealt.clusters) / best,
            "nmi": agreement(dealt.y, labels), "exact_nmi": agreement(dealt.y, exactly), "sklearn_nmi": agreement(dealt.y, theirs),
            "silhouette": result["silhouette"], "auto_k": counted["clusters"], "not_good": code == 3}


def cell(choir, table, devices, by, seeds):
    with tempfile.TemporaryDirectory() as folder:
        rows = [seed_of(choir, table, devices, by, seed, pathlib.Path(folder)) for seed in range(seeds)]
    mean = {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
    return {"table": table, "devices": devices, "by": by, "seeds": seeds, **mean,
            "found": sum(row["cost"] <= FOUND for row in rows), "worst": max(row["cost"] for row in rows),
            "auto_k": " ".join(str(row["auto_k"]) for row in rows), "not_good": sum(row["not_good"] for row in rows)}


def words(value):
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--choir", default=str(ROOT / "build/choir"), help="the program")
    parser.add_argument("--seeds", type=int, default=3, help="seeds of every cell")
    parser.add_argument("--only", default="", help="tables that begin like this")
    parser.add_argument("--out", type=pathlib.Path, help="a csv file for the table")
    options = parser.parse_args()
    rows = []
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for table in (name for name in TABLES if name.startswith(options.only)):
        for devices, by in DEALINGS:
            rows.append(cell(options.choir, table, devices, by, options.seeds))
            print("| " + " | ".join(words(rows[-1][column]) for column in COLUMNS) + " |", flush=True)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        with options.out.open("w", newline="") as file:
            table = csv.DictWriter(file, COLUMNS)
            table.writeheader()
            table.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
