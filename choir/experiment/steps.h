// How far an experiment is, told to whoever watches.
//
//   Steps steps(options.watch, "consensus-kpca/fig3", settings * repetitions(options));
//   steps.next();                                   // after each; throws Error(Cancelled) on request
#pragma once

#include <string>
#include <utility>

#include "choir/base/progress.h"

namespace choir {

class Steps {
 public:
  Steps(const Watch& watch, std::string stage, std::size_t total)
      : watch_(watch), stage_(std::move(stage)), total_(static_cast<Index>(total)) {
    watch_.report(stage_, 0, total_);
  }
  void next() { watch_.report(stage_, ++done_, total_); }

 private:
  const Watch& watch_;
  std::string stage_;
  Index total_;
  Index done_ = 0;
};

}  // namespace choir
