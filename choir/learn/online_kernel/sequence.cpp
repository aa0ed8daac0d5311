#include "choir/learn/online_kernel/sequence.h"

#include <utility>

#include "choir/learn/online_kernel/losses.h"

namespace choir::online_kernel {
namespace {

// h: for values the curvature of the loss; for classes that of two of them where they are uncertain.
double damping(Loss loss) { return is_classification(loss) ? 0.25 : 1; }

}  // namespace

double damped(double step, Loss loss, double kappa) { return step / (1 + step * damping(loss) * kappa); }

Matrix descent_in_sequence(const Options& options, Matrix scores, const Matrix& corner, const Vector& targets,
                           double step) {
  const Index samples = scores.rows();
  Matrix coefficients(samples, scores.cols());
  for (Index b = 0; b < samples; ++b) {
    const Matrix here = scores.row(b);
    const LossGradient loss = loss_gradient(options.loss, here, targets.segment(b, 1), options.huber_width);
    coefficients.row(b) = loss.gradient.row(0) * -damped(step, options.loss, corner(b, b));
    const Index after = samples - b - 1;
    scores.bottomRows(after) += corner.col(b).tail(after) * coefficients.row(b);
  }
  return coefficients;
}

}  // namespace choir::online_kernel
