"""Streams that nobody tuned for: data sets, what scikit-learn makes of them, and what choir does.

    data = stream("digits", seed=3)                           # train and test, in the order of the stream
    ceiling = pooled_kernel(data)                             # SVC, or KernelRidge with the best of three penalties, on everything
    answer = choir_answer(choir, data, Run(nodes=20, by="label"), folder)

Quality is balanced accuracy (classes), or rmse divided by the standard deviation of the test targets (values).
"""
import json
import pathlib
import subprocess
from dataclasses import dataclass

import numpy as np
from sklearn import datasets
from sklearn.kernel_approximation import RBFSampler
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from idx import read_idx
from splits import split

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MNIST = ROOT / "data/mnist"  # choir data get mnist
FEW_OF_MNIST = ROOT / "datasets/digits.npz"
MNIST_SAMPLES = 6000
BATCH, FEATURES = 32, 500
BALANCED_FROM = 0.1  # a class with a smaller share is rare, and SVC gets class weights


@dataclass
class Stream:
    x: np.ndarray
    y: np.ndarray
    test_x: np.ndarray
    test_y: np.ndarray
    values: bool = False
    seen: np.ndarray = None  # by choir, in place of x; None: x


@dataclass(frozen=True)
class Run:
    nodes: int
    by: str = "turn"  # or label: sorted by label and cut, so that most nodes have samples of one class alone
    representation: str = "auto"
    options: tuple = ()


def turned(angle, random):
    """A hyperplane through the cube whose weights turn while the stream goes by; one label in twenty is wrong."""
    x = random.random((len(angle), 10))
    even = np.arange(10) % 2 == 0
    weights = np.linspace(1, 0.2, 10) * np.where(even, np.cos(angle)[:, None], np.sin(angle)[:, None])
    y = ((x - 0.5) * weights).sum(1) > 0
    return x, (y ^ (random.random(len(x)) < 0.05)).astype(int)


def thresholds(limits, random):
    """SEA: x1 + x2 below a limit that jumps; one label in ten is wrong."""
    x = 10 * random.random((len(limits), 3))
    return x, ((x[:, 0] + x[:, 1] <= limits) ^ (random.random(len(x)) < 0.1)).astype(int)


def segments(count, random):
    """LED: seven segments of a digit, each wrong one time in ten, and ten that say nothing."""
    lit = np.array([[int(bit) for bit in row] for row in ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111",
                                                         "1010010", "1111111", "1111011")])
    y = random.integers(10, size=count)
    return np.c_[lit[y] ^ (random.random((count, 7)) < 0.1), random.integers(2, size=(count, 10))].astype(float), y


def few_of_mnist():
    """Pixels that are 0 in most images, and classes that are rare: 450 images of four digits, 34 of the others."""
    digits = np.load(FEW_OF_MNIST)
    return digits["images"].reshape(len(digits["images"]), -1) / 255, digits["labels"]


TABLES = {
    "digits": lambda seed: datasets.load_digits(return_X_y=True),
    "wine": lambda seed: datasets.load_wine(return_X_y=True),
    "cancer": lambda seed: datasets.load_breast_cancer(return_X_y=True),
    "moons": lambda seed: datasets.make_moons(4000, noise=0.25, random_state=seed),
    "circles": lambda seed: datasets.make_circles(4000, noise=0.1, factor=0.5, random_state=seed),
    "blobs": lambda seed: datasets.make_blobs(4000, centers=5, n_features=10, cluster_std=4, random_state=seed),
    "class of 3%": lambda seed: datasets.make_classification(6000, 8, n_informative=5, weights=[0.97], random_state=seed),
    "class of 1%": lambda seed: datasets.make_classification(8000, 8, n_informative=5, weights=[0.99], flip_y=0, random_state=seed),
    "led": lambda seed: segments(4000, np.random.default_rng(seed)),
    "2,000 of mnist": lambda seed: few_of_mnist(),
}
VALUES = {
    "diabetes": lambda seed: datasets.load_diabetes(return_X_y=True),
    "friedman": lambda seed: datasets.make_friedman1(3000, noise=1, random_state=seed),
    "diabetes x 0.01": lambda seed: (datasets.load_diabetes().data, datasets.load_diabetes().target * 0.01),
    "diabetes x 1000": lambda seed: (datasets.load_diabetes().data, datasets.load_diabetes().target * 1000),
    "diabetes + 100": lambda seed: (datasets.load_diabetes().data, datasets.load_diabetes().target + 100),
}
CHANGING = {
    "hyperplane": lambda random: (turned(np.linspace(0, np.pi / 2, 20000), random), turned(np.full(3000, np.pi / 2), random)),
    "sea": lambda random: (thresholds(np.repeat([8, 9, 7, 9.5], 5000), random), thresholds(np.full(3000, 9.5), random)),
}


def mnist(seed):
    """So many of the training images, others for every seed."""
    chosen = np.random.default_rng(seed).permutation(60000)[:MNIST_SAMPLES]
    images, labels = (read_idx(MNIST / f"train-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1"))
    return images.reshape(len(images), -1)[chosen] / 255, labels[chosen]


if MNIST.is_dir():
    TABLES["mnist"] = mnist


def outlier(x):
    return np.r_[x[:3], np.full((1, x.shape[1]), 1e4), x[4:]]


