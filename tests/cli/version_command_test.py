import json
import os
import pathlib
import unittest

from program import ROOT, ProgramTest


def has_avx2():
    info = pathlib.Path("/proc/cpuinfo")
    return info.exists() and " avx2 " in info.read_text()


class Version(ProgramTest):
    def test_is_the_projects(self):
        about = json.loads(self.ok("version", "--json"))
        self.assertIn(f"VERSION {about['choir']} ", (ROOT / "CMakeLists.txt").read_text())
        self.assertIn("local", about["engines"])
        self.assertTrue(about["blas"].startswith("OpenBLAS"))
        self.assertGreaterEqual(about["cores"], 1)

    @unittest.skipUnless(has_avx2(), "the processor has no AVX2")
    def test_kernels_of_the_processor_are_used_also_if_blas_does_not_know_it(self):
        self.addCleanup(os.environ.update, os.environ.copy())
        os.environ.pop("OPENBLAS_CORETYPE", None)
        self.assertNotIn("Prescott", self.ok("version"))
        os.environ["OPENBLAS_CORETYPE"] = "Prescott"
        self.assertIn("Prescott", self.ok("version"), "what the user asks for stays")
        del os.environ["OPENBLAS_CORETYPE"]

    def test_every_command_has_help_with_an_example(self):
        for command in ("data get", "data info", "data split", "topology", "fit central-kpca", "fit local-kpca",
                        "fit consensus-kpca", "transform",
                        "score", "inspect", "version"):
            with self.subTest(command=command):
                self.assertIn(f"Example:\n  choir {command}", self.ok(*command.split(), "--help"))
