"""Tables with clusters, exact kernel k-means and scikit-learn on them, and what federated-kmeans makes of them (run-clusters).

    record = measured(Cell("circles, gamma 5", 20, "iid"), seed, setting, folder)

Cost: that of the labels in the kernel's feature space, relative to the best of 40 runs of exact kernel k-means on the pooled samples.
"""
import json
import pathlib
import subprocess
from dataclasses import dataclass

import numpy as np
from sklearn import cluster, datasets, kernel_approximation, metrics

from idx import read_idx

RESTARTS = 40
MNIST_SAMPLES = 2000


@dataclass(frozen=True)
class Shape:
    x: np.ndarray
    y: np.ndarray
    clusters: int
    gamma: float


@dataclass(frozen=True)
class Setting:
    choir: str
    data: pathlib.Path  # where MNIST is


@dataclass(frozen=True)
class Cell:
    table: str
    devices: int
    by: str
    count_clusters: bool = False  # fit with --n-clusters auto as well

    def words(self):
        return f"{self.table}, {self.devices} devices, {self.by}"


def circles(seed, _):
    return Shape(*datasets.make_circles(400, factor=0.4, noise=0.05, random_state=seed), clusters=2, gamma=5)


def moons(gamma):
    return lambda seed, _: Shape(*datasets.make_moons(400, noise=0.05, random_state=seed), clusters=2, gamma=gamma)


def blobs(count):
    def made(seed, _):
        x, y = datasets.make_blobs(max(200, 40 * count), centers=count, n_features=5, center_box=(-10, 10), random_state=seed)
        return Shape(x, y, count, 1 / (x.shape[1] * x.var()))
    return made


def digits(seed, _):
    chosen = np.random.default_rng(seed).permutation(1797)[:900]
    x, y = datasets.load_digits(return_X_y=True)
    return Shape(x[chosen] / 16, y[chosen], 10, 1 / (64 * (x / 16).var()))


def mnist(seed, folder):
    x, y = read_idx(folder / "mnist/train-images-idx3-ubyte"), read_idx(folder / "mnist/train-labels-idx1-ubyte")
    chosen = np.random.default_rng(seed).permutation(len(x))[:MNIST_SAMPLES]
    x = x[chosen].reshape(MNIST_SAMPLES, -1) / 255
    return Shape(x, y[chosen].astype(np.int64), 10, 1 / (x.shape[1] * x.var()))


TABLES = {"circles, gamma 5": circles, "moons, gamma 1": moons(1), "moons, gamma 2": moons(2), "moons, gamma 5": moons(5),
          "blobs, k = 2": blobs(2), "blobs, k = 5": blobs(5), "blobs, k = 10": blobs(10), "blobs, k = 20": blobs(20),
          "digits, k = 10": digits, "mnist, k = 10": mnist}
RINGS = tuple(name for name in TABLES if name.startswith(("circles", "moons")))
DEALINGS = ((5, "iid"), (20, "iid"), (20, "label:2"))
MANY = {"digits, k = 10": 100, "mnist, k = 10": 100}  # tables with enough samples for so many devices


def cells():
    for table in TABLES:
        dealings = DEALINGS + (((MANY[table], "iid"),) if table in MANY else ())
        for devices, by in dealings:
            yield Cell(table, devices, by, count_clusters=table.startswith("blobs"))


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


@dataclass(frozen=True)
class Answer:
    code: int
    said: str
    result: dict
    rows: np.ndarray
    labels: np.ndarray


def choir_answer(cell, shape, clusters, seed, setting, folder):
    """Nothing but the exit code and the last sentence if the run ended without a result."""
    np.save(folder / "x.npy", shape.x)
    np.save(folder / "y.npy", shape.y)
    done = subprocess.run([setting.choir, "fit", "federated-kmeans", "--data", folder / "x.npy", "--labels", folder / "y.npy", "--nodes",
                           str(cell.devices), "--by", cell.by, "--gamma", str(shape.gamma), "--n-clusters", clusters, "--max-clusters", "25",
                           "--random-state", str(seed), "--force", "--out", folder / "run"], capture_output=True, text=True)
    said = (done.stderr.strip().splitlines() or [""])[-1]
    if done.returncode not in (0, 3):
        return Answer(done.returncode, said, {}, np.array([], int), np.array([], int))
    with np.load(folder / "run/labels-0.npz") as numbers:
        rows, labels = numbers["rows"], numbers["labels"]
    return Answer(done.returncode, said, json.loads((folder / "run/result.json").read_text()), rows, labels)


def measured(cell, seed, setting, folder):
    """A dictionary; without a cost if choir gave no answer, and then `said` is why."""
    shape = TABLES[cell.table](seed, setting.data)
    answer = choir_answer(cell, shape, str(shape.clusters), seed, setting, folder)
    record = {"table": cell.table, "devices": cell.devices, "by": cell.by, "seed": seed, "exit": answer.code, "said": answer.said}
    if not answer.result:
        return record
    dealt = Shape(shape.x[answer.rows], shape.y[answer.rows], shape.clusters, shape.gamma)  # label:K leaves some samples out
    kernel = gram(dealt.x, dealt.gamma)
    best, exactly = central(kernel, dealt.clusters, seed)
    theirs = scikit(dealt, seed)
    agreement = metrics.normalized_mutual_info_score
    record |= {"cost": cost(kernel, answer.labels, dealt.clusters) / best, "sklearn_cost": cost(kernel, theirs, dealt.clusters) / best,
               "nmi": agreement(dealt.y, answer.labels), "exact_nmi": agreement(dealt.y, exactly), "sklearn_nmi": agreement(dealt.y, theirs)}
    if cell.count_clusters:
        counted = choir_answer(cell, shape, "auto", seed, setting, folder)
        record |= {"clusters": shape.clusters, "counted": counted.result.get("clusters"), "counted_exit": counted.code}
    return record
