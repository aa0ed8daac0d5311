#include "choir/run/embedding.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "choir/linalg/columns.h"

namespace choir {
namespace {

// Four digits are more than a picture shows.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

Matrix rounded(const Matrix& values) {
  return values.unaryExpr([](double value) { return rounded(value); });
}

struct Drawn {
  Matrix points;                       // N x D
  std::vector<std::int64_t> clusters;  // empty: the model has none
  const char* axis = "component";
};

Drawn drawn_by(const Model& model, const Samples& samples, int threads) {
  if (const auto* clusters = std::get_if<ClusterModel>(&model)) {
    return {.points = clusters->embed(samples), .clusters = clusters->predict(samples), .axis = "coordinate"};
  }
  if (components(model) < 1 || is_part(model)) return {};
  return {.points = transform(model, samples, threads), .clusters = {}};
}

Matrix first_components(const Matrix& points) {
  return points.leftCols(std::min(points.cols(), EmbeddingSketch::most_components));
}

std::vector<std::int64_t> chosen_labels(const std::vector<std::int64_t>& labels,
                                        const std::vector<Index>& places) {
  std::vector<std::int64_t> chosen;
  if (labels.empty()) return chosen;
  for (const Index place : places) chosen.push_back(labels[static_cast<std::size_t>(place)]);
  return chosen;
}

// A little more than what is in it, in steps that are no sample's coordinates.
std::array<double, 2> around(const Vector& values) {
  const double width = values.maxCoeff() - values.minCoeff();
  const double margin = 0.1 * (width > 0 ? width : std::max(std::abs(values(0)), 1.0));
  const double step = std::pow(10, std::floor(std::log10(margin)));
  return {rounded(std::floor((values.minCoeff() - margin) / step) * step),
          rounded(std::ceil((values.maxCoeff() + margin) / step) * step)};
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
Samples grid_over(const std::array<double, 2>& x, const std::array<double, 2>& y) {
  Samples grid(2, grid_size * grid_size);
  const auto middle = [](const std::array<double, 2>& range, Index cell) {
    return range[0] + (static_cast<double>(cell) + 0.5) * (range[1] - range[0]) / grid_size;
  };
  for (Index row = 0; row < grid_size; ++row) {
    for (Index column = 0; column < grid_size; ++column) {
      grid.col(row * grid_size + column) << middle(x, column), middle(y, row);
    }
  }
  return grid;
}

std::vector<double> cells_of(const KernelMachine& machine, const Samples& grid) {
  std::vector<double> cells;
  for (const double answer : machine.predict(grid)) {
    if (machine.classes.empty()) {
      cells.push_back(rounded(answer));
      continue;
    }
    const auto place = std::ranges::lower_bound(machine.classes, static_cast<std::int64_t>(answer));
    cells.push_back(static_cast<double>(place - machine.classes.begin()));
  }
  return cells;
}

}  // namespace

std::vector<Index> spread(Index of, Index count) {
  std::vector<Index> places;
  for (Index i = 0; i < std::min(of, count); ++i) places.push_back(i * of / std::min(of, count));
  return places;
}

std::optional<DecisionDrawing> draw_decisions(const std::vector<NodeMachine>& machines) {
  if (machines.empty() || machines.front().machine.features() != 2) return std::nullopt;
  const Samples atoms = dictionaries(machines);
  if (atoms.cols() == 0) return std::nullopt;
  DecisionDrawing drawing{.x = around(atoms.row(0)),
                          .y = around(atoms.row(1)),
                          .columns = grid_size,
                          .rows = grid_size,
                          .classes = machines.front().machine.classes};
  const Samples grid = grid_over(drawing.x, drawing.y);
  for (const auto& [node, machine] : machines)
    drawing.nodes.push_back({.node = node, .values = cells_of(machine, grid)});
  return drawing;
}

void EmbeddingSketch::keep(const NodeRange& own, const std::vector<Samples>& shards,
                           const std::vector<std::vector<std::int64_t>>& labels) {
  const std::vector<Index> nodes = spread(std::ssize(shards), most_nodes);
  const Index most_points = most_numbers / most_components / std::max<Index>(1, std::ssize(nodes));
  for (const Samples& shard : shards) drawing_.samples += shard.cols();
  for (const Index place : nodes) {
    const auto index = static_cast<std::size_t>(place);
    const std::vector<Index> columns = spread(shards[index].cols(), most_points);
    Kept kept{.samples = shards[index](Eigen::all, columns),
              .labels = index < labels.size() ? chosen_labels(labels[index], columns)
                                              : std::vector<std::int64_t>()};
    kept_.emplace(static_cast<NodeId>(own.first + place), std::move(kept));
  }
}

void EmbeddingSketch::say_whose(const NodeRange& own) {
  drawing_.whose = own.size() == 1 ? fmt::format("node {}", own.first)
                                   : fmt::format("nodes {} to {}", own.first, own.last - 1);
}

void EmbeddingSketch::add(NodeId node, const Model& model, int threads) {
  const auto found = kept_.find(node);
  if (found == kept_.end() || found->second.samples.cols() == 0) return;
  Drawn drawn = drawn_by(model, found->second.samples, threads);
  if (drawn.points.cols() < 1) return;
  drawing_.axis = drawn.axis;
  drawing_.has_clusters = !drawn.clusters.empty();
  drawing_.nodes.push_back(
      {.node = node,
       .coordinates = rounded(first_components(drawn.points)),
       .labels = drawn.clusters.empty() ? found->second.labels : std::move(drawn.clusters)});
}

void EmbeddingSketch::add_scores(const Scores& answer) {
  if (answer.scores.size() == 0) return;
  const std::vector<Index> rows = spread(answer.scores.rows(), most_numbers / most_components);
  drawing_.samples = answer.scores.rows();
  drawing_.nodes.push_back({.node = answer.node,
                            .name = answer.name,
                            .coordinates = rounded(first_components(answer.scores(rows, Eigen::all))),
                            .labels = chosen_labels(answer.labels, rows)});
}

std::optional<EmbeddingDrawing> EmbeddingSketch::drawing() const {
  if (drawing_.nodes.empty()) return std::nullopt;
  return drawing_;
}

}  // namespace choir
