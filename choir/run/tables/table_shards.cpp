#include "choir/run/tables/table_shards.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/codec/files.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/csv_table.h"
#include "choir/data/format.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/learn/tables/choose_recipe.h"
#include "choir/learn/tables/follow_recipe.h"
#include "choir/run/tables/column_notes.h"
#include "choir/run/tables/labels.h"
#include "choir/run/tables/recipe_run.h"

namespace choir {
namespace {

RecipeWish wish_of(const DataSettings& data) {
  RecipeWish wish{.id = data.id,
                  .labels = data.labels,
                  .columns = data.columns,
                  .drop = data.drop,
                  .categorical = data.categorical,
                  .missing = data.missing,
                  .na = data.na,
                  .decimal = data.decimal.front()};
  wish.all_texts = std::erase(wish.categorical, "auto") > 0;
  return wish;
}

// What all processes may know of a shard's labels.
struct LabelFacts {
  bool are_words = false;
  bool exist = false;
  std::vector<std::string> classes = {};  // of words

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(are_words, exist, classes);
  }
};

// A table of this process, what of it is used, and what for.
struct OwnTable {
  Table table;
  NodeId node = 0;
  std::string label_source = {};  // a file beside it
  std::unique_ptr<TableView> view = {};
  std::vector<Index> rows = {};
  RawLabels labels = {};

