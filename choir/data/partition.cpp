#include "choir/data/partition.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/base/text.h"
#include "choir/data/shards.h"

namespace choir {
namespace {

constexpr Purpose purpose("partition");

[[noreturn]] void fail_spec(std::string_view text) {
  fail(ErrorCategory::InvalidArgument,
       "'{}' is not a partition; use iid, label:K, sizes:A..B or features, with K, A and B at least 1", text);
}

Index positive(std::optional<std::int64_t> value, std::string_view text) {
  if (!value || *value < 1) fail_spec(text);
  return *value;
}

PartitionSpec parse_sizes(std::string_view range, std::string_view text) {
  const std::size_t dots = range.find("..");
  PartitionSpec spec{.kind = PartitionKind::sizes};
  spec.min_size = positive(parse_integer(range.substr(0, dots)), text);
  spec.max_size = spec.min_size;
  if (dots != std::string_view::npos) spec.max_size = positive(parse_integer(range.substr(dots + 2)), text);
  if (spec.max_size < spec.min_size) {
    fail(ErrorCategory::InvalidArgument, "'{}' is not a partition: {} is more than {}", text, spec.min_size,
         spec.max_size);
  }
  return spec;
}

// The length of run i when `total` things are cut into runs that differ by at most one.
Index run_length(Index total, Index runs, Index i) { return total / runs + (i < total % runs ? 1 : 0); }

// Deals `order` to the nodes in runs whose lengths differ by at most one.
Partition deal(const std::vector<Index>& order, Index nodes) {
  Partition parts;
  auto from = order.begin();
  for (Index j = 0; j < nodes; ++j) {
    const Index count = run_length(std::ssize(order), nodes, j);
    parts.emplace_back(from, from + count);
    from += count;
  }
  return parts;
}

void check_enough(Index things, std::string_view what, Index nodes) {
  if (things < nodes) {
    fail(ErrorCategory::InvalidArgument,
         "{} nodes cannot share {} {}: every node needs at least one; use fewer nodes", nodes, things, what);
  }
}

Partition by_iid(const PartitionSpec& spec, Index nodes, const PartitionSubject& subject,
                 std::uint64_t seed) {
  check_enough(subject.samples, "samples", nodes);
  std::vector<Index> order = Rng(seed, purpose).permutation(subject.samples);
  if (spec.samples_per_node > 0) {
    if (spec.samples_per_node > subject.samples / nodes) {
      fail(ErrorCategory::InvalidArgument, "{} nodes with {} samples each need more than the {} available",
           nodes, spec.samples_per_node, subject.samples);
    }
    order.resize(static_cast<std::size_t>(nodes * spec.samples_per_node));
  }
  return deal(order, nodes);
}

Partition by_sizes(const PartitionSpec& spec, Index nodes, const PartitionSubject& subject,
                   std::uint64_t seed) {
  check_enough(subject.samples, "samples", nodes);
  const std::vector<Index> order = Rng(seed, purpose).permutation(subject.samples);
  Rng sizes(seed, Purpose("partition sizes"));
  Partition parts;
  Index used = 0;
  for (Index j = 0; j < nodes; ++j) {
    const auto choices = static_cast<std::uint64_t>(spec.max_size - spec.min_size) + 1;
    const Index size = spec.min_size + static_cast<Index>(sizes.below(choices));
    if (size > subject.samples - used) {
      fail(ErrorCategory::InvalidArgument,
           "{} runs out of samples at node {} of {}: {} are used, {} more are needed, there are {}; use "
           "smaller sizes or fewer nodes",
           to_string(spec), j, nodes, used, size, subject.samples);
    }
    parts.emplace_back(order.begin() + used, order.begin() + used + size);
    used += size;
  }
  return parts;
}

Partition by_features(Index nodes, const PartitionSubject& subject, std::uint64_t seed) {
  check_enough(subject.features, "features", nodes);
  Partition parts = deal(Rng(seed, purpose).permutation(subject.features), nodes);
  for (std::vector<Index>& part : parts) std::ranges::sort(part);
  return parts;
}

// Hands out the samples of each label, in random order.
class LabelDealer {
 public:
  LabelDealer(const PartitionSpec& spec, Index nodes, const PartitionSubject& subject, std::uint64_t seed)
      : spec_(spec) {
    std::map<std::int64_t, std::vector<Index>> by_label;
    for (const Index sample : Rng(seed, purpose).permutation(subject.samples)) {
      by_label[subject.labels[static_cast<std::size_t>(sample)]].push_back(sample);
    }
    for (auto& [label, samples] : by_label) classes_.push_back({label, std::move(samples)});
    if (spec.labels_per_node > std::ssize(classes_)) {
      fail(ErrorCategory::InvalidArgument, "{} asks for {} labels per node, but there are {}",
           to_string(spec), spec.labels_per_node, classes_.size());
    }
    for (Index j = 0; j < nodes; ++j) {
      for (Index i = 0; i < spec.labels_per_node; ++i) ++class_of(j, i).wanted_by;
    }
  }

