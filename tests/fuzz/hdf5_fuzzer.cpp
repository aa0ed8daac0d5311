#include "data_fuzzing.h"

#include "choir/data/hdf5_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const choir::MemoryFile file(data, size);
  choir::read_or_refuse([&] { return choir::read_hdf5(file.path(), "", {.max_bytes = choir::fuzz_memory}); });
  return 0;
}
