#include "choir/cli/process_group.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/complaint.h"

namespace choir::cli {
namespace {

// "category sentence"; empty: all is well.
std::string to_text(const Error& error) {
  return fmt::format("{} {}", static_cast<int>(error.category()), error.what());
}

Error to_error(const std::string& text) {
  const std::size_t space = text.find(' ');
  const auto category =
      parse_integer(text.substr(0, space)).value_or(static_cast<int>(ErrorCategory::Internal));
  return Error(static_cast<ErrorCategory>(category), text.substr(space + 1));
}

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (...) {
    return to_text(current_error());
  }
}

}  // namespace

Index ProcessGroup::size() {
  if (!size_) size_ = static_cast<Index>(gather({}).size());
  return *size_;
}

void ProcessGroup::agree(const std::function<void()>& work) {
  const std::string mine = failure_of(work);
  std::vector<std::string> failures;
  try {
    failures = gather(mine);
  } catch (const Error&) {
    if (mine.empty()) throw;
    failures = {mine};  // the loss that broke the group is why it cannot gather any more
  }
  const auto first =
      std::find_if(failures.begin(), failures.end(), [](const auto& text) { return !text.empty(); });
  if (first == failures.end()) return;
  failed_together_ = true;
  throw to_error(*first);
}

std::vector<std::string> ProcessGroup::gather(const std::string& text) {
  try {
    return engine_.gather(text);
  } catch (const Error&) {
    failed_together_ = true;  // a process is lost, and all others learn it here
    throw;
  }
}

std::string ProcessGroup::from_speaker(const std::function<std::string()>& work) {
  const std::string mine = together([&] { return speaks() ? work() : std::string(); });
  for (const std::string& text : gather(mine)) {
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace choir::cli
