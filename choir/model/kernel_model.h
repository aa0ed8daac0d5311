// Directions in a kernel's feature space, and what can be asked of them.
//
// A direction is w_d = sum_n C_nd phi(p_n) over P expansion points; the mean it is measured from is
// mu = sum_n g_n phi(p_n). Every centring of choir has this form: the training mean (g = 1/N), landmarks
// (g on the landmarks only), none (g = 0). All questions are then affine in the kernel row k(x, p):
//
//  score of component d     t_d(x) = <phi(x) - mu, w_d> = k(x, P) C_d - offset_d,  offset = C'K_PP g
//  length                   ||phi(x) - mu||^2 = k(x,x) - 2 k(x,P) g + mean_norm,   mean_norm = g'K_PP g
//  reconstruction error     ||phi(x) - mu||^2 - ||t(x)||^2                          (orthonormal w)
//                           ||phi(x) - mu||^2 - t(x) (w'w)^+ t(x)'                  (others: overlap = w'w)
//
// Directions that a node found in the span of its own samples are shorter than 1 and not orthogonal; their
// scores are smaller than those of the directions they stand for.
//
//   Matrix scores = model.transform(samples);          // N x D
//   Vector errors = model.score(samples);              // N: large means unlike the training data
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir {

struct KernelModel {
  Kernel kernel = {};
  Preprocessing preprocessing = {};
  Samples points = {};       // M x P, after preprocessing
  Matrix coefficients = {};  // P x D
  Matrix overlap = {};       // D x D: w'w = C'K_PP C; empty: the directions are orthonormal
  Vector mean_weights = {};  // P: g above
  Vector offset = {};        // D
  double mean_norm = 0;
  Vector eigenvalues = {};  // D, of the centred kernel matrix of all training samples
  double trace = 0;         // of that matrix: eigenvalue / trace is the explained variance ratio
  Index training_samples = 0;

  Index features() const { return points.rows(); }
  Index components() const { return coefficients.cols(); }
  Vector explained_variance_ratio() const;  // D
  Vector explained_variance() const;        // D: eigenvalue / training_samples

  // N x D. Throws Error(InvalidArgument) if the samples have another number of features.
  Matrix transform(const SamplesView& samples, int threads = 1) const;
  // N: squared distance in feature space to the span of the components.
  Vector score(const SamplesView& samples, int threads = 1) const;
  // M x N: samples whose scores come close to these (N x D), or whose images come close to the point of the
  // span that has these scores. Exact for the linear kernel. rbf: fixed-point
  // pre-image, started from a kernel ridge regression of the points on their scores. Others: that
  // regression alone.
  Samples inverse(const Matrix& scores, int threads = 1) const;
};

// Fills offset and mean_norm from the other fields.
void complete(KernelModel& model, int threads = 1);

}  // namespace choir
