#!/usr/bin/python3
"""Makes the documents that the page's tests show, out of real runs of the program.

    tests/report/page/make_fixtures.py build/choir        writes tests/report/page/fixtures/*.json

What went over which link and when nodes crashed is read from the simulator's trace; numbers are rounded, and
samples and rounds thinned, to keep the files small. Not a test: run it when the documents should change.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
DIGITS = "datasets/digits.npz"
IMAGES = ["--data", f"{DIGITS}:images"]
LABELS = ["--labels", f"{DIGITS}:labels"]
SEND = re.compile(r"\S+ send (\d+) -> (\d+) (\w+) .* (\d+) bytes")
CRASH = re.compile(r"(\S+) crash (\d+)")

RUNS = {
    "consensus-kpca": [*IMAGES, *LABELS, "--nodes", "20", "--gamma", "2e-7", "--n-components", "10", "--yardsticks"],
    "gossip-pca": [*IMAGES, "--nodes", "20", "--n-components", "5", "--messages-per-node", "150", "--topology", "erdos:0.25", "--yardsticks",
                   "--sim-loss", "0.1", "--sim-crash", "3@200ms", "--sim-crash", "11@350ms"],
    "oneshot-kpca": [*IMAGES, "--by", "features", "--nodes", "5", "--divide", "255", "--gamma", "0.02", "--n-components", "5", "--yardsticks"],
    "online-kernel": [*IMAGES, *LABELS, "--by", "iid", "--nodes", "5", "--divide", "255", "--gamma", "0.02", "--eta", "10", "--epsilon", "0.1",
                      "--passes", "2", "--max-atoms", "100", "--test", f"{DIGITS}:images"],
    "federated-kmeans": [*IMAGES, *LABELS, "--nodes", "20", "--divide", "255", "--gamma", "0.02", "--n-clusters", "10", "--yardsticks",
                         "--patience", "50ms", "--sim-partition", "4..5@60ms..200ms"],
    "central-kpca": [*IMAGES, "--gamma", "2e-7", "--n-components", "10"],
    "local-kpca": [*IMAGES, "--nodes", "20", "--gamma", "2e-7", "--n-components", "5", "--yardsticks"],
    "landmarks": [*IMAGES, "--nodes", "20", "--gamma", "2e-7", "--n-components", "10", "--share", "landmarks", "--yardsticks"],
    "lost": [*IMAGES, "--nodes", "20", "--gamma", "2e-7", "--sim-loss", "0.1", "--sim-crash", "10@300ms", "--lost-peers", "continue"],
}
METHOD = {"landmarks": "consensus-kpca", "lost": "consensus-kpca"}
EMBEDDED = {"consensus-kpca": [0, 7, 13], "gossip-pca": [0, 7, 13], "central-kpca": [0], "local-kpca": [0, 7], "landmarks": [0]}


def rounded(value):
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.4g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def traffic(trace):
    links, kinds, faults = collections.Counter(), collections.defaultdict(collections.Counter), []
    for line in trace.read_text().splitlines():
        if found := SEND.match(line):
            source, target, kind, size = int(found[1]), int(found[2]), found[3], int(found[4])
            links[source, target] += size
            kinds[kind][source] += size
        elif found := CRASH.match(line):
            faults.append({"at": float(found[1]), "unit": "s", "node": int(found[2]), "what": "crashed", "words": f"node {found[2]} crashed"})
    return links, kinds, faults


def add_traffic(result, trace):
    links, kinds, faults = traffic(trace)
    nodes = 1 + max(max(pair) for pair in links)
    pairs = sorted({tuple(sorted(pair)) for pair in links})
    sent = [sum(size for (source, _), size in links.items() if source == node) for node in range(nodes)]
    result["network"] = {"nodes": nodes, "links": [[i, j, links[i, j], links[j, i]] for i, j in pairs], "sent": sent}
    result["sent_by_kind"] = {kind: [by_node[node] for node in range(nodes)] for kind, by_node in kinds.items()}
    if faults:
        result["faults"] = faults


def scores(program, folder, node):
    out = folder / f"scores-{node}.csv"
    subprocess.run([program, "transform", "-q", "--model", folder / f"model-{node}.npz", *IMAGES, "--out", out], cwd=ROOT, check=True, capture_output=True)
    return [[float(cell) for cell in row[:2]] for row in csv.reader(out.open())]


def add_embedding(result, program, folder, nodes):
    labels = numpy.load(ROOT / DIGITS)["labels"]
    chosen = range(0, len(labels), 23)
    of_node = [{"node": node, "points": [[*values[row], int(labels[row])] for row in chosen]}
               for node in nodes for values in [scores(program, folder, node)]]
    result["embedding"] = {"axes": ["component 1", "component 2"], "nodes": of_node, "of": len(labels)}


def add_circumstances(result, command, folder):
    result["command"] = "choir " + " ".join(command)
    result["options"] = tomllib.loads((folder / "config.resolved.toml").read_text())
    result["started"] = "2026-01-05T09:30:00Z"
    result["versions"] = {"choir": result["choir"], "blas": "OpenBLAS 0.3.21"}


# Every how-manieth step is kept, and the last.
def thinned(lines):
    key = next((name for name in ("iteration", "round") if lines and name in lines[0] and "answered" not in lines[0]), None)
    if key is None:
        return lines
    last = max(line[key] for line in lines)
    every = max(1, round(last / 12))
    return [line for line in lines if (line[key] - 1) % every == 0 or line[key] == last]


def make(program, name, arguments, work):
    folder, trace = work / name, work / f"{name}.trace"
    method = METHOD.get(name, name)
    command = ["fit", method, *arguments]
    simulated = method not in ("central-kpca", "local-kpca")
    extra = ["--engine", "sim", "--sim-trace", str(trace)] if simulated else []
    subprocess.run([program, *command, *extra, "--threads", "1", "-q", "--out", str(folder)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    result = json.loads((folder / "result.json").read_text())
    metrics = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    if name != "lost":  # stands for a run folder of an earlier program
        add_circumstances(result, [*command, *extra[:2]], folder)
        if simulated:
            add_traffic(result, trace)
        if name in EMBEDDED:
            add_embedding(result, program, folder, EMBEDDED[name])
    write(name, {"result": result, "metrics": thinned(metrics)})


def make_experiment(program, work):
    subprocess.run([program, "experiment", "consensus-kpca/fig3", "--quick", "--threads", "1", "-q", "--out", str(work)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    experiment = json.loads((work / "consensus-kpca/fig3.json").read_text())
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
        make_experiment(program, pathlib.Path(work))


if __name__ == "__main__":
    main()
