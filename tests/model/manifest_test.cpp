#include "choir/model/manifest.h"

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
  EXPECT_THAT(refusal(replaced(good, "\"format\": 1", "\"format\": 7")),
              HasSubstr("written by a newer choir (format 7); this one reads formats up to 3"));
  EXPECT_THAT(refusal(replaced(good, "\"format\": 1", "\"format\": \"1\"")),
              HasSubstr("\"format\" in manifest.json is not an integer"));
  EXPECT_THAT(refusal(replaced(good, "\"node\": 3", "\"node\": 18446744073709551615")),
              HasSubstr("\"node\""));
  EXPECT_THAT(refusal(replaced(good, "\"node\": 3", "\"node\": -1")), HasSubstr("\"node\""));
  EXPECT_THAT(refusal(replaced(good, "\"use\": \"own\"", "\"use\": \"none\"")),
              HasSubstr("the name of one of its answers"));
  EXPECT_THAT(refusal(replaced(good, "\"shared\": {", "\"../shared\": {")), HasSubstr("letters, digits"));
  EXPECT_THAT(
      refusal(replaced(good, "\"kind\": \"linear\"", "\"kind\": \"forest\"")),
      HasSubstr("\"answers.shared.kind\" in manifest.json is not \"kernel\", \"linear\", \"features\", "
                "\"linear-part\", \"kernel-part\", \"kernel-machine\" or \"clusters\""));
  EXPECT_THAT(refusal(replaced(good, "\"kind\": \"poly\"", "\"kind\": \"magic\"")), HasSubstr("magic"));
  EXPECT_THAT(refusal(replaced(good, "\"standardize\": \"unit\"", "\"standardize\": \"what\"")),
              HasSubstr("'what'"));
  EXPECT_THAT(refusal(replaced(good, "\"gamma\": 0.3", "\"gamma\": 1e999, \"g\": 0.3")),
              HasSubstr("m.npz: "));
  EXPECT_THAT(refusal(replaced(good, "\"normalized\": true", "\"normalized\": 1")),
              HasSubstr("true or false"));
  EXPECT_THAT(refusal(replaced(good, "\"mean_norm\"", "\"other\"")),
              HasSubstr("has no \"answers.own.mean_norm\""));
  EXPECT_THAT(refusal(replaced(good, "\"training_samples\": 70000", "\"training_samples\": 0")),
              HasSubstr("training_samples"));
  EXPECT_THAT(refusal(replaced(good, "\"sha256\": \"abc\"", "\"sha256\": 5")),
              HasSubstr("sha256\" in manifest.json is not a text"));
  EXPECT_THAT(refusal(replaced(good, "\"shape\": [", "\"shape\": [1, ")), HasSubstr("one or two lengths"));
  EXPECT_THAT(refusal(replaced(good, "\"parameters\": {", "\"parameters\": 3, \"x\": {")),
              HasSubstr("\"parameters\""));
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
  const std::string text = format_manifest(file, {{"a", {{1}, ""}}}, "0.1.0");
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
  const std::string text = format_manifest(file, {{"a", {{1}, ""}}}, "0.1.0");
  const Manifest back = parse_manifest(text, "m.npz");
  EXPECT_TRUE(std::get<LinearPart>(back.file.answers.at("own")).columns.empty());
  EXPECT_FALSE(std::get<LinearPart>(back.file.answers.at("shared")).columns.empty());
  EXPECT_EQ(std::get<LinearPart>(back.file.answers.at("own")).trace, 1.0 / 3);
  EXPECT_EQ(std::get<LinearPart>(back.file.answers.at("own")).training_samples, 9);
  EXPECT_THAT(refusal(replaced(text, "\"columns\": false", "\"columns\": [3]")),
              HasSubstr("\"answers.own.columns\" in manifest.json is not true or false"));
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
  const std::string text = format_manifest(file, {{"a", {{1}, ""}}}, "0.1.0");
  const Manifest back = parse_manifest(text, "m.npz");
  const auto &own = std::get<KernelPart>(back.file.answers.at("own")),
             &shared = std::get<KernelPart>(back.file.answers.at("shared"));
  EXPECT_EQ(own.kernel, adds.kernel);
  EXPECT_EQ(own.training_samples, 9);
  EXPECT_FALSE(own.has_answer());
  EXPECT_TRUE(own.columns.empty());
  EXPECT_EQ(own.mean.size(), 0);
  EXPECT_TRUE(shared.has_answer());
  EXPECT_FALSE(shared.columns.empty());
  EXPECT_GT(shared.mean.size(), 0);
  EXPECT_EQ(shared.grand_mean, 1.0 / 3);
  EXPECT_THAT(refusal(replaced(text, "\"result\": false", "\"result\": 0")),
              HasSubstr("\"answers.own.result\" in manifest.json is not true or false"));
  EXPECT_THAT(refusal(replaced(text, "\"result\": false", "\"result\": true")),
              HasSubstr("manifest.json has no \"answers.own.grand_mean\""));
  EXPECT_THAT(refusal(replaced(text, "\"mean\": true", "\"mean\": [0]")),
              HasSubstr("\"answers.shared.mean\" in manifest.json is not true or false"));
}

