#!/usr/bin/env python3
"""What differential privacy costs kernel PCA: components of MNIST with and without noise, by the program itself.

Every cell fits the same data several times, each time with other noise and another seed, and maps 4,000 test images to
scores. Scores of two fits span subspaces; the smallest cosine between them is compared

    to the run without noise: same seed, so same random features, or landmarks from a Gaussian without noise
    to the truth: kernel PCA over 1,000 landmarks that are samples, by numpy

    bench/privacy/components.py build/choir              the figures of choir/learn/consensus_kpca/README.md
    bench/privacy/components.py build/choir --bars       only the cells with a bar; exit 1 if one is missed

MNIST is where `choir data get mnist` puts it.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'quality'))
from idx import read_idx  # noqa: E402

MNIST = pathlib.Path(__file__).resolve().parent.parent.parent / 'data/mnist'
GAMMA, COMPONENTS, NODES, CLIP = 0.013, 5, 20, 10
NO_NOISE = 1e9  # epsilon
TEST_IMAGES = 4000
RANDOM, LANDMARKS = 'random-features', 'landmarks'
# share, features, samples, epsilon, and what the mean cosine to the run without noise must be at least
BARS = [(RANDOM, 100, 60000, 1, 0.96), (RANDOM, 100, 10000, 4, 0.95),
        (LANDMARKS, 100, 60000, 1, 0.96), (LANDMARKS, 100, 10000, 4, 0.95)]
CELLS = BARS + [(share, size, samples, epsilon, None)
                for share, sizes in ((RANDOM, (400, 2000)), (LANDMARKS, (50, 200, 400)))
                for size in sizes for samples, epsilon in ((60000, 1), (10000, 4))]


def images(name, count):
    return read_idx(MNIST / name).reshape(-1, 784)[:count] / 255.0


def smallest_cosine(scores, others):
    bases = [np.linalg.qr(each - each.mean(0))[0] for each in (scores, others)]
    return np.linalg.svd(bases[0].T @ bases[1])[1].min()


def kernel(a, b):
    distances = (a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T
    return np.exp(-GAMMA * np.maximum(distances, 0))


def true_scores(train, test):
    points = train[np.random.default_rng(0).choice(len(train), 1000, replace=False)]
    values, vectors = np.linalg.eigh(kernel(points, points))
    whitening = vectors / np.sqrt(values)
    total, products = 0, 0
    for first in range(0, len(train), 10000):
        psi = kernel(train[first:first + 10000], points) @ whitening
        total, products = total + psi.sum(0), products + psi.T @ psi
    mean = total / len(train)
    directions = np.linalg.eigh(products / len(train) - np.outer(mean, mean))[1][:, -COMPONENTS:]
    return (kernel(test, points) @ whitening - mean) @ directions


class Fits:
    def __init__(self, choir, folder):
        self.choir, self.folder = choir, folder
        self.test = folder / 'test.npy'
        np.save(self.test, images('t10k-images-idx3-ubyte', TEST_IMAGES))

    def data(self, samples):
        path = self.folder / f'train-{samples}.npy'
        if not path.exists():
            np.save(path, images('train-images-idx3-ubyte', samples))
        return path

    def scores(self, share, size, samples, epsilon, seed):
        run = self.folder / 'run'
        options = {'share': share, 'privacy': epsilon, 'random-state': seed, 'nodes': NODES, 'gamma': GAMMA,
                   'n-components': COMPONENTS, 'data': self.data(samples), 'out': run,
                   'n-features' if share == RANDOM else 'n-landmarks': size}
        if share == LANDMARKS:
            options['clip'] = CLIP
        words = [f'--{name}={value}' for name, value in options.items()]
        self.call('fit', 'consensus-kpca', '--force', *words)
        scores = self.folder / 'scores.npy'
        scores.unlink(missing_ok=True)
        self.call('transform', '--model', run / 'model-0.npz', '--data', self.test, '--out', scores)
        return np.load(scores)

    def call(self, *words):
        done = subprocess.run([self.choir, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f'{" ".join(map(str, words))}\nended with {done.returncode}: {done.stderr}')


def mean_and_least(values):
    return f'{np.mean(values):.3f} ({np.min(values):.3f})'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('choir')
    parser.add_argument('--bars', action='store_true')
    parser.add_argument('--repetitions', type=int, default=10)
    chosen = parser.parse_args()
    missed = False
    truths = {}
    print('| share | m | samples | epsilon | to the run without noise | to the truth | without noise, to the truth |')
    print('|---|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        fits = Fits(chosen.choir, pathlib.Path(folder))
        for share, size, samples, epsilon, bar in BARS if chosen.bars else CELLS:
            if samples not in truths:
                truths[samples] = true_scores(np.load(fits.data(samples)), np.load(fits.test))
            plain, true, plain_true = [], [], []
            for seed in range(chosen.repetitions):
                noisy = fits.scores(share, size, samples, epsilon, seed)
                clear = fits.scores(share, size, samples, NO_NOISE, seed)
                plain.append(smallest_cosine(noisy, clear))
                true.append(smallest_cosine(noisy, truths[samples]))
                plain_true.append(smallest_cosine(clear, truths[samples]))
            print(f'| {share} | {size} | {samples:,} | {epsilon} | {mean_and_least(plain)} | {mean_and_least(true)} | '
                  f'{mean_and_least(plain_true)} |', flush=True)
            if bar and np.mean(plain) < bar:
                missed = True
                print(f'missed: {np.mean(plain):.3f} where {bar} is asked for', file=sys.stderr)
    sys.exit(missed)


if __name__ == '__main__':
    main()
