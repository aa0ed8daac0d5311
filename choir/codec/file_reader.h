// A file, a pipe or standard input, read in parts.
//
//   FileReader file("samples.npy");
//   file.seek(128);
//   const std::size_t got = file.read(buffer);         // less than asked for only at the end
//
// With a stop token, a read that waits for a pipe returns once a stop is requested: that is its end. A file
// that grows can be waited for in the same way.
//
// Throws Error(Io) naming the source and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace choir {

// Fills `out` from anything that has read_some, less of it only at the end.
template <class Reader>
std::size_t read_until_full(Reader& reader, std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const std::size_t got = reader.read_some(out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

// What a reader does at the end of a file.
enum class AtEnd {
  stop,
  wait  // for more, until a stop; such a file has no size
};

class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& path, std::stop_token stop = {},
                      AtEnd at_end = AtEnd::stop);
  static FileReader standard_input(std::stop_token stop = {});
  ~FileReader();
  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;

  // What is there now, at least a byte; 0: the end. A pipe is not waited for longer than that.
  std::size_t read_some(std::span<std::byte> out);
  std::size_t read(std::span<std::byte> out) { return read_until_full(*this, out); }
  // From the beginning of the file. Only for files that have a size.
  void seek(std::uint64_t offset);

  // Nothing for pipes, devices and standard input, whose beginning may be gone.
  std::optional<std::uint64_t> size() const { return size_; }
  bool was_stopped() const { return was_stopped_; }  // its end was a stop
  const std::string& name() const { return name_; }

 private:
  FileReader(int descriptor, std::string name, std::stop_token stop);
  bool wait();

  int descriptor_;
  std::string name_;
  std::stop_token stop_;
  std::optional<std::uint64_t> size_;
  bool was_stopped_ = false;
  AtEnd at_end_ = AtEnd::stop;
};

}  // namespace choir
