// manifest.json of a model file: everything that is not an array, and what every array must be.
//
//   {"format": 1, "choir": "0.1.0", "method": "central-kpca", "node": 0, "use": "shared",
//    "parameters": {"gamma": "2e-07"},
//    "answers": {"shared": {"kind": "kernel", "kernel": {"kind": "rbf", "gamma": 2e-07, ...},
//                           "preprocessing": {"divide": 255.0, "standardize": "none"},
//                           "mean_norm": 0.4, "trace": 93.5, "training_samples": 1000}},
//    "entries": {"shared/points.npy": {"shape": [1000, 784], "sha256": "..."}}}
//
// Keys a reader does not know are ignored: a format may grow by keys an older reader can do without. Format 2
// adds what it cannot: directions that are not orthonormal ("overlap": true, and the array) and the kind
// "features" ("random_features": {"count": 2000, "seed": 7, "orthogonal": true}; the seed has 64 bits).
// Format 3 adds the kinds "linear-part" and "kernel-part" ("columns": true, and the array, if the part knows
// its columns of the whole data; a kernel's part has "mean": true, and the array, if means are subtracted,
// and "result": true, "grand_mean" and more arrays if its party got the result) and the kind "kernel-machine"
// ("loss": "logistic", and "classes": true, and the array, if it predicts labels). Format 4 adds kernel
// machines with an intercept ("intercept": true, and the array), over random features ("random_features" as
// above) or with names of classes ("class_names": ["cat", "dog"]; none: the classes are integers). Format 5
// adds "recipe": how a table becomes the samples of all answers (recipe_json.h). A file that has none of it
// is still written as format 1, 2, 3 or 4.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "choir/model/model_file.h"

namespace choir {

struct ManifestEntry {
  std::vector<Index> shape = {};
  std::string sha256 = {};
};

struct Manifest {
  // Its models without their arrays. Of those that a file need not have, the ones that are there are not
  // empty: an overlap is 1 x 1, columns and classes are {0}, a kernel part's mean and coefficients and a
  // machine's intercept are a zero.
  ModelFile file;
  std::map<std::string, ManifestEntry> entries;
};

std::string format_manifest(const ModelFile& file, const std::map<std::string, ManifestEntry>& entries,
                            std::string_view choir_version);

// Throws Error(BadData) for anything but a complete manifest of a known format; `name` is what messages call
// the file.
Manifest parse_manifest(std::string_view text, std::string_view name);

// Names of answers become names of entries: letters, digits, '-' and '_', at most 64.
bool is_answer_name(std::string_view name);

}  // namespace choir
