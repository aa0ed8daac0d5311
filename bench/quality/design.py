"""Which cells the benchmark runs: every two levels of different factors meet in some cell, unless they cannot.

    cells, impossible = design()          # the same every time; design(draw=1): other ones

A cell is one run of choir. Factors that mean nothing to a method are "none" in its cells. The cells that cover all pairs are
chosen greedily, with a fixed seed. Known bad cases, the cells of the landmarks' bar and the methods' defaults follow them.
"""
import collections
import dataclasses
import itertools
import math
import random
from dataclasses import dataclass

from splits import samples_needed
from tables import FACTS

NONE = "none"
AUTO = "auto"  # what choir chooses
MOST_CELLS = 400
SEED = 7


@dataclass(frozen=True)
class Cell:
    method: str
    table: str
    kernel: str
    split: str
    nodes: int
    topology: str
    components: str
    fault: str
    extra: tuple = ()  # further options of choir
    why: str = "pairs"
    number: int = 0
    draw: int = 0

    @property
    def command(self):
        return self.method.split("/")[0]

    @property
    def seed(self):
        """Known cases and first tries use the program's own default."""
        return 1000 * self.draw + (self.number if self.why == "pairs" else 0)


@dataclass(frozen=True)
class Method:
    """What a way of using choir can do, and the options that choose it."""

    options: tuple = ()
    kernels: tuple = ("rbf", "laplacian", "laplacian-std", "linear", "poly", "sigmoid")
    has_network: bool = True
    has_topology: bool = True
    divides: str = "samples"  # samples, features, or nothing
    faults: tuple = (NONE,)


RANDOM_FEATURE_KERNELS = ("rbf", "laplacian", "laplacian-std")
OF_PRODUCTS = ("rbf", "linear", "poly", "sigmoid")
FAULTS = (NONE, "loss", "crash", "partition", "cut", "slow")
METHODS = {
    "central-kpca/landmarks": Method(has_network=False, has_topology=False, divides="nothing"),
    "consensus-kpca/default": Method(),
    "consensus-kpca/samples": Method(("--share", "samples")),
    "consensus-kpca/landmarks": Method(("--share", "landmarks")),
    "consensus-kpca/random-features": Method(("--share", "random-features"), RANDOM_FEATURE_KERNELS),
    "gossip-pca/linear": Method(kernels=("linear",), faults=FAULTS),
    "gossip-pca/landmarks": Method(("--features", "landmarks"), ("rbf", "laplacian", "laplacian-std", "poly", "sigmoid"), faults=FAULTS),
    "gossip-pca/random-features": Method(("--features", "random-features"), RANDOM_FEATURE_KERNELS, faults=FAULTS),
    "oneshot-kpca/default": Method((), OF_PRODUCTS, has_topology=False, divides="features"),
    "oneshot-kpca/product": Method(("--estimator", "product"), ("rbf", "linear"), has_topology=False, divides="features"),
    "oneshot-kpca/distances": Method(("--estimator", "distances"), OF_PRODUCTS, has_topology=False, divides="features"),
    "oneshot-kpca/tree": Method(("--fusion", "tree"), OF_PRODUCTS, divides="features"),
    "oneshot-kpca/gossip": Method(("--fusion", "gossip"), OF_PRODUCTS, divides="features"),
}

FACTORS = {
    "method": tuple(METHODS),
    "table": tuple(FACTS),
    "kernel": ("rbf", "laplacian", "laplacian-std", "linear", "poly", "sigmoid"),
    "split": ("iid", "label", "sizes", "three", "features", NONE),
    "nodes": (1, 2, 5, 20, 100, 200),
    "topology": ("ring", "line", "star", "tree", "random", "complete", NONE),
    "components": ("1", "5", "10", "0.9"),
    "fault": FAULTS,
}
SIGMOID_TABLES = ("digits", "moons", "breast-cancer-zscore", "swiss-roll")
LEAST_COMPONENTS = {"1": 1, "5": 5, "10": 10, "0.9": 1}


# Rules. Each takes the factors it is about and returns why they do not go together, or nothing.

def kernel_of_method(method, kernel):
    if kernel not in METHODS[method].kernels:
        return f"{method} does not support {kernel}"


def split_of_method(method, split):
    expected = {"samples": "iid, label, sizes, three", "features": "features", "nothing": NONE}[METHODS[method].divides]
    if split not in expected.split(", "):
        return f"{method} divides {METHODS[method].divides}"


def nodes_of_method(method, nodes):
    if METHODS[method].has_network != (nodes > 1):
        return f"{method} {'needs several nodes' if nodes == 1 else 'has no network'}"


def topology_of_method(method, topology):
    if METHODS[method].has_topology != (topology != NONE):
        return f"{method} {'needs a topology' if topology == NONE else 'chooses its own topology, or has none'}"


def fault_of_method(method, fault):
    if fault not in METHODS[method].faults:
        return f"{method} is not built for faults"


