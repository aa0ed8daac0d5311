"""Kernel PCA of the pooled samples in numpy, and how near an answer of choir is to it. No code of choir is involved.

    central = central_kpca(x, Kernel("rbf", gamma=0.1))
    answer = Answer(scores, overlap)                  # scores: N x D of the pooled samples; overlap: w'w of the directions
    group_similarities(central, answer)               # [(first, last, cosine)]: one per group of separated components
    captured_share(central, answer)                   # variance of the scores of central's

A direction w has the scores s = Phi w (N), centred over the samples. With the central pairs (lambda_k, u_k) of the centred
kernel matrix, the cosine of a unit direction to the central direction k is u_k's / sqrt(lambda_k).
"""
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

SEPARATING_RATIO = 1.05  # as choir/learn/assessment/separation.h
LEADING = 120  # central pairs that are computed: 50 components at most, and the group that the last one belongs to


@dataclass(frozen=True)
class Kernel:
    kind: str
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 1.0


@dataclass(frozen=True)
class Central:
    values: np.ndarray  # leading eigenvalues of the centred kernel matrix, descending
    vectors: np.ndarray  # N x as many
    total: float  # trace
    resolved: float  # share of the first eigenvalue below which values are rounding errors
    definite: bool = True
    kernel: np.ndarray = None  # N x N, centred; the linear kernel: factor @ factor.T
    factor: np.ndarray = None

    def times(self, columns):
        """The centred kernel matrix times N x D."""
        return self.factor @ (self.factor.T @ columns) if self.kernel is None else self.kernel @ columns


@dataclass(frozen=True)
class Answer:
    scores: np.ndarray  # N x D
    overlap: np.ndarray = None  # D x D: w'w; None: scores of other features than the kernel's, whose length says nothing

    def at(self, rows):
        return Answer(self.scores[rows], self.overlap)


def kernel_matrix(x, y, kernel):
    if kernel.kind == "linear":
        return x @ y.T
    if kernel.kind == "rbf":  # distances by differences: data far from the origin lose no digits
        return np.exp(-kernel.gamma * cdist(x, y, "sqeuclidean"))
    if kernel.kind == "laplacian":
        return np.exp(-kernel.gamma * cdist(x, y, "cityblock"))
    if kernel.kind == "poly":
        return (kernel.gamma * x @ y.T + kernel.coef0) ** kernel.degree
    if kernel.kind == "sigmoid":
        return np.tanh(kernel.gamma * x @ y.T + kernel.coef0)
    raise ValueError(f"{kernel.kind} is not a kernel of the benchmark")


def centred(matrix):
    rows = matrix - matrix.mean(0)
    return rows - rows.mean(1)[:, None]


def central_kpca(x, kernel):
    if kernel.kind == "linear":  # by singular values: twice the digits
        factor = x - x.mean(0)
        u, s, _ = np.linalg.svd(factor, full_matrices=False)
        return Central(s**2, u, float((s**2).sum()), resolved=1e-22, factor=factor)
    matrix = centred(kernel_matrix(x, x, kernel))
    matrix = (matrix + matrix.T) / 2
    n = len(matrix)
    values, vectors = scipy.linalg.eigh(matrix, subset_by_index=[max(0, n - LEADING), n - 1], check_finite=False)
    return Central(values[::-1], vectors[:, ::-1], float(np.trace(matrix)), resolved=1e-11, kernel=matrix,
                   definite=kernel.kind != "sigmoid")


def components_for(central, share, most=50):
    """The number of components that explain this share of the variance."""
    explained = np.cumsum(central.values) / central.total
    return int(min(np.searchsorted(explained, share) + 1, most, len(explained)))


def component_groups(values, kept):
    """[first, last] of components that only their group determines; the last group may go on beyond those kept."""
    groups = []
    for d, value in enumerate(values):
        separated = d == 0 or values[d - 1] > SEPARATING_RATIO * value
        if separated and d >= kept:
            break
        if separated:
            groups.append([d, d])
        groups[-1][1] = d
    return groups


def inverse_root(matrix):
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    values = np.where(values > 1e-12 * max(values.max(), 0), values, np.inf)
    return vectors / np.sqrt(values) @ vectors.T


def orthonormal_directions(answer, columns):
    """Scores of orthonormal directions with the same span as these columns of the answer."""
    scores = answer.scores[:, columns] - answer.scores[:, columns].mean(0)
    return scores @ inverse_root(answer.overlap[columns, columns])


def orthonormal_scores(answer, columns):
    scores = answer.scores[:, columns] - answer.scores[:, columns].mean(0)
    lengths = np.linalg.norm(scores, axis=0)
    return np.linalg.qr(scores / np.where(lengths > 0, lengths, 1))[0]


def group_similarities(central, answer):
    """The smallest principal cosine of every group of components: (first, last, cosine), counted from 0.

    Of a group that goes on beyond the components kept, the cosine says how much of the worst kept direction lies in the
    whole group. Components beyond what double precision resolves are left out. An answer in other features is compared by
    its scores: principal cosines between them and the central scores.
    """
    found = []
    kept = answer.scores.shape[1]
    for first, last in component_groups(central.values, kept):
        if central.values[last] <= central.resolved * central.values[0]:
            break
        columns, group = slice(first, min(last + 1, kept)), slice(first, last + 1)
        if answer.overlap is None:
            products = central.vectors[:, group].T @ orthonormal_scores(answer, columns)
        else:
            products = central.vectors[:, group].T @ orthonormal_directions(answer, columns)
            products /= np.sqrt(central.values[group])[:, None]
        found.append((first, last, float(min(1, np.linalg.svd(products, compute_uv=False).min()))))
    return found


def captured_share(central, answer):
    """The variance that the answer captures of what as many central components capture. Nothing for indefinite kernels."""
    if not central.definite:
        return None
    columns = slice(0, answer.scores.shape[1])
    best = central.values[columns].sum()
    if answer.overlap is None:
        basis = orthonormal_scores(answer, columns)
        return float((basis * central.times(basis)).sum() / best)
    return float((orthonormal_directions(answer, columns) ** 2).sum() / best)
