#include "choir/linalg/qr.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/lapack.h"

namespace choir {

template <class Scalar>
ThinQrOf<Scalar> thin_qr(MatrixOf<Scalar> a) {
  const Index m = a.rows(), n = a.cols();
  if (m < n)
    fail(ErrorCategory::InvalidArgument,
         "a {} x {} matrix has no thin QR; it needs at least as many rows as columns", m, n);
  if (!a.allFinite())
    fail(ErrorCategory::Numerical, "the {} x {} matrix has a NaN or an infinity; it has no QR", m, n);
  VectorOf<Scalar> reflectors;
  lapack::householder_qr(a, reflectors);
  ThinQrOf<Scalar> result;
  result.r = a.topRows(n).template triangularView<Eigen::Upper>();
  lapack::form_q(a, reflectors);
  result.q = std::move(a);
  for (Index j = 0; j < n; ++j) {
    if (result.r(j, j) >= 0) continue;
    result.r.row(j) *= Scalar(-1);
    result.q.col(j) *= Scalar(-1);
  }
  return result;
}

template ThinQrOf<float> thin_qr(MatrixOf<float>);
template ThinQrOf<double> thin_qr(MatrixOf<double>);

}  // namespace choir
