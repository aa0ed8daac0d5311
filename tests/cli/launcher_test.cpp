#include "choir/cli/launcher.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "choir/run/config.h"

namespace choir::cli {
namespace {

// What a shell makes of a line: one word a line.
std::string words_by_shell(const std::string& line) {
  const std::string command = "printf '%s\\n' " + line;
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 256> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) text += piece.data();
  pclose(pipe);
  return text;
}

TEST(Launcher, QuotesSoThatAShellGivesTheWordBack) {
  for (const std::string word :
       {"fit", "", "part-{node}.npy", "a b", "it's", "$HOME", "*", "--out=runs/x", "\\"}) {
    EXPECT_EQ(words_by_shell(quoted_for_shell(word)), word + "\n");
  }
  EXPECT_EQ(quoted_for_shell("--gamma"), "--gamma");
}

TEST(Launcher, WritesTheLineToType) {
  const std::vector<std::string> arguments = {"fit", "local-kpca", "--data", "part-{rank}.npy"};
  EXPECT_EQ(mpirun_line("/opt/choir", arguments, {.processes = 8, .cores = 8}),
            "mpirun -n 8 /opt/choir fit local-kpca --data 'part-{rank}.npy'");
  EXPECT_EQ(mpirun_line("/opt/choir", {}, {.processes = 8, .cores = 2, .root = true}),
            "mpirun -n 8 --oversubscribe --allow-run-as-root /opt/choir");
}

TEST(Launcher, IsFoundByTheVariablesItSets) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"})
    unsetenv(name);
  EXPECT_FALSE(find_mpi_launcher().found);
  setenv("PMIX_RANK", "3", 1);
  EXPECT_TRUE(find_mpi_launcher().found);
  EXPECT_EQ(find_mpi_launcher().rank, 3);
  unsetenv("PMIX_RANK");
}

TEST(Launcher, KnowsTheMachineAndItself) {
  EXPECT_GE(physical_cores(), 1);
  EXPECT_NE(program_path().find("test_cli"), std::string::npos);
}

}  // namespace
}  // namespace choir::cli
