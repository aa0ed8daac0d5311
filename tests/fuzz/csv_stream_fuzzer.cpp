// The stream reads what the reader of whole files reads and refuses what it refuses.
#include "data_fuzzing.h"

#include "choir/data/csv_reader.h"
#include "choir/data/csv_stream.h"

namespace {

std::optional<choir::Samples> whole(std::string_view text) {
  try {
    return choir::decode_csv(text, "fuzz.csv", {.max_bytes = choir::fuzz_memory}).samples;
  } catch (const choir::Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const choir::MemoryFile file(data, size);
  const auto rows = [&](const char* target) {
    return choir::rows_or_refusal([&] { return choir::open_csv_rows(choir::narrow_window(file), target); });
  };
  if (rows("") != whole(choir::as_text(data, size))) std::abort();
  rows("label");
  rows("-1");
  return 0;
}
