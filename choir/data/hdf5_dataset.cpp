#include "choir/data/hdf5_dataset.h"

#include <optional>

#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {
namespace {

struct Table {
  std::string name;
  std::vector<Index> shape;
};

herr_t note_dataset(hid_t file, const char* name, const H5O_info_t* info, void* out) {
  constexpr std::string_view matlab_internals = "#";
  if (info->type != H5O_TYPE_DATASET || std::string_view(name).starts_with(matlab_internals)) return 0;
  const Hdf5Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
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
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_dataset, &all, H5O_INFO_BASIC) < 0)
    fail_damaged_hdf5(name);
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

// Packed chunks larger than the library's own cache of 1 MiB would be unpacked again for every few rows.
Hdf5Handle access_properties() {
  constexpr std::size_t cache_bytes = std::size_t{1} << 25;
  constexpr std::size_t slots = 521;
  constexpr double evict_read_first = 1;
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (properties.valid()) H5Pset_chunk_cache(properties.get(), slots, cache_bytes, evict_read_first);
  return properties;
}

}  // namespace

void fail_damaged_hdf5(const std::string& name) {
  fail(ErrorCategory::BadData, "{} cannot be read; it is truncated, damaged or not an HDF5 file", name);
}

Hdf5Dataset open_hdf5_dataset(const std::filesystem::path& path, const std::string& key) {
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) fail_damaged_hdf5(path.string());
  const std::string chosen = key.empty() ? choose_dataset(file.get(), path.string()) : key;
  const Hdf5Handle access = access_properties();
  Hdf5Handle dataset(H5Dopen2(file.get(), chosen.c_str(), access.valid() ? access.get() : H5P_DEFAULT),
                     H5Dclose);
  if (!dataset.valid()) fail(ErrorCategory::BadData, "{} holds no dataset '{}'", path.string(), chosen);
  return {std::move(file), std::move(dataset), path.string() + ":" + chosen};
}

std::vector<Index> shape_of(hid_t dataset, const std::string& name) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space.valid()) fail_damaged_hdf5(name);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  if (dimensions < 0) fail_damaged_hdf5(name);
  std::vector<hsize_t> extents(static_cast<std::size_t>(dimensions));
  if (dimensions > 0 && H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) < 0)
    fail_damaged_hdf5(name);
  std::vector<Index> shape;
  for (const hsize_t extent : extents) {
    if (extent > hsize_t{1} << 62) fail_damaged_hdf5(name);
    shape.push_back(static_cast<Index>(extent));
  }
  return shape;
}

std::string type_name(hid_t dataset, const std::string& name) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type.valid()) fail_damaged_hdf5(name);
  const std::size_t bits = 8 * H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      return fmt::format("float{}", bits);
    case H5T_INTEGER:
      return fmt::format("{}{}", H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint" : "int", bits);
    default:
      fail(ErrorCategory::BadData, "{} does not hold numbers; choose a dataset of integers or floats", name);
  }
}

void check_storage(hid_t dataset, const std::string& name) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (!properties.valid()) fail_damaged_hdf5(name);
  if (H5Pget_external_count(properties.get()) > 0 || H5Pget_layout(properties.get()) == H5D_VIRTUAL) {
    fail(ErrorCategory::BadData, "{} keeps its values in other files; copy them into one file first", name);
  }
  if (H5Dget_storage_size(dataset) == 0)
    fail(ErrorCategory::BadData, "{} has no data: nothing was ever written", name);
}

}  // namespace choir
