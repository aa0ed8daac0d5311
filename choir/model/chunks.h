// Many samples in pieces of bounded memory: a transform of a million samples never holds a million rows of
// kernel values. The pieces do not depend on the number of threads, so neither do the bits.
#pragma once

#include <functional>

#include "choir/linalg/types.h"

namespace choir {

// How many samples to take at once when each needs `width` doubles: 128 MiB in all, 64 to 8192 samples.
Index chunk_size(Index width);

// Calls work(first, count) for each piece of 0 .. samples-1, in order.
void for_each_chunk(Index samples, Index width, const std::function<void(Index first, Index count)>& work);

// a * b, split over threads by columns of b.
Matrix multiply(const MatrixView<double>& a, const MatrixView<double>& b, int threads);

}  // namespace choir
