"""How often a node was wrong before it learned from a sample, as time went by: python3 mistakes.py metrics.jsonl [WINDOWS]"""
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1])]
windows = int(sys.argv[2]) if len(sys.argv) > 2 else 8
last = max(line["samples"] for line in lines)
print("samples of a node   wrong")
for window in range(windows):
    begin, end = last * window // windows, last * (window + 1) // windows
    wrong = [line["mistakes"] for line in lines if "mistakes" in line and begin < line["samples"] <= end]
    if wrong:  # few samples have fewer rounds than windows
        print(f"{begin + 1:6} to {end:6}     {100 * sum(wrong) / len(wrong):4.0f}%")
