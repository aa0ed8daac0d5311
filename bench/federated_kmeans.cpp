// What federated kernel k-means costs on images, all devices on this machine. federated_kmeans.py runs it
// beside scikit-learn.
//
//   federated_kmeans IMAGES LABELS [SAMPLES [DEVICES [THREADS [EMBEDDING [MASKED]]]]]
#include "choir/learn/federated_kmeans/federated_kmeans.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "choir/base/stopwatch.h"
#include "choir/data/dataset.h"
#include "choir/graph/regular.h"
#include "choir/kernel/bandwidth.h"
#include "choir/metrics/clustering.h"
#include "choir/runtime/engines.h"

namespace {

using namespace choir;

std::vector<Samples> dealt(const Samples& images, Index devices) {
  std::vector<Samples> shards;
  for (Index device = 0; device < devices; ++device) {
    const Index begin = device * images.cols() / devices;
    shards.push_back(images.middleCols(begin, (device + 1) * images.cols() / devices - begin));
  }
  return shards;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(
        stderr, "usage: federated_kmeans IMAGES LABELS [SAMPLES [DEVICES [THREADS [EMBEDDING [MASKED]]]]]\n");
    return 2;
  }
  const auto argument = [&](int position, Index otherwise) {
    return argc > position ? static_cast<Index>(std::atol(argv[position])) : otherwise;
  };
  const Dataset all = read_dataset(argv[1], {.labels = argv[2]});
  const Index count = std::min(argument(3, 60'000), all.size());
  const Index devices = argument(4, 100);
  const Samples images = all.samples.leftCols(count) / 255;
  const std::vector<std::int64_t> truth(all.labels.begin(), all.labels.begin() + count);

  federated_kmeans::Options options;
  options.gamma = {.rule = GammaRule::number, .value = 4 * gamma_median(images, 0)};
  options.embedding = parse_cluster_embedding(argc > 6 ? argv[6] : "nystroem");
  options.masked = argument(7, 1) != 0;
  std::vector<Samples> shards = dealt(images, devices);
  const auto engine = make_engine("local", {.threads = static_cast<int>(argument(5, 2))});
  const Graph star = star_graph(devices + 1, static_cast<NodeId>(devices));
  const Stopwatch clock;
  const federated_kmeans::Fit fit =
      fit_federated_kmeans(*engine, star, std::move(shards), options, {.seed = 1});
  const double seconds = clock.seconds();

  std::vector<std::int64_t> labels;
  for (NodeId device = 0; device < devices; ++device) {
    const std::vector<std::int64_t>& own = fit.at(device).labels;
    labels.insert(labels.end(), own.begin(), own.end());
  }
  std::printf(
      "{\"seconds\": %.3f, \"gamma\": %.6g, \"nmi\": %.4f, \"ari\": %.4f, \"accuracy\": %.4f, \"rounds\": "
      "%zu}\n",
      seconds, options.gamma.value, normalized_mutual_info(truth, labels), adjusted_rand_index(truth, labels),
      clustering_accuracy(truth, labels), fit.at(static_cast<NodeId>(devices)).rounds.size());
  return 0;
}
