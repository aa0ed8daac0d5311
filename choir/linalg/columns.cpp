#include "choir/linalg/columns.h"

#include "choir/base/error.h"

namespace choir {
namespace {

template <class Part>
Matrix joined(const std::vector<Part>& parts) {
  if (parts.empty()) fail(ErrorCategory::InvalidArgument, "there is nothing to put side by side");
  Index columns = 0;
  for (const Part& part : parts) {
    if (part.rows() != parts.front().rows()) {
      fail(ErrorCategory::InvalidArgument, "matrices of {} and {} rows cannot be put side by side",
           parts.front().rows(), part.rows());
    }
    columns += part.cols();
  }
  Matrix all(parts.front().rows(), columns);
  Index begin = 0;
  for (const Part& part : parts) {
    all.middleCols(begin, part.cols()) = part;
    begin += part.cols();
  }
  return all;
}

}  // namespace

Matrix side_by_side(const std::vector<Eigen::Map<const Matrix>>& parts) { return joined(parts); }
Matrix side_by_side(const std::vector<Matrix>& parts) { return joined(parts); }

std::vector<Matrix> cut_columns(const Matrix& whole, Index parts) {
  std::vector<Matrix> cut;
  for (Index part = 0; part < parts; ++part) {
    const Index begin = part * whole.cols() / parts;
    cut.push_back(whole.middleCols(begin, (part + 1) * whole.cols() / parts - begin));
  }
  return cut;
}

}  // namespace choir
