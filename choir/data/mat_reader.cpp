#include "choir/data/mat_reader.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/ranges.h>
#include <matio.h>

#include "choir/base/error.h"
#include "choir/data/arrays.h"
#include "choir/data/hdf5_turn.h"

namespace choir {
namespace {

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

[[noreturn]] void fail_damaged(const std::string& name) {
  fail(ErrorCategory::BadData, "{} cannot be read; it is truncated, damaged or not a MATLAB file", name);
}

std::optional<ElementType> element_type(matio_classes type) {
  switch (type) {
    case MAT_C_DOUBLE:
      return ElementType::float64;
    case MAT_C_SINGLE:
      return ElementType::float32;
    case MAT_C_INT8:
      return ElementType::int8;
    case MAT_C_UINT8:
      return ElementType::uint8;
    case MAT_C_INT16:
      return ElementType::int16;
    case MAT_C_UINT16:
      return ElementType::uint16;
    case MAT_C_INT32:
      return ElementType::int32;
    case MAT_C_UINT32:
      return ElementType::uint32;
    case MAT_C_INT64:
      return ElementType::int64;
    case MAT_C_UINT64:
      return ElementType::uint64;
    default:
      return std::nullopt;
  }
}

std::vector<Index> shape_of(const matvar_t& variable, const std::string& name) {
  if (variable.rank < 1 || variable.dims == nullptr) fail_damaged(name);
  std::vector<Index> shape;
  for (int d = 0; d < variable.rank; ++d) {
    if (variable.dims[d] > std::size_t{1} << 62) fail_damaged(name);
    shape.push_back(static_cast<Index>(variable.dims[d]));
  }
  return shape;
}

bool is_table(const matvar_t& variable) {
  return element_type(variable.class_type) && variable.rank >= 2 && variable.dims != nullptr &&
         variable.dims[0] > 1 && variable.dims[1] > 1;
}

std::string choose_variable(mat_t* file, const std::string& name) {
  std::vector<std::string> all;
  std::vector<std::string> tables;
  while (const Variable variable{Mat_VarReadNextInfo(file)}) {
    if (variable->name == nullptr) continue;
    all.emplace_back(variable->name);
    if (is_table(*variable)) tables.emplace_back(variable->name);
  }
  Mat_Rewind(file);
  if (all.empty()) fail(ErrorCategory::BadData, "{} holds no variables, or is truncated or damaged", name);
  if (tables.size() == 1) return tables.front();
  if (all.size() == 1) return all.front();
  fail(ErrorCategory::BadData, "{} holds several variables ({}); pick one, as in {}:{}", name,
       fmt::join(all, ", "), name, all.front());
}

ElementType numeric_type(const matvar_t& variable, const std::string& name) {
  const std::optional<ElementType> type = element_type(variable.class_type);
  if (!type || variable.isComplex) {
    fail(ErrorCategory::BadData, "{} is not a full array of real numbers; save it with full() or real()",
         name);
  }
  return *type;
}

}  // namespace

Dataset read_mat(const std::filesystem::path& path, const std::string& key, const ReadOptions& options) {
  const std::lock_guard turn(hdf5_turn());
  const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) fail_damaged(path.string());
  const std::string chosen = key.empty() ? choose_variable(file.get(), path.string()) : key;
  const std::string name = path.string() + ":" + chosen;

  const Variable info(Mat_VarReadInfo(file.get(), chosen.c_str()));
  if (!info) fail(ErrorCategory::BadData, "{} holds no variable '{}'", path.string(), chosen);
  NpyView array{
      .type = numeric_type(*info, name), .shape = shape_of(*info, name), .fortran_order = true, .bytes = {}};
  const std::uint64_t budget = memory_budget(options.max_bytes);
  table_shape(array.shape, name, budget);  // before matio allocates as much
  Mat_Rewind(file.get());

  const Variable variable(Mat_VarRead(file.get(), chosen.c_str()));
  if (!variable || variable->data == nullptr) fail_damaged(name);
  array.bytes = {static_cast<const std::byte*>(variable->data), variable->nbytes};
  Dataset dataset;
  dataset.type = variable->isLogical ? "bool" : to_string(array.type);
  dataset.samples = to_samples(array, name, budget);
  return dataset;
}

}  // namespace choir
