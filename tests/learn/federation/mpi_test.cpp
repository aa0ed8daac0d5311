// Between processes: the same bits as in one, with words, keys and seeds as bytes that really travel.
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/runtime/mpi/mpi_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

TEST(FederationOverMpi, GivesTheSameTotalsAsInOneProcess) {
  MpiEngine engine;
  SimEngine sim;
  for (const bool masked : {true, false}) {
    Play play;
    play.options.masked = masked;
    play.options.patience = std::chrono::seconds(1);
    play.act = [](NodeId device, int question) {
      return question == 1 && device == 4 ? Act::keep_silent : Act::answer;
    };
    const Played played = testing::play(engine, play);
    if (!engine.own_nodes(play.devices + 1).has(0)) continue;
    const Played expected = testing::play(sim, play);
    ASSERT_EQ(played.totals.size(), expected.totals.size());
    for (std::size_t i = 0; i < played.totals.size(); ++i) {
      EXPECT_EQ(played.totals[i].sum, expected.totals[i].sum);
      EXPECT_EQ(played.totals[i].answered, expected.totals[i].answered);
      EXPECT_EQ(played.totals[i].samples, expected.totals[i].samples);
    }
  }
}

}  // namespace
}  // namespace choir
