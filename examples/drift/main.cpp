// Ten nodes see samples near a plane that turns while they gossip. With a half-life they follow it; without
// they end with the mean of all they have seen.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <vector>

#include <choir/choir.h>

using namespace choir;
using namespace std::chrono_literals;

namespace {

constexpr Index dimension = 12;
constexpr Index plane_dimension = 2;
constexpr NodeId nodes = 10;
constexpr Index batch = 20;  // samples that a node sees at a time
constexpr Duration interval = 50ms;
constexpr double length = 4;     // seconds: then the plane has turned by a right angle
constexpr std::size_t rows = 8;  // of the table

Matrix plane_at(double seconds) {
  const double angle = std::numbers::pi / 2 * std::min(seconds / length, 1.0);
  Matrix plane = Matrix::Zero(dimension, plane_dimension);
  for (Index d = 0; d < plane_dimension; ++d) {
    plane(d, d) = std::cos(angle);
    plane(plane_dimension + d, d) = std::sin(angle);
  }
  return plane;
}

double seconds_of(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// All that a node will ever see, a batch for each interval: on the plane of that time, with noise around it.
Samples samples_of(NodeId node) {
  const auto batches = static_cast<Index>(std::lround(length / seconds_of(interval)));
  Rng random(0, Purpose("drift"), static_cast<std::uint64_t>(node));
  const auto normal = [&](Index count, double scale) {
    return Matrix::NullaryExpr(count, batch, [&] { return scale * random.normal(); }).eval();
  };
  Samples samples(dimension, batches * batch);
  for (Index b = 0; b < batches; ++b) {
    const Matrix plane = plane_at(static_cast<double>(b) * seconds_of(interval));
    samples.middleCols(b * batch, batch) = plane * normal(plane_dimension, 3) + normal(dimension, 0.5);
  }
  return samples;
}

// Mean over all nodes' changes in a row's time: 0, the plane of the moment is known; 1, nothing of it is.
struct Errors {
  std::vector<double> sums = std::vector<double>(rows);
  std::vector<int> counts = std::vector<int>(rows);

  void add(double seconds, double error) {
    const auto row = static_cast<std::size_t>(seconds / length * static_cast<double>(rows));
    if (row >= rows) return;
    sums[row] += error;
    ++counts[row];
  }
  double mean(std::size_t row) const { return sums[row] / counts[row]; }
};

Errors run(std::optional<Duration> half_life) {
  gossip_pca::Options options;
  options.n_components.count = plane_dimension;
  options.half_life = half_life;
  Errors errors;
  options.observe = [&](const gossip_pca::Event& event) {
    if (event.what != gossip_pca::Event::What::take) return;
    const double seconds = seconds_of(event.time.time_since_epoch());
    const Principal now = principal_of(event.summary, {}, plane_dimension);
    errors.add(seconds, subspace_error(now.directions, plane_at(seconds)) / plane_dimension);
  };

  std::vector<Samples> first;
  std::vector<SampleFeed> later;
  for (NodeId node = 0; node < nodes; ++node) {
    const Samples all = samples_of(node);
    first.push_back(all.leftCols(batch));
    later.push_back(in_batches(all.rightCols(all.cols() - batch), batch, interval));
  }
  // The simulator has one thread, so that the observer needs no lock.
  fit_gossip_pca(*make_engine("sim"), make_topology("complete", nodes, 0), std::move(first), options, {},
                 std::move(later));
  return errors;
}

}  // namespace

int main() try {
  const Errors forgetting = run(250ms);
  const Errors remembering = run(std::nullopt);
  std::printf("error to the plane of the moment\nseconds     half-life 250 ms  none\n");
  for (std::size_t row = 0; row < rows; ++row) {
    const double begin = length / static_cast<double>(rows) * static_cast<double>(row);
    std::printf("%.1f to %.1f  %16.4f  %.4f\n", begin, begin + length / static_cast<double>(rows),
                forgetting.mean(row), remembering.mean(row));
  }
} catch (const Error& error) {
  std::fprintf(stderr, "drift: %s\n", error.what());
  return 1;
}
