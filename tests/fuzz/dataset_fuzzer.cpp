// The front: format detection, gzip, .npy and whatever else lies in memory.
#include "data_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const char* name : {"fuzz", "fuzz.csv"}) {
    choir::read_or_refuse([&] {
      return choir::decode_dataset(bytes, name, {.allow_not_finite = true, .max_bytes = choir::fuzz_memory});
    });
  }
  return 0;
}
