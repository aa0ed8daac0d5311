"""online-kernel with a dictionary of 500 atoms at one node against scikit-learn's SGD on 500 random features, alternating in one run, one thread.

Both learn the same stream in batches of 32. scikit-learn: RBFSampler.transform and SGDClassifier.partial_fit per batch. choir: CPU seconds of the whole
program, reading its file included. Bar: 20,000 samples per second, or a third of scikit-learn's."""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  the number of threads must be set before
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.kernel_approximation import RBFSampler  # noqa: E402
from sklearn.linear_model import SGDClassifier  # noqa: E402

BATCH, SIZE, SAMPLES, TURNS = 32, 500, 40000, 3


def run_choir(choir, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = ["fit", "online-kernel", "--data", "x.npy", "--labels", "y.npy", "--classes", "0,1", "--nodes", "1", "--representation", "dictionary",
             "--max-atoms", str(SIZE), "--batch", str(BATCH), "--threads", "1", "--out", "run", "--force", "--quiet"]
    done = subprocess.run([choir, *words], cwd=folder, check=False, stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 3):
        raise SystemExit("choir failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_sklearn(x, y):
    begin = time.process_time()
    sampler = RBFSampler(gamma=1 / x.shape[1], n_components=SIZE, random_state=0).fit(x[:BATCH])
    model = SGDClassifier(loss="log_loss", random_state=0)
    for first in range(0, len(x), BATCH):
        model.partial_fit(sampler.transform(x[first:first + BATCH]), y[first:first + BATCH], classes=[0, 1])
    return time.process_time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--choir", required=True)
    choir = str(pathlib.Path(parser.parse_args().choir).resolve())
    x, y = make_classification(SAMPLES, 20, n_informative=10, random_state=0)
    with tempfile.TemporaryDirectory() as folder:
        np.save(pathlib.Path(folder) / "x.npy", x)
        np.save(pathlib.Path(folder) / "y.npy", y.astype(float))
        seconds = np.array([(run_choir(choir, folder), run_sklearn(x, y)) for _ in range(TURNS)])
    ours, theirs = SAMPLES / seconds.min(axis=0)
    print(f"{SAMPLES} samples of 20 features, batches of {BATCH}; CPU seconds, the best of {TURNS}")
    print(f"choir {ours:,.0f} samples per second, scikit-learn {theirs:,.0f}: ratio {ours / theirs:.2f}; the bar (20,000 per second, or a ratio of 0.33) is "
          f"{'met' if ours >= 20000 or 3 * ours >= theirs else 'NOT met'}")


main()
