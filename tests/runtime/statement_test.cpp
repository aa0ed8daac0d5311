#include "choir/runtime/statement.h"

#include <cmath>

#include "graph/expect_error.h"

namespace choir {
namespace {

using testing::expect_error;

enum class Colour : std::uint8_t { red, green, blue };
constexpr Colour last_value(Colour) { return Colour::blue; }

struct Column {
  std::string name;
  Colour colour = Colour::red;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(name, colour);
  }
  friend bool operator==(const Column&, const Column&) = default;
};

struct Everything {
  bool truth = false;
  std::int32_t small = 0;
  Index index = 0;
  std::size_t size = 0;
  double number = 0;
  std::string text;
  Vector vector;
  Matrix matrix;
  std::vector<double> numbers;
  std::vector<bool> truths;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> lists;
  std::array<std::int64_t, 3> three{};
  std::pair<std::string, unsigned> pair;
  std::map<std::string, Column> map;
  std::optional<double> present;
  std::optional<Column> absent;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(truth);
    visit(small, index, size, number, text, vector, matrix, numbers, truths, columns, lists);
    visit(three, pair, map, present, absent);
  }
  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything something_of_everything() {
  Everything all;
  all.truth = true;
  all.small = -3;
  all.index = Index{1} << 60;
  all.size = ~std::size_t{0};
  all.number = -0.1;
  all.text = std::string("a\0b", 3);
  all.vector = Vector::LinSpaced(4, 0, 1);
  all.matrix = Matrix::Random(3, 2);
  all.numbers = {1, 2.5};
  all.truths = {true, false, true};
  all.columns = {{"age", Colour::blue}, {"weight", Colour::green}};
  all.lists = {{}, {"x", ""}};
  all.three = {1, -2, 3};
  all.pair = {"left", 7};
  all.map = {{"a", {"one", Colour::red}}, {"b", {"two", Colour::blue}}};
  all.present = 4;
  return all;
}

std::vector<std::byte> bytes_of(const Message& message) {
  const auto view = message.array(0).bytes_view();
  return {view.begin(), view.end()};
}

Message message_of(std::vector<std::byte> bytes) {
  Message message(Kind::facts);
  message.array(Array::of_bytes(std::move(bytes)));
  return message;
}

// A statement of one kind of content, read as another.
template <class Read, class Written>
void expect_refused(const Written& written, const char* words) {
  expect_error(ErrorCategory::BadData, {words},
               [&] { read_statement<Read>(statement(Kind::facts, written)); });
}

TEST(Statement, EveryTypeOfFieldComesBack) {
  const Everything all = something_of_everything();
  const Message message = statement(Kind::facts, all);
  EXPECT_EQ(message.kind(), Kind::facts);
  EXPECT_EQ(read_statement<Everything>(message), all);
  EXPECT_EQ(read_statement<Everything>(statement(Kind::facts, Everything{})), Everything{});
}

TEST(Statement, MayHoldTimes) {
  const std::vector<Duration> durations = {Duration::max(), Duration(-3)};
  EXPECT_EQ(read_statement<std::vector<Duration>>(statement(Kind::facts, durations)), durations);
  EXPECT_EQ(read_statement<Time>(statement(Kind::facts, Time(Duration(7)))), Time(Duration(7)));
}

TEST(Statement, MayBeOneValueAlone) {
  EXPECT_EQ(read_statement<std::string>(statement(Kind::options, std::string("runs/a"))), "runs/a");
  EXPECT_TRUE(std::isnan(read_statement<double>(statement(Kind::summaries, std::nan("")))));
}

TEST(Statement, IsAVersionAndItsFieldsAndNothingElse) {
  const std::vector<std::byte> bytes = bytes_of(statement(Kind::facts, Column{"ab", Colour::blue}));
  const std::vector<std::byte> expected = {
      std::byte{1}, std::byte{2}, {}, {}, {}, {}, {}, {}, {}, std::byte{'a'}, std::byte{'b'}, std::byte{2}};
  EXPECT_EQ(bytes, expected);
}

TEST(Statement, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = bytes_of(statement(Kind::facts, something_of_everything()));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(size);
    expect_error(ErrorCategory::BadData, {"damaged"}, [&] {
      read_statement<Everything>(message_of({bytes.begin(), end}));
    });
  }
}

// Either another statement, of which these are the bytes, or bad data; nothing in between.
TEST(Statement, EveryFlippedBitGivesAnotherStatementOrIsRefused) {
  std::vector<std::byte> bytes = bytes_of(statement(Kind::facts, something_of_everything()));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte(1U << (bit % 8));
    try {
      EXPECT_EQ(bytes_of(statement(Kind::facts, read_statement<Everything>(message_of(bytes)))), bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::BadData) << error.what();
    }
    bytes[bit / 8] ^= std::byte(1U << (bit % 8));
  }
}

// Had it allocated what these claim, they would end with bad_alloc, which is no Error(BadData).
TEST(Statement, BelievesNoSizeThatTheBytesDoNotFill) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 60;
  using Shape = std::pair<std::uint64_t, std::uint64_t>;
  expect_refused<std::string>(huge, "too early");
  expect_refused<std::vector<double>>(huge, "list");
  expect_refused<std::vector<std::string>>(huge, "list");
  expect_refused<std::map<int, int>>(huge, "list");
  expect_refused<Vector>(huge, "matrix");
  expect_refused<Matrix>(Shape{huge, 1}, "matrix");
  expect_refused<Matrix>(Shape{huge, 16}, "matrix");              // the product is 2^64: zero in 64 bits
  expect_refused<Matrix>(Shape{0, ~std::uint64_t{0}}, "matrix");  // does not fit an Index
}

TEST(Statement, AValueCanBeWrittenInOneWayOnly) {
  expect_refused<bool>(std::uint8_t{2}, "truth value");
  expect_refused<std::optional<bool>>(std::uint16_t{0x0102}, "truth value");
  expect_refused<Colour>(std::uint8_t{3}, "no such choice");
  using Pairs = std::vector<std::pair<int, int>>;
  expect_refused<std::map<int, int>>(Pairs{{2, 0}, {1, 0}}, "not in order");
  expect_refused<std::map<int, int>>(Pairs{{1, 0}, {1, 0}}, "not in order");
  expect_refused<std::uint8_t>(std::uint16_t{1}, "after its end");
}

TEST(Statement, AnotherVersionAndAnotherShapeOfMessageAreRefused) {
  std::vector<std::byte> bytes = bytes_of(statement(Kind::facts, 1.5));
  bytes[0] = std::byte{2};
  expect_error(ErrorCategory::BadData, {"format 2", "format 1"},
               [&] { read_statement<double>(message_of(bytes)); });
  Message longer = statement(Kind::facts, 1.5);
  longer.integer(1);
  expect_error(ErrorCategory::BadData, {"facts"}, [&] { read_statement<double>(longer); });
  expect_error(ErrorCategory::BadData, {"facts"}, [&] { read_statement<double>(Message(Kind::facts)); });
  Message numbers(Kind::facts);
  numbers.array(Vector::Ones(2).eval());
  expect_error(ErrorCategory::BadData, {"bytes"}, [&] { read_statement<double>(numbers); });
}

}  // namespace
}  // namespace choir
