#include "choir/data/hdf5_reader.h"

#include <algorithm>
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

// The library prints its errors unless told not to.
class QuietErrors {
 public:
  QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

[[noreturn]] void fail_damaged(const std::string& name) {
  fail(ErrorCategory::BadData, "{} cannot be read; it is truncated, damaged or not an HDF5 file", name);
}

struct Table {
  std::string name;
  int dimensions = 0;
};

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

herr_t note_dataset(hid_t file, const char* name, const H5O_info_t* info, void* out) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return 0;
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  static_cast<std::vector<Table>*>(out)->push_back(
      {.name = std::string("/") + name,
       .dimensions = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : 0});
  return 0;
}

std::string choose_dataset(hid_t file, const std::string& name) {
  std::vector<Table> all;
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_dataset, &all, H5O_INFO_BASIC) < 0) fail_damaged(name);
  if (all.empty()) fail(ErrorCategory::BadData, "{} holds no datasets", name);
  std::vector<Table> tables;
  std::ranges::copy_if(all, std::back_inserter(tables),
                       [](const Table& table) { return table.dimensions >= 2; });
  if (tables.size() == 1) return tables.front().name;
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

}  // namespace

std::mutex& hdf5_turn() {
  static std::mutex mutex;
  return mutex;
}

Dataset read_hdf5(const std::filesystem::path& path, const std::string& key, const ReadOptions& options) {
  const std::lock_guard turn(hdf5_turn());
  const QuietErrors quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) fail_damaged(path.string());
  const std::string chosen = key.empty() ? choose_dataset(file.get(), path.string()) : key;
  const std::string name = path.string() + ":" + chosen;
  const Handle dataset(H5Dopen2(file.get(), chosen.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(ErrorCategory::BadData, "{} holds no dataset '{}'", path.string(), chosen);

  Dataset result;
  result.type = type_name(dataset.get(), name);
  const std::vector<Index> shape = shape_of(dataset.get(), name);
  const TableShape table = table_shape(shape, name, memory_budget(options.max_bytes));
  check_storage(dataset.get(), name);
  result.samples.resize(table.features, table.samples);
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.samples.data()) < 0) {
    fail_damaged(name);
  }
  return result;
}

}  // namespace choir
