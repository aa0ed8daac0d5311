// The summary of a run: what scripts read from result.json. Keys may be added, none renamed.
//
//   RunResult result;
//   result.method = "central-kpca";
//   result.quality["oracle"] = similarities;         // J x D: a mean per component, and the values per node
//   folder.write("result.json", to_json(result).dump(2));
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "choir/linalg/types.h"

namespace choir {

struct KindCount {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

struct RunResult {
  std::string choir_version;
  std::string method;
  std::string engine = "local";
  std::uint64_t random_state = 0;
  Index nodes = 1;
  Index samples = 0;
  Index features = 0;
  Index n_components = 0;
  std::optional<bool> converged;  // nothing: a run of fixed length
  Index iterations = 0;
  std::optional<double> residual;
  std::optional<double> change;  // of the last iteration, where that is what a method stops by
  std::vector<double> consensus_gap;
  std::optional<double> between_node_variance;
  Vector eigenvalues;                             // D
  Vector explained_variance_ratio;                // D
  std::map<std::string, Matrix> quality;          // J x D each; NaN: a node without an answer
  std::map<std::string, double> quality_numbers;  // one for the whole network
  std::map<std::string, KindCount> ledger;        // by kind; empty: nothing left a node
  double setup_seconds = 0;
  double iterate_seconds = 0;
  double total_seconds = 0;
  std::optional<double> virtual_seconds;  // on the clock of a simulated network
  std::uint64_t memory_peak_bytes = 0;
  std::vector<std::string> notes;                                   // sentences the user should read
  nlohmann::ordered_json extra = nlohmann::ordered_json::object();  // a method's own keys
};

nlohmann::ordered_json to_json(const RunResult& result);

// Of J x D values, over the nodes that have an answer; NaN where none has.
Vector mean_over_nodes(const Matrix& values);

}  // namespace choir
