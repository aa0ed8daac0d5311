#include "choir/data/unpacking_reader.h"

#include <algorithm>
#include <span>
#include <utility>

#include "choir/base/error.h"
#include "choir/data/gzip.h"
#include "choir/data/inflater.h"

namespace choir {

UnpackingReader::UnpackingReader(FileReader file) : file_(std::move(file)), read_(std::size_t{1} << 16) {}
UnpackingReader::~UnpackingReader() = default;
UnpackingReader::UnpackingReader(UnpackingReader&&) noexcept = default;

std::size_t UnpackingReader::read_some(std::span<std::byte> out) {
  if (!has_begun_) begin();
  const std::size_t got = inflater_ ? inflate_some(out) : hand_on(out);
  position_ += got;
  return got;
}

void UnpackingReader::seek(std::uint64_t offset) {
  if (!has_begun_) begin();
  if (!inflater_) {
    file_.seek(offset);
    used_ = filled_ = 0;
    position_ = offset;
    return;
  }
  if (offset < position_) rewind();
  std::vector<std::byte> passed(std::size_t{1} << 16);
  while (position_ < offset) {
    const std::uint64_t left = offset - position_;
    if (read_some(std::span(passed).first(std::min<std::uint64_t>(left, passed.size()))) == 0) return;
  }
}

std::optional<std::uint64_t> UnpackingReader::size() {
  if (!has_begun_) begin();
  return inflater_ ? std::nullopt : file_.size();
}

void UnpackingReader::rewind() {
  file_.seek(0);
  used_ = filled_ = 0;
  position_ = 0;
  has_begun_ = false;
  inflater_.reset();
}

void UnpackingReader::begin() {
  constexpr std::byte first_of_gzip{0x1f};
  has_begun_ = true;
  refill();
  // Whoever types a short line is not kept waiting.
  if (filled_ == 1 && read_[0] == first_of_gzip) filled_ += file_.read_some(std::span(read_).subspan(1));
  within_member_ = is_gzip(std::span(read_).first(filled_));
  if (within_member_) inflater_ = std::make_unique<Inflater>(gzip_window_bits);
}

// False: there is no more.
bool UnpackingReader::refill() {
  used_ = 0;
  filled_ = file_.read_some(read_);
  return filled_ > 0;
}

std::size_t UnpackingReader::hand_on(std::span<std::byte> out) {
  if (used_ == filled_) return file_.read_some(out);
  const std::size_t count = std::min(out.size(), filled_ - used_);
  std::copy_n(read_.begin() + static_cast<std::ptrdiff_t>(used_), count, out.begin());
  used_ += count;
  return count;
}

std::size_t UnpackingReader::inflate_some(std::span<std::byte> out) {
  constexpr std::size_t most = std::size_t{1} << 20;  // zlib's counter is narrower than a span's
  out = out.first(std::min(out.size(), most));
  z_stream& stream = inflater_->stream();
  while (true) {
    if (used_ == filled_ && !refill()) {
      if (!within_member_ || was_stopped()) return 0;
      fail(ErrorCategory::BadData, "{} is truncated: its packed content ends early", name());
    }
    if (!within_member_) inflateReset(&stream);  // gzip files may be several, one after the other
    within_member_ = true;
    stream.next_in = reinterpret_cast<Bytef*>(read_.data() + used_);
    stream.avail_in = static_cast<uInt>(filled_ - used_);
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    used_ = filled_ - stream.avail_in;
    if (status == Z_STREAM_END) within_member_ = false;
    if (status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR)
      fail(ErrorCategory::BadData, "{} is damaged: its packed content cannot be unpacked", name());
    if (const std::size_t got = out.size() - stream.avail_out; got > 0) return got;
  }
}

}  // namespace choir
