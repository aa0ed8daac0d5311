// Any bytes that are a message either are what a coordinator of federated-kmeans asks, what it tells, and
// what a device publishes, or are refused as bad data. Nobody believes a size that the message does not fill.
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "choir/base/error.h"
#include "choir/learn/federated_kmeans/questions.h"
#include "choir/runtime/message_codec.h"

namespace {

using namespace choir;

void require_of_question(bool truth) {
  if (!truth) std::abort();
}

template <class Read>
void question_or_refusal(Read read) {
  try {
    read();
  } catch (const Error& error) {
    require_of_question(error.category() == ErrorCategory::BadData);
  }
}

void ask_what(const Message& message) {
  const federated_kmeans::Word word = federated_kmeans::word_of(message);
  federated_kmeans::manner_of(word);
  federated_kmeans::round_of(message);
}

void read_centres(const Message& message) {
  const auto centres = federated_kmeans::centres_in(message);
  Index all = 0;
  for (const Index size : centres.sizes) {
    require_of_question(size > 0);
    all += size;
  }
  require_of_question(all == centres.points.cols());
}

void read_publication(const Message& message) {
  const auto points = federated_kmeans::published_in(message, 3, 2);
  require_of_question(points.points.rows() == 2 && points.points.cols() == points.counts.size() &&
                      points.counts.sum() >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const ByteBuffer>(begin, begin + size);
  question_or_refusal([&] {
    const Message message = decode(bytes, 0, size);
    question_or_refusal([&] { ask_what(message); });
    question_or_refusal([&] { read_centres(message); });
    question_or_refusal([&] { read_publication(message); });
    question_or_refusal([&] { federated_kmeans::clusters_in(message); });
  });
  return 0;
}
