// What leaves the nodes, for each way to share: by the ledger, and by looking into every message.
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>

#include "learn/consensus_kpca/digits.h"
#include <gtest/gtest.h>

#include "choir/learn/consensus_kpca/models.h"
#include "choir/runtime/message_codec.h"

namespace choir::consensus_kpca {
namespace {

using testing_digits::Digits;
using testing_digits::fixed_length;

// Every message of a run as the bytes that would cross a wire.
struct Audit {
  std::mutex mutex;
  std::vector<std::pair<Kind, ByteBuffer>> messages;

  RunOptions options() {
    return {.seed = 1, .audit = [this](NodeId, NodeId, const Message& message) {
              ByteBuffer bytes;
              encode(message, bytes);
              const std::lock_guard lock(mutex);
              messages.emplace_back(message.kind(), std::move(bytes));
            }};
  }
};

// Stretches of eight neighbouring values of samples that are unlike anything else: what a message that held
// (a part of) a sample would have in it. Numbers stand at multiples of eight bytes.
class Fingerprints {
 public:
  explicit Fingerprints(const std::vector<Samples>& shards) {
    for (const Samples& shard : shards) {
      for (Index n = 0; n < shard.cols(); ++n) learn(shard.col(n).data(), shard.rows());
    }
  }

  bool in(const ByteBuffer& bytes) const {
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    for (std::size_t i = 0; i + length <= values.size(); ++i) {
      if (known_.contains(
              std::string_view(reinterpret_cast<const char*>(&values[i]), length * sizeof(double)))) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t length = 8;

  void learn(const double* sample, Index size) {
    for (Index i = 0; i + static_cast<Index>(length) <= size; ++i) {
      const std::set<double> values(sample + i, sample + i + length);
      if (values.size() >= 6)
        known_.emplace(reinterpret_cast<const char*>(sample + i), length * sizeof(double));
    }
  }

  std::set<std::string, std::less<>> known_;
};

Options sharing(Share share) {
  Options options = fixed_length(2, 4);
  options.share = share;
  options.n_features = 200;
  options.n_landmarks = 60;
  return options;
}

struct Sent {
  Fit fit;
  bool raw = false;  // a sample in some message
};

Sent send_all(const Options& options) {
  const Digits digits(6, 24);
  Audit audit;
  Sent sent{.fit = testing_digits::fit(digits, options, audit.options(), 2)};
  EXPECT_EQ(audit.messages.size(), sent.fit.report.ledger.total().messages);
  std::size_t bytes = 0;
  const Fingerprints samples(digits.shards);
  for (const auto& [kind, message] : audit.messages) {
    bytes += message.size();
    sent.raw = sent.raw || samples.in(message);
  }
  EXPECT_EQ(bytes, sent.fit.report.ledger.total().bytes);
  return sent;
}

std::uint64_t bytes_of(const Sent& sent, Kind kind) {
  return sent.fit.report.ledger.kinds().has(kind) ? sent.fit.report.ledger.total(kind).bytes : 0;
}

TEST(ConsensusKpcaShare, SamplesGoToNeighboursAndTheLedgerSaysSo) {
  const Sent sent = send_all(sharing(Share::samples));
  EXPECT_TRUE(sent.raw);
  EXPECT_GE(bytes_of(sent, Kind::raw_samples), 6u * 4 * 24 * 784 * 8);
  EXPECT_GT(bytes_of(sent, Kind::centroids), 0u);
}

TEST(ConsensusKpcaShare, NoiseLeavesNoSampleAsItWas) {
  Options options = sharing(Share::samples);
  options.exchange_noise = 5;
  EXPECT_FALSE(send_all(options).raw);
}

TEST(ConsensusKpcaShare, LandmarksAreMeansOfSeveralSamples) {
  const Sent sent = send_all(sharing(Share::landmarks));
  EXPECT_FALSE(sent.raw);
  EXPECT_EQ(bytes_of(sent, Kind::raw_samples), 0u);
  EXPECT_GT(bytes_of(sent, Kind::centroids), 0u);
}

TEST(ConsensusKpcaShare, LandmarksOfSingleSamplesCountAsRawSamples) {
  Options options = sharing(Share::landmarks);
  options.min_count = 1;
  const Sent sent = send_all(options);
  EXPECT_GT(bytes_of(sent, Kind::raw_samples), 0u);
  EXPECT_EQ(bytes_of(sent, Kind::centroids), 0u);
}

TEST(ConsensusKpcaShare, RandomFeaturesSendStatisticsAlone) {
  const Sent sent = send_all(sharing(Share::random_features));
  EXPECT_FALSE(sent.raw);
  for (const Kind kind : {Kind::raw_samples, Kind::centroids, Kind::features, Kind::coefficients}) {
    EXPECT_EQ(bytes_of(sent, kind), 0u) << to_string(kind);
  }
  EXPECT_GT(bytes_of(sent, Kind::own_statistics), 0u);
}

TEST(ConsensusKpcaShare, TreeConsensusAndGossipFindTheSame) {
  const Digits digits(6, 40);
  Options options = sharing(Share::landmarks);
  options.tol = 1e-2;
  const Fit tree = testing_digits::fit(digits, options);
  for (const Agree agree : {Agree::consensus, Agree::gossip}) {
    options.agree = agree;
    const Fit other = testing_digits::fit(digits, options);
    const double tolerance = agree == Agree::gossip ? 1e-2 : 1e-6;
    for (NodeId j = 0; j < 6; ++j) {
      const Matrix& expected = tree.at(j).shared_coefficients;
      EXPECT_LE((other.at(j).shared_coefficients - expected).norm() / expected.norm(), tolerance)
          << to_string(agree);
      EXPECT_NEAR(other.at(j).eigenvalues(0) / tree.at(j).eigenvalues(0), 1, tolerance);
      EXPECT_TRUE(other.at(j).converged);
    }
  }
  for (NodeId j = 1; j < 6; ++j) EXPECT_EQ(tree.at(j).shared_coefficients, tree.at(0).shared_coefficients);
}

TEST(ConsensusKpcaShare, RandomFeaturesScoreLikeTheCentralAnswerAndComeBack) {
  const Digits digits(6, 90);
  Options options = sharing(Share::random_features);
  options.n_features = 2000;
  const Fit fitted = testing_digits::fit(digits, options);
  const central_kpca::Fit central = digits.central(2);
  const Model shared = model_of(fitted.at(3), Answer::shared);
  const Matrix scores = transform(shared, digits.pooled());
  for (Index d = 0; d < 2; ++d) {
    const double cosine =
        scores.col(d).dot(central.scores.col(d)) / (scores.col(d).norm() * central.scores.col(d).norm());
    EXPECT_GE(std::abs(cosine), 0.98);
  }
  // Samples from scores beat the mean of all samples.
  const Samples back = inverse(shared, scores);
  const Samples pooled = digits.pooled();
  const Samples centred = pooled.colwise() - pooled.rowwise().mean();
  EXPECT_LT((back - pooled).squaredNorm(), 0.9 * centred.squaredNorm());
  EXPECT_TRUE((score(shared, pooled).array() >= 0).all());
}

}  // namespace
}  // namespace choir::consensus_kpca
