// Models on disk: a zip that numpy opens as an .npz, plus manifest.json (format version, method,
// parameters, SHA-256 of every entry). Formats 1 to 5.
//
//   save_model("model-0.npz", {.method = "central-kpca", .use = "shared", .answers = {{"shared", model}}});
//   ModelFile file = load_model("model-0.npz");
//   Matrix scores = transform(file.answer(), samples);
//
// One file may hold several answers to the same question (a node's own, its neighbourhood's, the shared
// one); `use` names the default. Files are written atomically, with the same bytes for the same
// model; one with points, which are samples or means of some, can be read by its owner alone (mode 0600). The
// reader refuses truncated, altered, future and hostile files with a sentence; it never trusts a size it has
// not checked. An entry that the manifest does not list is refused, too; one that it lists with a good
// checksum but that its format has no use for is ignored.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "choir/model/cluster_model.h"
#include "choir/model/feature_model.h"
#include "choir/model/kernel_machine.h"
#include "choir/model/kernel_model.h"
#include "choir/model/linear_model.h"
#include "choir/model/part.h"
#include "choir/model/recipe.h"

namespace choir {

inline constexpr int model_format = 5;  // the latest

using Model =
    std::variant<KernelModel, LinearModel, FeatureModel, LinearPart, KernelPart, KernelMachine, ClusterModel>;

struct ModelFile {
  std::string method = {};         // "central-kpca"
  std::string choir_version = {};  // filled by save_model
  int node = 0;
  std::map<std::string, std::string> parameters = {};  // the options it was fitted with, for `inspect`
  std::string use = {};                                // the default answer
  std::map<std::string, Model> answers = {};           // names: letters, digits, '-' and '_'
  // How tables become samples, where it was fitted to one; of as many features as the answers have.
  std::optional<Recipe> recipe = {};

  // The answer called `name`, the default one if empty. Throws Error(InvalidArgument) naming the choices.
  const Model& answer(std::string_view name = {}) const;
};

// A file with one answer, which is the default one.
ModelFile file_with(int node, std::string name, Model answer);

// Throws Error(InvalidArgument) if the model's parts do not fit together or are not finite, Error(Io) if
// the file cannot be written.
void save_model(const std::filesystem::path& path, const ModelFile& file);
std::vector<std::byte> encode_model(const ModelFile& file);

// Throw Error(BadData), Error(Io); `name` is what messages call the source.
ModelFile load_model(const std::filesystem::path& path);
ModelFile decode_model(std::span<const std::byte> bytes, std::string_view name);

// Whether it carries points that kernels are taken with: samples, or means of some.
bool holds_points(const Model& model);
// Dispatch to whichever kind of model it is. One party's part cannot answer alone, and a kernel machine and
// clusters have no components: transform, score and inverse throw Error(InvalidArgument) for them, as
// require_components() does.
bool is_part(const Model& model);
void require_components(const Model& model);
// Throws Error(InvalidArgument) for models that do not predict targets.
const KernelMachine& require_machine(const Model& model);
// Throws Error(InvalidArgument) for models without clusters.
const ClusterModel& require_clusters(const Model& model);
Matrix transform(const Model& model, const SamplesView& samples, int threads = 1);
Vector score(const Model& model, const SamplesView& samples, int threads = 1);
Samples inverse(const Model& model, const Matrix& scores, int threads = 1);
Index features(const Model& model);
Index components(const Model& model);  // 0: a kernel machine, clusters, or a part without the result
Vector explained_variance_ratio(const Model& model);

}  // namespace choir
