// Independent pieces of work on a fixed number of threads (oneTBB).
//
//   parallel_for(tiles, threads, [&](Index tile) { fill(tile); });
//
// Pieces run in any order; a caller that wants the same bits on any number of threads gives each piece
// its own output and combines the outputs in piece order. The first exception is rethrown here.
#pragma once

#include <functional>

#include "choir/base/types.h"

namespace choir {

// 0 threads means all cores. One thread runs the pieces in order, on the calling thread.
void parallel_for(Index pieces, int threads, const std::function<void(Index)>& work);

// What "0 threads" stands for.
int hardware_threads();
inline int resolve_threads(int threads) { return threads > 0 ? threads : hardware_threads(); }

}  // namespace choir
