#include "choir/experiment/digits.h"

#include "choir/data/mnist.h"
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
  const Mnist mnist = fetch_mnist({.folder = folder_of(options) / "mnist", .watch = options.watch});
  return read_dataset(mnist.train_images, {.labels = mnist.train_labels});
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
