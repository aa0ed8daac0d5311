#include "choir/runtime/message.h"

#include "choir/base/error.h"

namespace choir {
namespace {

[[noreturn]] void refuse_more(const char* what, std::size_t limit) {
  fail(ErrorCategory::InvalidArgument, "a message holds at most {} {}; put them into one array", limit, what);
}

[[noreturn]] void refuse_missing(const char* what, std::size_t index, std::size_t count) {
  fail(ErrorCategory::BadData, "a message has {} {} where at least {} were expected", count, what, index + 1);
}

}  // namespace

Message::Content& Message::own() {
  if (!content_) {
    content_ = std::make_shared<Content>();
  } else if (content_.use_count() > 1) {
    content_ = std::make_shared<Content>(*content_);
  }
  return *content_;
}

Message& Message::integer(std::int64_t value) {
  Content& content = own();
  if (content.integer_count == max_header) refuse_more("integers", max_header);
  content.integers[content.integer_count++] = value;
  return *this;
}

Message& Message::number(double value) {
  Content& content = own();
  if (content.number_count == max_header) refuse_more("numbers", max_header);
  content.numbers[content.number_count++] = value;
  return *this;
}

Message& Message::array(Array value) {
  Content& content = own();
  if (content.arrays.size() == max_arrays) refuse_more("arrays", max_arrays);
  content.arrays.push_back(std::move(value));
  return *this;
}

std::span<const std::int64_t> Message::integers() const {
  if (!content_) return {};
  return std::span(content_->integers).first(content_->integer_count);
}

std::span<const double> Message::numbers() const {
  if (!content_) return {};
  return std::span(content_->numbers).first(content_->number_count);
}

std::span<const Array> Message::arrays() const {
  if (!content_) return {};
  return content_->arrays;
}

std::int64_t Message::integer(std::size_t index) const {
  if (index >= integers().size()) refuse_missing("integers", index, integers().size());
  return integers()[index];
}

double Message::number(std::size_t index) const {
  if (index >= numbers().size()) refuse_missing("numbers", index, numbers().size());
  return numbers()[index];
}

const Array& Message::array(std::size_t index) const {
  if (index >= arrays().size()) refuse_missing("arrays", index, arrays().size());
  return arrays()[index];
}

}  // namespace choir