  // The largest node size with equal counts that no label runs out of; at least one of each, so that a
  // label without enough for that is named when it runs out.
  Index largest_node_size() const {
    Index each = std::numeric_limits<Index>::max();
    for (const Class& c : classes_) {
      if (c.wanted_by > 0) each = std::min(each, std::ssize(c.samples) / c.wanted_by);
    }
    return std::max<Index>(each, 1) * spec_.labels_per_node;
  }

  std::vector<Index> deal(Index node, Index node_size) {
    std::vector<Index> part;
    for (Index i = 0; i < spec_.labels_per_node; ++i) {
      Class& c = class_of(node, i);
      const Index wanted = run_length(node_size, spec_.labels_per_node, i);
      if (wanted > std::ssize(c.samples) - c.used) {
        fail(ErrorCategory::InvalidArgument,
             "{} runs out of label {} at node {}: it has {} samples and {} nodes need it; use fewer nodes or "
             "samples",
             to_string(spec_), c.label, node, c.samples.size(), c.wanted_by);
      }
      const auto from = c.samples.begin() + c.used;
      part.insert(part.end(), from, from + wanted);
      c.used += wanted;
    }
    return part;
  }

 private:
  struct Class {
    std::int64_t label = 0;
    std::vector<Index> samples;
    Index wanted_by = 0;  // nodes
    Index used = 0;       // samples, from the front
  };

  Class& class_of(Index node, Index i) {
    return classes_[static_cast<std::size_t>((node + i) % std::ssize(classes_))];
  }

  const PartitionSpec& spec_;
  std::vector<Class> classes_;
};

Partition by_label(const PartitionSpec& spec, Index nodes, const PartitionSubject& subject,
                   std::uint64_t seed) {
  if (std::ssize(subject.labels) != subject.samples) {
    fail(ErrorCategory::InvalidArgument, "{} needs labels, one per sample; use --labels", to_string(spec));
  }
  LabelDealer dealer(spec, nodes, subject, seed);
  const Index node_size = spec.samples_per_node > 0 ? spec.samples_per_node : dealer.largest_node_size();
  Partition parts;
  for (Index j = 0; j < nodes; ++j) parts.push_back(dealer.deal(j, node_size));
  return parts;
}

}  // namespace

PartitionSpec parse_partition(std::string_view text) {
  const std::string_view word = trim(text);
  if (word == "iid") return {};
  if (word == "features") return {.kind = PartitionKind::features};
  if (word.starts_with("label:")) {
    return {.kind = PartitionKind::label, .labels_per_node = positive(parse_integer(word.substr(6)), text)};
  }
  if (word.starts_with("sizes:")) return parse_sizes(word.substr(6), text);
  fail_spec(text);
}

std::string to_string(const PartitionSpec& spec) {
  switch (spec.kind) {
    case PartitionKind::iid:
      return "iid";
    case PartitionKind::label:
      return fmt::format("label:{}", spec.labels_per_node);
    case PartitionKind::sizes:
      return fmt::format("sizes:{}..{}", spec.min_size, spec.max_size);
    case PartitionKind::features:
      return "features";
  }
  throw Error(ErrorCategory::Internal, "a kind of partition without a name");
}

Partition partition(const PartitionSpec& spec, Index nodes, const PartitionSubject& subject,
                    std::uint64_t seed) {
  if (nodes < 1)
    fail(ErrorCategory::InvalidArgument, "the number of nodes is {}; it must be at least 1", nodes);
  switch (spec.kind) {
    case PartitionKind::iid:
      return by_iid(spec, nodes, subject, seed);
    case PartitionKind::label:
      return by_label(spec, nodes, subject, seed);
    case PartitionKind::sizes:
      return by_sizes(spec, nodes, subject, seed);
    case PartitionKind::features:
      return by_features(nodes, subject, seed);
  }
  throw Error(ErrorCategory::Internal, "a kind of partition without a rule");
}

Partition partition(const PartitionSpec& spec, Index nodes, const Dataset& dataset, std::uint64_t seed) {
  return partition(spec, nodes,
                   {.samples = dataset.size(), .features = dataset.features(), .labels = dataset.labels},
                   seed);
}

std::vector<Samples> split_samples(const Dataset& dataset, std::string_view by, Index nodes,
                                   std::uint64_t seed) {
  const PartitionSpec spec = parse_partition(by);
  std::vector<Samples> shards;
  for (const std::vector<Index>& part : partition(spec, nodes, dataset, seed)) {
    shards.push_back(spec.kind == PartitionKind::features ? take_features(dataset, part).samples
                                                          : take_samples(dataset, part).samples);
  }
  return shards;
}

}  // namespace choir
