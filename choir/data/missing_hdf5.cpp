// Stands for the readers of HDF5 in a build without it.
#include "choir/base/error.h"
#include "choir/data/hdf5_reader.h"
#include "choir/data/hdf5_stream.h"

namespace choir {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  fail(ErrorCategory::Unavailable, "cannot read {}: this choir was built without HDF5 (CHOIR_HDF5)",
       path.string());
}

}  // namespace

Dataset read_hdf5(const std::filesystem::path& path, const std::string&, const ReadOptions&) { refuse(path); }

Dataset read_matlab_hdf5(const std::filesystem::path& path, const std::string&, const ReadOptions&) {
  refuse(path);
}

std::unique_ptr<RowSource> open_hdf5_rows(const std::filesystem::path& path, const std::string&) {
  refuse(path);
}

}  // namespace choir
