#include "choir/experiment/digits.h"

#include "choir/base/error.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"

namespace choir {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const ExperimentOptions& options) {
  if (!options.data.empty()) return options.data;
  return options.quick ? "datasets" : "data";
}

Dataset read_all_digits(const ExperimentOptions& options) {
  if (options.quick) {
    const std::string file = (folder_of(options) / "digits.npz").string();
    return read_dataset(file + ":images", {.labels = file + ":labels"});
  }
  const fs::path images = folder_of(options) / "mnist" / "train-images-idx3-ubyte";
  if (!fs::exists(images)) {
    fail(ErrorCategory::Io, "there is no {}; `choir data get mnist --dir {}` fetches it", images.string(),
         folder_of(options).string());
  }
  return read_dataset(images.string(),
                      {.labels = (images.parent_path() / "train-labels-idx1-ubyte").string()});
}

}  // namespace

Dataset read_digits(const ExperimentOptions& options, const std::vector<std::int64_t>& digits) {
  Dataset all = read_all_digits(options);
  return digits.empty() ? all : select_labels(all, digits);
}

std::vector<Samples> deal_digits(const Dataset& digits, const DigitDeal& deal, std::uint64_t seed) {
  const PartitionSpec spec{
      .kind = PartitionKind::label, .labels_per_node = deal.labels, .samples_per_node = deal.samples};
  std::vector<Samples> shards;
  for (const std::vector<Index>& part : partition(spec, deal.nodes, digits, seed)) {
    shards.push_back(take_samples(digits, part).samples);
  }
  return shards;
}

}  // namespace choir
