#include "choir/learn/online_kernel/messages.h"

#include <utility>

#include "choir/base/error.h"

namespace choir::online_kernel {
namespace {

Message with_words(Kind kind, const StopWords& words) {
  Message message(kind);
  message.integer(words.counter).integer(words.stop_at);
  return message;
}

void require(const Received& received, bool sound, const char* what) {
  if (sound) return;
  fail(ErrorCategory::BadData,
       "node {} sent {} whose parts do not fit together, do not fit this node's, or are not finite; check "
       "that all nodes have the same features and options",
       received.from, what);
}

}  // namespace

Message function_message(const PackedAtoms& atoms, const Matrix& weights, const Vector& class_counts,
                         const StopWords& words) {
  Message message = with_words(Kind::raw_samples, words);
  message.array(Array(atoms.places)).array(Array(atoms.news)).array(Array(weights));
  message.array(Array(Matrix(class_counts)));
  return message;
}

Samples atoms_in(const Received& received, const CommonAtoms& common, Index features) {
  const auto places = received.message.array(0).integers();
  const Eigen::Map<const Matrix> news = received.message.array(1).matrix();
  require(received, places.cols() == 1 && news.rows() == features && news.allFinite(), "a function");
  try {
    return common.unpack(places, news, received.position);
  } catch (const Error& cause) {
    fail(cause.category(), "node {} sent an invalid function: {}", received.from, cause.what());
  }
}

Eigen::Map<const Matrix> weights_in(const Received& received, Index atoms, Index outputs) {
  const Eigen::Map<const Matrix> weights = received.message.array(2).matrix();
  require(received, weights.rows() == atoms && weights.cols() == outputs && weights.allFinite(),
          "a function");
  return weights;
}

Vector class_counts_in(const Received& received, Index classes) {
  const Eigen::Map<const Matrix> counts = received.message.array(3).matrix();
  const bool sound = counts.size() == classes && counts.allFinite() && (counts.array() >= 0).all();
  require(received, sound, "counts of classes");
  return counts.reshaped();
}

Message batch_message(const Samples& batch, const StopWords& words) {
  Message message = with_words(Kind::raw_samples, words);
  message.array(Array(batch));
  return message;
}

Eigen::Map<const Matrix> batch_in(const Received& received, Index features) {
  const Eigen::Map<const Matrix> batch = received.message.array(0).matrix();
  require(received, batch.rows() == features && batch.allFinite(), "a batch");
  return batch;
}

Eigen::Map<const Matrix> scores_in(const Received& received, Index outputs) {
  const Eigen::Map<const Matrix> scores = received.message.array(1).matrix();
  const Index samples = received.message.array(0).columns();
  require(received, scores.rows() == samples && scores.cols() == outputs && scores.allFinite(), "scores");
  return scores;
}

Message values_message(Matrix values) {
  Message message(Kind::coefficients);
  message.array(Array(std::move(values)));
  return message;
}

Eigen::Map<const Matrix> values_in(const Received& received, Index samples, Index outputs) {
  const Eigen::Map<const Matrix> values = received.message.array(0).matrix();
  require(received, values.rows() == samples && values.cols() == outputs && values.allFinite(), "values");
  return values;
}

std::vector<StopWords> words_of(const Inbox& inbox) {
  std::vector<StopWords> words;
  for (const Received& other : inbox) {
    words.push_back({.counter = other.message.integer(0), .stop_at = other.message.integer(1)});
  }
  return words;
}

}  // namespace choir::online_kernel
