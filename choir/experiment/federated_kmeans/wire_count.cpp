#include "choir/experiment/federated_kmeans/wire_count.h"

#include "choir/learn/federated_kmeans/questions.h"
#include "choir/learn/federation/envelope.h"

namespace choir {
namespace {

double numbers_in(const Message& content) {
  Index numbers = 0;
  for (const Array& array : content.arrays()) numbers += array.rows() * array.columns();
  return static_cast<double>(numbers);
}

}  // namespace

void WireCount::see(NodeId from, const Message& message) {
  const Letter letter = opened(message);
  const Note note = letter.envelope.note;
  if (from != server_) {
    if (note == Note::answer && about_eigenvectors_) for_sums_ += numbers_in(letter.content);
    return;
  }
  if (note == Note::statement && federated_kmeans::word_of(letter.content) == federated_kmeans::Word::map)
    for_maps_ += numbers_in(letter.content);
  if (note != Note::question) return;
  const federated_kmeans::Word word = federated_kmeans::word_of(letter.content);
  about_eigenvectors_ = word == federated_kmeans::Word::gram || word == federated_kmeans::Word::product;
  if (about_eigenvectors_) for_sums_ += numbers_in(letter.content);
}

}  // namespace choir
