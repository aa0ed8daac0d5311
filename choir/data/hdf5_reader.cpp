#include "choir/data/hdf5_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/ranges.h>
#include <hdf5.h>

#include "choir/base/error.h"
#include "choir/data/arrays.h"
#include "choir/data/hdf5_turn.h"

namespace choir {
namespace {

// An identifier of the library with the function that gives it back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

[[noreturn]] void fail_damaged(const std::string& name) {
  fail(ErrorCategory::BadData, "{} cannot be read; it is truncated, damaged or not an HDF5 file", name);
}

std::vector<Index> shape_of(hid_t dataset, const std::string& name) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space.valid()) fail_damaged(name);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 0) fail_damaged(name);
  std::vector<hsize_t> extents(static_cast<std::size_t>(dimensions));
  if (dimensions > 0 && H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) < 0)
    fail_damaged(name);
  std::vector<Index> shape;
  for (const hsize_t extent : extents) {
    if (extent > hsize_t{1} << 62) fail_damaged(name);
    shape.push_back(static_cast<Index>(extent));
  }
  return shape;
}

struct Table {
  std::string name;
  std::vector<Index> shape;
};

herr_t note_dataset(hid_t file, const char* name, const H5O_info_t* info, void* out) {
  constexpr std::string_view matlab_internals = "#";
  if (info->type != H5O_TYPE_DATASET || std::string_view(name).starts_with(matlab_internals)) return 0;
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return 0;
  try {
    static_cast<std::vector<Table>*>(out)->push_back(
        {std::string("/") + name, shape_of(dataset.get(), name)});
  } catch (const Error&) {  // must not pass through the library; a damaged dataset is no candidate
  }
  return 0;
}

// The only one of the tables that is as wanted.
template <class Wanted>
std::optional<std::string> the_only(const std::vector<Table>& tables, Wanted wanted) {
  std::optional<std::string> found;
  for (const Table& table : tables) {
    if (!wanted(table)) continue;
    if (found) return std::nullopt;
    found = table.name;
  }
  return found;
}

std::string choose_dataset(hid_t file, const std::string& name) {
  std::vector<Table> all;
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_dataset, &all, H5O_INFO_BASIC) < 0) fail_damaged(name);
  if (all.empty()) fail(ErrorCategory::BadData, "{} holds no datasets", name);
  const auto has_rows = [](const Table& table) { return table.shape.size() >= 2; };
  const auto is_large = [](const Table& table) {
    return table.shape.size() >= 2 && table.shape[0] > 1 && table.shape[1] > 1;
  };
  if (const auto found = the_only(all, has_rows)) return *found;
  if (const auto found = the_only(all, is_large)) return *found;
  if (all.size() == 1) return all.front().name;
  std::vector<std::string> names;
  for (const Table& table : all) names.push_back(table.name);
  fail(ErrorCategory::BadData, "{} holds several datasets ({}); pick one, as in {}:{}", name,
       fmt::join(names, ", "), name, names.front());
}

// numpy's name for the element type; refuses what is not a number.
std::string type_name(hid_t dataset, const std::string& name) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type.valid()) fail_damaged(name);
  const std::size_t bits = 8 * H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      return fmt::format("float{}", bits);
    case H5T_INTEGER:
      return fmt::format("{}{}", H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint" : "int", bits);
    default:
      fail(ErrorCategory::BadData, "{} does not hold numbers; choose a dataset of whole numbers or floats",
           name);
  }
}

void check_storage(hid_t dataset, const std::string& name) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (!properties.valid()) fail_damaged(name);
  if (H5Pget_external_count(properties.get()) > 0 || H5Pget_layout(properties.get()) == H5D_VIRTUAL) {
    fail(ErrorCategory::BadData, "{} keeps its values in other files; copy them into one file first", name);
  }
  if (H5Dget_storage_size(dataset) == 0)
    fail(ErrorCategory::BadData, "{} has no data: nothing was ever written", name);
}

struct OpenDataset {
  Handle file;
  Handle dataset;
  std::string name;  // for errors
};

OpenDataset open_dataset(const std::filesystem::path& path, const std::string& key) {
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) fail_damaged(path.string());
  const std::string chosen = key.empty() ? choose_dataset(file.get(), path.string()) : key;
  Handle dataset(H5Dopen2(file.get(), chosen.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(ErrorCategory::BadData, "{} holds no dataset '{}'", path.string(), chosen);
  return {std::move(file), std::move(dataset), path.string() + ":" + chosen};
}

// M x N doubles of the dataset as it lies in the file, row by row.
Dataset read_rows(const OpenDataset& open, const ReadOptions& options) {
  Dataset result;
  result.type = type_name(open.dataset.get(), open.name);
  const TableShape table =
      table_shape(shape_of(open.dataset.get(), open.name), open.name, memory_budget(options.max_bytes));
  check_storage(open.dataset.get(), open.name);
  result.samples.resize(table.features, table.samples);
  if (H5Dread(open.dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.samples.data()) <
      0) {
    fail_damaged(open.name);
  }
  return result;
}

// "double", "char", ...; empty if MATLAB did not write it.
std::string matlab_class(hid_t dataset) {
  const Handle attribute(H5Aopen(dataset, "MATLAB_class", H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return {};
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
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
  return read_rows(open_dataset(path, key), options);
}

Dataset read_matlab_hdf5(const std::filesystem::path& path, const std::string& key,
                         const ReadOptions& options) {
  const Hdf5Turn turn;
  const OpenDataset open = open_dataset(path, key);
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
