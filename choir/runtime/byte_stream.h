// Small values one after the other as bytes, little-endian as they lie in memory. The reader believes
// nothing: it throws Error(BadData) if the bytes end too early, before anything is allocated.
//
//   ByteWriter writer;
//   writer.put(std::uint64_t{7});
//   writer.put_text("seven");
//   const std::vector<std::byte> bytes = writer.take();      // or an Array: writer.take_array()
//   ByteReader reader(bytes);
//   reader.get<std::uint64_t>();
//   reader.get_text();
//   reader.expect_end();
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/runtime/array.h"

namespace choir {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    put_bytes(std::as_bytes(std::span(text)));
  }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }
  Array take_array() { return Array::of_bytes(take()); }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (std::is_same_v<T, bool>) {
      return get_truth();
    } else {
      T value;
      std::memcpy(&value, get_bytes(sizeof value).data(), sizeof value);
      return value;
    }
  }
  std::string get_text() {
    const std::span<const std::byte> bytes = get_bytes(get<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A view of what the reader was given.
  std::span<const std::byte> get_bytes(std::uint64_t count) {
    if (count > left_.size()) refuse("it ends too early");
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  std::size_t left() const { return left_.size(); }
  void expect_end() const {
    if (!left_.empty()) refuse("it goes on after its end");
  }
  [[noreturn]] static void refuse(std::string_view why) {
    fail(ErrorCategory::BadData, "what a process said is damaged: {}", why);
  }

 private:
  bool get_truth() {
    const auto value = get<std::uint8_t>();
    if (value > 1) refuse("a truth value is neither 0 nor 1");
    return value == 1;
  }

  std::span<const std::byte> left_;
};

}  // namespace choir
