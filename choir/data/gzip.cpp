#include "choir/data/gzip.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/inflater.h"

namespace choir {
namespace {

constexpr std::size_t zlib_piece = std::size_t{1} << 18;

// Hands zlib the next piece of input, whose counter is narrower than a file may be.
void feed(z_stream& stream, std::span<const std::byte>& rest) {
  if (stream.avail_in > 0) return;
  const std::size_t count = std::min(rest.size(), zlib_piece);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest.data()));
  stream.avail_in = static_cast<uInt>(count);
  rest = rest.subspan(count);
}

std::vector<std::byte> unpack(int window_bits, std::span<const std::byte> bytes, const std::string& name,
                              std::uint64_t max_bytes) {
  Inflater inflater(window_bits);
  z_stream& stream = inflater.stream();
  std::vector<std::byte> content;
  while (true) {
    feed(stream, bytes);
    const std::size_t used = content.size();
    content.resize(used + zlib_piece);
    stream.next_out = reinterpret_cast<Bytef*>(content.data() + used);
    stream.avail_out = static_cast<uInt>(zlib_piece);
    const int status = inflate(&stream, Z_NO_FLUSH);
    content.resize(content.size() - stream.avail_out);
    if (content.size() > max_bytes) {
      fail(ErrorCategory::OutOfMemory, "{} unpacks to more than {}; unpack it first and check what is in it",
           name, human_bytes(static_cast<double>(max_bytes)));
    }
    const bool input_left = stream.avail_in > 0 || !bytes.empty();
    if (status == Z_STREAM_END && !input_left) return content;
    if (status == Z_STREAM_END) {  // gzip files may be several, one after the other
      inflateReset(&stream);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(ErrorCategory::BadData, "{} is damaged: its packed content cannot be unpacked", name);
    } else if (!input_left && stream.avail_out > 0) {
      fail(ErrorCategory::BadData, "{} is truncated: its packed content ends early", name);
    }
  }
}

}  // namespace

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

std::filesystem::path unpacked_name(const std::filesystem::path& path) {
  return path.extension() == ".gz" ? std::filesystem::path(path).replace_extension() : path;
}

std::vector<std::byte> gunzip(std::span<const std::byte> bytes, const std::string& name,
                              std::uint64_t max_bytes) {
  return unpack(gzip_window_bits, bytes, name, max_bytes);
}

std::vector<std::byte> unzlib(std::span<const std::byte> bytes, const std::string& name,
                              std::uint64_t max_bytes) {
  return unpack(zlib_window_bits, bytes, name, max_bytes);
}

}  // namespace choir
