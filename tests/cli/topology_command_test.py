import json

from program import ProgramTest


class Topology(ProgramTest):
    def about(self, *arguments):
        return json.loads(self.ok("topology", *arguments, "--json"))

    def test_describes_a_ring(self):
        about = self.about("ring:4", "--nodes", 20)
        self.assertEqual((about["nodes"], about["edges"], about["degree_max"], about["diameter"]), (20, 40, 4, 5))
        self.assertIs(about["connected"], True)
        self.assertIn("diameter", self.ok("topology", "ring:4", "--nodes", 20))

    def test_every_kind_is_connected(self):
        for spec in ("line", "grid", "torus", "complete", "star", "tree:2", "erdos:0.4", "barabasi:2", "geometric:0.6"):
            self.assertIs(self.about(spec, "--nodes", 24)["connected"], True, spec)

    def test_reads_a_file(self):
        (self.folder / "links.txt").write_text("0 1\n1 2\n2 3\n")
        self.assertEqual(self.about("file:links.txt")["diameter"], 3)

    def test_refuses(self):
        (self.folder / "apart.txt").write_text("0 1\n2 3\n")
        (self.folder / "one-way.txt").write_text("0 1 0\n0 0 1\n0 1 0\n")
        for arguments, words in [
            (("ring:3", "--nodes", 3), ["ring:3"]),
            (("ring:3", "--nodes", 9), ["ring:3", "even"]),
            (("ring:4", "--nodes", 4), ["ring:4"]),
            (("ring", "--nodes", 9), ["ring"]),
            (("moebius", "--nodes", 9), ["moebius", "ring:k"]),
            (("erdos:0", "--nodes", 9), ["erdos"]),
            (("erdos:0.01", "--nodes", 50), ["erdos:0.01"]),
            (("ring:4",), ["nodes"]),
            (("ring:4", "--nodes", -5), ["nodes"]),
            (("file:none.txt",), ["none.txt"]),
            (("file:apart.txt",), ["apart.txt", "connected"]),
            (("file:one-way.txt",), ["one-way.txt", "symmetric"]),
        ]:
            with self.subTest(arguments=arguments):
                self.refused("topology", *arguments, words=words)