def links_of_two(nodes, topology):
    if nodes == 2 and topology not in ("complete", NONE):
        return "2 nodes have one link: every topology is complete"


def network_of_one(nodes, topology):
    if nodes == 1 and topology != NONE:
        return "there is no network"


def enough_samples(table, split, nodes):
    if split in (NONE, "features"):
        return None
    needed = samples_needed(split, nodes)
    if needed > FACTS[table].samples:
        return f"{nodes} nodes need {needed} samples, {table} has {FACTS[table].samples}"


def enough_features(table, split, nodes):
    if split == "features" and nodes > FACTS[table].features:
        return f"{nodes} parties cannot share {FACTS[table].features} features of {table}"


def enough_rank(table, kernel, components):
    rank = FACTS[table].rank
    if kernel == "poly":
        rank = math.comb(rank + 3, 3) - 1
    if kernel in ("linear", "poly") and LEAST_COMPONENTS[components] > rank:
        return f"{table} has {rank} components with the {kernel} kernel"


def enough_samples_for_components(split, nodes, components):
    if split == "three" and LEAST_COMPONENTS[components] > 3 * nodes - 2:
        return f"{3 * nodes} samples are too few for {components} components"


def digits_left(table, kernel):
    if table == "offset" and kernel in ("poly", "sigmoid"):
        return "inner products of 1e16 leave no digit for variances of 1, in numpy neither"


def few_sigmoids(table, kernel):
    if kernel == "sigmoid" and table not in SIGMOID_TABLES:
        return "sigmoid is tried on four tables"


def copies_of_everything(method, nodes, topology):
    if method == "consensus-kpca/samples" and topology == "complete" and nodes >= 100:
        return f"{nodes} nodes would each repeat central kernel PCA of all samples"


RULES = [kernel_of_method, split_of_method, nodes_of_method, topology_of_method, fault_of_method, links_of_two, network_of_one,
         enough_samples, enough_features, enough_rank, enough_samples_for_components, digits_left, few_sigmoids, copies_of_everything]
NEEDS = [(rule, rule.__code__.co_varnames[: rule.__code__.co_argcount]) for rule in RULES]


def objections(levels):
    """Why these levels, of some or all factors, do not go together: (factors, reason) of every rule they break."""
    for rule, needs in NEEDS:
        if all(name in levels for name in needs):
            reason = rule(*(levels[name] for name in needs))
            if reason:
                yield needs, reason


def completed(levels, shuffled=tuple, heard=None):
    """All factors, with these levels among them, or None if there is no such cell. `shuffled` gives an order of levels;
    `heard` takes down what speaks against the cells that were considered."""
    missing = [name for name in FACTORS if name not in levels]
    if not missing:
        return levels
    for level in shuffled(FACTORS[missing[0]]):
        further = {**levels, missing[0]: level}
        against = list(objections(further))
        if heard is not None:
            heard.extend(against)
        if against:
            continue
        whole = completed(further, shuffled, heard)
        if whole:
            return whole
    return None


def why_impossible(levels):
    """Why no cell has these levels, or None. A reason that is about all of them is better than one about some of them."""
    for _, reason in objections(levels):
        return reason
    heard = []
    if completed(levels, heard=heard):
        return None
    about_all = [reason for needs, reason in heard if set(levels) <= set(needs)]
    return collections.Counter(about_all or [reason for _, reason in heard]).most_common(1)[0][0]


def pairs_of(levels):
    return {((a, levels[a]), (b, levels[b])) for a, b in itertools.combinations(FACTORS, 2)}


def all_pairs():
    for a, b in itertools.combinations(FACTORS, 2):
        for x, y in itertools.product(FACTORS[a], FACTORS[b]):
            yield (a, x), (b, y)


def possible_pairs():
    """Pairs of levels that some cell can have, and why the others cannot meet."""
    possible, impossible = [], {}
    for pair in all_pairs():
        reason = why_impossible(dict(pair))
        if reason is None:
            possible.append(pair)
        else:
            impossible[pair] = reason
    return possible, impossible


def covering(pairs, draw, candidates=30):
    """Cells in which all these pairs occur. Each new cell starts from a pair that is missing and is the best of some draws."""
    source = random.Random(SEED + draw)
    missing, cells = dict.fromkeys(pairs), []

    def shuffled(levels):
        return source.sample(levels, len(levels))

    while missing:
        start = dict(next(iter(missing)))
        drawn = [completed(dict(start), shuffled) for _ in range(candidates)]
        best = max(drawn, key=lambda levels: sum(pair in missing for pair in pairs_of(levels)))
        cells.append(Cell(**best))
        for pair in pairs_of(best):
            missing.pop(pair, None)
    return cells


def one(why, method, table, kernel, nodes, topology, components, split="iid", fault=NONE, extra=()):
    return Cell(method, table, kernel, split, nodes, topology, str(components), fault, extra, why)


