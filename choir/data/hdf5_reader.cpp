#include "choir/data/hdf5_reader.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/data/arrays.h"
#include "choir/data/hdf5_dataset.h"
#include "choir/data/hdf5_turn.h"

namespace choir {
namespace {

// M x N doubles of the dataset as it lies in the file, row by row.
Dataset read_rows(const Hdf5Dataset& open, const ReadOptions& options) {
  Dataset result;
  result.type = type_name(open.dataset.get(), open.name);
  const TableShape table =
      table_shape(shape_of(open.dataset.get(), open.name), open.name, memory_budget(options.max_bytes));
  check_storage(open.dataset.get(), open.name);
  result.samples.resize(table.features, table.samples);
  if (H5Dread(open.dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.samples.data()) <
      0) {
    fail_damaged_hdf5(open.name);
  }
  return result;
}

// "double", "char", ...; empty if MATLAB did not write it.
std::string matlab_class(hid_t dataset) {
  const Hdf5Handle attribute(H5Aopen(dataset, "MATLAB_class", H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return {};
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  constexpr std::size_t longest = 64;
  const bool is_text =
      type.valid() && H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  if (!is_text || H5Tget_size(type.get()) > longest || H5Aget_storage_size(attribute.get()) > longest)
    return {};
  std::string text(longest + 1, '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return {};
  return text.c_str();
}

}  // namespace

Dataset read_hdf5(const std::filesystem::path& path, const std::string& key, const ReadOptions& options) {
  const Hdf5Turn turn;
  return read_rows(open_hdf5_dataset(path, key), options);
}

Dataset read_matlab_hdf5(const std::filesystem::path& path, const std::string& key,
                         const ReadOptions& options) {
  const Hdf5Turn turn;
  const Hdf5Dataset open = open_hdf5_dataset(path, key);
  const std::string type = matlab_class(open.dataset.get());
  if (type == "char" || H5Aexists(open.dataset.get(), "MATLAB_empty") > 0) {
    fail(ErrorCategory::BadData, "{} is text or empty; choose an array of numbers", open.name);
  }
  Dataset result = read_rows(open, options);
  if (type == "logical") result.type = "bool";
  // MATLAB's dimensions lie in the file in reverse: what was read row by row is its array by columns.
  std::vector<Index> shape = shape_of(open.dataset.get(), open.name);
  std::ranges::reverse(shape);
  const Samples stored = std::move(result.samples);
  const NpyView array{
      .type = ElementType::float64,
      .shape = shape,
      .fortran_order = true,
      .bytes = std::as_bytes(std::span(stored.data(), static_cast<std::size_t>(stored.size())))};
  result.samples = to_samples(array, open.name, memory_budget(options.max_bytes));
  return result;
}

}  // namespace choir
