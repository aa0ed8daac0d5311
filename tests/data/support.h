// What the data room's tests share: its fixtures and the numbers that are in them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/support.h"
#include "paths.h"

#include "choir/codec/files.h"
#include "choir/data/dataset.h"

namespace choir {

inline std::string fixture(std::string_view name) {
  return (std::filesystem::path(fixtures_folder()) / "data" / name).string();
}

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// table[i][j] = 10 i + j + offset as the fixtures have it: 4 samples of 3 features.
inline Samples table(double offset) {
  Samples samples(3, 4);
  for (Index n = 0; n < 4; ++n) {
    for (Index m = 0; m < 3; ++m)
      samples(m, n) = 10.0 * static_cast<double>(n) + static_cast<double>(m) + offset;
  }
  return samples;
}

// The cube of 2 x 3 x 4 counting from 0: 2 samples of 12 features.
inline Samples cube() {
  Samples samples(12, 2);
  for (Index i = 0; i < 24; ++i) samples.data()[i] = static_cast<double>(i);
  return samples;
}

// A fixture that ends early, at many lengths: calls check(path, length) for each.
template <class Check>
void for_truncations_of(std::string_view name, std::size_t step, const Check& check) {
  const TemporaryFolder folder;
  const std::vector<std::byte> whole = read_file(fixture(name));
  const std::filesystem::path path = folder / ("short" + std::filesystem::path(name).extension().string());
  for (std::size_t length = 1; length < whole.size(); length += step) {
    write_file_atomically(path, std::span(whole).first(length));
    check(path, length);
  }
}

}  // namespace choir
