#include "choir/cli/npm_package.h"

#include <chrono>

#include "data/gzip_support.h"
#include "data/support.h"
#include "data/tar_support.h"

#include "choir/crypto/sha256.h"

namespace choir::cli {
namespace {

using namespace std::chrono_literals;

// A folder with a program that stands for npm, and a place to fetch to. No test uses the network.
class NpmPackageTest : public ::testing::Test {
 protected:
  NpmPackageTest() {
    const std::string tarball = tar_entry("package/package.json", "{}") +
                                tar_entry("package/data/one", "first") +
                                tar_entry("package/data/two", "second") + tar_end();
    write_file_atomically(folder_ / "stored.tgz", gzip(tarball));
    package_ = {.spec = "numbers@1.0.0",
                .files = {{"data/one", sha256(as_bytes("first"))}, {"data/two", sha256(as_bytes("second"))}}};
    options_.folder = folder_ / "kept";
    options_.npm_program = (folder_ / "npm").string();
  }

  void npm_is(const std::string& script) {
    write_file_atomically(folder_ / "npm", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder_ / "npm", std::filesystem::perms::owner_all);
  }
  void npm_works() {
    npm_is("echo \"$@\" > " + (folder_ / "called").string() + "\ncp " + (folder_ / "stored.tgz").string() +
           " numbers-1.0.0.tgz\n");
  }
  std::string refusal(ErrorCategory category) {
    return sentence(category, [&] { fetch_npm_package(package_, options_); });
  }
  std::size_t kept_files() const {
    if (!std::filesystem::exists(options_.folder)) return 0;
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(options_.folder), {}));
  }

  TemporaryFolder folder_;
  NpmPackage package_;
  FetchOptions options_;
};

TEST_F(NpmPackageTest, KeepsTheFilesAndNothingElse) {
  npm_works();
  const FetchResult result = fetch_npm_package(package_, options_);
  EXPECT_TRUE(result.downloaded);
  ASSERT_EQ(result.files.size(), 2u);
  EXPECT_EQ(result.files[0], folder_ / "kept" / "one");
  EXPECT_EQ(as_text(read_file(result.files[0])), "first");
  EXPECT_EQ(as_text(read_file(result.files[1])), "second");
  EXPECT_EQ(kept_files(), 2u);
  EXPECT_EQ(as_text(read_file(folder_ / "called")), "pack numbers@1.0.0\n");
}

TEST_F(NpmPackageTest, DoesNotFetchWhatIsThere) {
  npm_works();
  fetch_npm_package(package_, options_);
  npm_is("exit 1");
  EXPECT_FALSE(fetch_npm_package(package_, options_).downloaded);
}

TEST_F(NpmPackageTest, FetchesAgainWhatWasAltered) {
  npm_works();
  fetch_npm_package(package_, options_);
  write_file_atomically(options_.folder / "two", "altered");
  EXPECT_TRUE(fetch_npm_package(package_, options_).downloaded);
  EXPECT_EQ(as_text(read_file(options_.folder / "two")), "second");
}

TEST_F(NpmPackageTest, SaysThatNpmIsMissing) {
  options_.npm_program = (folder_ / "nowhere").string();
  EXPECT_THAT(refusal(ErrorCategory::Unavailable),
              AllOf(HasSubstr("numbers@1.0.0"), HasSubstr("npm and a network connection are needed")));
  EXPECT_EQ(kept_files(), 0u);
}

TEST_F(NpmPackageTest, SaysWhyNpmFailed) {
  npm_is("echo 'npm ERR! code ENOTFOUND'; echo 'npm ERR!'; echo 'npm ERR! network request failed'; exit 1\n");
  EXPECT_THAT(refusal(ErrorCategory::Unavailable),
              AllOf(HasSubstr("network request failed"), HasSubstr("check the network connection")));
  npm_is("echo sorry; exit 7\n");
  EXPECT_THAT(refusal(ErrorCategory::Unavailable), HasSubstr("(sorry)"));
  npm_is("exit 0\n");
  EXPECT_THAT(refusal(ErrorCategory::Unavailable), HasSubstr("left no package"));
  EXPECT_EQ(kept_files(), 0u);
}

TEST_F(NpmPackageTest, GivesUpAtTheDeadline) {
  npm_is("sleep 60\n");
  options_.deadline = Deadline::after(200ms, steady_now());
  EXPECT_THAT(refusal(ErrorCategory::Unavailable), HasSubstr("took too long"));
}

TEST_F(NpmPackageTest, KeepsNothingWithAWrongChecksum) {
  npm_works();
  package_.files[1].sha256 = sha256(as_bytes("third"));
  EXPECT_THAT(refusal(ErrorCategory::BadData), AllOf(HasSubstr("data/two"), HasSubstr("wrong checksum")));
  EXPECT_EQ(kept_files(), 0u);
}

TEST_F(NpmPackageTest, SaysThatAFileIsNotInThePackage) {
  npm_works();
  package_.files.push_back({"data/three", "00"});
  EXPECT_THAT(refusal(ErrorCategory::BadData), HasSubstr("no file data/three"));
}

TEST_F(NpmPackageTest, SaysThatTheFolderCannotBeWritten) {
  options_.folder = "/proc/nowhere";
  EXPECT_THAT(refusal(ErrorCategory::Io), HasSubstr("/proc/nowhere"));
}

}  // namespace
}  // namespace choir::cli
