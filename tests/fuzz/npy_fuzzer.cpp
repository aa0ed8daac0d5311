// Any bytes either decode to an array that encodes back to the same array, or are refused as bad data.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "choir/base/error.h"
#include "choir/codec/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const choir::NpyArray array = choir::decode_npy(std::as_bytes(std::span(data, size)), "fuzz");
    if (choir::to_doubles(array).size() != static_cast<std::size_t>(array.elements())) std::abort();
    const choir::NpyArray back = choir::decode_npy(choir::encode_npy(array), "again");
    if (back.type != array.type || back.shape != array.shape || back.fortran_order != array.fortran_order ||
        back.bytes != array.bytes)
      std::abort();
  } catch (const choir::Error& error) {
    if (error.category() != choir::ErrorCategory::BadData) std::abort();
  }
  return 0;
}
