#!/usr/bin/python3
"""Makes the documents that the page's tests show, out of real runs of the program.

    tests/report/page/make_fixtures.py build/choir        writes tests/report/page/fixtures/*.json

The experiment's document needs choir-experiments beside the program (make experiments).

Numbers are rounded, and samples and rounds thinned, to keep the files small. Not a test: run it when the documents
should change.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
DIGITS = "datasets/digits.npz"
IMAGES = ["--data", f"{DIGITS}:images"]
LABELS = ["--labels", f"{DIGITS}:labels"]

RUNS = {
    "consensus-kpca": [*IMAGES, *LABELS, "--nodes", "20", "--gamma", "2e-7", "--n-components", "10", "--share", "samples", "--yardsticks"],
    "gossip-pca": [*IMAGES, "--nodes", "20", "--n-components", "5", "--messages-per-node", "150", "--topology", "erdos:0.25", "--yardsticks",
                   "--sim-loss", "0.1", "--sim-crash", "3@200ms", "--sim-crash", "11@350ms"],
    "oneshot-kpca": [*IMAGES, *LABELS, "--by", "features", "--nodes", "5", "--divide", "255", "--gamma", "0.02", "--n-components", "5", "--yardsticks"],
    "online-kernel": [*IMAGES, *LABELS, "--by", "iid", "--nodes", "5", "--divide", "255", "--gamma", "0.02", "--eta", "10", "--epsilon", "0.1",
                      "--passes", "2", "--max-atoms", "100", "--test", f"{DIGITS}:images"],
    "federated-kmeans": [*IMAGES, *LABELS, "--nodes", "20", "--divide", "255", "--gamma", "0.02", "--n-clusters", "10", "--yardsticks",
                         "--patience", "50ms", "--sim-partition", "4..5@60ms..200ms"],
    "central-kpca": [*IMAGES, "--gamma", "2e-7", "--n-components", "10"],
    "local-kpca": [*IMAGES, "--nodes", "20", "--gamma", "2e-7", "--n-components", "5", "--yardsticks"],
    "landmarks": [*IMAGES, "--nodes", "20", "--gamma", "2e-7", "--n-components", "10", "--share", "landmarks", "--yardsticks"],
    "lost": [*IMAGES, "--nodes", "20", "--gamma", "2e-7", "--share", "samples", "--sim-loss", "0.1", "--sim-crash", "10@300ms", "--lost-peers", "continue"],
}
METHOD = {"landmarks": "consensus-kpca", "lost": "consensus-kpca"}
EMBEDDED = {"consensus-kpca": [0, 7, 13], "gossip-pca": [0, 7, 13]}  # others: the first
# What the program has added since the run folder that "lost" stands for was written.
ADDED = ["command", "options", "resolved", "started", "versions", "network", "sent_by_kind", "embedded_samples", "faults", "message_faults"]


def rounded(value):
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.4g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def thin_samples(result, nodes):
    drawn = result.get("embedded_samples")
    if drawn is None:
        return
    drawn["nodes"] = [entry for entry in drawn["nodes"] if entry["node"] in nodes]
    for entry in drawn["nodes"]:
        entry["points"] = entry["points"][::max(1, len(entry["points"]) // 80)]


# Every how-manieth step is kept, and the last.
def thinned(lines):
    key = next((name for name in ("iteration", "round") if lines and name in lines[0] and "answered" not in lines[0]), None)
    if key is None:
        return lines
    last = max(line[key] for line in lines)
    every = max(1, round(last / 12))
    return [line for line in lines if (line[key] - 1) % every == 0 or line[key] == last]


def make(program, name, arguments, work):
    method = METHOD.get(name, name)
    simulated = method not in ("central-kpca", "local-kpca")
    result, metrics = fit(program, [method, *arguments, *(["--engine", "sim"] if simulated else [])], work / name)
    thin_samples(result, EMBEDDED.get(name, [0]))
    if name == "lost":
        result = {key: value for key, value in result.items() if key not in ADDED}
    write(name, {"result": result, "metrics": thinned(metrics)})


def fit(program, arguments, folder):
    subprocess.run([program, "fit", *arguments, "--threads", "1", "-q", "--out", str(folder)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    no_place = f"{folder.parent}/"  # of the machine that made it
    result = json.loads((folder / "result.json").read_text().replace(no_place, ""))
    result["command"] = " ".join(["choir", "fit", *arguments]).replace(no_place, "")
    result["started"] = "2026-01-05T09:30:00Z"
    result["versions"] = {"choir": result["choir"], "blas": "OpenBLAS 0.3.21"}
    return result, [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


# Two half moons; the nodes go on from a checkpoint in the middle of a run.
def make_plane(program, work):
    rng = numpy.random.default_rng(1)
    angle, label = rng.uniform(0, numpy.pi, 400), rng.integers(0, 2, 400)
    across, up = numpy.cos(angle), numpy.sin(angle)
    samples = numpy.where(label == 0, [across, up], [1 - across, 0.5 - up]).T + rng.normal(0, 0.1, (400, 2))
    numpy.savez(work / "moons.npz", samples=samples, labels=label)
    arguments = ["online-kernel", "--data", str(work / "moons.npz:samples"), "--labels", str(work / "moons.npz:labels"), "--by", "iid", "--nodes", "3", "--representation", "dictionary",
                 "--gamma", "4", "--batch", "8", "--passes", "3", "--checkpoint", str(work / "states"), "--checkpoint-every", "128"]
    fit(program, arguments, work / "first")
    rounds = {int(path.stem.split("-")[-1]) for path in (work / "states").glob("node-0-round-*.npz")}
    for path in (work / "states").glob(f"node-*-round-{max(rounds)}.npz"):  # as if it had been stopped before
        path.unlink()
    result, metrics = fit(program, [*arguments, "--resume"], work / "second")
    write("plane", {"result": result, "metrics": thinned(metrics)})


def make_experiment(program, work):
    subprocess.run([program.with_name("choir-experiments"), "consensus-kpca/fig3", "--quick", "--threads", "1", "-q", "--out", str(work)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    experiment = json.loads((work / "consensus-kpca/fig3.json").read_text())
    experiment["command"] = experiment["command"].replace(str(work), "runs/experiments")
    experiment["started"] = "2026-01-05T09:30:00Z"
    experiment["svgs"] = [{"name": picture.stem, "svg": picture.read_text()} for picture in sorted((work / "consensus-kpca").glob("*.svg"))]
    write("experiment", {"experiment": experiment})


def write(name, document):
    text = json.dumps(rounded(document), separators=(",", ":"), ensure_ascii=False)
    (FIXTURES / f"{name}.json").write_text(text + "\n")
    print(f"{name}: {len(text)} bytes")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as work:
        for name, arguments in RUNS.items():
            make(program, name, arguments, pathlib.Path(work))
        make_plane(program, pathlib.Path(work))
        make_experiment(program, pathlib.Path(work))


if __name__ == "__main__":
    main()
