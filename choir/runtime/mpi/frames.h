// What ranks tell each other during a run, as bytes: many frames, one after the other, make a parcel.
//
//   append_message(parcel, link, message);
//   for (FrameReader reader(parcel); const auto frame = reader.next();) ...
//
// A frame is { 4 from, 4 to, 4 type, 4 zero, 8 size } and `size` bytes, a multiple of 8, so that the arrays
// of a message lie where their type wants them. Little-endian. The reader believes nothing: it throws
// Error(BadData) for anything that was not written here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "choir/base/error.h"
#include "choir/runtime/host.h"
#include "choir/runtime/message_codec.h"

namespace choir {

enum class FrameType : std::uint32_t { message, goodbye, failure };

struct Frame {
  FrameType type = FrameType::message;
  NodeId from = 0;
  NodeId to = 0;
  std::size_t offset = 0;  // of its content in the parcel
  std::size_t size = 0;
};

// Why a run ends early, the same on every rank.
struct Failure {
  // Of a node's program; or of a whole rank, which then stops all nodes.
  enum class Scope : std::uint32_t { node, overdue_node, rank };
  Scope scope = Scope::node;
  std::uint64_t round = 0;
  std::int32_t origin = 0;        // the node, or the rank
  std::int32_t blamed_rank = -1;  // of an overdue node: whose doing it is
  ErrorCategory category = ErrorCategory::Internal;
  std::string text;  // the whole sentence

  // Ranks come before nodes, then the lower round, then the lower id.
  bool counts_more_than(const Failure& other) const;
  friend bool operator==(const Failure&, const Failure&) = default;
  friend constexpr Scope last_value(Scope) { return Scope::rank; }

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(scope, round, origin, blamed_rank, category, text);
  }
};

void append_message(ByteBuffer& parcel, const Link& link, const Message& message);
void append_goodbye(ByteBuffer& parcel, const Link& link, const Goodbye& goodbye);
void append_failure(ByteBuffer& parcel, const Failure& failure);

Goodbye read_goodbye(const ByteBuffer& parcel, const Frame& frame);
Failure read_failure(const ByteBuffer& parcel, const Frame& frame);

class FrameReader {
 public:
  explicit FrameReader(const ByteBuffer& parcel) : parcel_(parcel) {}
  std::optional<Frame> next();  // nothing: the parcel is over

 private:
  const ByteBuffer& parcel_;
  std::size_t at_ = 0;
};

}  // namespace choir
