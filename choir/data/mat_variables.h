// The variables of MATLAB files of the versions 4 and 5, without interpretation. The mat reader picks one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "choir/base/error.h"
#include "choir/codec/npy.h"

namespace choir {

struct MatVariable {
  std::string name;
  bool is_numeric = false;  // a full array of real numbers; then the rest is filled in
  std::string type = {};    // numpy's name of MATLAB's class
  NpyView array = {};       // column-major; its bytes live as long as the call
};

// Calls `visit` for each variable in file order until it returns false. `bytes` is the whole file. Throws
// Error(BadData) for a truncated or damaged file, Error(OutOfMemory) if a packed variable passes max_bytes.
void visit_mat4(std::span<const std::byte> bytes, const std::string& name,
                const std::function<bool(const MatVariable&)>& visit);
void visit_mat5(std::span<const std::byte> bytes, const std::string& name, std::uint64_t max_bytes,
                const std::function<bool(const MatVariable&)>& visit);

// For both: Error(BadData).
[[noreturn]] inline void fail_damaged_mat(const std::string& name) {
  fail(ErrorCategory::BadData, "{} cannot be read; it is truncated, damaged or not a MATLAB file", name);
}

}  // namespace choir
