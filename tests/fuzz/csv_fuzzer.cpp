#include "data_fuzzing.h"

#include "choir/data/csv_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = choir::as_text(data, size);
  for (const char* labels : {"", "label", "-1"}) {
    for (const char* key : {"", "id", "1"}) {
      choir::read_or_refuse([&] {
        return choir::decode_csv(text, "fuzz.csv",
                                 {.labels = labels, .key = key, .max_bytes = choir::fuzz_memory});
      });
    }
  }
  return 0;
}
