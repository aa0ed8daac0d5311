#!/usr/bin/python3
"""online-kernel with its defaults against J scikit-learn models averaged once, and SVC or KernelRidge on everything.

    bench/quality/streams.py --choir build/choir [--sets digits,wine] [--nodes 1,5,20] [--seeds 3] [-- OPTIONS OF CHOIR]

One pass, zscore. Classes: balanced accuracy, and recall of the rarest class where it has less than 5%; values: rmse / std of the
targets. A scikit-learn model is SGD on 500 random features, gamma 1/M. `outlier` and `small` are the set before them with a first
sample of 1e4 and with a first batch divided by 100.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np
from sklearn import datasets
from sklearn.kernel_approximation import RBFSampler
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
BATCH = 32


def rare(share, seed):
    return datasets.make_classification(4000, 8, n_informative=5, weights=[1 - share], flip_y=0, random_state=seed)


SETS = {
    "digits": lambda seed: datasets.load_digits(return_X_y=True),
    "wine": lambda seed: datasets.load_wine(return_X_y=True),
    "cancer": lambda seed: datasets.load_breast_cancer(return_X_y=True),
    "moons": lambda seed: datasets.make_moons(2000, noise=0.25, random_state=seed),
    "circles": lambda seed: datasets.make_circles(2000, noise=0.1, factor=0.5, random_state=seed),
    "4 classes": lambda seed: datasets.make_classification(3000, 12, n_informative=8, n_classes=4, random_state=5),
    "rare 3%": lambda seed: rare(0.03, 6),
    "rare 1%": lambda seed: rare(0.01, 6),
}
VALUES = {
    "diabetes": lambda seed: datasets.load_diabetes(return_X_y=True),
    "friedman": lambda seed: datasets.make_friedman1(1600, 10, noise=1, random_state=seed),
}
for key, change in {".01 y": lambda y: 0.01 * y, "1000 y": lambda y: 1000 * y, "y + 100": lambda y: y + 100}.items():
    VALUES["friedman, " + key] = lambda seed, change=change: (lambda x, y: (x, change(y)))(*VALUES["friedman"](seed))


def outlier(x):
    x = x.copy()
    x[3] = 1e4
    return x


def small_batch(x):
    x = x.copy()
    x[:BATCH] /= 100
    return x


SPOILT = {"outlier": outlier, "small": small_batch}


def split(name, seed):
    x, y = {**SETS, **VALUES}[name](seed)
    order = np.random.RandomState(seed).permutation(len(x))
    x, y, n = x[order], y[order], 3 * len(x) // 4
    return x[:n], y[:n], x[n:], y[n:]


def balanced(predicted, truth):
    return np.mean([(predicted[truth == c] == c).mean() for c in np.unique(truth)])


def scikit(x, y, test, nodes, classes):
    scaler = StandardScaler().fit(x)
    x, test = scaler.transform(x), scaler.transform(test)
    features = RBFSampler(gamma=1 / x.shape[1], n_components=500, random_state=1).fit(x)
    f, t = features.transform(x), features.transform(test)
    scores = 0
    for node in range(nodes):
        model = SGDClassifier(loss="log_loss", random_state=0) if classes is not None else SGDRegressor(random_state=0)
        own = np.arange(node, len(y), nodes)
        for first in range(0, len(own), BATCH):
            batch = own[first:first + BATCH]
            model.partial_fit(f[batch], y[batch], **({"classes": classes} if classes is not None else {}))
        scores = scores + (model.decision_function(t) if classes is not None else model.predict(t)) / nodes
    if classes is None:
        return scores
    return classes[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(1)]


def ceiling(x, y, test, classes):
    scaler = StandardScaler().fit(x)
    x, test = scaler.transform(x), scaler.transform(test)
    if classes is None:
        centre = y.mean()
        model = KernelRidge(kernel="rbf", gamma=1 / x.shape[1], alpha=1).fit(x, y - centre)
        return model.predict(test) + centre
    return SVC(gamma=1 / x.shape[1], class_weight="balanced").fit(x, y).predict(test)


def choir(program, x, y, test, nodes, classes, options):
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        for name, array in (("x", x), ("test", test)):
            np.save(at / f"{name}.npy", np.asarray(array, float))
        np.save(at / "y.npy", y)
        loss = [] if classes is not None else ["--loss", "squared"]
        done = subprocess.run([program, "fit", "online-kernel", "--data", "x.npy", "--labels", "y.npy", "--nodes", str(nodes),
                               "--standardize", "zscore", "--quiet", "--out", "run", *loss, *options], cwd=at, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            raise SystemExit(done.stderr)
        result = json.loads((at / "run/result.json").read_text())
        answers = []
        for node in sorted({0, nodes // 2, nodes - 1}):
            subprocess.run([program, "predict", "--model", f"run/model-{node}.npz", "--data", "test.npy", "--out", "a.npy"], cwd=at, check=True,
                           capture_output=True)
            answers.append(np.load(at / "a.npy").ravel())
        return answers, result, done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--choir", default="build/choir")
    parser.add_argument("--sets", default=",".join([*SETS, *VALUES]))
    parser.add_argument("--nodes", default="1,5,20")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--spoilt", action="store_true", help="also with an outlier and with a small first batch")
    parser.add_argument("options", nargs="*", help="after --, for choir fit online-kernel")
    given = parser.parse_args()
    program = str(pathlib.Path(given.choir).resolve())
    print(f"{'set':24s} {'J':>3s} {'choir':>6s} {'sklearn':>7s} {'pooled':>6s} {'rare':>6s} {'atoms':>6s} {'per s':>7s} exits")
    for name in given.sets.split(";" if ";" in given.sets else ","):
        for spoil in ["", *SPOILT] if given.spoilt else [""]:
            for nodes in map(int, given.nodes.split(",")):
                rows, exits = [], []
                for seed in range(given.seeds):
                    x, y, test, truth = split(name, seed)
                    classes = np.unique(y) if name in SETS else None
                    spoilt = SPOILT[spoil](x) if spoil else x
                    answers, result, exit_code = choir(program, spoilt, y, test, nodes, classes, given.options)
                    rmse = lambda a: np.sqrt(np.mean((a - truth) ** 2)) / truth.std()
                    quality = (lambda a: balanced(a, truth)) if classes is not None else rmse
                    recall = np.nan
                    if classes is not None and np.bincount(y).min() < 0.05 * len(y):
                        rarest = np.bincount(y).argmin()
                        recall = np.mean([(a[truth == rarest] == rarest).mean() for a in answers])
                    rows.append([np.mean([quality(a) for a in answers]), quality(scikit(x, y, test, nodes, classes)),
                                 quality(ceiling(x, y, test, classes)), recall, result["model_order"],
                                 result["samples_per_second"]])
                    exits.append(exit_code)
                a, b, c, r, atoms, rate = np.mean(rows, 0)
                print(f"{name + (', ' + spoil if spoil else ''):24s} {nodes:3d} {a:6.3f} {b:7.3f} {c:6.3f} {r:6.3f} {atoms:6.1f} {rate:7.0f} {exits}", flush=True)


if __name__ == "__main__":
    main()
