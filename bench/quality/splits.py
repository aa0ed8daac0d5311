"""Who has which samples. choir reads the shards as files, so that the benchmark knows where every sample is.

    shards = split("label", labels, nodes=20, seed=0)          # a list of row numbers per node
"""
import numpy as np

SPLITS = ("iid", "label", "sizes", "three")
LEAST = 2  # samples of the smallest node with unequal sizes


def samples_needed(rule, nodes):
    return {"iid": nodes, "label": nodes, "sizes": LEAST * nodes, "three": 3 * nodes}[rule]


def unequal_sizes(samples, nodes, random):
    """Sizes that differ up to thirtyfold, of at least LEAST."""
    weights = np.exp(random.uniform(0, np.log(30), size=nodes))
    cuts = np.rint(np.cumsum(weights) / weights.sum() * (samples - LEAST * nodes)).astype(int)
    return LEAST + np.diff(cuts, prepend=0)


def split(rule, labels, nodes, seed):
    random = np.random.default_rng(seed)
    order = random.permutation(len(labels))
    if rule == "iid":
        return np.array_split(order, nodes)
    if rule == "label":  # sorted by label and cut: most nodes have one label
        return np.array_split(order[np.argsort(labels[order], kind="stable")], nodes)
    if rule == "sizes":
        return np.split(order, np.cumsum(unequal_sizes(len(order), nodes, random))[:-1])
    if rule == "three":
        return np.split(order[: 3 * nodes], nodes)
    raise ValueError(f"{rule} is not a split; choose from {', '.join(SPLITS)}")
