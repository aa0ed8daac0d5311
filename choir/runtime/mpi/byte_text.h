// Small values one after the other in a text, for what ranks gather. The reader throws Error(BadData) if the
// text ends too early.
//
//   ByteWriter writer;
//   writer.put(std::uint64_t{7});
//   writer.put_text("seven");
//   ByteReader reader(writer.text());
//   reader.get<std::uint64_t>();
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "choir/base/error.h"

namespace choir {

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view text) : left_(text) {}
  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, skip(sizeof value).data(), sizeof value);
    return value;
  }
  std::string get_text() { return std::string(skip(get<std::uint64_t>())); }

 private:
  std::string_view skip(std::uint64_t bytes) {
    if (bytes > left_.size())
      fail(ErrorCategory::BadData, "a rank's statement is damaged: it ends too early");
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }
  std::string_view left_;
};

}  // namespace choir
