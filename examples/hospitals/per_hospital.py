"""How close each hospital came to the components of all images: python3 per_hospital.py RUN RUN

The runs are one with samples shared and one with landmarks shared, both with --yardsticks.
"""
import json
import pathlib
import sys

samples, landmarks = (json.loads((pathlib.Path(run) / "result.json").read_text())["quality"]["per_node"]
                      for run in sys.argv[1:])
columns = {"alone": samples["local"], "samples shared": samples["similarity_neighborhood"],
           "means shared": landmarks["similarity_shared"]}
print("similarity to the central components, mean of all components")
print("hospital", *(f"{title:>16}" for title in columns))
for hospital in range(len(samples["local"])):
    means = [sum(values[hospital]) / len(values[hospital]) for values in columns.values()]
    print(f"{hospital:<8}", *(f"{mean:16.3f}" for mean in means))
