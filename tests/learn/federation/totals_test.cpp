// Totals of devices that all are there, on every engine.
#include <cmath>
#include <set>

#include "graph/expect_error.h"
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing::engines;
using testing::federation_contract;

TEST(Totals, AreTheSameBitsOnAllEnginesAndThoseOfTheAnswers) {
  for (const bool masked : {true, false}) {
    Play play;
    play.options.masked = masked;
    std::vector<Played> all;
    for (const auto& engine : engines()) {
      all.push_back(testing::play(*engine, play));
      expect_true_totals(all.back(), play);
      EXPECT_EQ(all.back().samples, testing::samples_of({1, 2, 3, 4, 5, 6, 7, 8}));
      for (int i = 0; i < play.questions; ++i) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_EQ(all.back().totals[at].sum, all.front().totals[at].sum) << engine->name();
        EXPECT_EQ(all.back().totals[at].answered.size(), 8u);
        EXPECT_EQ(all.back().totals[at].attempts, 1);
      }
    }
  }
}

TEST(Totals, WithMasksAreOffByNoMoreThanTheySay) {
  SimEngine engine;
  Play play;
  play.devices = 70;  // more than the bits of a word
  const Played masked = testing::play(engine, play);
  for (int i = 0; i < play.questions; ++i) {
    const Total& total = masked.totals[static_cast<std::size_t>(i)];
    const Matrix expected = testing::sum_of(total.answered, i, play.shape);
    EXPECT_LE((total.sum - expected).cwiseAbs().maxCoeff(), total.rounding + 1e-15 * expected.norm());
    EXPECT_LT(total.rounding, 1e-11);
    EXPECT_GT(total.rounding, 0);
  }
}

TEST(Totals, NeedNoBoundIfDevicesTellHowLargeTheirAnswersAre) {
  for (const bool masked : {true, false}) {
    for (const double scale : {0.0, 1e-200, 1.0, 1e200}) {
      SimEngine engine;
      const Graph star = make_topology("star", 5, 0);
      const auto program = [&](Node& node) -> Task<Matrix> {
        const FederationOptions options{.masked = masked};
        if (node.id() == 0) {
          FederationServer server(node, options);
          co_await server.open();
          const AnswerShape shape{.rows = 2, .cols = 1};
          Total total = co_await server.ask(Message(Kind::coefficients), shape);
          server.close();
          co_return total.sum;
        }
        FederationDevice device(node, options, 1);
        co_await device.open();
        co_await device.next();
        device.answer(Matrix(Vector::Constant(2, scale * node.id())));
        co_await device.next();
        co_return Matrix();
      };
      const auto outcome = run_nodes<Matrix>(engine, star, federation_contract, {}, program);
      EXPECT_TRUE(outcome.results[0]->isApprox(Matrix(Vector::Constant(2, scale * 10)), 1e-14)) << scale;
    }
  }
}

// Entries from 1e9 down to 1e-9: every one of the plain total's digits is in the masked one.
TEST(Totals, OfEntriesFarApartAreThoseOfPlainOnes) {
  SimEngine engine;
  Play play;
  play.shape = {.rows = 1, .cols = 7};
  play.value = [&](NodeId device, int question) {
    Matrix answer = testing::answer_of(device, question, play.shape);
    for (Index i = 0; i < answer.cols(); ++i) answer(0, i) *= std::pow(10.0, 9 - 3 * i);
    return answer;
  };
  const Played masked = testing::play(engine, play);
  play.options.masked = false;
  const Played plain = testing::play(engine, play);
  for (std::size_t i = 0; i < plain.totals.size(); ++i) {
    const Eigen::ArrayXXd expected = plain.totals[i].sum.array();
    EXPECT_LT(((masked.totals[i].sum.array() - expected) / expected).abs().maxCoeff(), 1e-9);
    EXPECT_LT(masked.totals[i].rounding, 1e-21);
  }
}

TEST(Totals, WithoutABoundTakeTwoWordsAnEntryAndWithOneOne) {
  for (const bool bounded : {true, false}) {
    Play play;
    play.questions = 1;
    if (!bounded) play.shape.bound.reset();
    std::set<Index> sizes;
    RunOptions run;
    run.audit = [&](NodeId, NodeId to, const Message& message) {
      if (to != 0 || message.kind() != Kind::masked || message.arrays().size() < 2) return;
      sizes.insert(message.array(0).rows());
    };
    SimEngine engine;
    testing::play(engine, play, run);
    EXPECT_EQ(sizes, (std::set<Index>{1, bounded ? 12 + 1 : 2 * 12 + 1})) << "the count, and the answer";
  }
}

TEST(Totals, MayHaveTheServerAnywhereAndMoreLinksThanAStar) {
  SimEngine engine;
  Play play;
  play.devices = 5;
  play.options.server = 3;
  double samples = 0;
  const auto outcome =
      run_nodes<std::vector<Total>>(engine, make_topology("complete", 6, 0), federation_contract, {},
                                    [&](Node& node) { return testing::play_node(node, play, &samples); });
  const Total& total = outcome.results[3]->front();
  EXPECT_EQ(total.answered, (std::vector<NodeId>{0, 1, 2, 4, 5}));
  EXPECT_TRUE(total.sum.isApprox(testing::sum_of(total.answered, 0, play.shape), 1e-13));
}

