#include "choir/linalg/signs.h"

namespace choir {

template <class Scalar>
void fix_signs(MatrixSpan<Scalar> columns) {
  if (columns.rows() == 0) return;
  for (Index j = 0; j < columns.cols(); ++j) {
    Index largest = 0;
    columns.col(j).cwiseAbs().maxCoeff(&largest);
    if (columns(largest, j) < 0) columns.col(j) *= Scalar(-1);
  }
}

template void fix_signs<float>(MatrixSpan<float>);
template void fix_signs<double>(MatrixSpan<double>);

}  // namespace choir
