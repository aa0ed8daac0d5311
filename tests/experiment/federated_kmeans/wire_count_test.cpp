#include "choir/experiment/federated_kmeans/wire_count.h"

#include <utility>

#include <gtest/gtest.h>

#include "choir/learn/federated_kmeans/questions.h"
#include "choir/learn/federation/envelope.h"

namespace choir {
namespace {

constexpr NodeId server = 2;

Message in_envelope(Message content, Note note) { return sealed(std::move(content), {.note = note}, 1, 1); }

Message answer(Index numbers) {
  Message content(Kind::own_statistics);
  content.array(Matrix(Matrix::Ones(numbers, 1)));
  return in_envelope(content, Note::answer);
}

TEST(WireCount, CountsVectorsProductsAndTriangles) {
  WireCount wire(server);
  wire.see(server, in_envelope(federated_kmeans::product_question(Vector::Ones(7), 0), Note::question));
  wire.see(0, answer(8));
  wire.see(1, answer(8));
  EXPECT_EQ(wire.for_sums(), 7 + 8 + 8);
  wire.see(server, in_envelope(federated_kmeans::gram_question(1), Note::question));
  wire.see(0, answer(29));
  EXPECT_EQ(wire.for_sums(), 23 + 29);
  EXPECT_EQ(wire.for_maps(), 0);
}

TEST(WireCount, CountsMapsByThemselvesAndNothingOfKMeans) {
  WireCount wire(server);
  wire.see(server, in_envelope(federated_kmeans::map_statement(Matrix::Ones(7, 3)), Note::statement));
  wire.see(server, in_envelope(federated_kmeans::kernel_statement(0.5), Note::statement));
  wire.see(server, in_envelope(federated_kmeans::product_question(Vector::Ones(7), 0), Note::question));
  wire.see(server,
           in_envelope(federated_kmeans::lloyd_question({.points = Matrix::Ones(3, 2), .sizes = {2}}, 1),
                       Note::question));
  wire.see(0, answer(10));
  wire.see(0, in_envelope(Message(Kind::control), Note::seeds));
  EXPECT_EQ(wire.for_sums(), 7);
  EXPECT_EQ(wire.for_maps(), 21);
}

}  // namespace
}  // namespace choir
