// What the codec's tests share.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "paths.h"
#include <gmock/gmock.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/codec/files.h"

namespace choir {

inline std::filesystem::path codec_fixture(std::string_view name) {
  return std::filesystem::path(fixtures_folder()) / "codec" / name;
}

// The sentence of the choir::Error that `action` throws.
template <class Action>
std::string sentence(ErrorCategory category, Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), category) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no choir::Error was thrown";
  return {};
}

// A folder of the test's own, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "choir-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

// Of a file's permissions.
inline unsigned mode_of(const std::filesystem::path& path) {
  return static_cast<unsigned>(std::filesystem::status(path).permissions()) & 0777u;
}

}  // namespace choir

// The names that nearly every test here uses.
namespace choir {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

}  // namespace choir
