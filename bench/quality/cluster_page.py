"""What is asked of federated-kmeans (run-clusters), which cells meet it, and docs/quality-clusters.md.

    print(bars_table(records))

A record is one seed of a cell: a table, a number of devices and a way to deal out the samples (clusters.py).
"""
import numpy as np

from clusters import RINGS
from stream_bars import Bar, Cell

FOUND = 1.001  # of the best cost
SHARE_OF_SEEDS = 0.95
EXACT_SUCCEEDS = 0.99  # normalised mutual information of exact kernel k-means with the truth

HEAD = """# How good the clusters are

`bench/quality/run-clusters` writes this page (`make bench-quality`). federated-kmeans with default options and the gamma that the table names (else
1 / (M var)), on devices that get samples at random (iid) or of two classes each (label:2).

- **cost**: that of the labels in the kernel's feature space, relative to the best of 40 runs of exact kernel k-means on the pooled samples; mean over
  seeds, and the worst. **found**: seeds with a cost of at most {found}.
- **scikit-learn**: Nystroem with 100 random landmarks and KMeans (20 restarts) on the pooled samples.
- **NMI**: normalised mutual information with the classes: choir's labels, exact kernel k-means's, scikit-learn's.
- **k**: what `--n-clusters auto` found, and how many of these runs said that they did not find it (exit 3).
- circles and moons: 400 samples; blobs: 5 features, 40 samples per cluster, at least 200; digits: 900 of scikit-learn's; mnist: {mnist} images.

## Bars

"""


def cell_records(records):
    by_cell = {}
    for record in records:
        by_cell.setdefault((record["table"], record["devices"], record["by"]), []).append(record)
    return by_cell


def costs(group):
    """Of a cell's seeds; a run without an answer costs as much as nothing."""
    return np.array([record.get("cost", float("inf")) for record in group])


def title(key):
    return f"{key[0]}, {key[1]} devices, {key[2]}"


def bars(records):
    by_cell = cell_records(records)
    rings = Bar(f"circles, and moons where exact kernel k-means succeeds: cost at most {FOUND} of exact in 19 of 20 seeds")
    others = Bar(f"all others: mean cost at most {FOUND}, or at most scikit-learn's")
    answered = Bar("every run ends with an answer")
    counted = Bar("blobs: --n-clusters auto finds k, or says that it did not")
    for key, group in by_cell.items():
        found = costs(group)
        failed = [record for record in group if "cost" not in record]
        said = f": exit {failed[0]['exit']}, {failed[0]['said']}" if failed else ""
        answered.cells.append(Cell(f"{title(key)}: {len(failed)} of {len(group)} without an answer{said}", not failed))
        exact = np.mean([record.get("exact_nmi", 0) for record in group])
        if key[0] in RINGS:
            if exact >= EXACT_SUCCEEDS:
                share = np.mean(found <= FOUND)
                rings.cells.append(Cell(f"{title(key)}: {np.sum(found <= FOUND)} of {len(group)} seeds, worst {found.max():.4f}", bool(share >= SHARE_OF_SEEDS)))
                continue
        theirs = np.mean([record.get("sklearn_cost", float("inf")) for record in group])
        words = f"{title(key)}: {found.mean():.4f}, scikit-learn {theirs:.4f}"
        others.cells.append(Cell(words, bool(np.isfinite(found.mean()) and found.mean() <= max(FOUND, theirs))))
        for record in group:
            if "counted_exit" in record:
                right = record["counted"] == record["clusters"] or record["counted_exit"] != 0
                counted.cells.append(Cell(f"{title(key)}, seed {record['seed']}: {record['counted']}, exit {record['counted_exit']}", right))
    return [bar for bar in (rings, others, answered, counted) if bar.cells]


def bars_table(records):
    lines = ["| bar | cells that meet it |", "|---|---|"]
    return "\n".join(lines + [f"| {bar.words} | {len(bar.cells) - len(bar.missed())} of {len(bar.cells)} |" for bar in bars(records)])


def mean(group, key):
    values = [record[key] for record in group if key in record]
    return f"{np.mean(values):.3f}" if values else "-"


def counted_words(group):
    runs = [record for record in group if "counted" in record]
    unsure = sum(record["counted_exit"] != 0 for record in runs)
    return (" ".join(str(record["counted"]) for record in runs) + (f" ({unsure} unsure)" if unsure else "")) if runs else ""


def figures_table(records):
    lines = ["| | seeds | found | cost (worst) | scikit-learn's | NMI: choir, exact, scikit-learn | k |", "|---|---|---|---|---|---|---|"]
    for key, group in cell_records(records).items():
        found = costs(group)
        agreement = ", ".join(mean(group, name) for name in ("nmi", "exact_nmi", "sklearn_nmi"))
        lines.append(f"| {title(key)} | {len(group)} | {np.sum(found <= FOUND)} | {found.mean():.4f} ({found.max():.4f}) | {mean(group, 'sklearn_cost')} "
                     f"| {agreement} | {counted_words(group)} |")
    return "\n".join(lines)


def misses(records):
    lines = []
    for bar in bars(records):
        if bar.missed():
            lines += [f"- {bar.words}:", *(f"  - {cell.words}" for cell in bar.missed())]
    return "\n".join(lines) or "None."


def cluster_page(records, mnist_samples):
    sections = [HEAD.format(found=FOUND, mnist=f"{mnist_samples:,}") + bars_table(records), "## Cells that miss a bar", misses(records),
                "## All cells", figures_table(records)]
    return "\n\n".join(sections) + "\n"
