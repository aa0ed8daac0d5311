// The first archives of a process, written by two threads at once. Each try is a process of its own, in which
// nobody has opened an archive before.
#include <atomic>
#include <exception>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "choir/codec/archive.h"

namespace choir {
namespace {

constexpr int tries = 300;  // without the lock in archive.cpp about one in a hundred fails, on two cores

// Whether two threads that start together can each make an archive. Memory and exceptions stay in the thread.
bool two_at_once() {
  std::atomic<int> ready = 0;
  std::atomic<int> made = 0;
  const auto work = [&] {
    ready.fetch_add(1);
    while (ready.load() < 2) {
    }
    try {
      encode_archive({{.name = "a.npy", .bytes = {std::byte{1}}}});
      made.fetch_add(1);
    } catch (const std::exception&) {  // counted as not made
    }
  };
  std::thread other(work);
  work();
  other.join();
  return made.load() == 2;
}

TEST(Archive, TheFirstTwoOfAProcessMayBeMadeAtTheSameTime) {
  for (int i = 0; i < tries; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(two_at_once() ? 0 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "try " << i;
  }
}

}  // namespace
}  // namespace choir
