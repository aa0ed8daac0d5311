#include <filesystem>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "choir/cli/command.h"
#include "choir/cli/mnist.h"
#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/data/writer.h"
#include "choir/report/run_folder.h"
#include "choir/run/data_report.h"
#include "choir/run/result_json.h"
#include "choir/run/shards.h"

namespace choir::cli {
namespace {

namespace fs = std::filesystem;

struct GetArguments : OptionTarget {
  std::string dir = "data";
  Duration deadline = std::chrono::minutes(5);
};

Command get_command() {
  Command command{.name = "get",
                  .about = "fetch a public data set, checked and cached",
                  .example = "choir data get mnist --dir data"};
  command.takes = {{.name = "NAME", .help = "mnist", .choices = {"mnist"}}};
  OptionGroup<GetArguments> group(command.options, "Fetching");
  group.add("dir", &GetArguments::dir, "where to keep it").named("FOLDER");
  group.add("deadline", &GetArguments::deadline, "give up after this time");
  command.defaults = std::make_shared<GetArguments>();
  command.run = [table = command.options](const Call& call, Session& session) {
    const auto arguments = arguments_of<GetArguments>(table, call);
    Console console(session.console);
    const fs::path folder = fs::path(arguments.dir) / "mnist";
    const Mnist mnist = fetch_mnist({.folder = folder,
                                     .deadline = Deadline::after(arguments.deadline, steady_now()),
                                     .watch = console.watch()});
    console.note(fmt::format(fmt::runtime(mnist.downloaded ? "MNIST is in {}" : "MNIST was already in {}"),
                             folder.string()));
    if (console.quiet()) return;
    for (const std::string& file :
         {mnist.train_images, mnist.train_labels, mnist.test_images, mnist.test_labels}) {
      console.print(file);
    }
  };
  return command;
}

struct InfoArguments : OptionTarget {
  std::string labels;
};

Command info_command() {
  Command command{.name = "info",
                  .about = "shape, range and NaN count of data files, and what is in the columns of tables",
                  .example = "choir data info patients.csv --labels diagnosis"};
  command.takes = {{.name = "FILE", .help = "a data file; file.npz:key picks one array", .many = true}};
  command.prints_table = true;
  OptionGroup<InfoArguments> group(command.options, "Data");
  group.add("labels", &InfoArguments::labels, "a file of labels, or a column of a csv file").named("FILE");
  command.defaults = std::make_shared<InfoArguments>();
  command.run = [table = command.options](const Call& call, Session& session) {
    Console console(session.console);
    const DataReport report = report_on_data(call.words, arguments_of<InfoArguments>(table, call).labels);
    console.print(console.json() ? json_text(report.json, 2) : report.text);
  };
  return command;
}

struct SplitArguments : OptionTarget {
  std::string file;
  std::string labels;
  std::vector<std::int64_t> select_labels;
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

void write_shards(const SplitArguments& arguments, Console& console) {
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

Command split_command() {
  using Arguments = SplitArguments;
  Command command{.name = "split",
                  .about = "distribute a data set over nodes: part-0.npy, part-1.npy, ...",
                  .example = "choir data split digits.npz:images --nodes 20 --out shards"};
  command.takes = {{.name = "FILE", .help = "the data set"}};
  OptionGroup<Arguments> group(command.options, "Shards");
  group.add("labels", &Arguments::labels, "a file of labels, or a column of a csv file").named("FILE");
  group.add("select-labels", &Arguments::select_labels, "keep only the samples with these labels: 0,3,5,8")
      .named("LABELS");
  group.add("nodes", &Arguments::nodes, "the number of shards").named("J").needed();
  group.add("out", &Arguments::out, "a folder for the shards").named("FOLDER").needed();
  group.add("by", &Arguments::by, "how samples are distributed: iid, label:K, sizes:A..B, features")
      .named("RULE");
  group.add("random-state", &Arguments::random_state, "seed");
  command.defaults = std::make_shared<Arguments>();
  command.run = [table = command.options](const Call& call, Session& session) {
    auto arguments = arguments_of<Arguments>(table, call);
    arguments.file = call.words.front();
    Console console(session.console);
    write_shards(arguments, console);
  };
  return command;
}

}  // namespace

Command data_command() {
  Command command{.name = "data", .about = "fetch, describe and split data sets"};
  command.commands = {get_command(), info_command(), split_command()};
  return command;
}

}  // namespace choir::cli
