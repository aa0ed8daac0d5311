#include "choir/codec/file_reader.h"

#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "codec/support.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace choir {
namespace {

std::string read_text(FileReader& file, std::size_t count) {
  std::string text(count, '\0');
  text.resize(file.read(std::as_writable_bytes(std::span(text))));
  return text;
}

TEST(FileReader, ReadsAFileInPartsAndFromAnyPlace) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.txt", "decentralised");
  FileReader file(folder / "a.txt");
  EXPECT_EQ(file.size(), 13u);
  EXPECT_EQ(read_text(file, 2), "de");
  EXPECT_EQ(read_text(file, 5), "centr");
  file.seek(9);
  EXPECT_EQ(read_text(file, 100), "ised");
  EXPECT_EQ(read_text(file, 1), "");
  file.seek(0);
  EXPECT_EQ(read_text(file, 2), "de");
}

TEST(FileReader, TakesFromAPipeWhatIsThere) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::array<std::byte, 100> buffer{};
  std::thread writer([&] { std::ofstream(pipe) << "one"; });
  FileReader file(pipe);
  EXPECT_FALSE(file.size());
  EXPECT_EQ(file.read_some(buffer), 3u);
  EXPECT_EQ(file.read_some(buffer), 0u);
  writer.join();
}

TEST(FileReader, WaitsForAFileToGrowUntilAStopIsAskedFor) {
  const TemporaryFolder folder;
  const std::string path = folder / "grows.txt";
  write_file_atomically(path, "one");
  std::array<std::byte, 100> buffer{};
  std::stop_source stop;
  FileReader file(path, stop.get_token(), AtEnd::wait);
  EXPECT_FALSE(file.size());
  EXPECT_EQ(file.read_some(buffer), 3u);
  std::jthread writer([&] { std::ofstream(path, std::ios::app) << "more"; });
  EXPECT_EQ(file.read_some(buffer), 4u);
  stop.request_stop();
  EXPECT_EQ(file.read_some(buffer), 0u);
  EXPECT_TRUE(file.was_stopped());
}

TEST(FileReader, WaitsForAPipeUntilAStopIsAskedFor) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::array<std::byte, 100> buffer{};
  std::stop_source stop;
  FileReader file(pipe, stop.get_token());  // does not wait for a writer
  std::ofstream writer(pipe);
  writer << "one" << std::flush;
  EXPECT_EQ(file.read_some(buffer), 3u);
  EXPECT_FALSE(file.was_stopped());
  std::jthread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  EXPECT_EQ(file.read_some(buffer), 0u) << "the pipe is still open";
  EXPECT_TRUE(file.was_stopped());
  writer << "two" << std::flush;
  EXPECT_EQ(file.read_some(buffer), 0u) << "an end is an end";
}

TEST(FileReader, TakesTheEndOfAPipeForItsEndAlsoIfAStopIsPossible) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::stop_source stop;
  FileReader file(pipe, stop.get_token());
  std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // no writer yet is not the end
    std::ofstream(pipe) << "one";
  });
  EXPECT_EQ(read_text(file, 10), "one");
  EXPECT_FALSE(file.was_stopped());
}

TEST(FileReader, SaysWhatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { FileReader(folder / "none"); }),
              AllOf(HasSubstr("cannot open"), HasSubstr("none: No such file")));
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { FileReader(folder.path()); }), HasSubstr("it is a folder"));
}

}  // namespace
}  // namespace choir