TEST(Manifest, IgnoresKeysItDoesNotKnow) {
  const std::string good = format_manifest(two_answers(), {{"a", {{1}, ""}}}, "0.1.0");
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
  const std::string text = format_manifest(file, {{"a", {{1}, ""}}}, "0.1.0");
  EXPECT_THAT(text, HasSubstr("\"format\": 3"));
  const Manifest back = parse_manifest(text, "m.npz");
  const auto &own = std::get<ClusterModel>(back.file.answers.at("own")),
             &shared = std::get<ClusterModel>(back.file.answers.at("shared"));
  EXPECT_EQ(own.sample_features, 3);
  EXPECT_EQ(own.training_samples, 100);
  ASSERT_EQ(own.stages.size(), 3u);
  EXPECT_EQ(own.stages[1].random, staged_clusters().stages[1].random);
  EXPECT_EQ(own.stages[1].eta, 0.75);
  EXPECT_TRUE(shared.stages.empty());
  EXPECT_THAT(refusal(replaced(text, "\"stages\": []", "\"stages\": 5")),
              HasSubstr("\"answers.shared.stages\" in manifest.json is not a list of at most 900"));
  EXPECT_THAT(refusal(replaced(text, "\"eta\": 0.75", "\"eta\": \"x\"")),
              HasSubstr("answers.own.stages.eta"));
  EXPECT_THAT(refusal(replaced(text, "\"features\": 3", "\"features\": 0")), HasSubstr("features"));
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
  const std::string text = format_manifest(file, {{"a", {{1}, ""}}}, "0.1.0");
  const Manifest back = parse_manifest(text, "m.npz");
  const auto &own = std::get<KernelMachine>(back.file.answers.at("own")),
             &shared = std::get<KernelMachine>(back.file.answers.at("shared"));
  EXPECT_EQ(own.kernel.gamma, 0.1);
  EXPECT_EQ(own.preprocessing.divide, 255);
  EXPECT_EQ(own.preprocessing.standardize, Standardize::unit);
  EXPECT_EQ(own.loss, "logistic");
  EXPECT_FALSE(own.classes.empty());
  EXPECT_EQ(own.training_samples, ~std::uint64_t{0});
  EXPECT_EQ(shared.loss, "huber");
  EXPECT_TRUE(shared.classes.empty());
  EXPECT_THAT(refusal(replaced(text, "\"classes\": true", "\"classes\": [3, 7]")),
              HasSubstr("\"answers.own.classes\" in manifest.json is not true or false"));
  EXPECT_THAT(refusal(replaced(text, "\"loss\": \"logistic\"", "\"loss\": 1")),
              HasSubstr("answers.own.loss"));
}

}  // namespace
}  // namespace choir
