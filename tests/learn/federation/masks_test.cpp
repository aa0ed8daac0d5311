#include "choir/learn/federation/masks.h"

#include <algorithm>
#include <map>
#include <memory>

#include "graph/expect_error.h"
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace choir {
namespace {

using testing::expect_error;
using Nodes = std::vector<NodeId>;
using Values = std::vector<std::int64_t>;

const Contract masking{.method = "test", .kinds = {Kind::masked}};

WordsView view(const Words& words) { return {words.data(), words.rows(), words.cols()}; }

// Devices 1 .. count that know each other's keys.
class Group {
 public:
  explicit Group(NodeId count) : identities_(Identities::for_run(masking, 0, count + 1, count + 1)) {
    table_.resize(key_record + signature_words, count);
    Words keys(key_record, count);
    for (NodeId device = 1; device <= count; ++device) {
      masks_.push_back(std::make_unique<DeviceMasks>(device));
      all_.push_back(device);
      keys.col(device - 1) = at(device).introduction();
      table_.col(device - 1) = introduction(at(device));
    }
    for (const NodeId device : all_) learn(device, table_);
    partners_ = MaskPartners::from_keys(view(keys));
  }
  // Signed by the device.
  Words introduction(const DeviceMasks& masks) const {
    const Words record = masks.introduction();
    return signed_record(identities_.of(static_cast<NodeId>(record(0))), record, device_key_purpose);
  }
  const Words& table() const { return table_; }
  void learn(NodeId device, const Words& table) {
    at(device).learn(SignedRoster::of_some(view(table), identities_.of(device), device_key_purpose));
  }
  // The seeds of a device that has agreed.
  std::optional<Words> revealed(NodeId device, std::uint64_t number, const Nodes& answered, Index least) {
    if (!at(device).agree(number, answered, least)) return std::nullopt;
    const Words shared = at(device).reveal_shared();
    Words seeds(key_record, 1 + shared.cols());
    seeds << at(device).reveal_own(), shared;
    return seeds;
  }
  DeviceMasks& at(NodeId device) { return *masks_[static_cast<std::size_t>(device) - 1]; }
  const Nodes& all() const { return all_; }
  // Of those with whom the device shares masks when all are asked.
  Nodes partners_among(NodeId device, const Nodes& some) const {
    Nodes both;
    std::ranges::set_intersection(partners_.of(device, all_), some, std::back_inserter(both));
    return both;
  }
  Values hidden(NodeId device, Values values, std::uint64_t number) {
    at(device).hide(values, number, all_);
    return values;
  }

 private:
  Identities identities_;
  std::vector<std::unique_ptr<DeviceMasks>> masks_;
  Words table_;
  MaskPartners partners_;
  Nodes all_;
};

Values values_of(NodeId device) { return {device, -1000 * device, std::int64_t{1} << 50}; }

TEST(Masks, LeaveTheTotalOfThoseWhoAnswered) {
  EXPECT_TRUE(rc::check("whoever is silent", [] {
    const auto count = *rc::gen::element<NodeId>(2, 3, 5, 8, 70);
    Group group(count);
    const auto number = *rc::gen::inRange<std::uint64_t>(1, 1000);
    const auto few = *rc::gen::arbitrary<bool>();
    Nodes answered;
    Nodes silent;
    for (const NodeId device : group.all()) {
      const bool is_silent = device > 2 && (device * 7919 + number) % (few ? 2 : 9) == 0;
      (is_silent ? silent : answered).push_back(device);
    }
    Values total(3, 0);
    Values truth(3, 0);
    for (const NodeId device : group.all()) {
      const Values words = group.hidden(device, values_of(device), number);
      if (!std::ranges::binary_search(answered, device)) continue;
      add_words(total, words);
      add_words(truth, values_of(device));
    }
    for (const NodeId device : answered) {
      const Words seeds = group.revealed(device, number, answered, 2).value();
      remove_masks(total, device, view(seeds), group.partners_among(device, silent));
    }
    RC_ASSERT(total == truth);
  }));
}

// All that the server may know of a silent device is what the others share with it.
TEST(Masks, KeepALateAnswerHiddenForGood) {
  Group group(4);
  const Nodes answered = {1, 2, 4};
  std::vector<Words> seeds;
  Values late = group.hidden(3, values_of(3), 1);
  for (const NodeId device : answered) {
    group.hidden(device, values_of(device), 1);
    const Words revealed = group.revealed(device, 1, answered, 2).value();
    // What the device added with node 3, node 3 took away: with a mask of nobody, so that only it is undone.
    Words shared = revealed;
    shared.col(0).tail(key_record - 1).setZero();
    Values nothing(3, 0);
    remove_masks(nothing, device, view(shared), {3});
    Values of_zeros(3, 0);
    Words zeros = shared.leftCols(1);
    remove_masks(of_zeros, device, view(zeros), {});
    for (std::size_t i = 0; i < 3; ++i) {
      const auto mask = static_cast<std::uint64_t>(nothing[i]) - static_cast<std::uint64_t>(of_zeros[i]);
      late[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(late[i]) - mask);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NE(late[i], values_of(3)[i]);
  EXPECT_EQ(group.revealed(3, 1, answered, 2), std::nullopt);  // and its own seed is not to be had
}

// Who has signed one set signs no other one.
TEST(Masks, AreForOneSetOfAnswers) {
  Group group(4);
  group.hidden(1, values_of(1), 5);
  EXPECT_EQ(group.at(1).agreed(5), nullptr);
  const Survivors survivors = group.at(1).agree(5, {1, 2, 4}, 2).value();
  EXPECT_EQ(survivors.asked, group.all());
  EXPECT_EQ(survivors.answered, (Nodes{1, 2, 4}));
  EXPECT_EQ(group.at(1).agree(5, {1, 2, 3, 4}, 2), std::nullopt);
  EXPECT_EQ(group.at(1).agreed(5)->answered, (Nodes{1, 2, 4}));
  group.at(1).reveal_own();
  EXPECT_EQ(group.at(1).agreed(5), nullptr);
}

// Of eight devices number 3 is lost when it has agreed. Five shares, each sealed for its holder, replace what
// it did not reveal; a device gives them only beside its own seed, and only of devices whose answers are in
// the total.
TEST(Masks, OfALostDeviceComeFromItsPartnersShares) {
  Group group(8);
  const Nodes answered = {1, 2, 3, 4, 5, 6, 7};
  for (const NodeId device : group.all()) group.hidden(device, values_of(device), 4);
  const Words sealed = group.at(3).dealt();
  ASSERT_EQ(sealed.cols(), 7);
  const Words own = group.at(3).agree(4, answered, 2) ? group.at(3).reveal_own() : Words(0, 0);
  const Index threshold = share_threshold(7, 8, 8).value();
  EXPECT_EQ(threshold, 5);
  std::map<NodeId, Words> shares;
  for (const NodeId holder : {1, 2, 4, 5, 6, 7}) {
    Words mine = sealed.col(holder < 3 ? holder - 1 : holder - 2);
    ASSERT_EQ(mine(0), holder);
    mine(0) = 3;
    EXPECT_EQ(group.at(holder).shares_for(4, view(mine)), std::nullopt) << "before its own seed";
    group.revealed(holder, 4, answered, 2);
    EXPECT_EQ(group.at(holder).shares_for(5, view(mine)), std::nullopt) << "another attempt";
    shares[holder] = group.at(holder).shares_for(4, view(mine)).value();
    EXPECT_NE(shares[holder].bottomRows(4), sealed.col(holder < 3 ? holder - 1 : holder - 2).tail(4));
    mine(0) = 8;
    expect_error(ErrorCategory::BadData, {"device 8, whose answer is not in the total"},
                 [&] { group.at(holder).shares_for(4, view(mine)); });
  }
  const Nodes partners = {1, 2, 4, 5, 6, 7, 8};
  EXPECT_EQ(seed_from_shares(3, partners, shares, threshold), own);
  shares.erase(1);
  EXPECT_EQ(seed_from_shares(3, partners, shares, threshold), own);
  shares.erase(4);
  EXPECT_NE(seed_from_shares(3, partners, shares, threshold - 1), own) << "four are not enough";
}

TEST(Masks, AreDealtWhereEnoughPartnersCanGiveThemBack) {
  EXPECT_EQ(share_threshold(29, 30, 30), 19);
  EXPECT_EQ(share_threshold(1, 2, 2), std::nullopt);
  EXPECT_EQ(share_threshold(32, 400, 400), quorum(33, 33));
}

TEST(Masks, AreRevealedOnceAndForTheLastAttemptOnly) {
  Group group(3);
  group.hidden(1, values_of(1), 5);
  EXPECT_EQ(group.revealed(1, 4, {1, 2}, 2), std::nullopt);
  EXPECT_EQ(group.revealed(1, 6, {1, 2}, 2), std::nullopt);
  EXPECT_TRUE(group.revealed(1, 5, {1, 2}, 2).has_value());
  EXPECT_EQ(group.revealed(1, 5, {1, 2}, 2), std::nullopt);
  EXPECT_EQ(group.revealed(1, 5, {1, 2, 3}, 2), std::nullopt);
}

TEST(Masks, AreNotRevealedForATotalOfTooFewOrOfStrangers) {
  Group group(4);
  group.hidden(1, values_of(1), 5);
  expect_error(ErrorCategory::BadData, {"a total: 2 answers"}, [&] { group.revealed(1, 5, {1, 2}, 3); });
  expect_error(ErrorCategory::BadData, {"a total: 3 answers"}, [&] { group.revealed(1, 5, {1, 2, 9}, 3); });
  EXPECT_TRUE(group.revealed(1, 5, {1, 2, 3}, 3).has_value());
}

// Of 70 devices everybody has 30 partners. If nearly all of these are silent, its own mask is not revealed.
TEST(Masks, AreNotRevealedByADeviceWhosePartnersAreSilent) {
  Group group(70);
  group.hidden(1, values_of(1), 5);
  const Nodes partners = group.partners_among(1, group.all());
  ASSERT_EQ(partners.size(), 30u);
  Nodes strangers;
  std::ranges::set_difference(group.all(), partners, std::back_inserter(strangers));
  EXPECT_EQ(group.revealed(1, 5, strangers, 2), std::nullopt);
  Nodes enough = strangers;
  enough.push_back(partners.front());
  std::ranges::sort(enough);
  EXPECT_EQ(group.revealed(1, 5, enough, 3), std::nullopt) << "hidden among two";
  EXPECT_TRUE(group.revealed(1, 5, enough, 2).has_value());
}

TEST(Masks, AreUsedOnceAndWithThoseWhoseKeysAreKnown) {
  Group group(3);
  group.hidden(1, values_of(1), 5);
  expect_error(ErrorCategory::BadData, {"a mask is used only once"},
               [&] { group.hidden(1, values_of(1), 5); });
  expect_error(ErrorCategory::BadData, {"a mask is used only once"},
               [&] { group.hidden(1, values_of(1), 4); });
  Values values = values_of(1);
  expect_error(ErrorCategory::BadData, {"with device 7, which has signed no key"}, [&] {
    group.at(1).hide(values, 6, {1, 7});
  });
  expect_error(ErrorCategory::BadData, {"does not ask it"}, [&] { group.at(1).hide(values, 7, {2, 3}); });
}

TEST(Masks, AreNotMadeWithKeysThatChangeOrAreNone) {
  Group group(2);
  for (const NodeId changed : {1, 2}) {
    const Words table = group.introduction(DeviceMasks(changed));
    expect_error(ErrorCategory::BadData, {"differs from the known one"}, [&] { group.learn(1, table); });
  }
  Words unsigned_key = group.table();
  unsigned_key(1, 1) ^= 1;
  expect_error(ErrorCategory::BadData, {"node 2, which has not signed it"},
               [&] { group.learn(1, unsigned_key); });
}

TEST(Masks, AreNotRemovedWithSeedsOfOthers) {
  Group group(3);
  group.hidden(1, values_of(1), 1);
  const Words seeds = group.revealed(1, 1, {1, 2}, 2).value();
  Values total(3, 0);
  EXPECT_NO_THROW(remove_masks(total, 1, view(seeds), {3}));
  expect_error(ErrorCategory::BadData, {"node 1 sent 2 seeds"},
               [&] { remove_masks(total, 1, view(seeds), {}); });
  expect_error(ErrorCategory::BadData, {"node 2 sent 2 seeds"},
               [&] { remove_masks(total, 2, view(seeds), {3}); });
}

}  // namespace
}  // namespace choir
