#include "choir/cli/sim_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir::cli {
namespace {

SimArguments typed(const std::string& line) {
  CLI::App command;
  SimArguments arguments;
  add_sim_options(command, arguments);
  command.parse(line);
  return arguments;
}

std::string refusal_of(const std::string& line) {
  try {
    typed(line).options();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    return error.what();
  }
  return "nothing was refused";
}

// describe() is what a failing run prints: typing it must give the same network.
TEST(SimArguments, WhatAFailingRunPrintsIsUnderstood) {
  SimOptions network;
  network.latency = {.low = std::chrono::milliseconds(1),
                     .high = std::chrono::milliseconds(4),
                     .shape = Latency::Shape::exponential};
  network.loss = 0.125;
  network.duplicate = 0.01;
  network.reorder = true;
  network.crashes = {{3, std::chrono::seconds(10)}, {4, std::chrono::milliseconds(5)}};
  network.joins = {{7, std::chrono::seconds(5)}};
  network.partitions = {{2, 5, std::chrono::seconds(10), std::chrono::seconds(20)}};
  network.slow = {{4, 10}, {0, 2.5}};
  const std::string line = describe(network);
  EXPECT_EQ(describe(typed(line).options()), line);
}

TEST(SimArguments, NothingSaidIsTheCalmNetwork) {
  EXPECT_EQ(describe(typed("").options()), describe(SimOptions{}));
  EXPECT_EQ(typed("").first_said(), "");
}

TEST(SimArguments, NamesWhatWasSaid) {
  EXPECT_EQ(typed("--sim-slow 4x10").first_said(), "--sim-slow");
  EXPECT_EQ(typed("--sim-trace events.txt").first_said(), "--sim-trace");
  EXPECT_EQ(typed("--sim-reorder").first_said(), "--sim-reorder");
}

TEST(SimArguments, ARefusalNamesTheOptionAndTheText) {
  using testing::AllOf;
  using testing::HasSubstr;
  EXPECT_THAT(refusal_of("--sim-loss 1"), AllOf(HasSubstr("--sim-loss"), HasSubstr("'1'")));
  EXPECT_THAT(refusal_of("--sim-duplicate much"), AllOf(HasSubstr("--sim-duplicate"), HasSubstr("much")));
  EXPECT_THAT(refusal_of("--sim-crash 3"), AllOf(HasSubstr("--sim-crash"), HasSubstr("3@10s")));
  EXPECT_THAT(refusal_of("--sim-partition 2@1s"), AllOf(HasSubstr("--sim-partition"), HasSubstr("2@1s")));
  EXPECT_THAT(refusal_of("--sim-latency soon"), HasSubstr("--sim-latency"));
}

}  // namespace
}  // namespace choir::cli
