// How a long computation tells its caller where it is, and how the caller stops it. The library itself
// never prints.
//
//   Watch watch{.progress = [](const Progress& p) { draw(p); }, .stop = token};
//   watch.report("kernel matrix", tile, tiles);        // throws Error(Cancelled) once a stop is asked
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include "choir/base/error.h"
#include "choir/base/types.h"

namespace choir {

struct Progress {
  std::string_view stage;  // "kernel matrix"
  Index done = 0;
  Index total = 0;     // 0: not known
  double measure = 0;  // a residual or the like; 0: none
};

struct Watch {
  std::function<void(const Progress&)> progress;  // called from one thread at a time; may be empty
  std::stop_token stop;

  void report(std::string_view stage, Index done, Index total, double measure = 0) const {
    if (stop.stop_requested()) throw Error(ErrorCategory::Cancelled, "stopped on request");
    if (progress) progress({.stage = stage, .done = done, .total = total, .measure = measure});
  }
};

}  // namespace choir
