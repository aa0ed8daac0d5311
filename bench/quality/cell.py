"""One cell: choir in a folder of its own, what it says, and what is true.

    row = run_cell(cell, Setting(choir="build/choir"), folder)          # a dictionary of COLUMNS
"""
import json
import math
import os
import resource
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from design import AUTO, METHODS, NONE
from models import answer_of_model, answer_of_part
from splits import split
from tables import FACTS, Unavailable, load, preprocessed
from truth import Kernel, captured_share, central_kpca, components_for, group_similarities

COLUMNS = ("number", "why", "method", "table", "kernel", "split", "nodes", "topology", "components", "fault", "extra", "samples", "kept",
           "central_kept", "exit", "possible", "converged", "claimed", "true", "captured", "claimed_share", "groups", "eigenvalues_off", "gamma_ratio", "weaknesses", "notes", "bytes", "seconds", "said",
           "command")
TRANSFORM_LIMIT = 60  # seconds
MOST_COMPONENTS = 50  # for a share of the variance, by default


@dataclass(frozen=True)
class Setting:
    choir: str
    data: Path = Path("data")
    limit: float = 120  # seconds of the processor for a fit


def topology_words(topology, nodes):
    """As choir spells it. A random graph has about as many links as it needs to be connected."""
    if topology == "ring":
        return "ring:2" if nodes == 5 else "ring:4"
    if topology == "random":
        return f"erdos:{min(1, 2.5 * math.log(nodes) / nodes):.3f}"
    return {"tree": "tree:2"}.get(topology, topology)


