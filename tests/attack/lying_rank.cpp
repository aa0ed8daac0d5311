// Loaded before MPI at one rank (LD_PRELOAD): a process of the job whose messages are not what choir has
// written. LYING_RANK says what it does to the first parcel in which it can.
//   name      repeats its messages in the name of node 0
//   values    multiplies the variances of a gossip summary by 30
//   shape     says that a matrix lies on its side
//   infinite  puts an infinite number into an array
//   announce  announces a parcel of 64 TiB
//   length    says that a message is longer than its parcel
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <mpi.h>

namespace {

using Bytes = std::vector<unsigned char>;

constexpr int parcel_tag = 0;
constexpr int announcement_tag = 1;
constexpr std::size_t frame_header = 24;  // from, to, type, zero, size; see frames.h
constexpr std::size_t fixed = 24;         // of a message; see message_codec.h
constexpr std::size_t array_header = 24;

template <class T>
T& at(Bytes& bytes, std::size_t place) {
  return *reinterpret_cast<T*>(bytes.data() + place);
}

struct Found {
  std::size_t frame = 0;    // where its header is
  std::size_t headers = 0;  // where those of the arrays are
  std::vector<std::size_t> values = {};
  std::size_t arrays() const { return values.size(); }
};

// The messages of a parcel.
std::vector<Found> messages_in(Bytes& parcel) {
  std::vector<Found> all;
  for (std::size_t frame = 0; frame + frame_header <= parcel.size();) {
    const auto size = at<std::uint64_t>(parcel, frame + 16);
    const std::size_t message = frame + frame_header;
    if (at<std::uint32_t>(parcel, frame + 8) == 0) {
      Found found{.frame = frame, .headers = message + fixed};
      found.headers += 8u * (parcel[message + 16] + parcel[message + 17]);
      const unsigned arrays = parcel[message + 18];
      std::size_t values = found.headers + arrays * array_header;
      for (unsigned i = 0; i < arrays; ++i) {
        const std::size_t header = found.headers + i * array_header;
        constexpr std::size_t sizes[] = {8, 4, 8, 1};
        found.values.push_back(values);
        const auto bytes = at<std::uint64_t>(parcel, header + 8) * at<std::uint64_t>(parcel, header + 16) *
                           sizes[parcel[header]];
        values += (bytes + 7) / 8 * 8;
      }
      all.push_back(found);
    }
    frame += frame_header + size;
  }
  return all;
}

std::uint64_t rows(Bytes& parcel, const Found& message, std::size_t array) {
  return at<std::uint64_t>(parcel, message.headers + array * array_header + 8);
}
std::uint64_t columns(Bytes& parcel, const Found& message, std::size_t array) {
  return at<std::uint64_t>(parcel, message.headers + array * array_header + 16);
}

bool repeat_in_another_name(Bytes& parcel) {
  const std::size_t size = parcel.size();
  for (const Found& message : messages_in(parcel)) {
    const std::size_t bytes = frame_header + at<std::uint64_t>(parcel, message.frame + 16);
    const Bytes copy(parcel.begin() + static_cast<std::ptrdiff_t>(message.frame),
                     parcel.begin() + static_cast<std::ptrdiff_t>(message.frame + bytes));
    parcel.insert(parcel.end(), copy.begin(), copy.end());
    at<std::int32_t>(parcel, parcel.size() - bytes) = 0;
  }
  return parcel.size() > size;
}

// A summary: sum, basis, values, participants.
bool multiply_values(Bytes& parcel) {
  for (const Found& message : messages_in(parcel)) {
    if (message.arrays() != 4 || rows(parcel, message, 2) == 0) continue;
    if (columns(parcel, message, 1) != rows(parcel, message, 2)) continue;
    for (std::uint64_t i = 0; i < rows(parcel, message, 2); ++i)
      at<double>(parcel, message.values[2] + 8 * i) *= 30;
    return true;
  }
  return false;
}

bool lay_on_its_side(Bytes& parcel) {
  for (const Found& message : messages_in(parcel)) {
    for (std::size_t i = 0; i < message.arrays(); ++i) {
      if (rows(parcel, message, i) == columns(parcel, message, i)) continue;
      std::swap(at<std::uint64_t>(parcel, message.headers + i * array_header + 8),
                at<std::uint64_t>(parcel, message.headers + i * array_header + 16));
      return true;
    }
  }
  return false;
}

bool put_infinity(Bytes& parcel) {
  for (const Found& message : messages_in(parcel)) {
    for (std::size_t i = 0; i < message.arrays(); ++i) {
      const bool numbers = parcel[message.headers + i * array_header] == 0;
      if (!numbers || rows(parcel, message, i) * columns(parcel, message, i) == 0) continue;
      at<double>(parcel, message.values[i]) = std::numeric_limits<double>::infinity();
      return true;
    }
  }
  return false;
}

bool lengthen(Bytes& parcel) {
  if (messages_in(parcel).empty()) return false;
  at<std::uint64_t>(parcel, messages_in(parcel).front().frame + 16) = std::uint64_t{1} << 40;
  return true;
}

std::function<bool(Bytes&)> lie() {
  const std::string does = std::getenv("LYING_RANK");
  if (does == "name") return repeat_in_another_name;
  if (does == "values") return multiply_values;
  if (does == "shape") return lay_on_its_side;
  if (does == "infinite") return put_infinity;
  if (does == "length") return lengthen;
  return [](Bytes&) { return false; };
}

}  // namespace

extern "C" int MPI_Isend(const void* data, int bytes, MPI_Datatype type, int to, int tag, MPI_Comm group,
                         MPI_Request* request) {
  static bool done = false;
  static std::deque<Bytes> kept;  // until the end: MPI reads them when it likes
  if (done || tag != parcel_tag) return PMPI_Isend(data, bytes, type, to, tag, group, request);
  if (std::string(std::getenv("LYING_RANK")) == "announce") {
    done = true;
    static const std::uint64_t huge = std::uint64_t{1} << 46;
    static MPI_Request never;
    PMPI_Isend(&huge, sizeof huge, MPI_BYTE, to, announcement_tag, group, &never);
  }
  const auto* begin = static_cast<const unsigned char*>(data);
  Bytes& parcel = kept.emplace_back(begin, begin + bytes);
  done = lie()(parcel) || done;
  return PMPI_Isend(parcel.data(), static_cast<int>(parcel.size()), type, to, tag, group, request);
}
