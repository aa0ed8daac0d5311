#include "choir/cli/embedding_facts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

// Four digits are more than a picture shows.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

std::vector<Index> spread(Index of, Index count) {
  std::vector<Index> places;
  for (Index i = 0; i < std::min(of, count); ++i) places.push_back(i * of / std::min(of, count));
  return places;
}

struct Drawn {
  Matrix points;                       // N x 2 or more
  std::vector<std::int64_t> clusters;  // empty: the model has none
  const char* axis = "component";
};

Drawn drawn_by(const ClusterModel& model, const Samples& samples) {
  return {.points = model.embed(samples), .clusters = model.predict(samples), .axis = "coordinate"};
}

Drawn drawn_by(const Model& model, const Samples& samples) {
  if (const auto* clusters = std::get_if<ClusterModel>(&model)) return drawn_by(*clusters, samples);
  if (components(model) < 1 || is_part(model)) return {};
  return {.points = transform(model, samples), .clusters = {}};
}

}  // namespace

void EmbeddingFacts::keep(const NodeRange& own, const std::vector<Samples>& shards,
                          const std::vector<std::vector<std::int64_t>>& labels) {
  const std::vector<Index> chosen = spread(std::ssize(shards), most_nodes);
  for (const Samples& shard : shards) samples_ += shard.cols();
  for (const Index place : chosen) {
    const auto index = static_cast<std::size_t>(place);
    const std::vector<Index> columns =
        spread(shards[index].cols(), most_points / std::max<Index>(1, std::ssize(chosen)));
    Kept kept{.samples = shards[index](Eigen::all, columns), .labels = {}};
    if (index < labels.size() && !labels[index].empty()) {
      for (const Index column : columns)
        kept.labels.push_back(labels[index][static_cast<std::size_t>(column)]);
    }
    kept_.emplace(static_cast<NodeId>(own.first + place), std::move(kept));
  }
}

void EmbeddingFacts::add(NodeId node, const Model& model) {
  const auto found = kept_.find(node);
  if (found == kept_.end() || found->second.samples.cols() == 0) return;
  const Drawn drawn = drawn_by(model, found->second.samples);
  if (drawn.points.cols() < 1) return;
  const bool plane = drawn.points.cols() > 1;
  axes_ = {fmt::format("{} 1", drawn.axis), plane ? fmt::format("{} 2", drawn.axis) : std::string("sample")};
  const std::vector<std::int64_t>& labels = drawn.clusters.empty() ? found->second.labels : drawn.clusters;
  Json points = Json::array();
  for (Index n = 0; n < drawn.points.rows(); ++n) {
    const double y = plane ? rounded(drawn.points(n, 1)) : static_cast<double>(n);
    const Json label = labels.empty() ? Json(nullptr) : Json(labels[static_cast<std::size_t>(n)]);
    points.push_back({rounded(drawn.points(n, 0)), y, label});
  }
  nodes_.push_back({{"node", node}, {"points", std::move(points)}});
}

Json EmbeddingFacts::json() const {
  if (nodes_.empty()) return nullptr;
  return {{"axes", axes_}, {"of", samples_}, {"nodes", nodes_}};
}

}  // namespace choir::cli
