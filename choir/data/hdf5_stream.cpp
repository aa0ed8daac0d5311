#include "choir/data/hdf5_stream.h"

#include <algorithm>
#include <utility>

#include "choir/data/arrays.h"
#include "choir/data/hdf5_dataset.h"
#include "choir/data/hdf5_turn.h"

namespace choir {
namespace {

class Hdf5Rows : public RowSource {
 public:
  Hdf5Rows(Hdf5Dataset open, std::vector<Index> shape)
      : open_(std::move(open)), shape_(std::move(shape)), table_(row_shape(shape_, open_->name)) {}
  ~Hdf5Rows() override {
    const Hdf5Turn turn;
    open_.reset();
  }
  Hdf5Rows(const Hdf5Rows&) = delete;
  Hdf5Rows& operator=(const Hdf5Rows&) = delete;

  const std::string& name() const override { return open_->name; }
  Index features() const override { return table_.features; }
  std::optional<std::uint64_t> rows() const override { return static_cast<std::uint64_t>(table_.samples); }

  Index read(Index count, std::span<double> samples, std::span<double>) override {
    count = std::min(count, table_.samples - row_);
    if (count == 0) return 0;
    const Hdf5Turn turn;
    const Hdf5Handle all(H5Dget_space(open_->dataset.get()), H5Sclose);
    std::vector<hsize_t> first(shape_.size(), 0);
    std::vector<hsize_t> extents(shape_.begin(), shape_.end());
    first.front() = static_cast<hsize_t>(row_);
    extents.front() = static_cast<hsize_t>(count);
    const auto elements = static_cast<hsize_t>(count * features());
    const Hdf5Handle here(H5Screate_simple(1, &elements, nullptr), H5Sclose);
    if (!all.valid() || !here.valid() ||
        H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, first.data(), nullptr, extents.data(), nullptr) < 0 ||
        H5Dread(open_->dataset.get(), H5T_NATIVE_DOUBLE, here.get(), all.get(), H5P_DEFAULT, samples.data()) <
            0) {
      fail_damaged_hdf5(name());
    }
    row_ += count;
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    const std::uint64_t passed = std::min(count, static_cast<std::uint64_t>(table_.samples - row_));
    row_ += static_cast<Index>(passed);
    return passed;
  }

  void rewind() override { row_ = 0; }

 private:
  std::optional<Hdf5Dataset> open_;  // always there, but given back in its turn
  std::vector<Index> shape_;
  TableShape table_;
  Index row_ = 0;  // the next one
};

}  // namespace

std::unique_ptr<RowSource> open_hdf5_rows(const std::filesystem::path& path, const std::string& key) {
  const Hdf5Turn turn;
  Hdf5Dataset open = open_hdf5_dataset(path, key);
  type_name(open.dataset.get(), open.name);  // refuses what is not numbers
  std::vector<Index> shape = shape_of(open.dataset.get(), open.name);
  row_shape(shape, open.name);
  check_storage(open.dataset.get(), open.name);
  return std::make_unique<Hdf5Rows>(std::move(open), std::move(shape));
}

}  // namespace choir
