// What processes tell each other, typed: the fields of a struct are listed once, and written and read by that
// list.
//
//   struct ShardFacts {
//     Index samples = 0;
//     std::string source;
//     std::optional<double> gamma;
//     std::vector<std::string> columns;
//     template <class Visitor>
//     void fields(Visitor& visit) {
//       visit(samples, source, gamma, columns);                   // or one call each
//     }
//   };
//   const Message message = statement(Kind::facts, ShardFacts{.samples = 100, .source = "a.npy"});
//   const auto same = read_statement<ShardFacts>(message);        // throws Error(BadData) if it is damaged
//
// Fields may be bool, integers, enumerations, double, float, Duration, Time, std::string, Eigen's dense
// vectors and matrices, std::vector, std::array, std::pair, std::map, std::optional and structs with
// fields(); none may contain itself. A statement may also be one of these alone. An enumeration that says
// which value is its last, with `constexpr Colour last_value(Colour) { return Colour::blue; }`, is checked
// against it.
//
// The message has one array of bytes: a version, then the fields one after the other as byte_stream.h writes
// them, containers after their size. A size is checked against the bytes that are left before anything is
// allocated, and there is one way only to write a value down.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/linalg/types.h"
#include "choir/runtime/byte_stream.h"
#include "choir/runtime/message.h"

namespace choir {

class FieldWriter {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }
  Array take_array() { return writer_.take_array(); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      writer_.put(value);
    } else {
      // fields() serves both directions and therefore is not const; a writer changes nothing.
      const_cast<T&>(value).fields(*this);
    }
  }
  void put(const std::string& text) { writer_.put_text(text); }
  void put(const Duration& duration) { writer_.put(static_cast<std::int64_t>(duration.count())); }
  void put(const Time& time) { put(time.time_since_epoch()); }
  template <class Scalar, int columns>
  void put(const Eigen::Matrix<Scalar, Eigen::Dynamic, columns>& matrix) {
    put_size(matrix.rows());
    if constexpr (columns == Eigen::Dynamic) put_size(matrix.cols());
    writer_.put_bytes(std::as_bytes(std::span(matrix.data(), static_cast<std::size_t>(matrix.size()))));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put_size(values.size());
    for (const auto& value : values) put(static_cast<const T&>(value));
  }
  template <class T, std::size_t count>
  void put(const std::array<T, count>& values) {
    for (const T& value : values) put(value);
  }
  template <class First, class Second>
  void put(const std::pair<First, Second>& values) {
    put(values.first);
    put(values.second);
  }
  template <class Key, class Value>
  void put(const std::map<Key, Value>& values) {
    put_size(values.size());
    for (const auto& [key, value] : values) {
      put(key);
      put(value);
    }
  }
  template <class T>
  void put(const std::optional<T>& value) {
    writer_.put(value.has_value());
    if (value) put(*value);
  }
  template <class Size>
  void put_size(Size size) {
    writer_.put(static_cast<std::uint64_t>(size));
  }

  ByteWriter writer_;
};

class FieldReader {
 public:
  explicit FieldReader(std::span<const std::byte> bytes) : reader_(bytes) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }
  void expect_end() const { reader_.expect_end(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      value = reader_.get<T>();
    } else if constexpr (std::is_enum_v<T>) {
      value = get_choice<T>();
    } else {
      value.fields(*this);
    }
  }
  void get(std::string& text) { text = reader_.get_text(); }
  void get(Duration& duration) { duration = Duration(reader_.get<std::int64_t>()); }
  void get(Time& time) { time = Time(next<Duration>()); }
  template <class Scalar, int columns>
  void get(Eigen::Matrix<Scalar, Eigen::Dynamic, columns>& matrix) {
    static_assert(std::is_arithmetic_v<Scalar> && (columns == 1 || columns == Eigen::Dynamic));
    const std::uint64_t rows = reader_.get<std::uint64_t>();
    const std::uint64_t width = columns == 1 ? 1 : reader_.get<std::uint64_t>();
    require_shape(rows, width, reader_.left() / sizeof(Scalar));
    const auto values = reader_.get_bytes(rows * width * sizeof(Scalar));
    matrix.resize(static_cast<Index>(rows), static_cast<Index>(width));
    if (!values.empty()) std::memcpy(matrix.data(), values.data(), values.size());
  }
  template <class T>
  void get(std::vector<T>& values) {
    // Grows as its elements are read, each of which takes a byte at least.
    const std::uint64_t size = get_size();
    values.clear();
    for (std::uint64_t i = 0; i < size; ++i) values.push_back(next<T>());
  }
  template <class T, std::size_t count>
  void get(std::array<T, count>& values) {
    for (T& value : values) get(value);
  }
  template <class First, class Second>
  void get(std::pair<First, Second>& values) {
    get(values.first);
    get(values.second);
  }
  template <class Key, class Value>
  void get(std::map<Key, Value>& values) {
    const std::uint64_t size = get_size();
    values.clear();
    for (std::uint64_t i = 0; i < size; ++i) {
      Key key = next<Key>();
      if (!values.empty() && !(values.rbegin()->first < key)) ByteReader::refuse("keys are not in order");
      values.emplace_hint(values.end(), std::move(key), next<Value>());
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    value.reset();
    if (reader_.get<bool>()) value = next<T>();
  }

  template <class T>
  T next() {
    T value{};
    get(value);
    return value;
  }
  template <class Choice>
  Choice get_choice() {
    const auto value = reader_.get<std::underlying_type_t<Choice>>();
    if constexpr (requires(Choice choice) { last_value(choice); }) {
      const auto last = static_cast<std::underlying_type_t<Choice>>(last_value(Choice{}));
      if (value > last || std::cmp_less(value, 0)) ByteReader::refuse("there is no such choice");
    }
    return static_cast<Choice>(value);
  }
  std::uint64_t get_size() {
    const auto size = reader_.get<std::uint64_t>();
    if (size > reader_.left()) ByteReader::refuse("a list is longer than the rest of it");
    return size;
  }
  static void require_shape(std::uint64_t rows, std::uint64_t columns, std::uint64_t most) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    if (rows > largest || columns > largest || (columns != 0 && rows > most / columns)) {
      ByteReader::refuse("a matrix is larger than the rest of it");
    }
  }

  ByteReader reader_;
};

inline constexpr std::uint8_t statement_version = 1;

namespace detail {

// The bytes of a message that statement() made; throws Error(BadData) for one of another shape.
std::span<const std::byte> statement_bytes(const Message& message);
void require_statement_version(std::uint8_t version);

}  // namespace detail

template <class Statement>
Message statement(Kind kind, const Statement& content) {
  FieldWriter writer;
  writer(statement_version, content);
  Message message(kind);
  message.array(writer.take_array());
  return message;
}

template <class Statement>
Statement read_statement(const Message& message) {
  FieldReader reader(detail::statement_bytes(message));
  std::uint8_t version = 0;
  reader(version);
  detail::require_statement_version(version);
  Statement content{};
  reader(content);
  reader.expect_end();
  return content;
}

}  // namespace choir
