// zlib's state while it unpacks, released when it goes.
#pragma once

#include <zlib.h>

#include "choir/base/error.h"

namespace choir {

inline constexpr int gzip_window_bits = 16 + MAX_WBITS;  // zlib's way to say gzip
inline constexpr int zlib_window_bits = MAX_WBITS;

class Inflater {
 public:
  explicit Inflater(int window_bits) {
    if (inflateInit2(&stream_, window_bits) != Z_OK)
      fail(ErrorCategory::OutOfMemory, "no memory to unpack a file");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

}  // namespace choir
