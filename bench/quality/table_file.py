"""Rows of the benchmark as a csv file, and back."""
import csv

from cell import COLUMNS

NUMBERS = {"number": int, "nodes": int, "samples": int, "kept": int, "central_kept": int, "bytes": int, "claimed": float, "true": float,
           "captured": float, "claimed_share": float, "eigenvalues_off": float, "gamma_ratio": float, "seconds": float}


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({name: "" if value is None else value for name, value in row.items()} for row in rows)


def value_of(name, text):
    if name in ("converged", "possible"):
        return {"True": True, "False": False}.get(text)
    if name in NUMBERS:
        return NUMBERS[name](text) if text else None
    if name == "exit":
        return int(text) if text.lstrip("-").isdigit() else text
    return text


def read_rows(path):
    with open(path, newline="") as file:
        return [{name: value_of(name, row.get(name, "")) for name in COLUMNS} for row in csv.DictReader(file)]


def plain(row):
    """A row as it is after writing and reading."""
    return {name: value_of(name, "" if value is None else str(value)) for name, value in row.items()}
