#include "choir/experiment/linear_svm.h"

#include <memory>
#include <set>

#include <linear.h>

#include "choir/base/error.h"

namespace choir {
namespace {

// LIBLINEAR's form of the samples: numbered entries, the bias's and an end mark (-1) after each sample's.
class Problem {
 public:
  Problem(const MatrixView<double>& samples, const std::vector<double>& signs) : signs_(signs) {
    const Index length = samples.rows() + 2;
    entries_.reserve(static_cast<std::size_t>(length * samples.cols()));
    for (Index sample = 0; sample < samples.cols(); ++sample) {
      int number = 0;
      for (const double value : samples.col(sample)) entries_.push_back({++number, value});
      entries_.push_back({++number, 1});
      entries_.push_back({-1, 0});
    }
    for (Index sample = 0; sample < samples.cols(); ++sample) rows_.push_back(&entries_[at(sample * length)]);
    problem_ = {.l = static_cast<int>(samples.cols()),
                .n = static_cast<int>(samples.rows() + 1),
                .y = signs_.data(),
                .x = rows_.data(),
                .bias = 1};
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  const problem& get() const { return problem_; }

 private:
  static std::size_t at(Index place) { return static_cast<std::size_t>(place); }

  std::vector<double> signs_;
  std::vector<feature_node> entries_;
  std::vector<feature_node*> rows_;
  problem problem_ = {};
};

std::array<std::int64_t, 2> two_classes(std::span<const std::int64_t> labels, Index samples) {
  if (static_cast<Index>(labels.size()) != samples) {
    fail(ErrorCategory::InvalidArgument, "there are {} labels for {} samples; give one for each",
         labels.size(), samples);
  }
  const std::set<std::int64_t> different(labels.begin(), labels.end());
  if (different.size() != 2) {
    fail(ErrorCategory::InvalidArgument,
         "the labels have {} different values; a support vector machine tells two classes apart",
         different.size());
  }
  return {*different.begin(), *different.rbegin()};
}

}  // namespace

std::vector<std::int64_t> LinearSvm::predict(const MatrixView<double>& samples) const {
  const Vector values = (samples.transpose() * weights).array() + bias;
  std::vector<std::int64_t> predicted;
  for (const double value : values) predicted.push_back(labels[value > 0 ? 1 : 0]);
  return predicted;
}

LinearSvm fit_linear_svm(const MatrixView<double>& samples, std::span<const std::int64_t> labels,
                         const LinearSvmOptions& options) {
  LinearSvm svm;
  svm.labels = two_classes(labels, samples.cols());
  std::vector<double> signs;
  for (const std::int64_t label : labels) signs.push_back(label == svm.labels[1] ? 1 : -1);
  const Problem problem(samples, signs);
  parameter rule = {};
  rule.solver_type = L2R_L2LOSS_SVC;  // in the primal: the dual's solver shuffles with the process's rand()
  rule.C = options.c;
  rule.eps = options.tol;
  if (const char* complaint = check_parameter(&problem.get(), &rule)) {
    fail(ErrorCategory::InvalidArgument, "LIBLINEAR refuses c = {} and tol = {}: {}", options.c, options.tol,
         complaint);
  }
  set_print_string_function([](const char*) {});
  const auto destroy = [](model* trained) { free_and_destroy_model(&trained); };
  const std::unique_ptr<model, decltype(destroy)> trained(train(&problem.get(), &rule), destroy);
  // The weights point to the class that LIBLINEAR met first.
  const double sign = trained->label[0] == 1 ? 1 : -1;
  const Eigen::Map<const Vector> all(trained->w, samples.rows() + 1);
  svm.weights = sign * all.head(samples.rows());
  svm.bias = sign * all(samples.rows());
  return svm;
}

}  // namespace choir
