// A file, a pipe or standard input, read in parts.
//
//   FileReader file("samples.npy");
//   file.seek(128);
//   const std::size_t got = file.read(buffer);         // less than asked for only at the end
//
// Throws Error(Io) naming the source and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace choir {

class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& path);
  static FileReader standard_input();
  ~FileReader();
  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;

  // What is there now, at least a byte; 0: the end. A pipe is not waited for longer than that.
  std::size_t read_some(std::span<std::byte> out);
  // Fills `out`, less of it only at the end.
  std::size_t read(std::span<std::byte> out);
  // From the beginning of the file. Only for files that have a size.
  void seek(std::uint64_t offset);

  std::optional<std::uint64_t> size() const { return size_; }  // nothing for pipes and devices
  const std::string& name() const { return name_; }

 private:
  FileReader(int descriptor, std::string name);

  int descriptor_;
  std::string name_;
  std::optional<std::uint64_t> size_;
};

}  // namespace choir