TEST(Totals, AreSentMaskedAndKeysAndSeedsAsControl) {
  SimEngine engine;
  Play play;
  play.questions = 1;
  const Played played = testing::play(engine, play);
  const Ledger& ledger = played.report.ledger;
  EXPECT_EQ(ledger.total(Kind::masked).messages, 2u * 8);  // the count and the answer
  EXPECT_EQ(ledger.total(Kind::own_statistics).messages, 0u);
  EXPECT_EQ(ledger.total(Kind::coefficients).messages, 1u * 8);  // the question
  // hello, directory, count; for the count and the answer each whose answers there are, a signature under
  // that, all signatures, and seeds; close
  EXPECT_EQ(ledger.total(Kind::control).messages, (3u + 2 * 4 + 1) * 8);
}

TEST(Totals, AreRefusedForAnswersBeyondTheBoundOrOfAnotherShape) {
  SimEngine engine;
  Play play;
  play.shape.bound = 0.1;
  expect_error(ErrorCategory::InvalidArgument, {"entry (", "above the agreed bound of 0.8"},
               [&] { testing::play(engine, play); });
  const auto program = [&](Node& node) -> Task<void> {
    const FederationOptions options;
    if (node.id() == 0) {
      FederationServer server(node, options);
      co_await server.open();
      const AnswerShape shape{.rows = 2, .cols = 1, .bound = 1};
      co_await server.ask(Message(Kind::coefficients), shape);
      co_return;
    }
    FederationDevice device(node, options, 1);
    co_await device.open();
    co_await device.next();
    device.answer(Matrix::Zero(1, 2));
  };
  expect_error(ErrorCategory::InvalidArgument, {"answers with 1 x 2 numbers where 2 x 1 were asked for"},
               [&] { engine.run(make_topology("star", 4, 0), federation_contract, program, {}); });
}

TEST(Totals, NeedAStarAndEnoughDevices) {
  SimEngine engine;
  Play play;
  play.options.min_devices = 1;
  expect_error(ErrorCategory::InvalidArgument, {"is 1; with 8 devices it must be 2 to 8"},
               [&] { testing::play(engine, play); });
  play.options.min_devices = 9;
  expect_error(ErrorCategory::InvalidArgument, {"is 9; with 8 devices it must be 2 to 8"},
               [&] { testing::play(engine, play); });
  play.options.masked = false;
  expect_error(ErrorCategory::InvalidArgument, {"with 8 devices it must be 1 to 8"},
               [&] { testing::play(engine, play); });
  play.devices = 1;
  play.options = {};
  expect_error(ErrorCategory::InvalidArgument, {"there is 1 device, and a masked total needs at least 2"},
               [&] { testing::play(engine, play); });
  double samples = 0;
  expect_error(ErrorCategory::InvalidArgument, {"needs a star around it"}, [&] {
    run_nodes<std::vector<Total>>(engine, make_topology("ring:2", 9, 0), federation_contract, {},
                                  [&](Node& node) { return testing::play_node(node, Play(), &samples); });
  });
}

// What is published, and statements, in the order in which the server spoke.
TEST(Federation, PublishesAndTells) {
  for (const auto& engine : engines()) {
    const auto program = [](Node& node) -> Task<std::vector<std::int64_t>> {
      const FederationOptions options;
      std::vector<std::int64_t> heard;
      if (node.id() == 0) {
        FederationServer server(node, options);
        co_await server.open();
        Message statement(Kind::control);
        server.tell(statement.integer(1));
        Message request(Kind::control);
        request.integer(2);
        const std::vector<Published> all = co_await server.collect(request);
        for (const Published& one : all) heard.push_back(100 * one.device + one.message.integer(0));
        Message last(Kind::control);
        server.tell(last.integer(3));
        server.close();
        co_return heard;
      }
      FederationDevice device(node, options, 1);
      co_await device.open();
      while (true) {
        const std::optional<Message> message = co_await device.next();
        if (!message) co_return heard;
        heard.push_back(message->integer(0));
        if (heard.back() != 2) continue;
        Message own(Kind::own_statistics);
        own.integer(node.id());
        if (node.id() == 3) {
          device.refuse();
        } else {
          device.publish(own);
        }
      }
    };
    const auto outcome = run_nodes<std::vector<std::int64_t>>(*engine, make_topology("star", 5, 0),
                                                              federation_contract, {}, program);
    EXPECT_EQ(outcome.results[0], (std::vector<std::int64_t>{101, 202, 404}));
    for (std::size_t i = 1; i < 5; ++i) {
      EXPECT_EQ(outcome.results[i], (std::vector<std::int64_t>{1, 2, 3}));
    }
  }
}

TEST(Federation, DoesNotTakeRepliesToQuestionsThatNobodyPut) {
  SimEngine engine;
  for (const int wrong : {0, 1, 2}) {
    const auto program = [wrong](Node& node) -> Task<void> {
      const FederationOptions options;
      if (node.id() == 0) {
        FederationServer server(node, options);
        co_await server.open();
        co_await server.collect(Message(Kind::control));
        server.close();
        co_return;
      }
      FederationDevice device(node, options, 1);
      if (wrong == 0) device.refuse();
      co_await device.open();
      co_await device.next();
      if (wrong == 1) device.answer(Matrix(0, 0));
      device.publish(Message(Kind::control));
      if (wrong == 2) device.publish(Message(Kind::control));
      co_await device.next();
    };
    expect_error(ErrorCategory::InvalidArgument, {"replies to a question that was not asked"},
                 [&] { engine.run(make_topology("star", 4, 0), federation_contract, program, {}); });
  }
}

}  // namespace
}  // namespace choir
