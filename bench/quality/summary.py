"""What the cells say together: the bars, and the cells that break them.

    print(text_of(rows))                          # for the terminal
    bars(rows)                                    # [Bar], for programs
"""
import collections
from dataclasses import dataclass

GOOD_EXITS = (0, 2, 3)
ALARMING = 0.05  # a claim that is this much too high is never acceptable
TOO_HIGH = 0.02
RIGHT = 0.98
WRONG = 0.9  # below it an answer without a warning misleads


@dataclass(frozen=True)
class Bar:
    name: str
    demanded: str
    found: str
    met: bool
    cells: tuple = ()  # the rows that break it

    @property
    def verdict(self):
        return "no cells" if self.found == "0 of 0" else "met" if self.met else "NOT met"


def has_answer(row):
    return row["exit"] in (0, 3) and row["true"] is not None


def ends_properly(row):
    """By an exit code that means something; 4, lost peers, only where a node dies or half of the network stays out of reach."""
    return row["exit"] in GOOD_EXITS or (row["exit"] == 4 and row["fault"] in ("crash", "cut"))


def calls_itself_good(row):
    return row["exit"] == 0 and row["converged"] is not False


def excess(row):
    """By how much the claim exceeds the truth."""
    return row["claimed"] - row["true"]


def with_claims(rows):
    return [row for row in rows if has_answer(row) and calls_itself_good(row) and row["claimed"] is not None]


def share_words(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f}%)" if whole else "")


def claim_bars(rows):
    claims = with_claims(rows)
    for threshold, most, demanded in ((TOO_HIGH, 0.01, "at most 1%"), (ALARMING, 0, "none")):
        bad = sorted((row for row in claims if excess(row) > threshold), key=excess, reverse=True)
        yield Bar(f"claims of runs that end well, too high by more than {threshold}", demanded, share_words(len(bad), len(claims)),
                  len(bad) <= most * len(claims), tuple(bad))


def silently_wrong(rows):
    bad = [row for row in rows if has_answer(row) and calls_itself_good(row) and row["true"] < WRONG]
    said = [row for row in rows if has_answer(row) and calls_itself_good(row)]
    return Bar(f"runs that end well with a true similarity below {WRONG}, claimed or not", "none", share_words(len(bad), len(said)),
               not bad, tuple(sorted(bad, key=lambda row: row["true"])))


def right_answers(rows):
    """Where half of the network stays cut off, an answer that is right by luck is doubted rightly."""
    right = [row for row in rows if has_answer(row) and row["true"] >= RIGHT and row["fault"] != "cut"]
    doubted = [row for row in right if not calls_itself_good(row)]
    accepted = len(right) - len(doubted)
    return Bar(f"answers with a true similarity of {RIGHT} and more that end converged, exit 0", "at least 90%",
               share_words(accepted, len(right)), accepted >= 0.9 * len(right), tuple(doubted))


def landmark_demand(row):
    """The share of central's variance that a run over landmarks has to capture; None: nothing is demanded of it."""
    if "/landmarks" not in row["method"] or row["kernel"] != "rbf" or row["nodes"] < 5 or not has_answer(row):
        return None
    if row["captured"] is None or row["split"] == "three" or row["fault"] != "none":
        return None
    if row["samples"] >= 1500 and row["kept"] <= 10:
        return 0.99
    if row["samples"] >= 400 and row["kept"] <= 5:
        return 0.98
    return 0.96 if row["samples"] >= 400 and row["kept"] <= 10 else None


def landmark_bars(rows):
    demands = {0.98: "landmarks, rbf, 5 nodes and more, N >= 400, D <= 5", 0.96: "the same, D <= 10", 0.99: "the same, N >= 1,500"}
    for demand, name in demands.items():
        asked = [row for row in rows if landmark_demand(row) == demand]
        bad = sorted((row for row in asked if row["captured"] < demand), key=lambda row: row["captured"])
        lowest = f", lowest {min(row['captured'] for row in asked):.4f}" if asked else ""
        admitted = sum(not calls_itself_good(row) for row in bad)
        others = f"; {admitted} of the other {len(bad)} say so" if bad else ""
        yield Bar(f"{name}: variance captured of central's", f"at least {demand}",
                  f"{share_words(len(asked) - len(bad), len(asked))}{lowest}{others}", not bad, tuple(bad))


def endings(rows):
    slow = tuple(row for row in rows if row["exit"] == "time-out")
    yield Bar("runs over the time limit", "none", str(len(slow)), not slow, slow)
    crashed = tuple(row for row in rows if not (ends_properly(row) or row["exit"] in ("time-out", "skipped")))
    yield Bar("crashes and exit codes other than 0, 2 and 3 (and 4 where nodes are lost)", "none", str(len(crashed)), not crashed, crashed)


def wrong_gammas(rows):
    bad = tuple(row for row in rows if row["gamma_ratio"] is not None and abs(row["gamma_ratio"] - 1) > 0.01)
    return Bar("gamma 'scale' that is more than 1% off 1 / (M Var X)", "none", str(len(bad)), not bad, bad)


def bars(rows):
    return [*claim_bars(rows), silently_wrong(rows), right_answers(rows), *landmark_bars(rows), wrong_gammas(rows), *endings(rows)]


def refusals(rows):
    """The sentences of exit 2 and of runs that lost a node, each with its cells."""
    sentences = collections.defaultdict(list)
    for row in rows:
        if row["exit"] in (2, 4):
            sentences[row["said"]].append(row)
    return sentences


def refused_words(row):
    return f"{row['number']}{' (central kernel PCA could)' if row['possible'] else ''}"


def broken(rows):
    """Cells that the benchmark itself could not judge."""
    return [row for row in rows if row["exit"] in (0, 3) and row["true"] is None]


def number_words(value, digits=4):
    return "-" if value is None else f"{value:.{digits}f}"


def line_of(row):
    return (f"cell {row['number']}: exit {row['exit']}, converged {row['converged']}, claimed {number_words(row['claimed'])}, "
            f"true {number_words(row['true'])}, captured {number_words(row['captured'])}: {row['command']}")


def worst_of_methods(rows, count=3):
    """Of every method the runs that end well and are furthest from the truth."""
    found = {}
    for method in sorted({row["method"] for row in rows}):
        good = [row for row in rows if row["method"] == method and has_answer(row) and calls_itself_good(row)]
        found[method] = sorted(good, key=lambda row: row["true"])[:count]
    return found


def text_of(rows):
    lines = []
    for bar in bars(rows):
        lines.append(f"{bar.verdict:9}{bar.name}: {bar.found} (bar: {bar.demanded})")
        lines += [f"          {line_of(row)}" for row in bar.cells[:12]]
    silent = [row for row in rows if has_answer(row) and calls_itself_good(row) and row["claimed"] is None]
    lines.append(f"{len(silent)} runs end well and claim nothing")
    for sentence, cells in refusals(rows).items():
        lines.append(f"refused (cells {', '.join(map(refused_words, cells))}): {sentence}")
    lines += [f"not judged: {line_of(row)}: {row['said']}" for row in broken(rows)]
    lines += [f"skipped: cell {row['number']}: {row['said']}" for row in rows if row["exit"] == "skipped"]
    return "\n".join(lines)
