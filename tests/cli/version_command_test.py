import json

from program import ROOT, ProgramTest


class Version(ProgramTest):
    def test_is_the_projects(self):
        about = json.loads(self.ok("version", "--json"))
        self.assertIn(f"VERSION {about['choir']} ", (ROOT / "CMakeLists.txt").read_text())
        self.assertIn("local", about["engines"])
        self.assertTrue(about["blas"].startswith("OpenBLAS"))
        self.assertGreaterEqual(about["cores"], 1)

    def test_every_command_has_help_with_an_example(self):
        for command in ("data get", "data info", "data split", "topology", "fit central-kpca", "fit local-kpca",
                        "fit consensus-kpca", "transform",
                        "score", "inspect", "version"):
            with self.subTest(command=command):
                self.assertIn(f"Example:\n  choir {command}", self.ok(*command.split(), "--help"))
