"""docs/quality.md and its pictures, from the rows of a run."""
import collections
import statistics

from pictures import scatter_of_claims, strips_of_captured
from summary import bars, broken, calls_itself_good, has_answer, number_words, refusals, refused_words, worst_of_methods

HEAD = """# How good the answers are, and whether choir knows

`make bench-quality` makes this page. It runs kernel PCA and PCA by {methods} ways of using choir on {tables} tables that nobody tuned for, in
{cells} cells. Every two levels of different factors (method, table, kernel, split, number of nodes, topology, number of components, fault) meet in some
cell, unless they cannot. Known bad cases, the cells of the landmarks' bar and the methods' defaults follow them. {seconds} s in all, one thread per cell.

    bench/quality/run --only consensus-kpca --limit 40     # some cells
    bench/quality/run --cell 17                            # one cell, verbose; its folder stays
    bench/quality/run --list                               # all cells, and what cannot be combined

**True similarity.** numpy computes kernel PCA of the pooled samples, with exact centring and choir's gamma. Scores of all samples by the models of three nodes
(`choir transform`) give the cosines between the node's directions and the central ones; the worst node counts. Central components whose
eigenvalues differ by less than 5% are one group, and the smallest principal cosine of the group counts. The true similarity of a cell is the smallest over
its groups. Answers in random features are compared by their scores.

**Captured.** Variance of the scores, as a share of what as many central components capture.

**Eigenvalues off.** The largest relative error of the eigenvalues in `result.json`.

**Ends well** means exit 0, and converged or a run of fixed length. A run that does not end well says so: exit 3, or a refusal, exit 2.
"""


def table(header, lines):
    yield "| " + " | ".join(header) + " |"
    yield "|" + "---|" * len(header)
    for line in lines:
        yield "| " + " | ".join(str(word).replace("|", "\\|") for word in line) + " |"


def bar_lines(rows):
    yield "## Bars"
    yield from table(["what", "bar", "found", ""], ((bar.name, bar.demanded, bar.found, "**not met**" if bar.verdict == "NOT met" else bar.verdict) for bar in bars(rows)))
    silent = sum(has_answer(row) and calls_itself_good(row) and row["claimed"] is None for row in rows)
    yield f"\n{silent} runs end well and claim nothing; the first two bars do not count them."


def median(values):
    values = [value for value in values if value is not None]
    return number_words(statistics.median(values) if values else None)


def method_lines(rows):
    yield "\n## Methods"
    header = ["method", "cells", "refused", "end well", "of these wrong (< .9)", "right (>= .98)", "of these accepted", "median true", "median captured", "median s"]
    lines = []
    for method in sorted({row["method"] for row in rows}):
        mine = [row for row in rows if row["method"] == method]
        judged = [row for row in mine if has_answer(row)]
        good, right = [row for row in judged if calls_itself_good(row)], [row for row in judged if row["true"] >= 0.98]
        lines.append([method, len(mine), sum(row["exit"] == 2 for row in mine), len(good), sum(row["true"] < 0.9 for row in good), len(right),
                      sum(map(calls_itself_good, right)), median(row["true"] for row in judged), median(row["captured"] for row in judged),
                      median(row["seconds"] for row in mine)])
    yield from table(header, lines)


def cell_lines(rows):
    header = ["cell", "of", "exit", "converged", "claimed", "true", "captured", "eigenvalues off", "command"]
    yield from table(header, ([row["number"], row["why"], row["exit"], row["converged"], *(number_words(row[name]) for name in
                               ("claimed", "true", "captured", "eigenvalues_off")), f"`{row['command']}`"] for row in rows))


def case_lines(rows):
    yield "\n## Known bad cases of version 0.1.0"
    yield "Each has to be right, or to say that it is not.\n"
    yield from cell_lines(row for row in rows if row["why"].startswith("case"))


def worst_lines(rows):
    yield "\n## The worst runs that end well"
    yield "`bench/quality/run --cell N` repeats a cell and leaves its data; the commands are those that ran in its folder.\n"
    worst = [row for rows_of_method in worst_of_methods(rows).values() for row in rows_of_method]
    yield from cell_lines(sorted(worst, key=lambda row: row["true"]))


def broken_bar_lines(rows):
    for bar in bars(rows):
        if bar.cells and not bar.met:
            yield f"\n### {bar.name}: {bar.found}"
            yield from cell_lines(bar.cells[:20])


def refusal_lines(rows):
    yield "\n## Refusals (exit 2, or exit 4 where nodes are lost)"
    yield "Where central kernel PCA of the pooled samples has the components that were asked for, the table says so: look whether the sentence is true.\n"
    yield from table(["cells", "sentence"], ([", ".join(map(refused_words, cells)), sentence] for sentence, cells in refusals(rows).items()))
    for row in broken(rows):
        yield f"\nNot judged: cell {row['number']}, {row['said']}"
    skipped = [row for row in rows if row["exit"] == "skipped"]
    if skipped:
        yield f"\nSkipped: {len(skipped)} cells; {skipped[0]['said']}."


def impossible_lines(impossible):
    yield "\n## What cannot be combined"
    reasons = collections.defaultdict(list)
    for pair, reason in impossible.items():
        reasons[reason].append(" with ".join(f"{name} {level}" for name, level in pair))
    yield from table(["reason", "levels"], ([reason, "; ".join(pairs)] for reason, pairs in reasons.items()))


def write_page(rows, impossible, docs):
    pictures = docs / "quality"
    pictures.mkdir(parents=True, exist_ok=True)
    (pictures / "claims.svg").write_text(scatter_of_claims(rows))
    (pictures / "captured.svg").write_text(strips_of_captured(rows))
    head = HEAD.format(methods=len({row["method"] for row in rows}), tables=len({row["table"] for row in rows}), cells=len(rows),
                       seconds=round(sum(row["seconds"] or 0 for row in rows)))
    lines = [head, *bar_lines(rows), "\n![claimed against true similarity](quality/claims.svg)\n", *method_lines(rows),
             "\n![captured variance per method](quality/captured.svg)", *worst_lines(rows), *case_lines(rows), *broken_bar_lines(rows), *refusal_lines(rows),
             *impossible_lines(impossible)]
    (docs / "quality.md").write_text("\n".join(lines) + "\n")
