// oneTBB's loop behind a plain function: the one translation unit of choir that knows oneTBB. It is left out
// of the thread sanitizer, which cannot follow the library's own synchronisation; everything it calls back is
// not. Only parallel.cpp uses it.
#pragma once

#include "choir/base/types.h"

namespace choir {

// call(context, piece) for every piece, on exactly `threads` threads, the caller's among them.
void tbb_loop(Index pieces, int threads, void (*call)(void* context, Index piece), void* context);

int tbb_hardware_threads();

}  // namespace choir
