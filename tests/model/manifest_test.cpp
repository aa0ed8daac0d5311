#include "choir/model/manifest.h"

#include <initializer_list>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

ModelFile two_answers() {
  KernelModel kernel{
      .kernel = {
          .kind = KernelKind::poly, .gamma = 0.1 + 0.2, .degree = 4, .coef0 = -1.5, .normalized = true}};
  kernel.mean_norm = 1.0 / 3;
  kernel.trace = 2.0 / 3;
  kernel.training_samples = 70000;
  kernel.preprocessing = {.divide = 255, .standardize = Standardize::unit};
  LinearModel linear;
  linear.training_samples = 5;
  linear.trace = 1e-300;
  return {.method = "consensus-kpca",
          .choir_version = "",
          .node = 3,
          .parameters = {{"gamma", "\"scale\"\n"}},
          .use = "own",
          .answers = {{"own", kernel}, {"shared", linear}}};
}

std::string refusal(const std::string& text) {
  return sentence(ErrorCategory::BadData, [&] { parse_manifest(text, "m.npz"); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Alteration {
  const char* from;
  const char* to;
  const char* words;  // of the sentence that refuses it
};

void expect_refusals(const std::string& good, std::initializer_list<Alteration> alterations) {
  for (const auto& [from, to, words] : alterations)
    EXPECT_THAT(refusal(replaced(good, from, to)), HasSubstr(words)) << to;
}

std::string manifest_of(const ModelFile& file) { return format_manifest(file, {{"a", {{1}, ""}}}, "0.1.0"); }

// As a reader gets them.
template <class AnyModel>
std::pair<AnyModel, AnyModel> own_and_shared(const std::string& text) {
  const Manifest back = parse_manifest(text, "m.npz");
  return {std::get<AnyModel>(back.file.answers.at("own")),
          std::get<AnyModel>(back.file.answers.at("shared"))};
}

TEST(Manifest, KeepsEveryScalarExactly) {
  const ModelFile file = two_answers();
  const std::string text = format_manifest(file, {{"own/points.npy", {{70000, 784}, "abc"}}}, "0.1.0");
  const Manifest back = parse_manifest(text, "m.npz");
  EXPECT_EQ(back.file.choir_version, "0.1.0");
  EXPECT_EQ(back.file.method, file.method);
  EXPECT_EQ(back.file.node, 3);
  EXPECT_EQ(back.file.use, "own");
  EXPECT_EQ(back.file.parameters, file.parameters);
  const auto& kernel = std::get<KernelModel>(back.file.answers.at("own"));
  EXPECT_EQ(kernel.kernel.kind, KernelKind::poly);
  EXPECT_EQ(kernel.kernel.gamma, 0.1 + 0.2);
  EXPECT_EQ(kernel.kernel.degree, 4);
  EXPECT_EQ(kernel.kernel.coef0, -1.5);
  EXPECT_TRUE(kernel.kernel.normalized);
  EXPECT_EQ(kernel.mean_norm, 1.0 / 3);
  EXPECT_EQ(kernel.trace, 2.0 / 3);
  EXPECT_EQ(kernel.training_samples, 70000);
  EXPECT_EQ(kernel.preprocessing.divide, 255);
  EXPECT_EQ(kernel.preprocessing.standardize, Standardize::unit);
  EXPECT_EQ(std::get<LinearModel>(back.file.answers.at("shared")).trace, 1e-300);
  EXPECT_EQ(back.entries.at("own/points.npy").shape, (std::vector<Index>{70000, 784}));
  EXPECT_EQ(back.entries.at("own/points.npy").sha256, "abc");
}

TEST(Manifest, SaysWhatIsWrongAndWhere) {
  const std::string good = format_manifest(two_answers(), {{"own/points.npy", {{7, 4}, "abc"}}}, "0.1.0");
  EXPECT_THAT(refusal(""), HasSubstr("m.npz: manifest.json is not a JSON object"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(good.substr(0, good.size() / 2)), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("manifest.json has no \"format\""));
  expect_refusals(
      good, {
                {R"("format": 1)", R"("format": 7)",
                 "written by a newer choir (format 7); this one reads formats up to 5"},
                {R"("format": 1)", R"("format": "1")", R"("format" in manifest.json is not an integer)"},
                {R"("node": 3)", R"("node": 18446744073709551615)", R"("node")"},
                {R"("node": 3)", R"("node": -1)", R"("node")"},
                {R"("use": "own")", R"("use": "none")", "the name of one of its answers"},
                {R"("shared": {)", R"("../shared": {)", "letters, digits"},
                {R"("kind": "linear")", R"("kind": "forest")",
                 R"("answers.shared.kind" in manifest.json is not "kernel", "linear", "features", )"
                 R"("linear-part", "kernel-part", "kernel-machine" or "clusters")"},
                {R"("kind": "poly")", R"("kind": "magic")", "magic"},
                {R"("standardize": "unit")", R"("standardize": "what")", "'what'"},
                {R"("gamma": 0.3)", R"("gamma": 1e999, "g": 0.3)", "m.npz: "},
                {R"("normalized": true)", R"("normalized": 1)", "true or false"},
                {R"("mean_norm")", R"("other")", R"(has no "answers.own.mean_norm")"},
                {R"("training_samples": 70000)", R"("training_samples": 0)", "training_samples"},
                {R"("sha256": "abc")", R"("sha256": 5)", R"(sha256" in manifest.json is not a text)"},
                {R"("shape": [)", R"("shape": [1, )", "one or two lengths"},
                {R"("parameters": {)", R"("parameters": 3, "x": {)", R"("parameters")"},
            });
}

TEST(Manifest, KeepsWhatOnlyFormat2Has) {
  ModelFile file = two_answers();
  KernelModel straight = std::get<KernelModel>(file.answers.at("own")), oblique = straight;
  oblique.overlap = Matrix::Identity(3, 3);
  FeatureModel features;
  features.random_features = {.count = 5, .seed = 0xfedcba9876543211, .orthogonal = false};
  features.kernel.gamma = 0.1;
  features.training_samples = 1;
  file.answers = {{"own", oblique}, {"neighborhood", straight}, {"shared", features}};
  const std::string text = manifest_of(file);
  const Manifest back = parse_manifest(text, "m.npz");
  EXPECT_GT(std::get<KernelModel>(back.file.answers.at("own")).overlap.size(), 0);
  EXPECT_EQ(std::get<KernelModel>(back.file.answers.at("neighborhood")).overlap.size(), 0);
  const auto& read = std::get<FeatureModel>(back.file.answers.at("shared"));
  EXPECT_EQ(read.random_features.count, 5);
  EXPECT_EQ(read.random_features.seed, 0xfedcba9876543211);
  EXPECT_FALSE(read.random_features.orthogonal);
  EXPECT_EQ(read.kernel.gamma, 0.1);
}

TEST(Manifest, KeepsWhatOnlyFormat3Has) {
  LinearPart part;
  part.trace = 1.0 / 3;
  part.training_samples = 9;
  LinearPart placed = part;
  placed.columns = {3, 7};
  const ModelFile file{.method = "gossip-pca", .use = "own", .answers = {{"own", part}, {"shared", placed}}};
  const std::string text = manifest_of(file);
  const auto [own, shared] = own_and_shared<LinearPart>(text);
  EXPECT_TRUE(own.columns.empty());
  EXPECT_FALSE(shared.columns.empty());
  EXPECT_EQ(own.trace, 1.0 / 3);
  EXPECT_EQ(own.training_samples, 9);
  expect_refusals(text, {{R"("columns": false)", R"("columns": [3])",
                          R"("answers.own.columns" in manifest.json is not true or false)"}});
}

TEST(Manifest, KeepsWhatAKernelPartHas) {
  KernelPart adds;
  adds.kernel = {.kind = KernelKind::poly, .gamma = 0.1 + 0.2, .degree = 4, .coef0 = -1.5};
  adds.training_samples = 9;
  KernelPart answers = adds;
  answers.columns = {3, 7};
  answers.mean = Vector::Zero(2);
  answers.coefficients = Matrix::Zero(9, 2);
  answers.grand_mean = 1.0 / 3;
  const ModelFile file{
      .method = "oneshot-kpca", .use = "own", .answers = {{"own", adds}, {"shared", answers}}};
  const std::string text = manifest_of(file);
  const auto [own, shared] = own_and_shared<KernelPart>(text);
  EXPECT_EQ(own.kernel, adds.kernel);
  EXPECT_EQ(own.training_samples, 9);
  EXPECT_FALSE(own.has_answer());
  EXPECT_TRUE(own.columns.empty());
  EXPECT_EQ(own.mean.size(), 0);
  EXPECT_TRUE(shared.has_answer());
  EXPECT_FALSE(shared.columns.empty());
  EXPECT_GT(shared.mean.size(), 0);
  EXPECT_EQ(shared.grand_mean, 1.0 / 3);
  expect_refusals(text, {
                            {R"("result": false)", R"("result": 0)",
                             R"("answers.own.result" in manifest.json is not true or false)"},
                            {R"("result": false)", R"("result": true)",
                             R"(manifest.json has no "answers.own.grand_mean")"},
                            {R"("mean": true)", R"("mean": [0])",
                             R"("answers.shared.mean" in manifest.json is not true or false)"},
                        });
}

TEST(Manifest, IgnoresKeysItDoesNotKnow) {
  const std::string good = manifest_of(two_answers());
  EXPECT_NO_THROW(parse_manifest(replaced(good, "\"node\"", "\"later\": [1], \"node\""), "m.npz"));
}

TEST(Manifest, RefusesTextThatIsNotUtf8) {
  ModelFile file = two_answers();
  file.method = "\xff";
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { format_manifest(file, {}, "0.1.0"); }),
              HasSubstr("UTF-8"));
}

TEST(Manifest, AnswerNamesArePlain) {
  EXPECT_TRUE(is_answer_name("neighborhood"));
  for (const char* name : {"", "a/b", "..", "a b", "\xc3\xa4"}) EXPECT_FALSE(is_answer_name(name)) << name;
  EXPECT_FALSE(is_answer_name(std::string(65, 'a')));
}

TEST(Manifest, KeepsWhatClustersHave) {
  const ModelFile file{.method = "federated-kmeans",
                       .use = "own",
                       .answers = {{"own", staged_clusters()}, {"shared", landmark_clusters()}}};
  const std::string text = manifest_of(file);
  EXPECT_THAT(text, HasSubstr("\"format\": 3"));
  const auto [own, shared] = own_and_shared<ClusterModel>(text);
  EXPECT_EQ(own.sample_features, 3);
  EXPECT_EQ(own.training_samples, 100);
  ASSERT_EQ(own.stages.size(), 3u);
  EXPECT_EQ(own.stages[1].random, staged_clusters().stages[1].random);
  EXPECT_EQ(own.stages[1].eta, 0.75);
  EXPECT_TRUE(shared.stages.empty());
  expect_refusals(text, {
                            {R"("stages": [])", R"("stages": 5)",
                             R"("answers.shared.stages" in manifest.json is not a list of at most 900)"},
                            {R"("eta": 0.75)", R"("eta": "x")", "answers.own.stages.eta"},
                            {R"("features": 3)", R"("features": 0)", "features"},
                        });
}

TEST(Manifest, KeepsWhatAKernelMachineHas) {
  KernelMachine machine;
  machine.kernel.gamma = 0.1;
  machine.preprocessing = {.divide = 255, .standardize = Standardize::unit};
  machine.loss = "logistic";
  machine.classes = {3, 7};
  machine.training_samples = ~std::uint64_t{0};
  KernelMachine values = machine;
  values.loss = "huber";
  values.classes.clear();
  const ModelFile file{
      .method = "online-kernel", .use = "own", .answers = {{"own", machine}, {"shared", values}}};
  const std::string text = manifest_of(file);
  const auto [own, shared] = own_and_shared<KernelMachine>(text);
  EXPECT_EQ(own.kernel.gamma, 0.1);
  EXPECT_EQ(own.preprocessing.divide, 255);
  EXPECT_EQ(own.preprocessing.standardize, Standardize::unit);
  EXPECT_EQ(own.loss, "logistic");
  EXPECT_FALSE(own.classes.empty());
  EXPECT_EQ(own.training_samples, ~std::uint64_t{0});
  EXPECT_EQ(shared.loss, "huber");
  EXPECT_TRUE(shared.classes.empty());
  values.intercept = Vector::Ones(1);
  const std::string with_intercept = manifest_of(
      {.method = "online-kernel", .use = "own", .answers = {{"own", machine}, {"shared", values}}});
  const auto [plain, shifted] = own_and_shared<KernelMachine>(with_intercept);
  EXPECT_EQ(plain.intercept.size(), 0);
  EXPECT_EQ(shifted.intercept.size(), 1);
  expect_refusals(text, {
                            {R"("classes": true)", R"("classes": [3, 7])",
                             R"("answers.own.classes" in manifest.json is not true or false)"},
                            {R"("loss": "logistic")", R"("loss": 1)", "answers.own.loss"},
                        });
}

TEST(Manifest, KeepsWhatAKernelMachineOverRandomFeaturesHas) {
  KernelMachine machine;
  machine.loss = "squared";
  machine.intercept = Vector::Ones(1);
  machine.random_features = RandomFeaturesOptions{.count = 4, .seed = ~std::uint64_t{0}};
  KernelMachine plain = machine;
  plain.intercept = Vector();
  plain.random_features.reset();
  const ModelFile file{
      .method = "online-kernel", .use = "own", .answers = {{"own", machine}, {"shared", plain}}};
  const std::string text = manifest_of(file);
  EXPECT_THAT(text, ::testing::HasSubstr(R"("format": 4)"));
  const auto [own, shared] = own_and_shared<KernelMachine>(text);
  EXPECT_EQ(own.random_features, machine.random_features);
  EXPECT_EQ(own.intercept.size(), 1);
  EXPECT_EQ(shared.random_features, plain.random_features);
  EXPECT_EQ(shared.intercept.size(), 0);
  expect_refusals(text, {
                            {R"("intercept": true)", R"("intercept": [1.0])",
                             R"("answers.own.intercept" in manifest.json is not true or false)"},
                            {R"("count": 4)", R"("count": 0)", "answers.own.random_features.count"},
                        });
}

}  // namespace
}  // namespace choir