def small_batch(x):
    return np.r_[x[:BATCH] / 100, x[BATCH:]]


# What the nodes see first is spoilt; machines on everything get the table as it is.
SPOILT = {"digits, an outlier": ("digits", outlier), "digits, a small batch": ("digits", small_batch)}
NAMES = (*TABLES, *VALUES, *CHANGING, *SPOILT)


def stream(name, seed):
    random = np.random.default_rng(seed)
    if name in CHANGING:
        (x, y), (test_x, test_y) = CHANGING[name](random)
        return Stream(x, y, test_x, test_y)
    if name in SPOILT:
        clean, spoil = SPOILT[name]
        data = stream(clean, seed)
        data.seen = spoil(data.x)
        return data
    x, y = (TABLES | VALUES)[name](seed)
    order = random.permutation(len(x))
    x, y = np.asarray(x, float)[order], np.asarray(y, float)[order]
    train = 3 * len(x) // 4
    return Stream(x[:train], y[:train], x[train:], y[train:], values=name in VALUES)


def quality(data, answers):
    if data.values:
        return float(np.sqrt(np.mean((answers - data.test_y) ** 2)) / data.test_y.std())
    return float(np.mean([(answers[data.test_y == label] == label).mean() for label in np.unique(data.test_y)]))


def rare_recall(data, answers):
    """Of the class with the fewest samples in the test."""
    labels, counts = np.unique(data.test_y, return_counts=True)
    rare = labels[counts.argmin()]
    return float((answers[data.test_y == rare] == rare).mean())


def scaled(data):
    scaler = StandardScaler().fit(data.x)
    return scaler.transform(data.x), scaler.transform(data.test_x)


def pooled_kernel(data):
    x, test = scaled(data)
    gamma = 1 / x.shape[1]
    if data.values:
        mean = data.y.mean()
        fits = [KernelRidge(alpha=alpha, kernel="rbf", gamma=gamma).fit(x, data.y - mean) for alpha in (0.1, 1, 10)]
        return min(quality(data, fit.predict(test) + mean) for fit in fits)
    most = 6000  # a changing stream is long, and its end is what counts
    rare = np.unique(data.y, return_counts=True)[1].min() < BALANCED_FROM * len(data.y)
    machine = SVC(gamma=gamma, class_weight="balanced" if rare else None).fit(x[-most:], data.y[-most:])
    return quality(data, machine.predict(test))


def averaged_sgd(data, nodes):
    """So many models of scikit-learn, each on its share of the stream, averaged once at the end; one: pooled."""
    x, test = scaled(data)
    sampler = RBFSampler(gamma=1 / x.shape[1], n_components=FEATURES, random_state=0).fit(x)
    psi, test_psi = sampler.transform(x), sampler.transform(test)
    mean, deviation = (data.y.mean(), data.y.std()) if data.values else (0, 1)
    models = []
    for node in range(nodes):
        model = SGDRegressor(random_state=0) if data.values else SGDClassifier(loss="log_loss", random_state=0)
        own = np.arange(node, len(x), nodes)
        for first in range(0, len(own), BATCH):
            rows = own[first:first + BATCH]
            extra = {} if data.values else {"classes": np.unique(data.y)}
            model.partial_fit(psi[rows], (data.y[rows] - mean) / deviation, **extra)
        models.append(model)
    model = models[0]
    model.coef_ = np.mean([each.coef_ for each in models], axis=0)
    model.intercept_ = np.mean([each.intercept_ for each in models], axis=0)
    return quality(data, model.predict(test_psi) * deviation + mean)


def write_samples(data, run, folder):
    """The stream as choir's options: one file that is dealt in turn, or a file per node. By label all nodes have equally many samples, in their order, and
    together all of them."""
    x = data.x if data.seen is None else data.seen
    y = data.y.astype(float)
    if run.by == "turn":
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", y)
        return ["--data", "x.npy", "--labels", "y.npy", "--by", "turn"]
    for node, rows in enumerate(split(run.by, data.y, run.nodes, seed=0)):
        np.save(folder / f"x-{node}.npy", x[np.sort(rows)])
        np.save(folder / f"y-{node}.npy", y[np.sort(rows)])
    return ["--data", "x-{node}.npy", "--labels", "y-{node}.npy"]


def choir_answer(choir, data, run, folder, seconds=1200):
    """Quality of node 0's model, and a note: exit code, bytes per node, recall of the rarest class; no quality where the run failed."""
    np.save(folder / "test.npy", data.test_x)
    words = [choir, "fit", "online-kernel", *write_samples(data, run, folder), "--nodes", str(run.nodes), "--standardize", "zscore", "--representation",
             run.representation, "--threads", "1", "--out", "run", "--force", "--quiet", *run.options]
    if data.values:
        words += ["--loss", "squared"]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "too slow"
    if done.returncode not in (0, 3):
        return None, done.stderr.strip()
    subprocess.run([choir, "predict", "--model", "run/model-0.npz", "--data", "test.npy", "--out", "answers.npy", "--force", "--quiet"], cwd=folder,
                   check=True)
    sent = json.loads((folder / "run/result.json").read_text())["ledger"]["bytes"] / run.nodes
    answers = np.load(folder / "answers.npy").ravel()
    recall = None if data.values else rare_recall(data, answers)
    return quality(data, answers), {"exit": done.returncode, "bytes": sent, "recall": recall}
