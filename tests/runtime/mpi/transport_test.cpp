#include "choir/runtime/mpi/transport.h"

#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

class TransportTest : public ::testing::Test {
 protected:
  static ByteBuffer pattern(int from, std::size_t number, std::size_t size) {
    ByteBuffer bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<std::byte>((i * 7 + number * 31 + static_cast<std::size_t>(from)) & 0xff);
    }
    return bytes;
  }

  // Everyone sends parcels of these sizes to everyone else, and gets the same.
  void all_to_all(std::size_t piece_bytes, const std::vector<std::size_t>& sizes) {
    World world;
    Transport transport(world, piece_bytes);
    for (std::size_t number = 0; number < sizes.size(); ++number) {
      for (int rank = 0; rank < world.ranks(); ++rank) {
        if (rank == world.rank()) continue;
        transport.collect(rank,
                          [&](ByteBuffer& parcel) { parcel = pattern(world.rank(), number, sizes[number]); });
        const std::lock_guard lock(world.mutex());
        transport.send(rank);
      }
    }
    std::vector<std::size_t> next(static_cast<std::size_t>(world.ranks()), 0);
    const std::size_t expected = sizes.size() * static_cast<std::size_t>(world.ranks() - 1);
    while (transport.taken() < expected || !transport.all_sent()) {
      std::this_thread::yield();
      const std::lock_guard lock(world.mutex());
      while (const auto arrival = world.probe()) transport.accept(*arrival);
      transport.progress();
      while (const auto parcel = transport.take()) {
        std::size_t& number = next[static_cast<std::size_t>(parcel->from)];
        EXPECT_EQ(*parcel->bytes, pattern(parcel->from, number, sizes[number])) << "parcel " << number;
        ++number;
      }
    }
    EXPECT_EQ(transport.sent(), expected);
    meet(world);
  }

  // Nobody closes a communicator that others still use.
  static void meet(World& world) {
    std::uint64_t one = 1;
    Ticket ticket;
    {
      const std::lock_guard lock(world.mutex());
      ticket = world.all_sum(&one, 1);
    }
    while (true) {
      std::this_thread::yield();
      const std::lock_guard lock(world.mutex());
      if (world.done(ticket)) break;
    }
    EXPECT_EQ(one, static_cast<std::uint64_t>(world.ranks()));
  }
};

TEST_F(TransportTest, ParcelsComeWholeAndInOrder) {
  all_to_all(std::size_t{1} << 30, {8, 100, 70000, 16, 3000000, 24});
}

TEST_F(TransportTest, ParcelsInPiecesComeWholeAndInOrder) {
  all_to_all(64, {8, 64, 65, 1000, 16, 100000, 128, 24});
}

TEST_F(TransportTest, PiecesBeyondTheEagerLimitComeWholeAndInOrder) {
  all_to_all(100000, {1000000, 8, 250000, 100000, 100001});
}

// Every rank announces to the next one what it will never send.
void announce(World& world, const std::vector<std::uint64_t>& sizes) {
  const std::lock_guard lock(world.mutex());
  const int next = (world.rank() + 1) % world.ranks();
  for (const std::uint64_t& size : sizes) world.send(next, 1, &size, sizeof size);
}

std::string refusal(World& world) {
  Transport transport(world, 64);
  while (true) {
    std::this_thread::yield();
    const std::lock_guard lock(world.mutex());
    try {
      while (const auto arrival = world.probe()) transport.accept(*arrival);
    } catch (const Error& error) {
      return error.what();
    }
  }
}

TEST_F(TransportTest, AnAnnouncementBeyondAllMemoryIsRefusedAndNamesTheRank) {
  World world;
  const std::vector<std::uint64_t> sizes = {std::uint64_t{1} << 46};
  announce(world, sizes);
  const int before = (world.rank() + world.ranks() - 1) % world.ranks();
  EXPECT_EQ(refusal(world).find(fmt::format("rank {} announced 70368744177664 bytes", before)), 0u);
  meet(world);
}

TEST_F(TransportTest, OneAnnouncementAtATimeIsBelieved) {
  World world;
  const std::vector<std::uint64_t> sizes = {1000, 1000};
  announce(world, sizes);
  EXPECT_NE(refusal(world).find("announced a parcel within another"), std::string::npos);
  meet(world);
}

TEST_F(TransportTest, AParcelIsFullFrom64KiB) {
  World world;
  Transport transport(world, 1 << 20);
  EXPECT_FALSE(transport.collect(0, [](ByteBuffer& parcel) { parcel.resize((64 << 10) - 1); }));
  EXPECT_TRUE(transport.collect(0, [](ByteBuffer& parcel) { parcel.resize(64 << 10); }));
  meet(world);
}

}  // namespace
}  // namespace choir
