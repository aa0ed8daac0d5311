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
  const Drawn drawn = drawn_by(model, found->second.samples);
  if (drawn.points.cols() < 1) return;
  const std::vector<std::int64_t>& labels = drawn.clusters.empty() ? found->second.labels : drawn.clusters;
  nodes_.push_back({{"node", node}, {"points", points_json(drawn.points, labels, drawn.axis)}});
}

void EmbeddingFacts::add_scores(const Scores& answer) {
  if (answer.scores.size() == 0) return;
  const std::vector<Index> chosen = spread(answer.scores.rows(), most_points);
  std::vector<std::int64_t> labels;
  if (!answer.labels.empty()) {
    for (const Index n : chosen) labels.push_back(answer.labels[static_cast<std::size_t>(n)]);
  }
  samples_ = answer.scores.rows();
  nodes_.push_back({{"node", answer.node},
                    {"name", answer.name},
                    {"points", points_json(answer.scores(chosen, Eigen::all), labels, "component")}});
}

Json EmbeddingFacts::points_json(const Matrix& points, const std::vector<std::int64_t>& labels,
                                 const char* axis) {
  const bool plane = points.cols() > 1;
  axes_ = {fmt::format("{} 1", axis), plane ? fmt::format("{} 2", axis) : std::string("sample")};
  Json list = Json::array();
  for (Index n = 0; n < points.rows(); ++n) {
    const double y = plane ? rounded(points(n, 1)) : static_cast<double>(n);
    const Json label = labels.empty() ? Json(nullptr) : Json(labels[static_cast<std::size_t>(n)]);
    list.push_back({rounded(points(n, 0)), y, label});
  }
  return list;
}

Json EmbeddingFacts::json() const {
  if (nodes_.empty()) return nullptr;
  Json json = {{"axes", axes_}, {"of", samples_}, {"nodes", nodes_}};
  if (!whose_.empty()) json["whose"] = whose_;
  return json;
}

}  // namespace choir::cli
