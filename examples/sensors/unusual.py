"""The rows of a file of errors that stand out: python3 unusual.py errors.csv"""
import statistics
import sys

with open(sys.argv[1]) as file:
    errors = [float(line) for line in file]
print(f"hour   error (median of all: {statistics.median(errors):.2f})")
for hour in sorted(range(len(errors)), key=lambda hour: -errors[hour])[:3]:
    print(f"{hour:4} {errors[hour]:7.2f}")
