"""What is asked of the answers to streams (run-streams), and which cells meet it.

    for bar in all_bars(records):
        print(bar.words, bar.share(), [cell.words for cell in bar.missed()])

A record is one figure of one split. A cell is a data set, a number of nodes and a way to spread the samples; its figure is the mean over the splits, and a
comparison is paired: the same splits on both sides.
"""
from dataclasses import dataclass, field

import numpy as np

FEW_SAMPLES = 1000
RARE = ("class of 1%", "class of 3%")
SCALED = ("diabetes x 0.01", "diabetes x 1000", "diabetes + 100")
SPOILT = ("digits, an outlier", "digits, a small batch")
CEILING, CEILING_OF_FEW, RARE_BELOW, RARE_RECALL, SPOILT_BELOW, SCALED_APART, DICTIONARY_BELOW, SGD_TIMES = 0.03, 0.05, 0.03, 0.3, 0.02, 0.02, 0.01, 1.1


@dataclass(frozen=True)
class Cell:
    words: str
    met: bool


@dataclass
class Bar:
    words: str
    cells: list = field(default_factory=list)

    def missed(self):
        return [cell for cell in self.cells if not cell.met]

    def share(self):
        return 1 - len(self.missed()) / len(self.cells) if self.cells else float("nan")


class Figures:
    """Records by who, data set, nodes and spread."""

    def __init__(self, records):
        self.by_key = {}
        for record in records:
            key = (record["who"], record["name"], record.get("nodes"), record.get("by"))
            self.by_key.setdefault(key, {})[record["seed"]] = record

    def cells(self, who, names=None, nodes=None):
        return [key[1:] for key in self.by_key
                if key[0] == who and (names is None or key[1] in names) and (nodes is None or key[2] <= nodes)]

    def of(self, who, name, nodes=None, by=None):
        return self.by_key.get((who, name, nodes, by), {})

    def goodness(self, who, name, nodes=None, by=None, key="quality"):
        """By split, more is better; a run that failed is no better than guessing."""
        sign = -1 if self.has_values(name) else 1
        return {seed: sign * record[key] if record["quality"] is not None else (-1 if sign < 0 else 0)
                for seed, record in self.of(who, name, nodes, by).items()}

    def has_values(self, name):
        return any(record["values"] for key, records in self.by_key.items() if key[1] == name for record in records.values())

    def samples(self, name):
        return next(record["samples"] for key, records in self.by_key.items() if key[1] == name for record in records.values())


def paired(first, second):
    """Mean of first - second over the splits that both have, and its standard error."""
    differences = [first[seed] - second[seed] for seed in sorted(first.keys() & second.keys())]
    return float(np.mean(differences)), float(np.std(differences) / max(1, len(differences) - 1) ** 0.5)


def words_of(cell):
    name, nodes, by = cell
    return f"{name}, {nodes} node{'s' if nodes > 1 else ''}{', by label' if by == 'label' else ''}"


def compared(figures, who, cells, other, allowed):
    """Cells in which `who` is at most allowed(name, standard error) below other(name, nodes, by)."""
    found = []
    for cell in cells:
        mine, theirs = figures.goodness(who, *cell), other(*cell)
        if not mine.keys() & theirs.keys():
            continue
        difference, error = paired(mine, theirs)
        words = f"{words_of(cell)}: {abs(np.mean(list(mine.values()))):.3f} against {abs(np.mean(list(theirs.values()))):.3f} (difference {difference:+.3f} +- {error:.3f})"
        found.append(Cell(words, difference >= -allowed(cell[0], error) - 1e-12))
    return found


def usual(figures, who, nodes=None):
    return [cell for cell in figures.cells(who, nodes=nodes) if cell[0] not in SPOILT + SCALED]


def rare_cells(figures, who):
    found = []
    for cell in figures.cells(who, RARE, 20):
        recall = np.mean(list(figures.goodness(who, *cell, key="recall").values()))
        found.append(Cell(f"{words_of(cell)}: recall {recall:.3f}", recall > RARE_RECALL))
    return found


def scaled_cells(figures, who):
    found = []
    for cell in figures.cells(who, SCALED):
        mine = np.mean(list(figures.goodness(who, *cell).values()))
        plain = np.mean([figures.goodness(who, "diabetes", *cell[1:])[seed] for seed in figures.goodness(who, *cell)
                         if seed in figures.goodness(who, "diabetes", *cell[1:])] or [np.nan])
        found.append(Cell(f"{words_of(cell)}: {-mine:.4f}, unscaled {-plain:.4f}", abs(mine / plain - 1) <= SCALED_APART))
    return found


def all_bars(records):
    figures = Figures(records)
    kernel = lambda name, nodes, by: figures.goodness("kernel", name)  # noqa: E731
    averaged = lambda name, nodes, by: figures.goodness("averaged", name, nodes)  # noqa: E731
    ceiling = lambda name, error: max(CEILING if figures.samples(name) >= FEW_SAMPLES else CEILING_OF_FEW, 2 * error)  # noqa: E731
    classes = [cell for cell in usual(figures, "landmarks") if not figures.has_values(cell[0])]
    bars = [
        Bar("landmarks: within 3 points of pooled SVC (5 below 1,000 samples) or 2 standard errors", compared(figures, "landmarks", classes, kernel, ceiling)),
        Bar("landmarks: above the averaged models, or within 1 standard error",
            compared(figures, "landmarks", usual(figures, "landmarks"), averaged, lambda name, error: error)),
        Bar("dictionary: at most 1 point below the averaged models, J <= 20",
            compared(figures, "dictionary", usual(figures, "dictionary", 20), averaged, lambda name, error: DICTIONARY_BELOW)),
    ]
    for who in ("landmarks", "dictionary"):
        sgd = {seed: SGD_TIMES * value for seed, value in figures.goodness("sgd", "diabetes").items()}
        clean = lambda name, nodes, by, who=who: figures.goodness(who, "digits", nodes, by)  # noqa: E731
        bars += [
            Bar(f"{who}: rare classes, J <= 20, at most 3 points below SVC with balanced classes",
                compared(figures, who, figures.cells(who, RARE, 20), kernel, lambda name, error: RARE_BELOW)),
            Bar(f"{who}: rare classes, J <= 20, recall above .3", rare_cells(figures, who)),
            Bar(f"{who}: y, .01 y, 1000 y and y + 100 have the same rmse / std, to 2%", scaled_cells(figures, who)),
            Bar(f"{who}: diabetes, rmse at most 1.1 times that of pooled SGD",
                compared(figures, who, figures.cells(who, ("diabetes",)), lambda *cell, sgd=sgd: sgd, lambda name, error: 0)),
            Bar(f"{who}: an outlier of 1e4, or a first batch 100 times too small: within 2 points of the clean stream",
                compared(figures, who, figures.cells(who, SPOILT), clean, lambda name, error: SPOILT_BELOW)),
        ]
    return [bar for bar in bars if bar.cells]
