#include "choir/runtime/mpi/termination.h"

#include <utility>

namespace choir {

std::optional<std::uint64_t> Termination::look(bool idle, std::uint64_t unfinished) {
  if (!wave_) {
    if (!idle) return std::nullopt;
    wave_ = std::make_shared<PostOffice::Sum>(3);
    wave_->mine = {office_.parcels_sent(), office_.parcels_taken(), unfinished};
    own_doing_ = false;
    office_.begin(wave_);
  }
  if (!office_.is_done(wave_)) return std::nullopt;
  const auto wave = std::exchange(wave_, nullptr);
  const std::uint64_t sent = wave->all[0];
  const bool quiet = std::exchange(taken_before_, wave->all[1]) == sent;
  return quiet ? std::optional(wave->all[2]) : std::nullopt;
}

}  // namespace choir
