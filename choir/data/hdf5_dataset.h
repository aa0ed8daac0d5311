// An open dataset of an HDF5 file: what the reader of whole datasets and the stream of rows share. The
// caller must hold the turn (hdf5_turn.h).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "choir/base/types.h"

namespace choir {

// An identifier of the library with the function that gives it back.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

struct Hdf5Dataset {
  Hdf5Handle file;
  Hdf5Handle dataset;
  std::string name;  // for errors
};

// `key` may be empty if the file has one dataset, or one of two dimensions or more. Throws Error(BadData).
Hdf5Dataset open_hdf5_dataset(const std::filesystem::path& path, const std::string& key);

// Each throws Error(BadData) for what is damaged; `name` is for the message.
std::vector<Index> shape_of(hid_t dataset, const std::string& name);
// numpy's name for the element type; refuses what is not a number.
std::string type_name(hid_t dataset, const std::string& name);
// Refuses values that lie in other files or were never written.
void check_storage(hid_t dataset, const std::string& name);

[[noreturn]] void fail_damaged_hdf5(const std::string& name);

}  // namespace choir
