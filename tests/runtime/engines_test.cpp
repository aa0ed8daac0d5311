#include "choir/runtime/engines.h"

#include "runtime/support.h"

namespace choir {
namespace {

using ::testing::Contains;

TEST(Engines, EveryNameMakesTheEngineOfThatName) {
  EXPECT_THAT(engine_names(), Contains("local"));
  EXPECT_THAT(engine_names(), Contains("sim"));
  for (const char* name : {"local", "sim"}) EXPECT_EQ(make_engine(name)->name(), name);
}

TEST(Engines, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  for (const char* name : {"", "Local", "grid"}) {
    expect_error(ErrorCategory::InvalidArgument, {name, "local, sim"}, [&] { make_engine(name); });
  }
}

TEST(Engines, TheOptionsReachTheEngine) {
  EngineOptions options;
  std::size_t events = 0;
  options.sim.trace = [&](const TraceEvent&) { ++events; };
  const Program program = [](Node&) -> Task<void> { co_return; };
  const std::unique_ptr<Engine> engine = make_engine("sim", options);
  engine->run(line_graph(3), testing::test_contract(), program, {});
  EXPECT_EQ(events, 6u);  // three begin and end
}

TEST(Engines, OneProcessRunsAllNodesAndSpeaksForThem) {
  for (const char* name : {"local", "sim"}) {
    const std::unique_ptr<Engine> engine = make_engine(name);
    EXPECT_EQ(engine->own_nodes(7), (NodeRange{0, 7}));
    EXPECT_TRUE(engine->is_speaker());
    EXPECT_EQ(engine->processes(), 1);
    EXPECT_EQ(engine->process(), 0);
    const std::vector<Message> heard = engine->tell_all(Message(Kind::facts).integer(7));
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].integer(0), 7);
  }
}

}  // namespace
}  // namespace choir
