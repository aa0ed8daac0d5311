// Any bytes either are a statement, which writes the same bytes again, or are refused as bad data.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "choir/base/error.h"
#include "choir/runtime/statement.h"

namespace {

using namespace choir;

struct Part {
  Kind kind = Kind::facts;
  std::optional<double> value;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(kind, value);
  }
};

struct Whole {
  bool truth = false;
  std::string text;
  std::vector<Part> parts;
  std::map<std::int16_t, std::vector<bool>> map;
  std::array<std::uint8_t, 2> pair{};
  Vector vector;
  Matrix matrix;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(truth, text, parts, map, pair, vector, matrix);
  }
};

Message message_of(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  Message message(Kind::facts);
  message.array(Array::of_bytes({begin, begin + size}));
  return message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Message message = message_of(data, size);
  try {
    const Message again = statement(Kind::facts, read_statement<Whole>(message));
    const auto before = message.array(0).bytes_view();
    const auto after = again.array(0).bytes_view();
    if (!std::equal(before.begin(), before.end(), after.begin(), after.end())) std::abort();
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::BadData) std::abort();
  }
  return 0;
}
