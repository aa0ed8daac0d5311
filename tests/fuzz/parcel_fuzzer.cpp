// Any bytes either are a parcel between ranks, whose frames say the same when they are written and read
// again, or are refused as bad data.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "choir/base/error.h"
#include "choir/runtime/mpi/frames.h"

namespace {

using namespace choir;

void require(bool truth) {
  if (!truth) std::abort();
}

Frame only_frame(const ByteBuffer& parcel) {
  FrameReader reader(parcel);
  const auto frame = reader.next();
  require(frame && !reader.next());
  return *frame;
}

void check(const std::shared_ptr<const ByteBuffer>& parcel, const Frame& frame) {
  const Link link{.from = frame.from, .to = frame.to};
  ByteBuffer again;
  if (frame.type == FrameType::message) {
    append_message(again, link, decode(parcel, frame.offset, frame.size));
    const auto begin = parcel->begin() + static_cast<std::ptrdiff_t>(frame.offset);
    const Frame copy = only_frame(again);
    require(copy.size == frame.size && std::equal(begin, begin + static_cast<std::ptrdiff_t>(frame.size),
                                                  again.begin() + static_cast<std::ptrdiff_t>(copy.offset)));
  } else if (frame.type == FrameType::goodbye) {
    const Goodbye goodbye = read_goodbye(*parcel, frame);
    append_goodbye(again, link, goodbye);
    const Goodbye copy = read_goodbye(again, only_frame(again));
    require(copy.first_unsent_round == goodbye.first_unsent_round && copy.ended == goodbye.ended);
  } else {
    const Failure failure = read_failure(*parcel, frame);
    append_failure(again, failure);
    require(read_failure(again, only_frame(again)) == failure);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const auto parcel = std::make_shared<const ByteBuffer>(begin, begin + size);
  try {
    FrameReader reader(*parcel);
    while (const auto frame = reader.next()) check(parcel, *frame);
  } catch (const Error& error) {
    require(error.category() == ErrorCategory::BadData);
  }
  return 0;
}
