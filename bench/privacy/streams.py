#!/usr/bin/python3
"""What differential privacy costs online-kernel: the figures of choir/learn/online_kernel/README.md.

    bench/privacy/streams.py                             all data sets, 5 and 20 nodes, epsilon 1, 4 and 10
    bench/privacy/streams.py --only digits --nodes 5 --features 100 500

Balanced accuracy on held-out samples (a quarter of digits; 5,000 of the generated streams; mnist's test images), mean over draws of the noise.
`none` is the same run without --privacy: random features, which choose their ridge by the samples. gamma and --divide are numbers that somebody who
has not seen the samples might choose. A line per data set, features and nodes.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import numpy as np  # noqa: E402
from sklearn import datasets  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench/quality"))

from idx import read_idx  # noqa: E402

MNIST = ROOT / "data/mnist"  # choir data get mnist
STREAM, HELD_OUT = 20_000, 5_000


def generated(make):
    x, y = make(STREAM + HELD_OUT)
    return x[:STREAM], y[:STREAM], x[STREAM:], y[STREAM:]


def digits():
    x, y = datasets.load_digits(return_X_y=True)
    order = np.random.default_rng(1).permutation(len(x))
    train = 3 * len(x) // 4
    return x[order[:train]], y[order[:train]], x[order[train:]], y[order[train:]]


def mnist():
    def part(name):
        images, labels = (read_idx(MNIST / f"{name}-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1"))
        return images.reshape(len(images), -1), labels

    return (*part("train"), *part("t10k"))


# Samples, what to divide them by, gamma.
SETS = {
    "digits": (digits, 16, 0.05),
    "blobs": (lambda: generated(lambda n: datasets.make_blobs(n, centers=5, n_features=10, cluster_std=4, random_state=0)), 10, 0.5),
    "moons": (lambda: generated(lambda n: datasets.make_moons(n, noise=0.25, random_state=0)), 1, 1),
    "circles": (lambda: generated(lambda n: datasets.make_circles(n, noise=0.1, factor=0.5, random_state=0)), 1, 1),
    "class of 3%": (lambda: generated(lambda n: datasets.make_classification(n, 8, n_informative=5, weights=[0.97], random_state=0)), 3, 0.5),
}
if MNIST.is_dir():
    SETS["mnist"] = (mnist, 255, 0.02)


def quality(truth, answers):
    return np.mean([(answers[truth == label] == label).mean() for label in np.unique(truth)])


def accuracy(choir, folder, data, words):
    """Of the model of one run."""
    train_x, train_y, test_x, test_y = data
    for name, array in {"x": train_x, "y": train_y, "test": test_x}.items():
        np.save(folder / f"{name}.npy", array.astype(float))
    classes = ",".join(str(int(label)) for label in np.unique(train_y))
    fit = [choir, "fit", "online-kernel", "--data", "x.npy", "--labels", "y.npy", "--classes", classes, "--representation", "random-features",
           "--threads", "1", "--out", "run", "--force", "--quiet", *words]
    done = subprocess.run(fit, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(fit)}\n{done.stderr}")
    subprocess.run([choir, "predict", "--model", "run/model-0.npz", "--data", "test.npy", "--out", "answers.npy", "--force", "--quiet"], cwd=folder,
                   check=True)
    return quality(test_y, np.load(folder / "answers.npy").ravel())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--choir", default=str(ROOT / "build/choir"), help="the program")
    parser.add_argument("--only", nargs="+", default=list(SETS), choices=SETS, metavar="NAME", help="data sets")
    parser.add_argument("--nodes", nargs="+", type=int, default=[5, 20])
    parser.add_argument("--features", nargs="+", type=int, default=[100, 500])
    parser.add_argument("--epsilon", nargs="+", type=float, default=[1, 4, 10])
    parser.add_argument("--draws", type=int, default=3, help="of the noise")
    asked = parser.parse_args()
    choir = str(pathlib.Path(asked.choir).resolve())
    print("| set | samples | features | nodes | none | " + " | ".join(f"epsilon {epsilon:g}" for epsilon in asked.epsilon) + " |")
    print("|---" * (5 + len(asked.epsilon)) + "|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for at in asked.only:
            make, divide, gamma = SETS[at]
            data = make()
            for features in asked.features:
                for nodes in asked.nodes:
                    words = ["--divide", str(divide), "--gamma", str(gamma), "--n-features", str(features), "--nodes", str(nodes)]
                    figures = [accuracy(choir, folder, data, words)]
                    for epsilon in asked.epsilon:
                        draws = [accuracy(choir, folder, data, [*words, "--privacy", str(epsilon)]) for _ in range(asked.draws)]
                        figures.append(np.mean(draws))
                    row = " | ".join(f"{figure:.3f}".lstrip("0") for figure in figures)
                    print(f"| {at} | {len(data[0])} | {features} | {nodes} | {row} |", flush=True)


if __name__ == "__main__":
    main()
