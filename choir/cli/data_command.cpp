#include <filesystem>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/cli/commands.h"
#include "choir/cli/json_text.h"
#include "choir/cli/label_selection.h"
#include "choir/cli/mnist.h"
#include "choir/data/data_info.h"
#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/data/writer.h"
#include "choir/report/run_folder.h"
#include "choir/report/text_table.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;

void add_get(CLI::App& data, Session& session) {
  CLI::App* command = add_command(data, session, "get", "fetch a public data set, checked and cached",
                                  "choir data get mnist --dir data", Prints::nothing);
  struct Arguments {
    std::string name;
    std::string folder = "data";
    std::string deadline = "5min";
  };
  auto arguments = std::make_shared<Arguments>();
  command->add_option("NAME", arguments->name, "mnist")->required()->check(CLI::IsMember({"mnist"}));
  command->add_option("--dir", arguments->folder, "where to keep it");
  command->add_option("--deadline", arguments->deadline, "give up after this time");
  command->callback([arguments, &session] {
    Console console(session.console);
    const fs::path folder = fs::path(arguments->folder) / "mnist";
    const Mnist mnist =
        fetch_mnist({.folder = folder,
                     .deadline = Deadline::after(parse_duration(arguments->deadline), steady_now()),
                     .watch = console.watch()});
    console.note(mnist.downloaded ? fmt::format("MNIST is in {}", folder.string())
                                  : fmt::format("MNIST was already in {}", folder.string()));
    if (console.quiet()) return;
    for (const std::string& file :
         {mnist.train_images, mnist.train_labels, mnist.test_images, mnist.test_labels}) {
      console.print(file);
    }
  });
}

nlohmann::ordered_json to_json(const DataInfo& info) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json json = {{"file", info.source},
                                 {"type", info.type},
                                 {"samples", info.samples},
                                 {"features", info.features},
                                 {"minimum", optional(info.minimum)},
                                 {"maximum", optional(info.maximum)},
                                 {"mean", optional(info.mean)},
                                 {"nan", info.nan_count},
                                 {"infinite", info.infinite_count},
                                 {"constant_features", info.constant_features}};
  if (!info.label_counts.empty()) {
    nlohmann::ordered_json labels = nlohmann::ordered_json::object();
    for (const auto& [label, count] : info.label_counts) labels[std::to_string(label)] = count;
    json["labels"] = labels;
  }
  return json;
}

void add_info(CLI::App& data, Session& session) {
  CLI::App* command = add_command(data, session, "info", "shape, type, range, NaN count of data files",
                                  "choir data info datasets/digits.npz:images", Prints::table);
  struct Arguments {
    std::vector<std::string> files;
    std::string labels;
  };
  auto arguments = std::make_shared<Arguments>();
  command->add_option("FILE", arguments->files, "data files; file.npz:key picks one array")->required();
  command->add_option("--labels", arguments->labels, "a file of labels, or a column of a csv file");
  command->callback([arguments, &session] {
    Console console(session.console);
    auto json = nlohmann::ordered_json::array();
    Table table(
        {"file", "type", "samples", "features", "minimum", "maximum", "mean", "NaN", "inf", "constant"});
    std::string labels;
    for (const std::string& file : arguments->files) {
      const DataInfo info =
          describe(read_dataset(file, {.labels = arguments->labels, .allow_not_finite = true}));
      const auto value = [](const std::optional<double>& v) { return v ? number(*v) : std::string("-"); };
      json.push_back(to_json(info));
      table.add_row({info.source, info.type, fmt::format("{}", info.samples),
                     fmt::format("{}", info.features), value(info.minimum), value(info.maximum),
                     value(info.mean), fmt::format("{}", info.nan_count),
                     fmt::format("{}", info.infinite_count), fmt::format("{}", info.constant_features)});
      for (const auto& [label, count] : info.label_counts) labels += fmt::format(" {}:{}", label, count);
    }
    console.print(console.json() ? json_text(json, 2) : table.text());
    if (!console.json() && !labels.empty()) console.print("labels " + labels);
  });
}

struct SplitArguments {
  std::string file;
  std::string labels;
  std::string select_labels;
  std::string out;
  std::string by = "iid";
  Index nodes = 0;
  std::uint64_t random_state = 0;
};

// Shards of features are only of use with the same samples in the same order, so each says which rows it has.
void write_row_numbers(const RunFolder& folder, const Partition& parts, Index samples) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(samples));
  std::iota(rows.begin(), rows.end(), 0);
  for (std::size_t node = 0; node < parts.size(); ++node) {
    write_labels(folder.file(fmt::format("keys-{}.npy", node)), rows);
  }
}

void split(const SplitArguments& arguments, Console& console) {
  const PartitionSpec spec = parse_partition(arguments.by);
  const bool by_features = spec.kind == PartitionKind::features;
  const Dataset dataset =
      selected(read_dataset(arguments.file, {.labels = arguments.labels}), arguments.select_labels);
  const Partition parts = partition(spec, arguments.nodes, dataset, arguments.random_state);
  RunFolder folder = RunFolder::create(arguments.out, {.force = false, .replaceable = false});
  for (std::size_t node = 0; node < parts.size(); ++node) {
    const Dataset shard =
        by_features ? take_features(dataset, parts[node]) : take_samples(dataset, parts[node]);
    write_samples(folder.file(fmt::format("part-{}.npy", node)), shard.samples);
    if (!shard.labels.empty()) write_labels(folder.file(fmt::format("labels-{}.npy", node)), shard.labels);
    console.watch().report("shards", static_cast<Index>(node) + 1, static_cast<Index>(parts.size()));
  }
  if (by_features) write_row_numbers(folder, parts, dataset.size());
  folder.commit();
  console.note(fmt::format("{0} shards in {1}; use them with --data {1}/part-{{node}}.npy --nodes {0}",
                           parts.size(), arguments.out));
}

void add_split(CLI::App& data, Session& session) {
  CLI::App* command =
      add_command(data, session, "split", "deal a data set out to nodes: part-0.npy, part-1.npy, ...",
                  "choir data split digits.npz:images --nodes 20 --out shards", Prints::nothing);
  auto arguments = std::make_shared<SplitArguments>();
  command->add_option("FILE", arguments->file, "the data set")->required();
  command->add_option("--labels", arguments->labels, "a file of labels, or a column of a csv file");
  command->add_option("--select-labels", arguments->select_labels, "keep only these labels: 0,3,5,8");
  command->add_option("--nodes", arguments->nodes, "number of shards")->required();
  command->add_option("--out", arguments->out, "folder of the shards")->required();
  command->add_option("--by", arguments->by, "iid, label:K, sizes:A..B, features");
  command->add_option("--random-state", arguments->random_state, "seed");
  command->callback([arguments, &session] {
    Console console(session.console);
    split(*arguments, console);
  });
}

}  // namespace

void add_data_commands(CLI::App& app, Session& session) {
  CLI::App* data = app.add_subcommand("data", "fetch, describe and split data sets");
  data->require_subcommand(1);
  add_get(*data, session);
  add_info(*data, session);
  add_split(*data, session);
}

}  // namespace choir::cli
