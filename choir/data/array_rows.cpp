#include "choir/data/array_rows.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/data/arrays.h"
#include "choir/data/idx_reader.h"

namespace choir {
namespace {

class ArrayRows : public RowSource {
 public:
  ArrayRows(UnpackingReader file, StoredArray array)
      : file_(std::move(file)), array_(std::move(array)), table_(row_shape(array_.shape, file_.name())) {
    if (const auto size = file_.size()) {
      check_array_bytes(array_.type, array_.shape, *size - std::min<std::uint64_t>(*size, array_.offset),
                        name());
    }
    rewind();
  }

  const std::string& name() const override { return file_.name(); }
  Index features() const override { return table_.features; }
  std::optional<std::uint64_t> rows() const override { return static_cast<std::uint64_t>(table_.samples); }

  Index read(Index count, std::span<double> samples, std::span<double>) override {
    count = std::min(count, table_.samples - row_);
    const Index at_once = std::max<Index>(1, static_cast<Index>(buffer_bytes / row_bytes()));
    for (Index done = 0; done < count;) {
      const Index rows = std::min(count - done, at_once);
      read_block(rows, samples.subspan(static_cast<std::size_t>(done * features())));
      done += rows;
    }
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    const std::uint64_t passed = std::min(count, static_cast<std::uint64_t>(table_.samples - row_));
    go_to(row_ + static_cast<Index>(passed));
    return passed;
  }

  void rewind() override { go_to(0); }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

  std::size_t row_bytes() const { return static_cast<std::size_t>(features()) * size_of(array_.type); }

  void go_to(Index row) {
    file_.seek(array_.offset + static_cast<std::uint64_t>(row) * row_bytes());
    row_ = row;
  }

  void read_block(Index rows, std::span<double> samples) {
    const auto elements = static_cast<std::size_t>(rows * features());
    buffer_.resize(elements * size_of(array_.type));
    if (file_.read(buffer_) < buffer_.size()) {
      fail(ErrorCategory::BadData, "{} ends within rows {} to {}; it was truncated while it was read", name(),
           row_ + 1, row_ + rows);
    }
    if (array_.big_endian) reverse_elements(buffer_, array_.type);
    copy_doubles({.type = array_.type, .shape = {rows, features()}, .bytes = buffer_},
                 samples.first(elements));
    row_ += rows;
    if (row_ == table_.samples && !file_.size()) refuse_more();
  }

  // A packed file did not say before how long it is.
  void refuse_more() {
    std::byte more{};
    if (file_.read_some({&more, 1}) == 0) return;
    fail(ErrorCategory::BadData, "{} continues after its {} rows; its header or the data after it is wrong",
         name(), table_.samples);
  }

  UnpackingReader file_;
  StoredArray array_;
  TableShape table_;
  Index row_ = 0;  // the next one
  std::vector<std::byte> buffer_;
};

}  // namespace

std::unique_ptr<RowSource> open_array_rows(UnpackingReader file, StoredArray array) {
  return std::make_unique<ArrayRows>(std::move(file), std::move(array));
}

}  // namespace choir
