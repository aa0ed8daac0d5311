#include "choir/model/model_file.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/codec/archive.h"
#include "choir/codec/files.h"
#include "choir/codec/npy.h"
#include "choir/crypto/sha256.h"
#include "choir/model/consistency.h"
#include "choir/model/manifest.h"
#include "choir/model/model_arrays.h"

namespace choir {
namespace {

constexpr std::string_view manifest_name = "manifest.json";
constexpr std::size_t max_manifest_bytes = std::size_t{1} << 23;
constexpr ArchiveLimits limits{.max_entries = 1000};

void check_consistent_answer(const std::string& name, const Model& model) {
  std::visit([](const auto& any) { check_consistent(any); }, model);
  if (!is_answer_name(name))
    fail(ErrorCategory::InvalidArgument, "an answer is called '{}'; use letters, digits, '-' and '_'", name);
}

std::string_view manifest_text(const Archive& archive, std::string_view name) {
  const auto found = std::ranges::find(archive, manifest_name, &ArchiveEntry::name);
  if (found == archive.end())
    fail(ErrorCategory::BadData, "{}: has no manifest.json; it is not a model written by choir", name);
  if (found->bytes.size() > max_manifest_bytes)
    fail(ErrorCategory::BadData, "{}: manifest.json has {} bytes; at most {} are read", name,
         found->bytes.size(), max_manifest_bytes);
  return {reinterpret_cast<const char*>(found->bytes.data()), found->bytes.size()};
}

// A recipe makes the samples that all answers are about.
void check_recipe(const ModelFile& file) {
  if (!file.recipe) return;
  validate(*file.recipe);
  for (const auto& [name, model] : file.answers) {
    if (features(model) == file.recipe->features()) continue;
    fail(ErrorCategory::InvalidArgument, "the recipe makes {} features but answer '{}' has {}",
         file.recipe->features(), name, features(model));
  }
}

// Every entry is listed with its true checksum, and every listed one is there.
void check_entries(const Archive& archive, const Manifest& manifest, std::string_view name) {
  for (const ArchiveEntry& entry : archive) {
    if (entry.name == manifest_name) continue;
    const auto listed = manifest.entries.find(entry.name);
    if (listed == manifest.entries.end())
      fail(ErrorCategory::BadData,
           "{}: '{}' is not in its manifest; it was added after the model was written", name, entry.name);
    if (sha256(entry.bytes) != listed->second.sha256)
      fail(ErrorCategory::BadData, "{}: the checksum of '{}' is wrong; the model was altered or damaged",
           name, entry.name);
  }
  if (archive.size() == manifest.entries.size() + 1) return;
  for (const auto& [entry, claim] : manifest.entries)
    if (std::ranges::find(archive, entry, &ArchiveEntry::name) == archive.end())
      fail(ErrorCategory::BadData, "{}: '{}' is missing; the model is not complete", name, entry);
}

NpyView find_array(const Archive& archive, const Manifest& manifest, std::string_view name,
                   const std::string& entry) {
  const auto found = std::ranges::find(archive, entry, &ArchiveEntry::name);
  if (found == archive.end())
    fail(ErrorCategory::BadData, "{}: '{}' is missing; the model is not complete", name, entry);
  NpyView array = view_npy(found->bytes, fmt::format("{}: {}", name, entry));
  if (array.shape != manifest.entries.at(entry).shape)
    fail(ErrorCategory::BadData, "{}: '{}' does not have the shape its manifest gives", name, entry);
  return array;
}

ModelFile decode(const Archive& archive, std::string_view name) {
  Manifest manifest = parse_manifest(manifest_text(archive, name), name);
  check_entries(archive, manifest, name);
  for (auto& [answer, model] : manifest.file.answers) {
    fill_arrays(model, answer, name,
                [&](const std::string& entry) { return find_array(archive, manifest, name, entry); });
    try {
      check_consistent_answer(answer, model);
    } catch (const Error& error) {
      throw Error(ErrorCategory::BadData, fmt::format("{}: answer '{}' cannot be used", name, answer), error);
    }
  }
  try {
    check_recipe(manifest.file);
  } catch (const Error& error) {
    throw Error(ErrorCategory::BadData, fmt::format("{}: its recipe cannot be used", name), error);
  }
  return std::move(manifest.file);
}

[[noreturn]] void refuse_part() {
  fail(ErrorCategory::InvalidArgument,
       "the model is one party's part of a model and cannot answer alone: all parts are needed; give them "
       "with "
       "--model 'RUN/model-{{node}}.npz'");
}

[[noreturn]] void refuse_machine() {
  fail(ErrorCategory::InvalidArgument,
       "the model predicts targets and has no components to project on; use choir predict");
}

[[noreturn]] void refuse_clusters() {
  fail(ErrorCategory::InvalidArgument,
       "the model assigns samples to clusters and has no components to project on; use choir predict");
}

template <class AnyModel>
constexpr bool is_kind_of_part = std::is_same_v<AnyModel, LinearPart> || std::is_same_v<AnyModel, KernelPart>;

template <class Ask>
auto asked(const Model& model, Ask&& ask) {
  using Answer = std::invoke_result_t<Ask, const LinearModel&>;
  return std::visit(
      [&](const auto& any) -> Answer {
        if constexpr (is_kind_of_part<std::decay_t<decltype(any)>>)
          refuse_part();
        else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, KernelMachine>)
          refuse_machine();
        else if constexpr (std::is_same_v<std::decay_t<decltype(any)>, ClusterModel>)
          refuse_clusters();
        else
          return ask(any);
      },
      model);
}

}  // namespace

