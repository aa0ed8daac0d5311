#include "choir/learn/online_kernel/losses.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"

namespace choir::online_kernel {
namespace {

// Softmax minus the indicator of the class; -log of the class's probability.
double logistic(const Vector& scores, Index target, Eigen::Ref<Vector> gradient) {
  const double largest = scores.maxCoeff();
  gradient = (scores.array() - largest).exp();
  const double sum = gradient.sum();
  gradient /= sum;
  gradient(target) -= 1;
  return std::log(sum) + largest - scores(target);
}

// max(0, 1 + max_{k != y} f_k - f_y)
double hinge(const Vector& scores, Index target, Eigen::Ref<Vector> gradient) {
  gradient.setZero();
  Index rival = target == 0 ? 1 : 0;
  for (Index k = 0; k < scores.size(); ++k) {
    if (k != target && scores(k) > scores(rival)) rival = k;
  }
  const double loss = 1 + scores(rival) - scores(target);
  if (!(loss > 0)) return 0;
  gradient(rival) = 1;
  gradient(target) = -1;
  return loss;
}

double squared(double residual, double& slope) {
  slope = residual;
  return residual * residual / 2;
}

// A parabola as far as the width, straight beyond.
double huber(double residual, double width, double& slope) {
  slope = std::clamp(residual, -width, width);
  return slope * (residual - slope / 2);
}

}  // namespace

LossGradient loss_gradient(Loss loss, const Matrix& scores, const Vector& targets, double huber_width) {
  LossGradient result{.gradient = Matrix(scores.rows(), scores.cols())};
  double sum = 0;
  Vector gradient(scores.cols());
  for (Index b = 0; b < scores.rows(); ++b) {
    switch (loss) {
      case Loss::logistic:
        sum += logistic(scores.row(b), static_cast<Index>(targets(b)), gradient);
        break;
      case Loss::hinge:
        sum += hinge(scores.row(b), static_cast<Index>(targets(b)), gradient);
        break;
      case Loss::squared:
        sum += squared(scores(b, 0) - targets(b), gradient(0));
        break;
      case Loss::huber:
        sum += huber(scores(b, 0) - targets(b), huber_width, gradient(0));
        break;
    }
    result.gradient.row(b) = gradient;
  }
  if (scores.rows() > 0) result.mean = sum / static_cast<double>(scores.rows());
  return result;
}

double curvature(Loss loss) {
  switch (loss) {
    case Loss::logistic:
      return 0.5;  // of diag(p) - p p'
    case Loss::hinge:
      return 0;  // its gradients do not grow with f
    case Loss::squared:
    case Loss::huber:
      break;
  }
  return 1;
}

double share_of_mistakes(const Matrix& scores, const Vector& targets) {
  if (scores.rows() == 0) return 0;
  Index mistakes = 0;
  for (Index b = 0; b < scores.rows(); ++b) {
    Index guess = 0;
    scores.row(b).maxCoeff(&guess);
    mistakes += guess == static_cast<Index>(targets(b)) ? 0 : 1;
  }
  return static_cast<double>(mistakes) / static_cast<double>(scores.rows());
}

Vector places_of(const Vector& labels, const std::vector<std::int64_t>& classes) {
  Vector places(labels.size());
  for (Index n = 0; n < labels.size(); ++n) {
    const auto found =
        std::lower_bound(classes.begin(), classes.end(), labels(n),
                         [](std::int64_t known, double label) { return static_cast<double>(known) < label; });
    if (found == classes.end() || static_cast<double>(*found) != labels(n)) {
      fail(ErrorCategory::BadData,
           "a sample has the label {}, which is not among the {} classes; name all classes of all nodes",
           labels(n), classes.size());
    }
    places(n) = static_cast<double>(found - classes.begin());
  }
  return places;
}

}  // namespace choir::online_kernel
