#include "choir/learn/online_kernel/progressive.h"

#include <cmath>

namespace choir::online_kernel {
namespace {

constexpr double forgotten = 0.05;          // of the recent loss per batch
constexpr double classes_forgotten = 0.02;  // of the counts of classes
enum Column : Index { came, predicted, right };

// Returns the number of mistakes.
double judge_classes(const Judged& batch, Matrix& classes) {
  if (classes.size() == 0) classes = Matrix::Zero(batch.scores.cols(), 3);
  classes *= 1 - classes_forgotten;
  double mistakes = 0;
  for (Index b = 0; b < batch.scores.rows(); ++b) {
    Index guess = 0;
    batch.scores.row(b).maxCoeff(&guess);
    const auto truth = static_cast<Index>(batch.targets(b));
    classes(truth, came) += 1;
    classes(guess, predicted) += 1;
    (guess == truth ? classes(truth, right) : mistakes) += 1;
  }
  return mistakes;
}

}  // namespace

void Progressive::judge(const Judged& batch, bool classification) {
  const auto count = static_cast<double>(batch.targets.size());
  if (count == 0) return;
  recent = samples == 0 ? batch.loss : (1 - forgotten) * recent + forgotten * batch.loss;
  samples += count;
  loss += batch.loss * count;
  if (classification) {
    mistakes += judge_classes(batch, classes);
    return;
  }
  const double scale = batch.target_scale * batch.target_scale;
  squares += scale * (batch.scores.col(0) - batch.targets).squaredNorm();
  deviations += scale * batch.targets.squaredNorm();
}

double Progressive::accuracy() const {
  return samples > 0 && classes.size() > 0 ? 1 - mistakes / samples : 0;
}

double Progressive::rmse() const { return samples > 0 ? std::sqrt(squares / samples) : 0; }

Progressive sum_of(const Progressive& a, const Progressive& b) {
  Progressive sum{.samples = a.samples + b.samples,
                  .loss = a.loss + b.loss,
                  .mistakes = a.mistakes + b.mistakes,
                  .squares = a.squares + b.squares,
                  .deviations = a.deviations + b.deviations};
  if (sum.samples > 0) sum.recent = (a.recent * a.samples + b.recent * b.samples) / sum.samples;
  sum.classes = a.classes.size() == 0 ? b.classes : a.classes;
  if (a.classes.size() > 0 && b.classes.size() > 0) sum.classes += b.classes;
  return sum;
}

double balanced_accuracy(const Matrix& classes) {
  double sum = 0, present = 0;
  for (Index k = 0; k < classes.rows(); ++k) {
    if (classes(k, came) == 0) continue;
    sum += classes(k, right) / classes(k, came);
    present += 1;
  }
  return present > 0 ? sum / present : 0;
}

}  // namespace choir::online_kernel
