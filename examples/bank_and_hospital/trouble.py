"""Who is in trouble, by the scores of new people: python3 trouble.py scores.csv

The first half of the rows are. For each component, how many of all pairs of one person in trouble and one who is not
it tells apart: 50% is what chance does.
"""
import sys

with open(sys.argv[1]) as file:
    rows = [[float(value) for value in line.split(",")] for line in file]
half = len(rows) // 2
for component in range(len(rows[0])):
    trouble, none = ([row[component] for row in part] for part in (rows[:half], rows[half:]))
    greater = sum(a > b for a in trouble for b in none) / (len(trouble) * len(none))
    print(f"component {component + 1} tells {100 * max(greater, 1 - greater):.0f}% of the pairs apart")
