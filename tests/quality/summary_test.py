"""The bars count what they say they count."""
import unittest

from cell import COLUMNS
from page import write_page
from summary import bars, text_of
from table_file import plain, read_rows, write_rows


def row(number=1, **values):
    base = dict.fromkeys(COLUMNS) | {"why": "pairs", "method": "consensus-kpca/landmarks", "table": "digits", "kernel": "rbf", "split": "iid",
                                     "nodes": 20, "topology": "ring", "components": "5", "fault": "none", "extra": "", "samples": 1797,
                                     "kept": 5, "central_kept": 5, "exit": 0, "converged": True, "claimed": 0.99, "true": 0.99,
                                     "captured": 0.995, "groups": "1-1:0.9900", "eigenvalues_off": 0.001, "gamma_ratio": 1.0, "weaknesses": "", "notes": "", "bytes": 100, "seconds": 1.5,
                                     "said": "", "command": "choir fit consensus-kpca"}
    return base | {"number": number} | values


def broken(rows):
    return {bar.name.split(":")[0].split(",")[0]: [cell["number"] for cell in bar.cells] for bar in bars(rows) if not bar.met}


class Bars(unittest.TestCase):
    def test_a_good_run_meets_all(self):
        self.assertEqual(broken([row()]), {})

    def test_a_bar_without_cells_is_not_called_met(self):
        self.assertEqual([bar.verdict for bar in bars([row(claimed=None)])][:2], ["no cells", "no cells"])

    def test_claims_that_are_too_high(self):
        many = [row(number) for number in range(3, 203)]
        self.assertEqual(broken([row(1, true=0.965), row(2, true=0.975), *many]), {})  # one in 202
        found = broken([row(1, true=0.93), *many])
        self.assertEqual(list(found.values()), [[1]])
        self.assertIn("claims of runs that end well", next(iter(found)))

    def test_a_run_that_admits_to_be_weak_is_not_a_false_claim(self):
        self.assertNotIn("claims of runs that end well", broken([row(exit=3, true=0.5)]))
        self.assertNotIn("claims of runs that end well", broken([row(exit=0, converged=False, true=0.5)]))

    def test_wrong_without_a_word(self):
        self.assertIn("runs that end well with a true similarity below 0.9", broken([row(claimed=None, true=0.6)]))
        self.assertNotIn("runs that end well with a true similarity below 0.9", broken([row(exit=3, claimed=None, true=0.6)]))

    def test_right_answers_that_are_doubted(self):
        rows = [row(1, exit=3, converged=False), *[row(number) for number in range(2, 10)]]
        self.assertEqual(broken(rows)["answers with a true similarity of 0.98 and more that end converged"], [1])
        self.assertEqual(broken([*rows, row(10)]), {})
        self.assertEqual(broken([row(1, exit=3, converged=False, fault="cut")]), {})

    def test_landmarks_have_to_capture(self):
        for captured, kept, samples, met in ((0.989, 5, 1797, False), (0.991, 10, 1797, True), (0.979, 5, 600, False), (0.981, 5, 600, True),
                                             (0.959, 10, 600, False), (0.961, 10, 600, True), (0.5, 10, 300, True), (0.5, 20, 600, True)):
            self.assertEqual(broken([row(captured=captured, kept=kept, samples=samples)]) == {}, met, (captured, kept, samples))
        for estimate, met in ((0.976, True), (0.97, True), (0.983, True), (0.99, False), (None, False)):
            self.assertEqual(broken([row(captured=0.979, samples=600, claimed_share=estimate)]) == {}, met, estimate)
        self.assertEqual(broken([row(captured=0.5, samples=600, exit=3, true=0.7)]), {})
        for values in ({"kernel": "laplacian"}, {"nodes": 2}, {"method": "consensus-kpca/samples"}, {"split": "three"}):
            self.assertEqual(broken([row(captured=0.5, **values)]), {})

    def test_a_gamma_of_its_own_making(self):
        self.assertEqual(broken([row(gamma_ratio=0.0055)]), {"gamma 'scale' that is more than 1% off 1 / (M Var X)": [1]})

    def test_time_outs_and_crashes(self):
        self.assertEqual(broken([row(exit="time-out", true=None)]), {"runs over the time limit": [1]})
        self.assertEqual(broken([row(exit=-11, true=None)]), {"crashes and exit codes other than 0": [1]})
        self.assertEqual(broken([row(exit=2, true=None, said="no")]), {})
        for fault in ("crash", "cut"):
            self.assertEqual(broken([row(exit=4, true=None, fault=fault)]), {})
        self.assertEqual(broken([row(exit=4, true=None)]), {"crashes and exit codes other than 0": [1]})

    def test_the_text_names_the_cells_and_quotes_refusals(self):
        text = text_of([row(5, true=0.2), row(6, exit=2, true=None, possible=True, said="too few samples")])
        self.assertIn("cell 5: exit 0, converged True, claimed 0.9900, true 0.2000", text)
        self.assertIn("refused (cells 6 (central kernel PCA could)): too few samples", text)


class Files(unittest.TestCase):
    def setUp(self):
        import pathlib
        import tempfile
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def test_a_table_is_read_as_it_was_written(self):
        rows = [plain(row(1)), plain(row(2, exit="time-out", claimed=None, true=None, converged=None)), plain(row(3, exit=-6, said='a "b", c'))]
        write_rows(self.folder / "cells.csv", rows)
        self.assertEqual(read_rows(self.folder / "cells.csv"), rows)

    def test_the_page_has_the_bars_the_pictures_and_the_reasons(self):
        write_page([row(1), row(2, true=0.3), row(3, claimed=None)], {(("table", "wine"), ("nodes", 200)): "too few"}, self.folder)
        page = (self.folder / "quality.md").read_text()
        for words in ("**not met**", "quality/claims.svg", "quality/captured.svg", "| too few | table wine with nodes 200 |"):
            self.assertIn(words, page)
        import xml.dom.minidom
        for name in ("claims", "captured"):
            picture = xml.dom.minidom.parse(str(self.folder / f"quality/{name}.svg"))
            self.assertGreaterEqual(len(picture.getElementsByTagName("circle")), 3)
