#include "choir/learn/federated_kmeans/questions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir::federated_kmeans {
namespace {

Message say(Word word, Kind kind, Index round = 0) {
  Message message(kind);
  message.integer(static_cast<std::int64_t>(word)).integer(round);
  return message;
}

Message with_array(Word word, Kind kind, Matrix array, Index round = 0) {
  Message message = say(word, kind, round);
  message.array(std::move(array));
  return message;
}

Message about_centres(Word word, RunCentres centres, Index round) {
  Words sizes(1, std::ssize(centres.sizes));
  std::ranges::copy(centres.sizes, sizes.data());
  Message message = with_array(word, Kind::coefficients, std::move(centres.points), round);
  message.array(Array(std::move(sizes)));
  return message;
}

}  // namespace

Word word_of(const Message& message) {
  const std::int64_t word = message.integer(0);
  if (word < 0 || word > static_cast<std::int64_t>(Word::clusters)) {
    fail(ErrorCategory::BadData,
         "a message begins with {}, which is not a known word; check that all nodes run the same choir",
         word);
  }
  return static_cast<Word>(word);
}

Manner manner_of(Word word) {
  if (word <= Word::trace) return Manner::sum;
  return word <= Word::draw ? Manner::publication : Manner::statement;
}

Index round_of(const Message& question) { return question.integer(1); }

Message means_question(bool of_entries, Index round) {
  Message message = say(Word::means, Kind::control, round);
  message.integer(of_entries ? 1 : 0);
  return message;
}

Message squares_question(const Vector& mean, Index round) {
  return with_array(Word::squares, Kind::totals, mean, round);
}

Message gram_question(Index round) { return say(Word::gram, Kind::control, round); }

Message product_question(const Vector& vector, Index round) {
  return with_array(Word::product, Kind::coefficients, vector, round);
}

Message tally_question(RunCentres centres, Matrix before, Index round) {
  Message message = about_centres(Word::tally, std::move(centres), round);
  message.array(std::move(before));
  return message;
}

Message lloyd_question(RunCentres centres, Index round) {
  Words opened(1, std::ssize(centres.opened));
  std::ranges::copy(centres.opened, opened.data());
  Message message = about_centres(Word::lloyd, std::move(centres), round);
  message.array(Array(std::move(opened)));
  return message;
}

Message appraise_question(RunCentres centres, Index round) {
  return about_centres(Word::appraise, std::move(centres), round);
}

Message noisy_question(Matrix centres, Index round) {
  return with_array(Word::noisy, Kind::coefficients, std::move(centres), round);
}

RunCentres centres_in(const Message& question) {
  RunCentres centres{.points = question.array(0).matrix(), .sizes = {}};
  const WordsView sizes = question.array(1).integers();
  Index left = centres.points.cols();
  for (const std::int64_t size : sizes.reshaped()) {
    if (size < 1 || size > left) break;
    centres.sizes.push_back(size);
    left -= size;
  }
  const bool marked = word_of(question) == Word::lloyd;
  if (marked) {
    for (const std::int64_t open : question.array(2).integers().reshaped())
      centres.opened.push_back(open != 0);
  }
  const bool fits = centres.opened.empty() || std::ssize(centres.opened) == centres.points.cols();
  if (left == 0 && std::ssize(centres.sizes) == sizes.size() && fits) return centres;
  fail(ErrorCategory::BadData, "{} centres came with runs of other sizes than that", centres.points.cols());
}

Message trace_question(Index round) { return say(Word::trace, Kind::control, round); }

Message cost_question(Matrix candidates, Index round) {
  return with_array(Word::cost, Kind::features, std::move(candidates), round);
}

Message weigh_question(Matrix candidates, Index round) {
  return with_array(Word::weigh, Kind::features, std::move(candidates), round);
}

Message centroids_request(Index devices, Index round) {
  Message message = say(Word::centroids, Kind::control, round);
  message.integer(devices);
  return message;
}

Message draw_request(Matrix candidates, double odds, Index round) {
  Message message = with_array(Word::draw, Kind::features, std::move(candidates), round);
  message.number(odds);
  return message;
}

Message preprocessing_statement(const Preprocessing& preprocessing) {
  Message message = say(Word::preprocessing, Kind::totals);
  message.array(preprocessing.mean).array(preprocessing.scale);
  return message;
}

Message kernel_statement(double gamma) {
  Message message = say(Word::kernel, Kind::totals);
  message.number(gamma);
  return message;
}

Message landmarks_statement(Matrix points, Matrix whitening, Kind kind) {
  Message message = with_array(Word::landmarks, kind, std::move(points));
  message.array(std::move(whitening));
  return message;
}

Message stage_statement(const RandomFeaturesOptions& random, double eta) {
  Message message = say(Word::stage, Kind::control);
  message.integer(random.count).integer(static_cast<std::int64_t>(random.seed)).number(eta);
  return message;
}

Message map_statement(Matrix map) { return with_array(Word::map, Kind::coefficients, std::move(map)); }

Message clusters_statement(const FoundClusters& found) {
  Message message = say(Word::clusters, Kind::coefficients);
  message.integer(found.samples).integer(found.iterations).integer(found.converged ? 1 : 0);
  message.number(found.inertia).array(found.centroids).array(found.counts);
  return message;
}

FoundClusters clusters_in(const Message& statement) {
  return {.centroids = statement.array(0).matrix(),
          .counts = statement.array(1).matrix().reshaped(),
          .inertia = statement.number(0),
          .samples = statement.integer(2),
          .iterations = statement.integer(3),
          .converged = statement.integer(4) != 0};
}

Message publication(CountedCentroids points, Kind kind) {
  Message message(kind);
  message.array(std::move(points.points)).array(points.counts);
  return message;
}

CountedCentroids published_in(const Message& message, NodeId device, Index length) {
  CountedCentroids points{.points = message.array(0).matrix(),
                          .counts = message.array(1).matrix().reshaped()};
  if (points.points.rows() != length || points.points.cols() != points.counts.size()) {
    fail(ErrorCategory::BadData,
         "device {} published {} points of {} numbers with {} counts; points of {} numbers are needed",
         device, points.points.cols(), points.points.rows(), points.counts.size(), length);
  }
  if (!points.points.allFinite() || !points.counts.allFinite() || (points.counts.array() <= 0).any()) {
    fail(ErrorCategory::BadData, "device {} published points that are not finite, or means of no samples",
         device);
  }
  return points;
}

CountedCentroids beside(const CountedCentroids& a, const CountedCentroids& b) {
  CountedCentroids both{.points = Matrix(a.points.rows(), a.points.cols() + b.points.cols()),
                        .counts = Vector(a.counts.size() + b.counts.size())};
  both.points << a.points, b.points;
  both.counts << a.counts, b.counts;
  return both;
}

}  // namespace choir::federated_kmeans
