// What parties send, and what a centre makes of it: the method's mathematics without a network.
//
//   const CentralTruth truth(data, 10);
//   const FusedOutcome outcome = fuse({data.kernel, shards, 10}, fixed_size(15));
//   truth.error(outcome.answer.vectors);                 // D - ||V'V^||_F^2
#pragma once

#include <string>
#include <vector>

#include "choir/experiment/oneshot_kpca/data.h"
#include "choir/learn/oneshot_kpca/fused_answer.h"
#include "choir/learn/oneshot_kpca/options.h"
#include "choir/report/chart.h"

namespace choir {

struct SendingRule {
  std::string name;
  oneshot_kpca::Estimator estimator = oneshot_kpca::Estimator::product;
  oneshot_kpca::FactorSize size = {};
  SeriesStyle style = SeriesStyle::line;  // in a chart; dashed: some of it lies on others
};
SendingRule fixed_size(Index vectors);                        // D_j, the same for all
SendingRule adaptive_size(KernelKind kind);                   // eq. 4 with the paper's epsilon
SendingRule default_size(KernelKind kind, Index components);  // choir's: at least D + 5
SendingRule distances_size(Index vectors);                    // k

struct FusionTask {
  const Kernel& kernel;
  const std::vector<Samples>& shards;
  Index components = 10;  // D
  int threads = 1;
};
struct FusedOutcome {
  oneshot_kpca::FusedKernel kernel;
  oneshot_kpca::FusedAnswer answer;
  Index vectors = 0;  // sum of D_j
  Index numbers = 0;  // sent by all parties
};
FusedOutcome fuse(const FusionTask& task, const SendingRule& rule);

// Of the fused kernel matrix, by the largest; negative: it is not positive semidefinite.
double smallest_eigenvalue_share(const oneshot_kpca::FusedKernel& kernel);

// The leading D eigenvectors of the kernel matrix of all features.
class CentralTruth {
 public:
  CentralTruth(const FeatureData& data, Index components, int threads = 1);
  double error(const Matrix& vectors) const;  // D - ||V'V^||_F^2

 private:
  Matrix scores_;  // T x D
};

}  // namespace choir
