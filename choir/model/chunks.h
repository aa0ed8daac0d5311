// Many samples in pieces of bounded memory: a transform of a million samples never holds a million rows of
// kernel values. The pieces do not depend on the number of threads, so neither do the bits.
#pragma once

#include <functional>

#include "choir/linalg/blas.h"
#include "choir/linalg/types.h"
#include "choir/model/consistency.h"

namespace choir {

// How many samples to take at once when each needs `width` doubles: 128 MiB in all, 64 to 8192 samples.
Index chunk_size(Index width);

// Calls work(first, count) for each piece of 0 .. samples-1, in order.
void for_each_chunk(Index samples, Index width, const std::function<void(Index first, Index count)>& work);

// The samples of somebody who asks a model, a piece at a time and as the model preprocesses them, in order:
// work(first, piece) with M x count samples from `first` on. Throws Error(InvalidArgument) if they have
// another number of features.
template <class AnyModel, class Work>
void for_each_piece(const AnyModel& model, const SamplesView& samples, Index width, const Work& work) {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), model.features());
  for_each_chunk(samples.cols(), width, [&](Index first, Index count) {
    work(first, model.preprocessing.applied(samples, first, count));
  });
}

// a * b, split over threads by columns of b.
Matrix multiply(const MatrixView<double>& a, const MatrixView<double>& b, int threads);

}  // namespace choir
