#include "choir/cli/fit_network.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/cli/table.h"
#include "choir/data/shards.h"
#include "choir/graph/topology.h"

namespace choir::cli {

void check_network_options(const FitOptions& options) {
  if (!is_shard_pattern(options.data)) options.require_nodes();
  if (options.yardsticks && options.engine == "mpi") {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--yardsticks needs all samples in one place and is not available with --engine mpi; leave it "
        "out, or use --engine local");
  }
}

Graph make_network(const FitOptions& options, Index nodes, FitRun& run) {
  const std::string topology = options.topology_for(nodes);
  run.resolve("topology", topology);
  return make_topology(topology, nodes, options.random_state);
}

void describe_data(const FitData& data, RunResult& result) {
  result.nodes = data.nodes;
  result.samples = data.samples;
  result.features = data.features;
}

std::vector<Json> gather_nodes(const Json& own, ProcessGroup& processes) {
  std::vector<Json> nodes;
  for (const std::string& part : processes.gather(own.dump())) {
    for (Json& node : Json::parse(part)) nodes.push_back(std::move(node));
  }
  processes.together([&] {
    if (nodes.empty()) throw Error(ErrorCategory::PeerLost, "every node crashed; there is no answer to keep");
  });
  return nodes;
}

Json list_of(const Vector& values) { return Json(std::vector<double>(values.begin(), values.end())); }

Vector vector_of(const Json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void add_notes(const std::vector<std::string>& notes, RunResult& result) {
  for (const std::string& note : notes) {
    const bool known = std::find(result.notes.begin(), result.notes.end(), note) != result.notes.end();
    if (!note.empty() && !known) result.notes.push_back(note);
  }
}

void describe_yardsticks(const Yardsticks& yardsticks, RunResult& result) {
  result.quality["local"] = yardsticks.local;
  result.quality["gather_own"] = yardsticks.gather_own;
  result.quality["gather_neighborhood"] = yardsticks.gather_neighborhood;
  result.quality["oracle"] = yardsticks.oracle;
}

std::string similarity_table(const RunResult& result, const std::vector<SimilarityColumn>& columns) {
  std::vector<std::string> header = {"similarity to central"};
  std::vector<Vector> means;
  for (const SimilarityColumn& column : columns) {
    const auto values = result.quality.find(column.key);
    if (values == result.quality.end()) continue;
    header.push_back(column.title);
    means.push_back(mean_over_nodes(values->second));
  }
  Table table(header);
  for (Index d = 0; d < result.n_components; ++d) {
    std::vector<std::string> row = {fmt::format("component {}", d + 1)};
    for (const Vector& mean : means) row.push_back(fmt::format("{:.4f}", mean(d)));
    table.add_row(row);
  }
  return table.text();
}

}  // namespace choir::cli
