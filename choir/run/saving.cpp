#include "choir/run/saving.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/codec/files.h"
#include "choir/crypto/random_word.h"
#include "choir/data/writer.h"
#include "choir/model/model_file.h"
#include "choir/report/page.h"
#include "choir/report/run_document.h"
#include "choir/run/result.h"
#include "choir/run/result_json.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

namespace fs = std::filesystem;

// Who made a folder that others may see, and how they know it: a file with a name that nobody else can guess.
struct FolderOffer {
  std::string name = {};  // of the folder, beside the target
  std::string sign = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(name, sign);
  }
};

fs::path beside(const std::string& target, const std::string& name) {
  const fs::path full = fs::absolute(target).lexically_normal();
  return (full.has_filename() ? full : full.parent_path()).parent_path() / name;
}

FolderOffer offer_of(const RunFolder& folder) {
  FolderOffer offer{.name = folder.staging().filename().string(), .sign = ".made-by-" + random_word()};
  folder.write(offer.sign, "");
  return offer;
}

// One file for all nodes of this process, called after the first of them: a thousand files with a sync each
// take longer than a run. Nodes come one after the other, and `nodes` says whose each number is.
void write_numbers(const std::vector<NodeNumbers>& numbers, const fs::path& folder) {
  if (numbers.empty()) return;
  const NodeNumbers& first = numbers.front();
  std::vector<std::int64_t> nodes;
  std::map<std::string, std::vector<std::int64_t>> values;
  for (const NodeNumbers& each : numbers) {
    std::ranges::copy(each.values, std::back_inserter(values[each.name]));
    if (each.name == first.name) nodes.insert(nodes.end(), each.values.size(), each.node);
  }
  std::vector<NamedArray> arrays = {labels_array("nodes", nodes)};
  for (const auto& [name, all] : values) arrays.push_back(labels_array(name, all));
  write_npz(folder / fmt::format("{}-{}.npz", first.name, first.node), arrays);
}

void write_models(const Result& result, const fs::path& folder) {
  for (const NodeModel& model : result.models)
    save_model(folder / fmt::format("model-{}.npz", model.node), model.make());
  write_numbers(result.numbers, folder);
}

std::string metrics_text(const Result& result) {
  std::string text;
  for (const Facts& line : result.metrics) text += json_text(to_json(line)) + "\n";
  return text;
}

void write_summary(const Result& result, SharedFolder& folder, bool with_page) {
  folder.write("config.resolved.toml", result.call.config);
  folder.write("metrics.jsonl", metrics_text(result));
  const Privacy privacy =
      result.embedding ? Privacy::owner_only : Privacy::usual;  // scores of single samples
  folder.write("result.json", json_text(to_json(result), 2) + "\n", privacy);
  if (with_page) folder.write("report.html", page_of(run_document(folder.staging(), folder.name())), privacy);
  folder.commit();
}

void save_in(SharedFolder& folder, const Result& result, bool with_page, ProcessGroup& processes) {
  processes.together([&] { write_models(result, folder.staging()); });
  processes.together([&] {
    if (folder.is_owner()) write_summary(result, folder, with_page);
  });
}

}  // namespace

SharedFolder SharedFolder::create(const std::string& target, const RunFolderOptions& options,
                                  ProcessGroup& processes) {
  SharedFolder result;
  result.target_ = target;
  // One turn where all see the same files; one more for every further file system.
  for (Index maker = 0; maker < processes.size();) {
    FolderOffer offer = processes.together([&] {
      if (processes.own() != maker) return FolderOffer();
      result.own_.emplace(RunFolder::create(target, options));
      result.staging_ = result.own_->staging();
      return offer_of(*result.own_);
    });
    const auto offers = processes.tell_all(Kind::options, offer);
    offer = offers[static_cast<std::size_t>(maker)];
    const fs::path seen = beside(target, offer.name);
    if (result.staging_.empty() && fs::exists(seen / offer.sign)) result.staging_ = seen;
    const std::vector<bool> placed = processes.tell_all(Kind::options, !result.staging_.empty());
    if (processes.own() == maker) fs::remove(result.staging_ / offer.sign);
    while (maker < processes.size() && placed[static_cast<std::size_t>(maker)]) ++maker;
  }
  return result;
}

void Result::save(const std::string& folder, const Saving& saving) const {
  if (!place) {
    LocalEngine alone;
    ProcessGroup processes(alone);
    SharedFolder made = SharedFolder::create(folder, {.force = saving.replace}, processes);
    return save_in(made, *this, saving.with_page, processes);
  }
  std::optional<SharedFolder>& reserved = place->reserved;
  if (!reserved || reserved->target() != folder) {
    reserved.reset();
    reserved.emplace(SharedFolder::create(folder, {.force = saving.replace}, *place->processes));
  }
  SharedFolder made = std::move(*reserved);
  reserved.reset();
  save_in(made, *this, saving.with_page, *place->processes);
}

}  // namespace choir
