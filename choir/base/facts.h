// Findings with names, in the order in which they were added: what only one method has to say, and lines of
// metrics. Typed values, no text format: result_json.h writes them down at the very end.
//
//   Facts facts;
//   facts.set("rho", 250.0).set("share", "landmarks");
//   facts.set("participants", Facts().set("smallest", 18).set("largest", 20));
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace choir {

class Fact;

class Facts {
 public:
  using Entry = std::pair<std::string, Fact>;
  // Defined where Fact is known, which may hold facts itself.
  Facts();
  Facts(const Facts& other);
  Facts(Facts&& other) noexcept;
  Facts& operator=(const Facts& other);
  Facts& operator=(Facts&& other) noexcept;
  ~Facts();

  Facts& set(std::string key, Fact value);  // replaces an earlier value
  Facts& add(const Facts& others);          // sets each of them
  const Fact* find(std::string_view key) const;
  const Fact& at(std::string_view key) const;  // throws Error(Internal) if there is none
  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const;

 private:
  std::vector<Entry> entries_;
};

class Fact {
 public:
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>, Facts,
                             std::vector<Facts>>;
  Fact() = default;  // nothing is known
  // A value is a fact: no need to say so.
  Fact(bool value) : value_(value) {}
  template <std::signed_integral T>
  Fact(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Fact(T value) : value_(static_cast<std::uint64_t>(value)) {}
  Fact(double value) : value_(value) {}
  Fact(std::string value) : value_(std::move(value)) {}
  Fact(std::string_view value) : value_(std::string(value)) {}
  Fact(const char* value) : value_(std::string(value)) {}
  Fact(std::vector<double> values) : value_(std::move(values)) {}
  Fact(std::vector<std::string> values) : value_(std::move(values)) {}
  template <std::integral T>
  Fact(const std::vector<T>& values) : value_(std::vector<std::int64_t>(values.begin(), values.end())) {}
  // Any other numbers one after the other: a Vector.
  template <class R>
  requires(std::same_as<std::decay_t<decltype(*std::declval<const R&>().begin())>, double>)
      Fact(const R& values)
      : value_(std::vector<double>(values.begin(), values.end())) {}
  Fact(Facts value) : value_(std::move(value)) {}
  Fact(std::vector<Facts> values) : value_(std::move(values)) {}
  template <class T>
  Fact(const std::optional<T>& value) : Fact(value ? Fact(*value) : Fact()) {}

  const Value& value() const { return value_; }
  double number() const;  // of any number; throws Error(Internal) for anything else
  std::string text() const;

 private:
  Value value_;
};

}  // namespace choir
