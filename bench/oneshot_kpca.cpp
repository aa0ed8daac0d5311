// What one-shot kernel PCA costs: the slowest party and the fusion, against kernel PCA of the pooled features
// in the same run. One thread each; MNIST is fetched into FOLDER once.
//
//   oneshot_kpca FOLDER [SAMPLES [PARTIES [REPEATS]]]
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "choir/base/stopwatch.h"
#include "choir/experiment/digits.h"
#include "choir/graph/topology.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/oneshot_kpca/quality.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/engines.h"

namespace {

using namespace choir;

constexpr Index wanted = 10;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<Index>(values.size()) / 2, values.end());
  return values[values.size() / 2];
}

std::vector<Samples> features_of_parties(const Samples& images, Index parties) {
  std::vector<Samples> shards = cut_columns(images.transpose(), parties);
  for (Samples& shard : shards) shard.transposeInPlace();
  return shards;
}

oneshot_kpca::Fit fit_of(const std::vector<Samples>& shards, oneshot_kpca::Estimator estimator,
                         double gamma) {
  oneshot_kpca::Options options;
  options.estimator = estimator;
  options.kernel.kind = KernelKind::rbf;
  options.gamma = {.rule = GammaRule::number, .value = gamma};
  options.n_components.count = wanted;
  const auto parties = static_cast<Index>(shards.size());
  const std::vector<SampleOrder> orders(shards.size(), SampleOrder::numbered(shards.front().cols()));
  const auto engine = make_engine("sim", {});
  return fit_oneshot_kpca(*engine, make_topology("complete", parties, 0), shards, orders, options,
                          {.threads = 1});
}

double slowest_party(const oneshot_kpca::Fit& fit) {
  double slowest = 0;
  for (const auto& party : fit.nodes) slowest = std::max(slowest, party->local_seconds);
  return slowest;
}

double central_seconds(const Samples& images, double gamma) {
  central_kpca::Options options;
  options.kernel = {.kind = KernelKind::rbf, .gamma = gamma};
  options.n_components.count = wanted;
  const Stopwatch clock;
  fit_central_kpca(images, options, {.threads = 1});
  return clock.seconds();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: oneshot_kpca FOLDER [SAMPLES [PARTIES [REPEATS]]]\n");
    return 2;
  }
  const auto argument = [&](int position, Index otherwise) {
    return argc > position ? static_cast<Index>(std::atol(argv[position])) : otherwise;
  };
  const Index parties = argument(3, 28);
  ExperimentOptions source;
  source.data = argv[1];
  const Samples images = read_digits(source, {}).samples.leftCols(argument(2, 5000)) / 255;
  const double gamma = 9.0 / static_cast<double>(images.rows());
  const std::vector<Samples> shards = features_of_parties(images, parties);
  std::printf("%ld samples, %ld features, %ld parties, %ld components\n", images.cols(), images.rows(),
              parties, wanted);
  for (const oneshot_kpca::Estimator estimator :
       {oneshot_kpca::Estimator::product, oneshot_kpca::Estimator::distances}) {
    std::vector<double> party, fusion, central, ratio;
    double error = 0;
    for (Index repeat = 0; repeat < argument(4, 5); ++repeat) {
      const oneshot_kpca::Fit fit = fit_of(shards, estimator, gamma);
      party.push_back(slowest_party(fit));
      fusion.push_back(fit.at(0).answer->seconds);
      central.push_back(central_seconds(images, gamma));
      ratio.push_back((party.back() + fusion.back()) / central.back());
      if (repeat == 0) error = subspace_error_of(fit, {});
    }
    std::printf("%-9s slowest party %.3f s, fusion %.3f s, central %.3f s: ratio %.2f, error %.1e\n",
                std::string(to_string(estimator)).c_str(), median(party), median(fusion), median(central),
                median(ratio), error);
  }
  return 0;
}
