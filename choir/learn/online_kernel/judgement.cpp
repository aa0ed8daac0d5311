#include "choir/learn/online_kernel/judgement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace choir::online_kernel {
namespace {

// A gain below this share of the constant answer's loss is chance.
constexpr double least_gain = 0.01;
// A class with fewer samples may be missed by chance.
constexpr double least_seen = 10;

}  // namespace

std::vector<std::string> shortcomings(const Evidence& evidence, const std::vector<std::int64_t>& classes) {
  std::vector<std::string> sentences;
  if (evidence.constant_loss > 0 && evidence.loss >= (1 - least_gain) * evidence.constant_loss) {
    sentences.push_back(fmt::format(
        "the answer is no better than a constant one: its loss on samples before it learned from them is "
        "{:.2f} "
        "times the constant answer's; check that the features say something about the targets, use "
        "--standardize zscore if their scales differ, or try another --gamma",
        evidence.loss / evidence.constant_loss));
  }
  std::vector<std::int64_t> missed;
  for (Index k = 0; k < evidence.seen.size() && k < std::ssize(classes); ++k) {
    if (evidence.seen(k) >= least_seen && evidence.taken(k) == 0)
      missed.push_back(classes[static_cast<std::size_t>(k)]);
  }
  if (!missed.empty()) {
    sentences.push_back(
        fmt::format("class{} {} {} never predicted, although samples of {} came; check the labels, or try "
                    "another --gamma",
                    missed.size() == 1 ? "" : "es", fmt::join(missed, ", "),
                    missed.size() == 1 ? "is" : "are", missed.size() == 1 ? "it" : "them"));
  }
  return sentences;
}

}  // namespace choir::online_kernel
