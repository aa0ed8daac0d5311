#include "choir/codec/files.h"

#include <csignal>

#include "codec/support.h"
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace choir {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Files, ReadBackWhatWasWritten) {
  const TemporaryFolder folder;
  std::string text(3'000'000, 'x');
  text += std::string("\0\n\xff", 3);
  write_file_atomically(folder / "a.txt", text);
  EXPECT_EQ(text_of(read_file(folder / "a.txt")), text);
  write_file_atomically(folder / "a.txt", "");
  EXPECT_TRUE(read_file(folder / "a.txt").empty());
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Files, HeadIsNoLongerThanTheFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.txt", "choir");
  EXPECT_EQ(text_of(read_file_head(folder / "a.txt", 2)), "ch");
  EXPECT_EQ(text_of(read_file_head(folder / "a.txt", 100)), "choir");
}

TEST(Files, ReadsFilesThatDoNotTellTheirSize) { EXPECT_FALSE(read_file("/proc/self/status").empty()); }

TEST(Files, WrittenFilesHaveTheUsersUsualPermissions) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(0027);
  write_file_atomically(folder / "a.txt", "x");
  ::umask(mask);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(Files, PrivateFilesAreTheirOwnersAlone) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(0);
  write_file_atomically(folder / "a.txt", "x", Privacy::owner_only);
  EXPECT_EQ(mode_of(folder / "a.txt"), 0600u);
  write_file_atomically(folder / "b.txt", "x");
  EXPECT_EQ(mode_of(folder / "b.txt"), 0666u);
  write_file_atomically(folder / "b.txt", "x", Privacy::owner_only);  // whoever could read it before
  EXPECT_EQ(mode_of(folder / "b.txt"), 0600u);
  ::umask(mask);
}

TEST(Files, ReadingSaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { read_file(folder / "none"); }),
              AllOf(StartsWith("cannot open "), EndsWith("none: No such file or directory")));
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { read_file(folder.path()); }), HasSubstr("it is a folder"));
}

TEST(Files, WritingSaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { write_file_atomically(folder / "no/such/a.txt", "x"); }),
              AllOf(StartsWith("cannot write "), EndsWith("a.txt: No such file or directory")));
  write_file_atomically(folder / "file", "x");
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { write_file_atomically(folder / "file/a.txt", "x"); }),
              HasSubstr("Not a directory"));
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { write_file_atomically("/dev/null", "x"); }),
              HasSubstr("/dev/null: it exists and is not a regular file"));
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { write_file_atomically(folder.path(), "x"); }),
              HasSubstr("not a regular file"));
}

TEST(Files, WritingToAFolderWithoutPermissionSaysSo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { write_file_atomically(folder / "a.txt", "x"); }),
              HasSubstr("Permission denied"));
  ::chmod(folder.path().c_str(), 0700);
}

// A limit on file sizes fails in the middle of a write, as a full disk does, and needs no privilege.
TEST(Files, AFailedWriteLeavesTheOldFileAndNoOther) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.txt", "old");
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 4096;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = sentence(
      ErrorCategory::Io, [&] { write_file_atomically(folder / "a.txt", std::string(100'000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, AllOf(HasSubstr("a.txt"), HasSubstr("File too large")));
  EXPECT_EQ(text_of(read_file(folder / "a.txt")), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Files, AFullDiskIsNamed) {
  const TemporaryFolder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "mounting a small disk needs privileges";
  const std::string message = sentence(
      ErrorCategory::Io, [&] { write_file_atomically(folder / "a.txt", std::string(1'000'000, 'x')); });
  const std::size_t left = folder.files();
  ASSERT_EQ(::umount(folder.path().c_str()), 0);
  EXPECT_THAT(message, AllOf(HasSubstr("a.txt"), HasSubstr("No space left on device")));
  EXPECT_EQ(left, 0u);
}

TEST(StampOf, TellsAFileFromItsReplacement) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.txt";
  EXPECT_FALSE(stamp_of(path));
  write_file_atomically(path, "one");
  const std::optional<FileStamp> first = stamp_of(path);
  ASSERT_TRUE(first);
  EXPECT_EQ(stamp_of(path), first);
  std::filesystem::rename(path, folder / "kept.txt");  // its number is not given to another one
  write_file_atomically(path, "two");
  EXPECT_NE(stamp_of(path), first);
}

}  // namespace
}  // namespace choir
