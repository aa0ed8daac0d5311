// A party with a list of names wants to know who the other parties' people are. It follows the protocol, with
// a secret exponent that it knows, and keeps all it is sent.
#include <algorithm>
#include <set>

#include "attack/view.h"
#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>

#include "choir/crypto/keyed_hash.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/learn/alignment/blinded_set.h"
#include "choir/learn/alignment/key_counts.h"
#include "choir/runtime/blocks/ring.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Index cap = 500;
constexpr Index names = 500;

Keys of_others(Index count) {
  Keys keys;
  for (Index n = 0; n < count; ++n) keys.push_back(fmt::format("member {}", n));
  return keys;
}

Keys both(Keys a, const Keys& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Blinding no_blinding() {  // to the power of 1
  Secret one(32);
  one.bytes()[0] = std::byte{1};
  return Blinding::of(std::move(one));
}

// What a party has in the end that keeps everything.
struct Loot {
  std::vector<Point> seen;      // of the others, on their way and in the end
  std::vector<Index> places;    // of its own rows in the order in which it sent them
  BlindedSet own;               // blinded by all
  std::vector<Point> children;  // what its neighbours below have in the end
};

std::vector<Point> points_in(const Message& message) {
  std::vector<Point> points;
  const WordsView table = table_of(message, words_in(sizeof(Point)));
  for (Index i = 0; i < table.cols(); ++i) points.push_back(bytes_of<Point>(table.col(i)));
  return points;
}

// common_rows(), written again for who looks at everything.
Task<Loot> look_at_everything(Node& node, Keys keys, const Blinding& blinding) {
  const std::vector<Index> counts = co_await key_counts(node, std::ssize(keys), cap);
  Loot loot;
  Ring ring(node, Kind::identifiers);
  BlindedSet set{.owner = node.id(), .points = points_of("key of a sample", keys, 1)};
  std::vector<std::vector<Index>> places;
  std::vector<NodeId> owners;
  for (Index step = 0; step < node.network_size(); ++step) {
    blinding.blind(set.points, 1);
    places.push_back(sort_points(set.points));
    owners.push_back(set.owner);
    const Message mine = to_message(set);
    const Message received = co_await ring.forward(mine);
    set = to_blinded_set(received, counts);
    if (set.owner != node.id()) loot.seen.insert(loot.seen.end(), set.points.begin(), set.points.end());
  }
  loot.places = places.front();
  loot.own = set;
  const Message mine = to_message(set);
  const Combine combine = [&](const Message& a, const Message& child) {
    for (const Point& point : points_in(child)) loot.children.push_back(point);
    return common_points(a, child);
  };
  const Message common = co_await tree_fold(node, node.tree(), mine, combine);
  loot.seen.insert(loot.seen.end(), loot.children.begin(), loot.children.end());
  Marks marks = marks_of(set, common);
  for (std::size_t step = places.size(); step-- > 0;) {
    const Message travelling = to_message(marks);
    const Message received = co_await ring.backward(travelling);
    marks = unsorted(to_marks(received, owners[step], std::ssize(places[step])), places[step]);
  }
  co_return loot;
}

// The others: as choir runs them, or with the protection switched off.
enum class Others { protected_ones, unprotected };

Task<Loot> party(Node& node, Keys keys, Others others, const Blinding& curious) {
  const Blinding none = no_blinding();
  Loot loot;
  if (node.id() == 0) {
    loot = co_await look_at_everything(node, keys, curious);
  } else if (others == Others::unprotected) {
    loot = co_await look_at_everything(node, keys, none);
  } else {
    co_await common_rows(node, keys, cap);
  }
  co_return loot;
}

// What the curious party 0 has; all sit around it, so everything passes it.
Loot loot_of(const std::vector<Keys>& parties, Others others, const Blinding& curious) {
  SimEngine engine;
  const Graph graph = make_topology("star", std::ssize(parties), 0);
  auto outcome = run_nodes<Loot>(engine, graph, alignment_contract, {}, [&](Node& node) {
    return party(node, parties[static_cast<std::size_t>(node.id())], others, curious);
  });
  return std::move(*outcome.results[0]);
}

// Every name, as it is and as often blinded by the attacker as can happen, against everything that was seen.
std::size_t names_found(const Loot& loot, const Blinding& curious) {
  const std::set<Point> seen(loot.seen.begin(), loot.seen.end());
  std::set<std::string> found;
  const Keys dictionary = patients(names);
  std::vector<Point> tried = points_of("key of a sample", dictionary, 1);
  for (int times = 0; times < 3; ++times) {
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (seen.contains(tried[i])) found.insert(dictionary[i]);
    }
    curious.blind(tried, 1);
  }
  return found.size();
}