const Model& ModelFile::answer(std::string_view name) const {
  const auto found = answers.find(std::string(name.empty() ? std::string_view(use) : name));
  if (found != answers.end()) return found->second;
  std::string choices;
  for (const auto& [choice, model] : answers) choices += (choices.empty() ? "" : ", ") + choice;
  fail(ErrorCategory::InvalidArgument, "the model has no answer '{}'; choose one of: {}",
       name.empty() ? use : name, choices);
}

std::vector<std::byte> encode_model(const ModelFile& file) {
  (void)file.answer();  // the default must exist
  check_recipe(file);
  Archive archive(1);
  for (const auto& [name, model] : file.answers) {
    check_consistent_answer(name, model);
    append_arrays(archive, name, model);
  }
  std::map<std::string, ManifestEntry> entries;
  for (const ArchiveEntry& entry : std::span(archive).subspan(1))
    entries[entry.name] = {view_npy(entry.bytes, entry.name).shape, sha256(entry.bytes)};
  const std::string text = format_manifest(file, entries, CHOIR_VERSION);
  if (text.size() > max_manifest_bytes)
    fail(ErrorCategory::InvalidArgument, "the model's parameters take {} bytes; at most {} are kept",
         text.size(), max_manifest_bytes);
  const auto bytes = std::as_bytes(std::span(text));
  archive[0] = {std::string(manifest_name), {bytes.begin(), bytes.end()}};
  return encode_archive(archive);
}

ModelFile file_with(int node, std::string name, Model answer) {
  ModelFile file;
  file.node = node;
  file.use = name;
  file.answers.emplace(std::move(name), std::move(answer));
  return file;
}

void save_model(const std::filesystem::path& path, const ModelFile& file) {
  const bool has_points =
      std::ranges::any_of(file.answers, [](const auto& answer) { return holds_points(answer.second); });
  write_file_atomically(path, encode_model(file), has_points ? Privacy::owner_only : Privacy::usual);
}

ModelFile load_model(const std::filesystem::path& path) {
  return decode(read_archive(path, limits), path.string());
}

ModelFile decode_model(std::span<const std::byte> bytes, std::string_view name) {
  return decode(read_archive(bytes, name, limits), name);
}

bool holds_points(const Model& model) {
  return std::visit(
      [](const auto& any) {
        if constexpr (requires { any.points; })
          return any.points.size() > 0;
        else
          return false;
      },
      model);
}

bool is_part(const Model& model) {
  return std::visit([](const auto& any) { return is_kind_of_part<std::decay_t<decltype(any)>>; }, model);
}

void require_components(const Model& model) {
  asked(model, [](const auto&) {});
}

const KernelMachine& require_machine(const Model& model) {
  if (const auto* machine = std::get_if<KernelMachine>(&model)) return *machine;
  if (std::holds_alternative<ClusterModel>(model))
    fail(ErrorCategory::InvalidArgument, "the model has clusters and was not fitted to targets");
  fail(ErrorCategory::InvalidArgument,
       "the model has components and predicts no targets; use choir transform or choir score");
}

const ClusterModel& require_clusters(const Model& model) {
  if (const auto* clusters = std::get_if<ClusterModel>(&model)) return *clusters;
  throw Error(ErrorCategory::InvalidArgument, "the model has no clusters; use a model of federated-kmeans");
}

Matrix transform(const Model& model, const SamplesView& samples, int threads) {
  return asked(model, [&](const auto& any) { return any.transform(samples, threads); });
}

Vector score(const Model& model, const SamplesView& samples, int threads) {
  return asked(model, [&](const auto& any) { return any.score(samples, threads); });
}

Samples inverse(const Model& model, const Matrix& scores, int threads) {
  return asked(model, [&](const auto& any) { return any.inverse(scores, threads); });
}

Index features(const Model& model) {
  return std::visit([](const auto& any) { return any.features(); }, model);
}

Index components(const Model& model) { return explained_variance_ratio(model).size(); }

Vector explained_variance_ratio(const Model& model) {
  return std::visit(
      [](const auto& any) -> Vector {
        if constexpr (requires { any.explained_variance_ratio(); })
          return any.explained_variance_ratio();
        else
          return {};
      },
      model);
}

}  // namespace choir