  std::string where() const { return fmt::format("node {}: ", node); }
};

bool is_dealt_out(const DataSettings& data) { return !is_shard_pattern(data.data); }

std::vector<OwnTable> read_own(const DataSettings& data, const TableReading& reading) {
  const TableOptions options{.na = data.na, .decimal = data.decimal.front()};
  std::vector<OwnTable> tables;
  if (is_dealt_out(data)) {
    tables.push_back({.table = read_table(data.data, options), .label_source = data.labels});
    return tables;
  }
  for (NodeId node = reading.own.first; node < reading.own.last; ++node) {
    tables.push_back({.table = read_table(expand_shard_pattern(data.data, node), options),
                      .node = node,
                      .label_source = expand_shard_pattern(data.labels, node)});
  }
  return tables;
}

template <class Facts>
std::vector<Facts> told_by_all(const std::vector<Facts>& own, ProcessGroup& processes) {
  std::vector<Facts> all;
  for (std::vector<Facts>& part : processes.tell_all(Kind::facts, own))
    std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

RawLabels read_labels(const OwnTable& own) {
  if (own.label_source.empty()) return {};
  if (const Column* column = own.view->label()) return labels_in(own.table, *column, own.rows);
  return labels_beside(own.table, own.label_source, own.rows);
}

// Finds the columns, leaves rows out and reads the labels.
void look_at(std::vector<OwnTable>& tables, const Recipe& recipe) {
  for (OwnTable& own : tables) {
    own.view = std::make_unique<TableView>(own.table, recipe, own.where());
    own.rows = own.view->usable_rows();
    const Column* label = own.view->label();
    if (label && recipe.missing == Missing::drop)
      std::erase_if(own.rows, [&](Index row) { return label->is_missing(row); });
    own.labels = read_labels(own);
  }
}

std::vector<LabelFacts> facts_of_labels(const std::vector<OwnTable>& tables) {
  std::vector<LabelFacts> facts;
  for (const OwnTable& own : tables) {
    std::set<std::string> words(own.labels.words.begin(), own.labels.words.end());
    facts.push_back(
        {.are_words = !words.empty(), .exist = own.labels.exist(), .classes = {words.begin(), words.end()}});
  }
  return facts;
}

// Of all nodes; none if labels are numbers.
std::vector<std::string> classes_of(const std::vector<LabelFacts>& facts) {
  std::set<std::string> classes;
  bool some_are_numbers = false;
  for (const LabelFacts& labels : facts) {
    classes.insert(labels.classes.begin(), labels.classes.end());
    some_are_numbers = some_are_numbers || (labels.exist && !labels.are_words);
  }
  if (some_are_numbers && !classes.empty()) {
    fail(ErrorCategory::BadData,
         "the labels of some nodes are words, such as '{}', and those of others are numbers; use one kind",
         *classes.begin());
  }
  return {classes.begin(), classes.end()};
}

// Labels of a table's rows as numbers; `rows` are places among own.rows.
void put_labels(const OwnTable& own, const std::vector<std::string>& classes, bool are_values,
                std::span<const Index> places, Dataset& shard) {
  if (!own.labels.exist()) return;
  RawLabels labels;
  for (const Index place : places) {
    const auto at = static_cast<std::size_t>(place);
    if (!own.labels.numbers.empty()) labels.numbers.push_back(own.labels.numbers[at]);
    if (!own.labels.words.empty()) labels.words.push_back(own.labels.words[at]);
  }
  if (are_values) {
    shard.values = labels.values(own.table.source);
  } else if (!classes.empty()) {
    shard.labels = labels.classes(classes, own.table.source);
  } else {
    shard.labels = labels.integers(own.table.source);
  }
}

// Rows of a node, as places among the rows of its table.
struct NodeRows {
  const OwnTable* own;
  std::vector<Index> places;
};

std::vector<Index> all_places(const OwnTable& own) {
  std::vector<Index> places(own.rows.size());
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}

// Labels as numbers, to deal out by.
std::vector<std::int64_t> labels_to_deal_by(const OwnTable& own, const std::vector<std::string>& classes) {
  Dataset all;
  put_labels(own, classes, false, all_places(own), all);
  return all.labels;
}

std::vector<NodeRows> dealt_out(const OwnTable& own, const std::vector<std::string>& classes,
                                const Settings& settings, const TableReading& reading) {
  std::vector<NodeRows> nodes;
  if (settings.data.nodes == 0) {
    nodes.push_back({&own, all_places(own)});
    return nodes;
  }
  // In turn, as streams are, is for labels and values alike.
  const bool in_turn = settings.data.by == "turn";
  const PartitionSpec spec = in_turn ? PartitionSpec() : parse_partition(settings.data.by);
  if (spec.kind == PartitionKind::features)
    throw Error(ErrorCategory::InvalidArgument,
                "--by features deals out numbers; it cannot be combined with tables");
  std::vector<std::int64_t> labels;
  if (spec.kind == PartitionKind::label) labels = labels_to_deal_by(own, classes);
  Partition parts(static_cast<std::size_t>(reading.nodes));
  if (in_turn) {
    for (Index row = 0; row < std::ssize(own.rows); ++row)
      parts[static_cast<std::size_t>(row % reading.nodes)].push_back(row);
  } else {
    parts = partition(spec, reading.nodes, {.samples = std::ssize(own.rows), .features = 1, .labels = labels},
                      settings.engine.random_state);
  }
  for (NodeId node = reading.own.first; node < reading.own.last; ++node) {
    std::vector<Index>& part = parts[static_cast<std::size_t>(node)];
    if (reading.in_file_order) std::ranges::sort(part);
    nodes.push_back({&own, std::move(part)});
  }
  return nodes;
}

std::vector<NodeRows> rows_of_nodes(const std::vector<OwnTable>& tables,
                                    const std::vector<std::string>& classes, const Settings& settings,
                                    const TableReading& reading) {
  if (is_dealt_out(settings.data)) return dealt_out(tables.front(), classes, settings, reading);
  std::vector<NodeRows> nodes;
  for (const OwnTable& own : tables) nodes.push_back({&own, all_places(own)});
  return nodes;
}

// As numbers of rows in the file.
std::vector<Index> rows_in_file(const NodeRows& node) {
  std::vector<Index> rows;
  for (const Index place : node.places) rows.push_back(node.own->rows[static_cast<std::size_t>(place)]);
  return rows;
}

Dataset shard_of(const NodeRows& node, const Recipe& recipe, bool real_labels) {
  const TableView view(node.own->table, recipe, node.own->where());
  Dataset shard;
  shard.source = node.own->table.source;
  shard.type = "text";
  shard.samples = view.samples(rows_in_file(node)).samples;
  put_labels(*node.own, recipe.classes, real_labels, node.places, shard);
  return shard;
}

// How many samples there are in all nodes. One file is dealt out by every process alike.
Index all_samples_of(const std::vector<NodeRows>& nodes, ProcessGroup& processes) {
  Index own = 0;
  for (const NodeRows& node : nodes) own += std::ssize(node.places);
  Index all = 0;
  for (const Index some : processes.tell_all(Kind::facts, own)) all += some;
  return all;
}

Facts facts_of_cells(const std::vector<MissingCells>& missing) {
  Facts facts;
  for (const MissingCells& cells : missing) facts.set(cells.column, cells.count);
  return facts;
}

void require_what_tables_have(const Settings& settings, const MethodContext& context) {
  if (context.data.is_in_memory())
    throw Error(ErrorCategory::InvalidArgument,
                "arrays and streams of the caller are numbers; --id, --columns, --drop, --categorical, "
                "--missing, --na "
                "and --decimal are for files");
  if (!settings.data.select_labels.empty())
    throw Error(ErrorCategory::InvalidArgument,
                "--select-labels is for files of numbers; it cannot be combined with options of tables");
  const bool divides_categories = !settings.data.categorical.empty() && settings.data.divide != 1;
  if (divides_categories)
    throw Error(
        ErrorCategory::InvalidArgument,
        "--divide would divide the features of categories, too; use --standardize zscore, which leaves "
        "them as they are");
}

// Whether the first label in a csv file is a word.
bool has_words_as_labels(const std::string& source, const std::string& labels) {
  const Location location = locate(source);
  const std::vector<std::byte> head = read_file_head(location.path, format_head_bytes);
  if (detect_format(head, location.path) != Format::csv) return false;
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  CsvScanner scanner(text);
  const std::optional<std::string_view> header = scanner.next(), first = scanner.next();
  if (!header || !first) return false;
  const std::vector<std::string> names = csv_fields(*header), cells = csv_fields(*first);
  const std::optional<Index> column = place_of_column(names, std::ssize(names), labels);
  if (!column || *column >= std::ssize(cells)) return false;
  const std::string& cell = cells[static_cast<std::size_t>(*column)];
  return !CellRules().is_missing(cell) && !parse_number(cell);
}

// Of a header that calls every column by a name of its own; others are as good as none.
std::vector<std::string> usable_names(const Dataset& shard) {
  const std::set<std::string> distinct(shard.names.begin(), shard.names.end());
  if (distinct.size() < shard.names.size() || distinct.contains("")) return {};
  return shard.names;
}

}  // namespace

bool asks_for_tables(const DataSettings& data) {
  return !data.id.empty() || !data.columns.empty() || !data.drop.empty() || !data.categorical.empty() ||
         data.missing != Missing::error || !data.na.empty() || data.decimal != ".";
}

bool wants_tables(const DataSettings& data, ProcessGroup& processes) {
  if (asks_for_tables(data)) return true;
  const bool may_have_words = !data.labels.empty() && !data.data.empty() && data.select_labels.empty();
  if (!may_have_words) return false;
  const bool own = processes.together([&] {
    const NodeId node = 0;
    const std::string source =
        is_shard_pattern(data.data) ? expand_shard_pattern(data.data, node) : data.data;
    try {
      return has_words_as_labels(source, data.labels);
    } catch (const Error&) {
      return false;  // whoever reads it says what is wrong, or has other files
    }
  });
  const std::vector<bool> all = [&] {
    std::vector<bool> found;
    for (const bool words : processes.tell_all(Kind::facts, own)) found.push_back(words);
    return found;
  }();
  return std::ranges::count(all, true) > 0;
}

TableShards read_tables(const Settings& settings, MethodContext& context, const TableReading& reading) {
  ProcessGroup& processes = context.processes;
  std::vector<OwnTable> tables = processes.together([&] {
    require_what_tables_have(settings, context);
    return read_own(settings.data, reading);
  });
  std::vector<TableFacts> facts;
  for (const OwnTable& own : tables) facts.push_back(facts_of(own.table, own.node));
  const std::vector<TableFacts> all = told_by_all(facts, processes);
  ChosenRecipe chosen = processes.together([&] { return choose_recipe(wish_of(settings.data), all); });
  processes.together([&] { look_at(tables, chosen.recipe); });
  const std::vector<LabelFacts> labels = told_by_all(facts_of_labels(tables), processes);
  const std::vector<NodeRows> nodes = processes.together([&] {
    if (!reading.real_labels)
      chosen.recipe.classes = reading.classes.empty() ? classes_of(labels) : reading.classes;
    return rows_of_nodes(tables, chosen.recipe.classes, settings, reading);
  });

  std::vector<TablePart> parts;
  for (const NodeRows& node : nodes)
    parts.push_back({.view = node.own->view.get(), .rows = rows_in_file(node)});
  const RecipeRun run{.nodes = reading.nodes,
                      .without_data = reading.without_data,
                      .samples = all_samples_of(nodes, processes),
                      .least = reading.min_count,
                      .has_network = !reading.pooled};
  const AgreedRecipe agreed = run_recipe(chosen.recipe, parts, run, settings, context);
  add_notes(chosen.notes, context.result);
  add_notes(agreed.notes, context.result);
  if (!agreed.missing.empty()) context.result.facts.set("missing_cells", facts_of_cells(agreed.missing));
  context.recipe = agreed.recipe;
  TableShards shards;
  processes.together([&] {
    for (const NodeRows& node : nodes) {
      shards.shards.push_back(shard_of(node, agreed.recipe, reading.real_labels));
      if (is_dealt_out(settings.data) && settings.data.nodes > 0) shards.rows.push_back(rows_in_file(node));
    }
  });
  return shards;
}

void note_columns(const std::vector<Dataset>& shards, const Settings& settings, MethodContext& context) {
  const bool is_private = settings.privacy.asked.wanted();
  if (!context.recipe || context.processes.size() > 1 || is_private) return;
  const bool is_scaled = settings.data.standardize != Standardize::none;
  add_notes(column_notes(shards, *context.recipe, {.is_scaled = is_scaled}), context.result);
}

void put_in_order(std::vector<Dataset>& shards, const NodeRange& own, MethodContext& context) {
  std::vector<TableFacts> facts;
  std::string label;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    facts.push_back({.node = own.first + static_cast<NodeId>(i),
                     .source = shards[i].source,
                     .names = usable_names(shards[i])});
    facts.back().types.assign(static_cast<std::size_t>(shards[i].features()), ColumnType::number);
    if (!shards[i].label_name.empty()) label = shards[i].label_name;
  }
  const std::vector<TableFacts> all = told_by_all(facts, context.processes);
  context.processes.together([&] {
    const auto is_named = [](const TableFacts& table) { return !table.names.empty(); };
    if (std::ranges::none_of(all, is_named)) return;
    Recipe recipe = choose_recipe({}, all).recipe;
    recipe.label = label;
    for (Dataset& shard : shards) {
      std::vector<Index> order;
      for (const NumberColumn& column : recipe.numbers)
        order.push_back(std::ranges::find(shard.names, column.place.name) - shard.names.begin());
      if (!std::ranges::is_sorted(order)) {
        Dataset ordered = take_features(shard, order);
        shard.samples = std::move(ordered.samples);
        shard.names = std::move(ordered.names);
      }
    }
    context.recipe = std::move(recipe);
  });
}

}  // namespace choir
