#include "data_fuzzing.h"

#include "choir/data/svmlight_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = choir::as_text(data, size);
  choir::looks_like_svmlight(text);
  choir::read_or_refuse(
      [&] { return choir::decode_svmlight(text, "fuzz.svm", {.max_bytes = choir::fuzz_memory}); });
  return 0;
}