TEST(KeysAttack, ADictionaryFindsNobody) {
  const std::vector<Keys> parties = {of_others(40), patients(names), patients(names)};
  for (const Others others : {Others::unprotected, Others::protected_ones}) {
    const Blinding curious = Blinding::fresh();
    const Loot loot = loot_of(parties, others, curious);
    EXPECT_GE(loot.seen.size(), 2u * names);
    EXPECT_EQ(names_found(loot, curious), others == Others::unprotected ? names : 0u);
  }
}

// 0.1.0: hashes under a secret that every party has, told along the tree.
TEST(KeysAttack, ADictionaryFoundAllInHashesUnderASharedSecret) {
  const Secret shared = Secret::random(hash_key_bytes);
  const auto hashed = [&](const std::string& name) {
    return keyed_hash(shared, "key of a sample", {&name, 1});
  };
  std::set<Hash> seen;
  for (const std::string& name : patients(names)) seen.insert(hashed(name));
  EXPECT_EQ(std::ranges::count_if(patients(names),
                                  [&](const std::string& name) { return seen.contains(hashed(name)); }),
            names);
}

// How many of its own rows the attacker names as those that the party next to it has, too, if it takes the
// order in which its keys come back for the one in which it sent them.
std::size_t rows_recognised(const Loot& loot, const Keys& own, const Keys& next) {
  const std::set<Point> children(loot.children.begin(), loot.children.end());
  std::size_t right = 0;
  for (std::size_t i = 0; i < loot.own.points.size(); ++i) {
    if (!children.contains(loot.own.points[i])) continue;
    right += std::ranges::count(next, own[static_cast<std::size_t>(loot.places[i])]);
  }
  return right;
}

// Of 400 keys 100 are another party's, but not everybody's: how many is known, which is not. Guesses hit 25.
TEST(KeysAttack, WhatOnlyTwoHaveInCommonIsCountedAndNotRecognised) {
  const Keys some = patients(100);
  const Keys own = both(some, of_others(300));
  const std::vector<Keys> parties = {own, some, {"nobody else's"}};
  const Loot open = loot_of(parties, Others::unprotected, no_blinding());
  EXPECT_EQ(rows_recognised(open, own, some), 100u);
  const Loot loot = loot_of(parties, Others::protected_ones, Blinding::fresh());
  EXPECT_EQ(std::ranges::count_if(loot.own.points,
                                  [&](const Point& p) { return std::ranges::count(loot.children, p) > 0; }),
            100);
  EXPECT_LT(rows_recognised(loot, own, some), 60u) << "eight standard deviations from guessing";
}

// The documented, smaller thing: names that a member puts among its own keys are tried, as many as were
// agreed.
TEST(KeysAttack, WhoBringsGuessesLearnsAboutThemUpToTheAgreedNumber) {
  SimEngine engine;
  const auto rows_of_0 = [&](const Keys& guesses) {
    const std::vector<Keys> parties = {guesses, patients(names)};
    return run_nodes<std::vector<Index>>(engine, make_topology("line", 2, 0), alignment_contract, {},
                                         [&](Node& node) {
                                           return common_rows(
                                               node, parties[static_cast<std::size_t>(node.id())], cap);
                                         })
        .results[0]
        ->size();
  };
  EXPECT_EQ(rows_of_0(both(patients(30), of_others(70))), 30u);
  expect_error(ErrorCategory::BadData, {"node 0 brings 501 keys", "at most 500"},
               [&] { rows_of_0(both(patients(names), of_others(1))); });
}

Task<bool> compare_orders(Node& node, SampleOrder order) {
  co_await require_same_order(node, std::move(order));
  co_return true;
}

// New people, one at a time: an order of one key is as easy to try as the key.
TEST(KeysAttack, TheOrderOfOnePersonCannotBeTried) {
  const Keys dictionary = patients(names);
  for (const NodeId curious : {0, 1}) {
    testing_attack::View view({curious});
    SimEngine engine;
    std::vector<SampleOrder> orders(2, {.keys = {dictionary[17]}, .samples = 1});
    orders[static_cast<std::size_t>(curious)].keys = {"somebody else"};
    expect_error(ErrorCategory::BadData, {"node 1 has different samples"}, [&] {
      run_nodes<bool>(engine, make_topology("line", 2, 0), alignment_contract, view.of(), [&](Node& node) {
        return compare_orders(node, orders[static_cast<std::size_t>(node.id())]);
      });
    });
    std::set<std::int64_t> words;
    for (const auto& sight : view.sights(Kind::identifiers)) {
      for (const Array& array : sight.message.arrays()) {
        const Words sent = array.integers();
        words.insert(sent.data(), sent.data() + sent.size());
      }
    }
    EXPECT_GE(words.size(), 5u);
    for (const std::string& name : dictionary) {
      const Point point = point_of("order of samples", {&name, 1});
      EXPECT_FALSE(words.contains(words_of(point)(0)));
    }
  }
}

}  // namespace
}  // namespace choir
