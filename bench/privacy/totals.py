#!/usr/bin/env python3
"""What all totals of a run together tell about single samples: the experiment behind choir/learn/features/safe_total.

The totals of a run over shared features: sum x, the covariance seen through at most 60 directions, counts and sums of
clusters of at least 10 samples, sum psi, sum psi psi'. The attacker is given more than any real one has: a guess so near
the truth that the totals are linear in what is left to find out. Then what is left is a Gaussian:

    posterior covariance of all coordinates = (I / spread^2 + J'J / precision^2)^-1

with J the derivatives of all totals by all coordinates. A sample whose coordinates keep less than a tenth of their
spread in every direction is pinned down. Nothing that starts from less can pin down more.

    bench/privacy/totals.py            the figures of choir/learn/features/README.md, some minutes
"""
import itertools
import sys

import numpy as np

PRECISION = 1e-9  # of a total, relative to its size: what fixed-point sums keep, generously
PINNED = 0.1      # of a coordinate's spread


def tables(samples, features, kind, random):
    x = random.standard_normal((samples, features))
    if kind == 'outliers':
        x[:3] *= 6
    if kind == 'clusters':
        x = 0.2 * x + 3 * random.standard_normal((4, features))[random.integers(4, size=samples)]
    if kind == 'duplicates':
        x[samples // 2:] = x[:samples - samples // 2]
    if kind == 'categories':
        x[:, :max(1, features // 2)] = random.integers(3, size=(samples, max(1, features // 2)))
    return (x - x.mean(0)) / np.maximum(x.std(0), 1e-9)


def squared_distances(a, b):
    return np.maximum((a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T, 0)


class Run:
    """Landmarks as choir makes them, their features in the order of the opened squares, and derivatives."""

    def __init__(self, x, gamma, landmarks, min_count, random):
        self.x, self.gamma = x, gamma
        spread = np.linalg.cholesky(np.cov(x.T).reshape(x.shape[1], -1) + 1e-9 * np.eye(x.shape[1]))
        z = x.mean(0) + random.standard_normal((landmarks, x.shape[1])) @ spread.T
        self.nearest = squared_distances(x, z).argmin(1)
        self.counts = np.bincount(self.nearest, minlength=landmarks)
        self.moved = np.flatnonzero(self.counts >= min_count)
        rest = len(x) - self.counts[self.moved].sum()
        if 0 < rest < min_count and len(self.moved):
            self.moved = np.delete(self.moved, self.counts[self.moved].argmin())
        for k in self.moved:
            z[k] = x[self.nearest == k].mean(0)
        self.z = z
        values, vectors = np.linalg.eigh(np.exp(-gamma * squared_distances(z, z)))
        keep = values > 1e-10 * values[-1]
        self.whitening = vectors[:, keep] / np.sqrt(values[keep])
        squares = (self.features(x) ** 2).sum(0)
        order = np.argsort(-squares)
        self.whitening, self.squares = self.whitening[:, order], squares[order]

    def features(self, x):
        return np.exp(-self.gamma * squared_distances(x, self.z)) @ self.whitening

    def leverage_by_squares(self, m):
        return ((self.features(self.x)[:, :m] ** 2) / self.squares[:m]).sum(1)

    def largest_leverage(self, m):
        psi = self.features(self.x)[:, :m]
        return (psi * (psi @ np.linalg.pinv(psi.T @ psi))).sum(1).max()

    def left_of_each_sample(self, m):
        """Per sample, the largest deviation that is left in any direction, in units of the spread."""
        samples, features = self.x.shape
        kernel = np.exp(-self.gamma * squared_distances(self.x, self.z))
        psi = kernel @ self.whitening[:, :m]
        slopes = np.stack([(-2 * self.gamma * kernel * (self.x[:, [f]] - self.z[:, f])) @ self.whitening[:, :m]
                           for f in range(features)], 1)  # N x M x m
        upper = np.triu_indices(m)
        products = slopes[:, :, upper[0]] * psi[:, None, upper[1]] + psi[:, None, upper[0]] * slopes[:, :, upper[1]]
        parts = [products / np.linalg.norm(psi.T @ psi), slopes / np.linalg.norm(psi.sum(0))]
        scatter = np.zeros((samples, features, features, features))
        for f in range(features):
            scatter[:, f, f, :] += self.x
            scatter[:, f, :, f] += self.x
        parts.append(scatter.reshape(samples, features, -1) / samples)
        clusters = np.zeros((samples, features, len(self.moved) + 1, features))
        for f in range(features):
            clusters[:, f, -1, f] = 1
            for at, k in enumerate(self.moved):
                clusters[self.nearest == k, f, at, f] = 1
        parts.append(clusters.reshape(samples, features, -1) / samples)
        jacobian = np.concatenate(parts, 2).reshape(samples * features, -1)
        left, values, _ = np.linalg.svd(jacobian, full_matrices=False)
        known = values ** 2 / (values ** 2 + PRECISION ** 2)  # of each direction, of spread 1
        left = left.reshape(samples, features, -1)
        covariance = np.eye(features) - np.einsum('nfk,k,ngk->nfg', left, known, left)
        return np.sqrt(np.maximum(np.linalg.eigvalsh(covariance)[:, -1], 0)), known.sum() / (samples * features)


def largest_by_count(samples, features):
    m = 0
    while (m + 1) * (m + 2) / 2 + m + 1 <= samples * features / 4 and 4 * (m + 1) <= samples:
        m += 1
    return m


def main():
    widths = (1, 2, 3, 5, 10, 20) if len(sys.argv) < 2 else tuple(int(word) for word in sys.argv[1:])
    rules = {
        'N >= 4 m': lambda run: min(len(run.x) // 4, run.whitening.shape[1]),
        'and count': lambda run: min(largest_by_count(*run.x.shape), run.whitening.shape[1]),
        'and leverage': None,
    }
    print('M     kind        gamma M   ' + ''.join(f'{rule:^34}' for rule in rules))
    print(' ' * 26 + '    m  leverage  pinned  known ' * len(rules))
    for features, kind, scale in itertools.product(
            widths, ('normal', 'outliers', 'clusters', 'duplicates', 'categories'), (0.3, 1, 5)):
        samples = 200 if features <= 10 else 120
        random = np.random.default_rng(features)
        run = Run(tables(samples, features, kind, random), scale / features, min(samples, 200), 10, random)
        words = []
        for rule, size in rules.items():
            m = size(run) if size else rules['and count'](run)
            while not size and m > 1 and run.leverage_by_squares(m).max() > min(0.9, features ** 2 / 40):
                m -= 1
            left, known = run.left_of_each_sample(m)
            words.append(f'{m:5d} {run.largest_leverage(m):8.2f} {(left < PINNED).sum():7d} {known:8.2f}   ')
        print(f'{features:3d}   {kind:11s} {scale:6.1f}   ' + ' '.join(words), flush=True)


if __name__ == '__main__':
    main()
