// Tables of words: what is read has as many cells in every column, and its types hold for all of them.
#include "data_fuzzing.h"

#include "choir/data/table.h"
#include "choir/data/table_info.h"

namespace {

void check(const choir::Table& table) {
  for (const choir::Column& column : table.columns) {
    if (column.size() != table.rows()) std::abort();
    for (choir::Index row = 0; row < column.size(); ++row) {
      if (!column.is_missing(row) && column.text(row).empty()) std::abort();
    }
  }
  choir::describe_columns(table);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = choir::as_text(data, size);
  for (const char decimal : {'.', ','}) {
    try {
      check(choir::decode_table(text, "fuzz.csv", {.na = {"-"}, .decimal = decimal}));
    } catch (const choir::Error& error) {
      if (error.category() == choir::ErrorCategory::Internal || error.message().empty()) std::abort();
    }
  }
  return 0;
}
