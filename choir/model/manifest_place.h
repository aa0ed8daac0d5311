// A place in manifest.json, with its address for the sentence when something is not as it must be.
//
//   const ManifestPlace root(document, "model-0.npz", "");
//   root["kernel"]["gamma"].number();       // throws Error(BadData): "kernel.gamma" ... is not a finite
//   number
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/base/types.h"

namespace choir {

class ManifestPlace {
 public:
  ManifestPlace(const nlohmann::json& value, std::string_view file, std::string path)
      : value_(value), file_(file), path_(std::move(path)) {}

  ManifestPlace operator[](const std::string& key) const {
    need(value_.is_object(), "an object");
    const auto found = value_.find(key);
    if (found == value_.end())
      fail(ErrorCategory::BadData, "{}: manifest.json has no \"{}\"", file_, address(key));
    return {*found, file_, address(key)};
  }
  bool has(const std::string& key) const { return value_.is_object() && value_.contains(key); }
  template <class Visit>
  void for_each_member(Visit&& visit) const {
    need(value_.is_object(), "an object");
    for (const auto& [key, value] : value_.items()) visit(key, ManifestPlace(value, file_, address(key)));
  }
  template <class Visit>
  void for_each_item(std::size_t most, Visit&& visit) const {
    need(value_.is_array() && value_.size() <= most, fmt::format("a list of at most {}", most));
    for (const nlohmann::json& item : value_) visit(ManifestPlace(item, file_, path_));
  }
  std::string text() const {
    need(value_.is_string(), "a text");
    return value_.get<std::string>();
  }
  bool boolean() const {
    need(value_.is_boolean(), "true or false");
    return value_.get<bool>();
  }
  double number() const {
    need(value_.is_number() && std::isfinite(value_.get<double>()), "a finite number");
    return value_.get<double>();
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) const {
    const bool fits =
        value_.is_number_integer() &&
        (!value_.is_number_unsigned() ||
         value_.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    need(fits && value_.get<std::int64_t>() >= low && value_.get<std::int64_t>() <= high,
         fmt::format("an integer from {} to {}", low, high));
    return value_.get<std::int64_t>();
  }
  std::uint64_t bits() const {
    need(value_.is_number_unsigned(), "an integer from 0 to 2^64 - 1");
    return value_.get<std::uint64_t>();
  }
  std::vector<Index> lengths() const {
    need(value_.is_array() && value_.size() <= 2, "a list of one or two lengths");
    std::vector<Index> result;
    for (const nlohmann::json& length : value_)
      result.push_back(ManifestPlace(length, file_, path_).integer(0, max_length));
    return result;
  }
  void need(bool condition, std::string_view what) const {
    if (!condition) fail(ErrorCategory::BadData, "{}: \"{}\" in manifest.json is not {}", file_, path_, what);
  }

  static constexpr std::int64_t max_length = std::numeric_limits<std::int64_t>::max();

 private:
  std::string address(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const nlohmann::json& value_;
  std::string_view file_;
  std::string path_;
};

}  // namespace choir
