#include "choir/cli/embedding_facts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "choir/linalg/columns.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

// Four digits are more than a picture shows.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

struct Drawn {
  Matrix points;                       // N x D
  std::vector<std::int64_t> clusters;  // empty: the model has none
};

Drawn drawn_by(const ClusterModel& model, const Samples& samples) {
  return {.points = model.embed(samples), .clusters = model.predict(samples)};
}

Drawn drawn_by(const Model& model, const Samples& samples) {
  if (const auto* clusters = std::get_if<ClusterModel>(&model)) return drawn_by(*clusters, samples);
  if (components(model) < 1 || is_part(model)) return {};
  return {.points = transform(model, samples), .clusters = {}};
}

Matrix first_components(const Matrix& points) {
  return points.leftCols(std::min(points.cols(), EmbeddingFacts::most_components));
}

// One component alone is drawn along the samples' numbers.
Json axes_json(const char* word, Index components) {
  Json axes = Json::array();
  for (Index d = 1; d <= components; ++d) axes.push_back(fmt::format("{} {}", word, d));
  if (components == 1) axes.push_back("sample");
  return axes;
}

Json points_json(const Matrix& points, const std::vector<std::int64_t>& labels, Index components) {
  Json list = Json::array();
  for (Index n = 0; n < points.rows(); ++n) {
    Json point = Json::array();
    for (Index d = 0; d < components; ++d) point.push_back(rounded(points(n, d)));
    if (components == 1) point.push_back(n);
    point.push_back(labels.empty() ? Json(nullptr) : Json(labels[static_cast<std::size_t>(n)]));
    list.push_back(std::move(point));
  }
  return list;
}

struct Range {
  double low = 0;
  double high = 0;
};

// A little more than what is in it, in steps that are no sample's coordinates.
Range around(const Vector& values) {
  const double width = values.maxCoeff() - values.minCoeff();
  const double margin = 0.1 * (width > 0 ? width : std::max(std::abs(values(0)), 1.0));
  const double step = std::pow(10, std::floor(std::log10(margin)));
  return {.low = rounded(std::floor((values.minCoeff() - margin) / step) * step),
          .high = rounded(std::ceil((values.maxCoeff() + margin) / step) * step)};
}

// The dictionaries of all machines, side by side, as their files would have them: 2 x P.
Samples dictionaries(const std::vector<NodeMachine>& machines) {
  std::vector<Samples> parts;
  for (const auto& [node, machine] : machines) {
    parts.push_back(machine.points);
    machine.preprocessing.undo(parts.back());
  }
  return side_by_side(parts);
}

constexpr Index grid_size = 40;

// The middles of the cells: 2 x grid_size^2.
Samples grid_over(const Range& x, const Range& y) {
  Samples grid(2, grid_size * grid_size);
  const auto middle = [](const Range& range, Index cell) {
    return range.low + (static_cast<double>(cell) + 0.5) * (range.high - range.low) / grid_size;
  };
  for (Index row = 0; row < grid_size; ++row) {
    for (Index column = 0; column < grid_size; ++column) {
      grid.col(row * grid_size + column) << middle(x, column), middle(y, row);
    }
  }
  return grid;
}

Json cells_of(const KernelMachine& machine, const Samples& grid) {
  Json cells = Json::array();
  for (const double answer : machine.predict(grid)) {
    if (machine.classes.empty()) {
      cells.push_back(rounded(answer));
      continue;
    }
    const auto place = std::ranges::lower_bound(machine.classes, static_cast<std::int64_t>(answer));
    cells.push_back(place - machine.classes.begin());
  }
  return cells;
}

}  // namespace

std::vector<Index> spread(Index of, Index count) {
  std::vector<Index> places;
  for (Index i = 0; i < std::min(of, count); ++i) places.push_back(i * of / std::min(of, count));
  return places;
}

Json decision_facts(const std::vector<NodeMachine>& machines) {
  if (machines.empty() || machines.front().machine.features() != 2) return nullptr;
  const Samples atoms = dictionaries(machines);
  if (atoms.cols() == 0) return nullptr;
  const Range x = around(atoms.row(0));
  const Range y = around(atoms.row(1));
  const Samples grid = grid_over(x, y);
  Json nodes = Json::array();
  for (const auto& [node, machine] : machines) {
    nodes.push_back({{"node", node}, {"cells", cells_of(machine, grid)}});
  }
  return {{"axes", {"feature 1", "feature 2"}},
          {"x", {x.low, x.high}},
          {"y", {y.low, y.high}},
          {"columns", grid_size},
          {"rows", grid_size},
          {"classes", machines.front().machine.classes},
          {"nodes", std::move(nodes)}};
}

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

void EmbeddingFacts::say_whose(const NodeRange& own) {
  whose_ = own.size() == 1 ? fmt::format("node {}", own.first)
                           : fmt::format("nodes {} to {}", own.first, own.last - 1);
}

void EmbeddingFacts::add(NodeId node, const Model& model) {
  const auto found = kept_.find(node);
  if (found == kept_.end() || found->second.samples.cols() == 0) return;
  Drawn drawn = drawn_by(model, found->second.samples);
  if (drawn.points.cols() < 1) return;
  has_clusters_ = has_clusters_ || !drawn.clusters.empty();
  entries_.push_back({.node = node,
                      .name = {},
                      .points = first_components(drawn.points),
                      .labels = drawn.clusters.empty() ? found->second.labels : std::move(drawn.clusters)});
}

void EmbeddingFacts::add_scores(const Scores& answer) {
  if (answer.scores.size() == 0) return;
  const std::vector<Index> chosen = spread(answer.scores.rows(), most_points);
  std::vector<std::int64_t> labels;
  if (!answer.labels.empty()) {
    for (const Index n : chosen) labels.push_back(answer.labels[static_cast<std::size_t>(n)]);
  }
  samples_ = answer.scores.rows();
  entries_.push_back({.node = answer.node,
                      .name = answer.name,
                      .points = first_components(answer.scores(chosen, Eigen::all)),
                      .labels = std::move(labels)});
}

Json EmbeddingFacts::json() const {
  if (entries_.empty()) return nullptr;
  Index components = most_components;
  for (const Entry& entry : entries_) components = std::min(components, entry.points.cols());
  Json nodes = Json::array();
  for (const auto& [node, name, points, labels] : entries_) {
    Json entry = {{"node", node}};
    if (!name.empty()) entry["name"] = name;
    entry["points"] = points_json(points, labels, components);
    nodes.push_back(std::move(entry));
  }
  Json json = {{"axes", axes_json(has_clusters_ ? "coordinate" : "component", components)},
               {"labels_are", has_clusters_ ? "clusters" : "labels"},
               {"of", samples_},
               {"nodes", std::move(nodes)}};
  if (!whose_.empty()) json["whose"] = whose_;
  return json;
}

}  // namespace choir::cli
