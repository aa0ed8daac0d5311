"""Six shards for the tests of methods with a network, and what may not depend on the engine."""
import json
import os
import shutil
import subprocess

import numpy as np
from program import CHOIR, ProgramTest

LOCAL = ("fit", "local-kpca", "--n-components", 3)
MPI_BUILT_IN = "mpi" in json.loads(subprocess.run([CHOIR, "version", "--json"], capture_output=True).stdout)["engines"]
# MPI itself leaves memory behind when it ends; that is not what the address sanitizer is asked about.
UNDER_MPIRUN = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "ASAN_OPTIONS": "detect_leaks=0"}
MPI_AVAILABLE = MPI_BUILT_IN and shutil.which("mpirun")


def mpirun(folder, ranks, *arguments):
    return subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), CHOIR, *map(str, arguments)], cwd=folder,
                          capture_output=True, text=True, timeout=600, env=UNDER_MPIRUN)


class EngineTest(ProgramTest):
    NODES = 6

    def setUp(self):
        super().setUp()
        self.shards = [self.blobs(30 + 5 * node, seed=node) + node for node in range(self.NODES)]
        for node, shard in enumerate(self.shards):
            self.save(f"part-{node}.npy", shard)
        self.shards_given = ("--data", "part-{node}.npy", "--nodes", self.NODES)

    def answers(self, run):
        """What must not depend on the engine."""
        result = self.result(run)
        keys = ("eigenvalues", "explained_variance_ratio", "residual", "nodes", "samples", "ledger", "notes")
        models = {}
        for node in range(self.NODES):
            with np.load(self.folder / run / f"model-{node}.npz") as model:
                models[node] = model["own/coefficients"].tolist()
        return {key: result[key] for key in keys}, models

    def manifest(self, run, node):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return json.loads(bytes(model["manifest.json"]))["answers"]["own"]

    def gamma(self, run, node=0):
        return self.manifest(run, node)["kernel"]["gamma"]
