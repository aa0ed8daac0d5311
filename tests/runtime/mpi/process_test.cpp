#include "choir/runtime/mpi/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace choir {
namespace {

TEST(Process, ThisOneIsAliveAndCanBeWatched) {
  const ProcessIdentity mine = this_process();
  EXPECT_EQ(mine.id, getpid());
  EXPECT_GT(mine.started, 0u);
  EXPECT_FALSE(mine.host_name().empty());
  EXPECT_TRUE(can_watch(mine, mine));
  EXPECT_FALSE(has_died(mine));
}

TEST(Process, ANameWithoutAnEndIsReadToTheEndOfItsRoom) {
  ProcessIdentity nameless;
  nameless.host.fill('h');
  EXPECT_EQ(nameless.host_name(), std::string(nameless.host.size(), 'h'));
}

TEST(Process, AKilledChildHasDiedAsAZombieAndAfterIt) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const ProcessIdentity its = this_process();
    if (write(ready[1], &its, sizeof its) != sizeof its) _exit(1);
    while (true) pause();
  }
  ProcessIdentity its;
  ASSERT_EQ(read(ready[0], &its, sizeof its), static_cast<ssize_t>(sizeof its));
  EXPECT_FALSE(has_died(its));
  kill(child, SIGKILL);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);  // it stays a zombie
  EXPECT_TRUE(has_died(its));
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(has_died(its));
}

TEST(Process, AnIdThatIsUsedAgainIsAnotherProcess) {
  ProcessIdentity former = this_process();
  --former.started;
  EXPECT_TRUE(has_died(former));
}

TEST(Process, OtherMachinesAndContainersCannotBeWatched) {
  const ProcessIdentity mine = this_process();
  ProcessIdentity elsewhere = mine;
  elsewhere.machine[0] = '?';
  EXPECT_FALSE(same_machine(mine, elsewhere));
  EXPECT_FALSE(can_watch(mine, elsewhere));
  ProcessIdentity contained = mine;
  contained.namespace_[0] = '?';
  EXPECT_TRUE(same_machine(mine, contained));
  EXPECT_FALSE(can_watch(mine, contained));
}

}  // namespace
}  // namespace choir
