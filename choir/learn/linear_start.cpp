#include "choir/learn/linear_start.h"

#include "choir/base/rng.h"

namespace choir {

template <class Scalar>
Matrix linear_start(const MatrixView<Scalar>& x, Index columns, std::uint64_t seed) {
  Rng rng(seed, Purpose("linear start"));
  MatrixOf<Scalar> directions(x.rows(), columns);
  for (Index i = 0; i < directions.size(); ++i) directions.data()[i] = static_cast<Scalar>(rng.normal());
  MatrixOf<Scalar> scores;
  for (int step = 0; step < 2; ++step) {
    if (step > 0) directions.noalias() = x * scores;
    scores.noalias() = x.transpose() * directions;
    scores.rowwise() -= scores.colwise().mean().eval();
  }
  return scores.template cast<double>();
}

template Matrix linear_start<double>(const MatrixView<double>&, Index, std::uint64_t);
template Matrix linear_start<float>(const MatrixView<float>&, Index, std::uint64_t);

}  // namespace choir
