// Can a server find the samples of a device in what the device answers? Lemma 7 of the paper says no because
// the device's Gram W'W hides a rotation; the random features are known, and that is enough for few samples.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/rng.h"
#include "choir/experiment/federated_kmeans/experiments.h"
#include "choir/experiment/federated_kmeans/sample_recovery.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"
#include "choir/learn/federation/federation.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr Index dimensions = 8;
constexpr Index feature_count = 120;
constexpr double gamma = 0.1;
constexpr NodeId device_count = 10;
constexpr NodeId attacked = 1;
constexpr double bound = 2.0 / feature_count;  // of an entry of a(x) a(x)' / D

const Contract contract{.method = "federated-kmeans/privacy",
                        .kinds = {Kind::own_statistics, Kind::masked, Kind::control}};

struct Devices {
  CosineFeatures features;
  std::vector<Samples> samples = {};  // of devices 1, 2, ...

  Matrix gram(NodeId device) const {  // W'W, W = sqrt(1/D) A
    const Matrix values = features.of(samples[static_cast<std::size_t>(device) - 1]);
    return values * values.transpose() / static_cast<double>(feature_count);
  }
  Samples all() const {
    const Index each = samples.front().cols();
    Samples together(dimensions, each * std::ssize(samples));
    for (Index i = 0; i < std::ssize(samples); ++i) {
      together.middleCols(i * each, each) = samples[static_cast<std::size_t>(i)];
    }
    return together;
  }
};

Devices draw_devices(Index samples, std::uint64_t seed) {
  Devices devices{.features = CosineFeatures::draw(dimensions, feature_count, gamma, seed)};
  for (NodeId device = 1; device <= device_count; ++device) {
    Rng rng(seed, Purpose("privacy samples"), static_cast<std::uint64_t>(device));
    devices.samples.push_back(Samples::NullaryExpr(dimensions, samples, [&] { return rng.normal(); }));
  }
  return devices;
}

Task<Matrix> ask_for_gram(Node& node, const Devices& devices, FederationOptions options) {
  if (node.id() == options.server) {
    FederationServer server(node, options);
    co_await server.open();
    const AnswerShape shape{.rows = feature_count, .cols = feature_count, .bound = bound};
    Total total = co_await server.ask(Message(Kind::control), shape);
    server.close();
    co_return total.sum;
  }
  FederationDevice device(node, options, devices.samples.front().cols());
  co_await device.open();
  co_await device.next();
  device.answer(devices.gram(node.id()));
  co_await device.next();
  co_return Matrix();
}

struct ServerView {
  Matrix of_device;  // what it got from the attacked one
  Matrix total;
};

Matrix as_the_server_reads_it(const Array& answer, double samples) {
  if (answer.type() == ArrayType::float64) return answer.matrix();
  const auto words = answer.integers();
  const FixedPoint format = FixedPoint::for_sums_up_to(bound * samples);
  return format.decode({words.data(), static_cast<std::size_t>(words.size())}, feature_count, feature_count);
}

// A real run, looked at from the server's end of the wire.
ServerView run_federation(const Devices& devices, bool masked) {
  ServerView view;
  RunOptions run;
  const Kind kind_of_answers = masked ? Kind::masked : Kind::own_statistics;
  run.audit = [&](NodeId from, NodeId, const Message& message) {
    if (from != attacked || message.kind() != kind_of_answers) return;
    const Array& answer = message.array(0);
    const double samples = static_cast<double>(device_count * devices.samples.front().cols());
    if (answer.rows() >= feature_count) view.of_device = as_the_server_reads_it(answer, samples);
  };
  SimEngine engine;
  const FederationOptions options{.masked = masked};
  const auto outcome = run_nodes<Matrix>(engine, make_topology("star", device_count + 1, 0), contract, run,
                                         [&](Node& node) { return ask_for_gram(node, devices, options); });
  view.total = outcome.results[0].value();
  return view;
}

struct Attack {
  std::string series;
  const Matrix& seen;
  const Samples& truth;
};

void attack(const Attack& what, const Devices& devices, const std::string& setting,
            const RecoveryOptions& options, Measurements& measured) {
  const Recovery found = recover_samples(devices.features, what.seen, what.truth.cols(), options);
  const RecoveredShare right = compare_with_truth(found.samples, what.truth);
  measured.add(setting, what.series, "share recovered", right.share);
  // Where nothing was recovered, or the attack did not begin, there is no such number.
  if (right.share > 0) measured.add(setting, what.series, "worst error of these", right.worst_error);
  if (!std::isnan(found.smallest_residual)) {
    measured.add(setting, what.series, "smallest residual", found.smallest_residual);
  }
}

void measure(Index samples, std::uint64_t seed, const ExperimentOptions& options, Measurements& measured) {
  const Devices devices = draw_devices(samples, seed);
  const ServerView plain = run_federation(devices, false);
  const ServerView masked = run_federation(devices, true);
  const Samples all = devices.all();
  RecoveryOptions recovery{.seed = seed};
  if (options.quick) recovery.starts = 600;
  const std::string setting = fmt::format("{}", samples);
  const Samples& own = devices.samples[attacked - 1];
  attack({"one device, unmasked", plain.of_device, own}, devices, setting, recovery, measured);
  attack({"one device, masked", masked.of_device, own}, devices, setting, recovery, measured);
  attack({"total of 10 devices", masked.total, all}, devices, setting, recovery, measured);
}

}  // namespace

ExperimentResult federated_kmeans_privacy(const ExperimentOptions& options) {
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{5, 20} : std::vector<Index>{5, 10, 20, 40, 60, 80, 100, 110, 120};
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "federated-kmeans/privacy", sizes.size() * static_cast<std::size_t>(seeds));
  Measurements measured("samples of a device");
  for (const Index samples : sizes) {
    for (Index seed = 0; seed < seeds; ++seed) {
      measure(samples, static_cast<std::uint64_t>(seed), options, measured);
      steps.next();
    }
  }
  LineChart chart{.title = "federated-kmeans/privacy: exact samples recovered from a Gram of 120 features",
                  .x = {.title = "samples of a device"},
                  .y = {.title = "share recovered", .from = 0, .to = 1}};
  for (const char* series : {"one device, unmasked", "one device, masked", "total of 10 devices"}) {
    chart.series.push_back(measured.line(series, "share recovered"));
  }
  return {
      .table = measured.table(),
      .summaries = {measured.summary("share recovered"), measured.summary("worst error of these"),
                    measured.summary("smallest residual")},
      .pictures = {{"", chart}},
      .notes = {"p = 8 standard normal features, D = 120 cosines with gamma = .1, 10 devices of equal size; "
                "a sample counts as recovered if it is found to 1e-3",
                "the total of 10 devices is what the server is meant to see; it has fewer samples than "
                "features only for up to 11 samples a device, and then it does not say whose they are",
                "the attack tries up to 3000 starts and stops when it has as many samples as there are; "
                "with 120 or more every x fits and it does not begin"}};
}

}  // namespace choir
