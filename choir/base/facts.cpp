#include "choir/base/facts.h"

#include <algorithm>
#include <type_traits>

#include "choir/base/error.h"

namespace choir {

Facts::Facts() = default;
Facts::Facts(const Facts& other) = default;
Facts::Facts(Facts&& other) noexcept = default;
Facts& Facts::operator=(const Facts& other) = default;
Facts& Facts::operator=(Facts&& other) noexcept = default;
Facts::~Facts() = default;

bool Facts::empty() const { return entries_.empty(); }

Facts& Facts::set(std::string key, Fact value) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.first == key; });
  if (found == entries_.end()) {
    entries_.emplace_back(std::move(key), std::move(value));
  } else {
    found->second = std::move(value);
  }
  return *this;
}

Facts& Facts::add(const Facts& others) {
  for (const Entry& entry : others.entries()) set(entry.first, entry.second);
  return *this;
}

const Fact* Facts::find(std::string_view key) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.first == key; });
  return found == entries_.end() ? nullptr : &found->second;
}

const Fact& Facts::at(std::string_view key) const {
  if (const Fact* fact = find(key)) return *fact;
  fail(ErrorCategory::Internal, "nothing was found out about '{}'", key);
}

double Fact::number() const {
  return std::visit(
      [](const auto& value) -> double {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return static_cast<double>(value);
        throw Error(ErrorCategory::Internal, "a fact that is no number was asked for one");
      },
      value_);
}

std::string Fact::text() const {
  if (const auto* text = std::get_if<std::string>(&value_)) return *text;
  throw Error(ErrorCategory::Internal, "a fact that is no text was asked for one");
}

}  // namespace choir
