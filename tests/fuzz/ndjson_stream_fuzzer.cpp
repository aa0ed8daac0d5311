#include "data_fuzzing.h"

#include "choir/data/ndjson_stream.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const choir::MemoryFile file(data, size);
  for (const char* target : {"", "label"}) {
    const auto narrow =
        choir::rows_or_refusal([&] { return choir::open_ndjson_rows(choir::narrow_window(file), target); });
    const auto wide = choir::rows_or_refusal(
        [&] { return choir::open_ndjson_rows(choir::TextWindow(choir::FileReader(file.path())), target); });
    if (narrow != wide) std::abort();
  }
  return 0;
}
