#include "choir/linalg/signs.h"

namespace choir {

template <class Scalar>
VectorOf<Scalar> fix_signs(MatrixSpan<Scalar> columns) {
  VectorOf<Scalar> signs = VectorOf<Scalar>::Ones(columns.cols());
  if (columns.rows() == 0) return signs;
  for (Index j = 0; j < columns.cols(); ++j) {
    Index largest = 0;
    columns.col(j).cwiseAbs().maxCoeff(&largest);
    if (columns(largest, j) < 0) signs(j) = Scalar(-1);
    columns.col(j) *= signs(j);
  }
  return signs;
}

template VectorOf<float> fix_signs<float>(MatrixSpan<float>);
template VectorOf<double> fix_signs<double>(MatrixSpan<double>);

}  // namespace choir
