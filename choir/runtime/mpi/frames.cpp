#include "choir/runtime/mpi/frames.h"

#include <cstring>
#include <tuple>

namespace choir {
namespace {

struct FrameHeader {
  std::int32_t from;
  std::int32_t to;
  std::uint32_t type;
  std::uint32_t zero;
  std::uint64_t size;
};
static_assert(sizeof(FrameHeader) == 24);

struct GoodbyeContent {
  std::uint64_t first_unsent_round;
  std::uint64_t ended;
};

struct FailureContent {
  std::uint64_t round;
  std::uint32_t scope;
  std::int32_t origin;
  std::int32_t blamed_rank;
  std::uint32_t category;
  std::uint64_t text_size;
};
static_assert(sizeof(FailureContent) == 32);

[[noreturn]] void refuse(const char* what) { fail(ErrorCategory::BadData, "a parcel is damaged: {}", what); }

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

void append(ByteBuffer& parcel, const void* bytes, std::size_t size) {
  const std::size_t begin = parcel.size();
  parcel.resize(begin + size);
  std::memcpy(parcel.data() + begin, bytes, size);
}

void append_header(ByteBuffer& parcel, FrameType type, NodeId from, NodeId to, std::size_t size) {
  const FrameHeader header{from, to, static_cast<std::uint32_t>(type), 0, size};
  append(parcel, &header, sizeof header);
}

template <class Content>
Content read_content(const ByteBuffer& parcel, const Frame& frame) {
  if (frame.size < sizeof(Content)) refuse("a frame is too short");
  Content content;
  std::memcpy(&content, parcel.data() + frame.offset, sizeof content);
  return content;
}

}  // namespace

bool Failure::counts_more_than(const Failure& other) const {
  const auto order = [](const Failure& failure) {
    return std::tuple(failure.scope != Scope::rank, failure.round, failure.origin);
  };
  return order(*this) < order(other);
}

void append_message(ByteBuffer& parcel, const Link& link, const Message& message) {
  append_header(parcel, FrameType::message, link.from, link.to, encoded_size(message));
  encode(message, parcel);
}

void append_goodbye(ByteBuffer& parcel, const Link& link, const Goodbye& goodbye) {
  const GoodbyeContent content{goodbye.first_unsent_round, goodbye.ended ? 1u : 0u};
  append_header(parcel, FrameType::goodbye, link.from, link.to, sizeof content);
  append(parcel, &content, sizeof content);
}

void append_failure(ByteBuffer& parcel, const Failure& failure) {
  const FailureContent content{.round = failure.round,
                               .scope = static_cast<std::uint32_t>(failure.scope),
                               .origin = failure.origin,
                               .blamed_rank = failure.blamed_rank,
                               .category = static_cast<std::uint32_t>(failure.category),
                               .text_size = failure.text.size()};
  append_header(parcel, FrameType::failure, 0, 0, sizeof content + padded(failure.text.size()));
  append(parcel, &content, sizeof content);
  append(parcel, failure.text.data(), failure.text.size());
  parcel.resize(padded(parcel.size()));
}

Goodbye read_goodbye(const ByteBuffer& parcel, const Frame& frame) {
  const auto content = read_content<GoodbyeContent>(parcel, frame);
  if (frame.size != sizeof content || content.ended > 1) refuse("a goodbye is malformed");
  return {.first_unsent_round = content.first_unsent_round, .ended = content.ended == 1};
}

Failure read_failure(const ByteBuffer& parcel, const Frame& frame) {
  const auto content = read_content<FailureContent>(parcel, frame);
  if (content.scope > static_cast<std::uint32_t>(Failure::Scope::rank))
    refuse("a failure's scope is unknown");
  if (content.category > static_cast<std::uint32_t>(ErrorCategory::Internal)) {
    refuse("an error category is unknown");
  }
  if (content.text_size > frame.size - sizeof content) refuse("a text is longer than its frame");
  const char* text = reinterpret_cast<const char*>(parcel.data() + frame.offset + sizeof content);
  return {.scope = static_cast<Failure::Scope>(content.scope),
          .round = content.round,
          .origin = content.origin,
          .blamed_rank = content.blamed_rank,
          .category = static_cast<ErrorCategory>(content.category),
          .text = std::string(text, content.text_size)};
}

std::optional<Frame> FrameReader::next() {
  const std::size_t left = parcel_.size() - at_;
  if (left == 0) return std::nullopt;
  if (left < sizeof(FrameHeader)) refuse("it ends within a frame's header");
  FrameHeader header;
  std::memcpy(&header, parcel_.data() + at_, sizeof header);
  if (header.type > static_cast<std::uint32_t>(FrameType::failure)) refuse("a frame's type is unknown");
  if (header.zero != 0 || header.size % 8 != 0) refuse("a frame's header is wrong");
  if (header.size > left - sizeof header) refuse("a frame is longer than the rest");
  const Frame frame{static_cast<FrameType>(header.type), header.from, header.to, at_ + sizeof header,
                    header.size};
  at_ = frame.offset + frame.size;
  return frame;
}

}  // namespace choir