def cases():
    """What version 0.1.0 got wrong without saying so, and variants of it."""
    c, g, o = "consensus-kpca/", "gossip-pca/", "oneshot-kpca/"
    yield one("case 1", c + "default", "digits", "laplacian", 5, "ring", 5)
    yield one("case 1", c + "samples", "digits", "laplacian", 5, "complete", 5)
    yield one("case 2", c + "samples", "breast-cancer", "rbf", 5, "ring", 10)
    yield one("case 2", c + "samples", "breast-cancer", "rbf", 5, "complete", 10)
    yield one("case 2", c + "default", "breast-cancer", "rbf", 5, "complete", 0.9)
    yield one("case 3", c + "samples", "moons", "rbf", 20, "ring", 5, extra=("--exchange-noise", "0.001"))
    yield one("case 3", c + "samples", "digits", "rbf", 20, "ring", 5, extra=("--rho", "3.3"))
    yield one("case 4", c + "samples", "digits", "rbf", 100, "ring", 5)
    yield one("case 4", c + "landmarks", "digits", "rbf", 100, "ring", 5)
    yield one("case 4", c + "samples", "digits", "rbf", 20, "ring", 5, "label")
    yield one("case 4", c + "landmarks", "digits", "rbf", 20, "ring", 5, "label")
    yield one("case 5", c + "samples", "digits", "rbf", 20, "ring", 5, extra=("--precision", "float32"))
    yield one("case 5", c + "samples", "digits", "sigmoid", 20, "ring", 5)
    yield one("case 5", c + "random-features", "digits", "rbf", 20, "ring", 5)
    yield one("case 6", g + "linear", "digits", "linear", 20, "complete", 5, fault="partition")
    yield one("case 6", g + "linear", "digits", "linear", 20, "complete", 5, fault="cut")
    yield one("case 6", g + "linear", "digits", "linear", 20, "complete", 5, fault="slow")
    yield one("case 6", g + "linear", "digits", "linear", 20, "line", 5)
    yield one("case 6", g + "linear", "digits", "linear", 20, "tree", 5)
    yield one("case 6", g + "linear", "digits", "linear", 20, "tree", 5, extra=("--schedule", "tree"))
    yield one("case 6", g + "linear", "digits", "linear", 20, "complete", 5, extra=("--merge", "orthogonal-iterations"))
    yield one("case 7", g + "linear", "spiked", "linear", 200, "random", 10)
    yield one("case 7", g + "linear", "mnist", "linear", 200, "random", 10, extra=("--standardize", "zscore"))
    yield one("case 8", g + "linear", "digits", "linear", 100, "random", 5)
    yield one("case 8", g + "linear", "wine", "linear", 20, "complete", 5)
    for parties, table in ((2, "wine"), (2, "breast-cancer"), (5, "breast-cancer-zscore")):
        yield one("case 9", o + "default", table, "linear", parties, NONE, 2 if table == "wine" else 5, "features")
    yield one("case 9", o + "gossip", "breast-cancer-zscore", "rbf", 20, "random", 5, "features")
    yield one("case 9", o + "tree", "offset", "rbf", 5, "tree", 5, "features")


def landmark_cells():
    """What the bar on captured variance is about: rbf, 5 nodes and more, 5 and 10 components, 400 samples and more."""
    tables = ["digits", "breast-cancer-zscore", "diabetes", "moons", "swiss-roll", "mnist", "spiked", "slow-spectrum", "fast-spectrum",
              "breast-cancer", "circles", "one-hot"]
    nodes = itertools.cycle((5, 20, 100))
    split = itertools.cycle(("iid", "label"))
    topology = itertools.cycle(("ring", "random", "tree"))
    for table, components in itertools.product(tables, (5, 10)):
        yield one("landmarks", "consensus-kpca/landmarks", table, "rbf", next(nodes), next(topology), components, next(split))


def first_tries():
    """What somebody types first: the methods' defaults on every table."""
    for table, facts in FACTS.items():
        components = min(5, facts.rank)
        yield one("first try", "consensus-kpca/default", table, "rbf", 5 if facts.samples < 400 else 20, AUTO, components)
        yield one("first try", "gossip-pca/linear", table, "linear", 5 if facts.samples < 400 else 20, AUTO, components)
        yield one("first try", "gossip-pca/landmarks", table, "rbf", 5 if facts.samples < 400 else 20, AUTO, components)
        yield one("first try", "oneshot-kpca/default", table, "rbf", 2, NONE, components, "features")


def design(draw=0):
    """All cells, numbered from 1, and the pairs of levels that cannot meet, with the reason. Every draw has other cells, splits and samples."""
    possible, impossible = possible_pairs()
    cells = [*covering(possible, draw), *cases(), *landmark_cells(), *first_tries()]
    if len(cells) > MOST_CELLS:
        raise ValueError(f"the design has {len(cells)} cells; {MOST_CELLS} are the most")
    return [dataclasses.replace(cell, number=number, draw=draw) for number, cell in enumerate(cells, 1)], impossible
