// Bytes that must not stay in memory: wiped on destruction, moved but never copied.
//
//   const Secret key = Secret::random(32);          // from the system's randomness, not from a seed
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace choir {

class Secret {
 public:
  static Secret random(std::size_t size);
  explicit Secret(std::size_t size) : bytes_(size) {}  // zeros, to be filled
  ~Secret();
  Secret(Secret&& other) noexcept = default;
  Secret& operator=(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::span<std::byte> bytes() { return bytes_; }

 private:
  void wipe();

  std::vector<std::byte> bytes_;
};

}  // namespace choir
