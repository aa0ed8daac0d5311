// Pre-images: samples whose images in feature space come close to given scores.
//
// The scores t stand for the point mu + sum_d s_d w_d = sum_n beta_n phi(p_n), beta = g + C s, where s = t if
// the directions are orthonormal and s = (w'w)^+ t if they are not.
//
//   linear   the point itself: sum_n beta_n p_n. Exact.
//   rbf      a maximum of f(x) = sum_n beta_n k(x, p_n), that is a minimum of ||phi(x) - point||^2, found by
//            Mika's fixed-point iteration x <- sum_n beta_n k(x, p_n) p_n / f(x), started from the
//            regression. Since f is also the denominator, the best x seen (the start included) costs nothing
//            to keep.
//   others   the regression alone.
#pragma once

#include "choir/model/kernel_model.h"

namespace choir {

struct PreImageOptions {
  // The regression learns from at most this many points, drawn with a fixed seed: its cost is bounded.
  Index max_regression_points = 1000;
  // Ridge added to the diagonal (1) of the regression's kernel matrix.
  double alpha = 1e-3;
  Index max_iter = 100;
  double tol = 1e-6;  // a step, in units of the kernel's width 1/sqrt(gamma)
};

// M x N, before preprocessing is undone; scores is N x D.
Samples pre_images(const KernelModel& model, const Matrix& scores, int threads,
                   const PreImageOptions& options = {});

// Scores of samples from their kernel values k(x, P), n x P: n x D.
Matrix scores_from(const KernelModel& model, const Matrix& kernel_values);

// Kernel ridge regression of the points on their scores, as scikit-learn's fit_inverse_transform has it:
// rbf on the scores. Its gamma is 1 / (total variance of the scores), the `scale` rule: the model's own
// gamma belongs to the space of the samples and would be meaningless here. The points are learned as
// differences from their mean, which is then the answer far from all scores.
class ScoreRegression {
 public:
  ScoreRegression(const KernelModel& model, const PreImageOptions& options, int threads);
  Samples predict(const Matrix& scores, int threads) const;  // n x D to M x n

 private:
  Kernel kernel_;
  Matrix scores_;   // D x R
  Matrix weights_;  // M x R
  Vector mean_;     // M
};

}  // namespace choir
