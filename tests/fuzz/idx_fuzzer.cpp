#include "data_fuzzing.h"

#include "choir/data/idx_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  choir::read_or_refuse(
      [&] { return choir::decode_idx(bytes, "fuzz.idx", {.max_bytes = choir::fuzz_memory}); });
  return 0;
}