def fault_words(fault, nodes):
    half = max(nodes // 2 - 1, 0)
    return {NONE: [], "loss": ["--sim-loss", "0.3"], "crash": ["--sim-crash", f"{crashed_node(nodes)}@200ms"],
            "partition": ["--sim-partition", f"0..{half}@100ms..4s"], "cut": ["--sim-partition", f"0..{half}@100ms..1000s"],
            "slow": ["--sim-slow", f"{nodes // 2}x300"]}[fault]


def crashed_node(nodes):
    return (nodes + 1) // 3


def kernel_words(cell, x):
    """The options, for preprocessed samples x."""
    if cell.kernel == "laplacian-std":
        return ["--kernel", "laplacian", "--gamma", repr(gamma_asked_for(cell, x))]
    return ["--kernel", cell.kernel]


def landmark_words(method, x):
    """Half as many landmarks as there are different samples, 400 at most; networks have defaults of their own."""
    return ["--n-landmarks", str(min(400, len(np.unique(x, axis=0)) // 2))] if method == "central-kpca/landmarks" else []


def write_data(cell, table, folder):
    """The pooled samples, x.npy, and the nodes' shards; returns the samples, --data and whose each row is."""
    if cell.split in (NONE, "features"):
        np.save(folder / "x.npy", table.x)
        return table.x, "x.npy", None
    shards = split(cell.split, table.labels, cell.nodes, seed=cell.seed)
    for node, rows in enumerate(shards):
        np.save(folder / f"part-{node}.npy", table.x[rows])
    rows = np.concatenate(shards)
    np.save(folder / "x.npy", table.x[rows])
    return table.x[rows], "part-{node}.npy", np.repeat(np.arange(cell.nodes), [len(rows) for rows in shards])


def fit_words(cell, table, x, data):
    """The command line of the fit, after the program's name."""
    preprocessing = [*table.options, *cell.extra]
    words = ["fit", cell.command, "--data", data, *table.options, *METHODS[cell.method].options,
             *kernel_words(cell, preprocessed(x, preprocessing)), *landmark_words(cell.method, x), "--n-components", cell.components]
    if METHODS[cell.method].has_network:
        words += ["--nodes", str(cell.nodes)]
        if cell.topology not in (NONE, AUTO):
            words += ["--topology", topology_words(cell.topology, cell.nodes)]
    if "gossip" in cell.method:  # in virtual time: the same run every time
        words += ["--engine", "sim", *fault_words(cell.fault, cell.nodes)]
    return [*words, *cell.extra, "--random-state", str(cell.seed), "--threads", "1", "--out", "run"]


@dataclass(frozen=True)
class Ending:
    code: object  # exit code, minus a signal, or "time-out"
    said: str  # on stderr
    seconds: float  # of the processor


def processor_seconds():
    """Of all programs that this process has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_program(setting, words, folder, limit):
    """Runs choir with so many seconds of the processor, whatever else the machine does. A program that waits gets ten times as long."""
    before = processor_seconds()
    try:
        done = subprocess.run([setting.choir, *words], cwd=folder, capture_output=True, text=True, errors="replace", timeout=10 * limit,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1)))
        code, said = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        code = -signal.SIGXCPU
    if code == -signal.SIGXCPU:
        code, said = "time-out", f"took more than {limit} s"
    return Ending(code, said, processor_seconds() - before)


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def as_typed(words):
    return "choir " + " ".join(f"'{word}'" if "{" in word else word for word in words)


def smallest(numbers):
    numbers = [number for number in numbers if number is not None]
    return min(numbers) if numbers else None


def what_it_said(folder):
    """Of result.json: what choir says about its answer."""
    result = json.loads((folder / "run/result.json").read_text())
    assessment = result.get("assessment") or {}
    return result, {"kept": result["n_components"], "converged": result["converged"], "bytes": result["ledger"]["bytes"],
                    "claimed": smallest(assessment.get("claimed_similarity") or []),
                    "claimed_share": assessment.get("captured_share"),
                    "weaknesses": " | ".join(assessment.get("weaknesses") or []), "notes": " | ".join(result["notes"])}


def kernel_used(cell, result):
    kind = cell.kernel.removesuffix("-std")
    gamma = result["resolved"].get("gamma") or result["options"].get("gamma", 1)
    return Kernel(kind, 1.0 if kind == "linear" else float(gamma))


def gamma_asked_for(cell, x):
    """Of preprocessed samples; the linear kernel has none."""
    if cell.kernel == "linear":
        return 1.0
    if cell.kernel == "laplacian-std":  # a gamma that suits sums of absolute differences
        return float(1 / (x.shape[1] * x.std()))
    return float(1 / (x.shape[1] * (x - x.mean()).var()))


def is_possible(cell, x):
    """Whether central kernel PCA has the components that a refused run was asked for."""
    central = central_kpca(x, Kernel(cell.kernel.removesuffix("-std"), gamma_asked_for(cell, x)))
    if cell.components == "0.9":
        return bool(central.values[:MOST_COMPONENTS].sum() >= 0.9 * central.total)
    count = int(cell.components)
    return bool(len(central.values) >= count and central.values[count - 1] > central.resolved * central.values[0])


def looked_at(folder, nodes):
    """The first, a middle and the last node of those that have a model."""
    there = [node for node in range(nodes) if (folder / f"run/model-{node}.npz").exists()]
    return sorted({there[0], there[len(there) // 2], there[-1]})


def answers(cell, setting, folder, result, central):
    """The answers of some nodes, as scores of the pooled samples."""
    if cell.command == "oneshot-kpca":  # every party has a part of the model; the components are where the answer is
        at = result["answer_at"]
        for node in sorted({at[0], at[len(at) // 2], at[-1]}):
            yield answer_of_part(folder / f"run/model-{node}.npz", central)
        return
    for node in looked_at(folder, cell.nodes):
        words = ["transform", "--model", f"run/model-{node}.npz", "--data", "x.npy", "--out", f"scores-{node}.npy", "--force"]
        ending = run_program(setting, words, folder, TRANSFORM_LIMIT)
        if ending.code != 0:
            raise RuntimeError(f"choir transform ended with exit {ending.code}: {last_line(ending.said)}")
        scores = np.load(folder / f"scores-{node}.npy")
        yield answer_of_model(folder / f"run/model-{node}.npz", scores.reshape(len(scores), -1))


def words_of_groups(groups):
    return " ".join(f"{first + 1}-{last + 1}:{cosine:.4f}" for first, last, cosine in groups)


def compared(central, found):
    """True similarity and captured share of the worst of these answers."""
    worst, captured = None, []
    for answer in found:
        groups = group_similarities(central, answer)
        captured.append(captured_share(central, answer))
        if worst is None or min(c for *_, c in groups) < min(c for *_, c in worst):
            worst = groups
    return {"true": min(cosine for *_, cosine in worst), "groups": words_of_groups(worst), "captured": smallest(captured)}


def eigenvalues_off(central, found):
    """The largest relative error of the eigenvalues that choir reports, of those that double precision resolves."""
    values = central.values[: len(found)]
    resolved = values > central.resolved * values[0]
    return float(np.max(np.abs(np.array(found, float) - values)[resolved] / values[resolved]))


def what_is_true(cell, setting, folder, result, x, owners, preprocessing):
    """Of a node that dies the samples may count or not: the answer is compared with both truths, and the nearer one counts."""
    x, kernel = preprocessed(x, preprocessing), kernel_used(cell, result)
    central = central_kpca(x, kernel)
    found = list(answers(cell, setting, folder, result, central))
    truth = {"gamma_ratio": kernel.gamma / gamma_asked_for(cell, x), "central_kept": components_for(central, 0.9) if cell.components == "0.9" else int(cell.components)}
    truth.update(compared(central, found), eigenvalues_off=eigenvalues_off(central, result["eigenvalues"]))
    if cell.fault == "crash":
        alive = owners != crashed_node(cell.nodes)
        survivors = compared(central_kpca(x[alive], kernel), [answer.at(alive) for answer in found])
        if survivors["true"] > truth["true"]:
            truth.update(survivors)
    return truth


def empty_row(cell):
    """The factors of a cell; everything that is measured is missing."""
    return {name: getattr(cell, name, None) for name in COLUMNS} | {"extra": " ".join(cell.extra), "samples": FACTS[cell.table].samples,
                                                                     "command": None}


def run_cell(cell, setting, folder):
    """Everything the benchmark says about a cell."""
    row = empty_row(cell)
    try:
        table = load(cell.table, setting.data, cell.draw)
    except Unavailable as problem:
        return row | {"exit": "skipped", "said": str(problem)}
    x, data, owners = write_data(cell, table, folder)
    words = fit_words(cell, table, x, data)
    ending = run_program(setting, words, folder, setting.limit)
    row |= {"samples": len(x), "exit": ending.code, "seconds": round(ending.seconds, 2), "said": last_line(ending.said), "command": as_typed(words)}
    preprocessing = (*table.options, *cell.extra)
    if ending.code == 2:
        return row | {"possible": is_possible(cell, preprocessed(x, preprocessing))}
    if ending.code not in (0, 3):
        return row
    result, sayings = what_it_said(folder)
    row |= sayings
    try:
        return row | what_is_true(cell, setting, folder, result, x, owners, preprocessing)
    except RuntimeError as problem:
        return row | {"said": str(problem)}
