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
#include "choir/linalg/columns.h"
#include "choir/metrics/clustering.h"
#include "choir/runtime/engines.h"

using namespace choir;

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
  options.embedding = parse_choice<federated_kmeans::Embedding>("embedding", argc > 6 ? argv[6] : "nystroem");
  options.masks = argument(7, 1) != 0 ? federated_kmeans::Masks::on : federated_kmeans::Masks::off;
  std::vector<Samples> shards = cut_columns(images, devices);
  const auto engine = make_engine("local");
  const Stopwatch clock;
  const federated_kmeans::Fit fit = fit_federated_kmeans(
      *engine, std::move(shards), options, {.seed = 1, .threads = static_cast<int>(argument(5, 2))});
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
