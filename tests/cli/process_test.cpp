#include "choir/cli/process.h"

#include <chrono>

#include "data/support.h"

namespace choir::cli {
namespace {

using namespace std::chrono_literals;

ProcessRequest shell(const char* script) { return {.program = "/bin/sh", .arguments = {"-c", script}}; }

TEST(RunProcess, GivesStatusAndOutput) {
  const ProcessResult result = run_process(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(run_process(shell("kill -9 $$")).status, 128 + 9);
}

TEST(RunProcess, RunsInItsFolderWithoutInput) {
  const TemporaryFolder folder;
  ProcessRequest request = shell("cat; touch here");
  request.folder = folder.path();
  EXPECT_EQ(run_process(request).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "here"));
}

TEST(RunProcess, PassesArgumentsAsTheyAre) {
  const ProcessResult result =
      run_process({.program = "/bin/sh", .arguments = {"-c", "printf '%s|' \"$@\"", "sh", "a b", "$HOME;*"}});
  EXPECT_EQ(result.output, "a b|$HOME;*|");
}

TEST(RunProcess, KeepsTheEndOfALongOutput) {
  const ProcessResult result =
      run_process(shell("i=0; while [ $i -lt 40000 ]; do echo line $i; i=$((i+1)); done"));
  EXPECT_LE(result.output.size(), std::size_t{1} << 17);
  EXPECT_TRUE(result.output.ends_with("line 39999\n"));
}

TEST(RunProcess, SaysThatAProgramIsMissing) {
  EXPECT_THAT(sentence(ErrorCategory::Unavailable, [] { run_process({.program = "no-such-program"}); }),
              AllOf(HasSubstr("no-such-program"), HasSubstr("No such file")));
}

TEST(RunProcess, EndsAProgramAtItsDeadlineWithItsChildren) {
  ProcessRequest request = shell("sleep 60 & sleep 60");
  const Time start = steady_now();
  request.deadline = Deadline::after(200ms, start);
  EXPECT_THAT(sentence(ErrorCategory::Unavailable, [&] { run_process(request); }),
              HasSubstr("took too long"));
  EXPECT_LT(steady_now() - start, 20s);
}

TEST(RunProcess, EndsAProgramOnAStop) {
  std::stop_source stop;
  stop.request_stop();
  ProcessRequest request = shell("sleep 60");
  request.watch.stop = stop.get_token();
  EXPECT_THROW(run_process(request), Error);
}

}  // namespace
}  // namespace choir::cli
