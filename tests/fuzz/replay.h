// The fuzz targets of the program that replays corpora; choir_fuzzer() makes a source with one of these for
// each.
//
//   static const Replay registered_npy("npy", replay_npy);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

struct Replay {
  Replay(const std::string& name, FuzzTarget target);
};
