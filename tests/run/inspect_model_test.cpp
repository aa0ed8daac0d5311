#include "choir/run/inspect_model.h"

#include "paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::HasSubstr;

ModelDescription described(const std::string& fixture) {
  return describe_model(fixture, load_model(fixtures_folder() + "/model/" + fixture));
}

Facts answer_of(const ModelDescription& model, const std::string& name) {
  return std::get<Facts>(std::get<Facts>(model.facts.at("answers").value()).at(name).value());
}

TEST(InspectModel, SaysWhoseSamplesTheAnswersCarry) {
  const ModelDescription model = described("golden-format-2.npz");
  EXPECT_THAT(model.text, HasSubstr("golden-format-2.npz: a model of consensus-kpca (node 0)"));
  EXPECT_THAT(model.text, HasSubstr("2 answers; 'own' is used unless --use names another"));
  EXPECT_THAT(model.text, HasSubstr("carries 6 points of 2 numbers each: 3 training samples of node 0 and 3 "
                                    "landmarks, so share"));
  EXPECT_THAT(model.text, HasSubstr("scores of new points are shrunk: ||w||^2 = 0.81 0.5 per component"));
  const Facts own = answer_of(model, "own");
  EXPECT_EQ(own.at("raw_samples").number(), 3);
  const auto owners = std::get<std::vector<Facts>>(own.at("samples_of").value());
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].at("node").number(), 0);
}

TEST(InspectModel, DoesNotBelieveNumbersThatCannotBe) {
  ModelFile file = load_model(fixtures_folder() + "/model/golden-format-2.npz");
  file.parameters["samples"] = "7";
  EXPECT_THAT(describe_model("edited", file).text,
              HasSubstr("6 points of 2 numbers each: the training samples themselves"));
}

TEST(InspectModel, SaysWhatDifferentialPrivacyPromised) {
  ModelFile file = load_model(fixtures_folder() + "/model/golden-format-2.npz");
  EXPECT_THAT(describe_model("plain", file).text, ::testing::Not(HasSubstr("privacy")));
  file.parameters["privacy"] = "0.5";
  file.parameters["delta"] = "1e-06";
  EXPECT_THAT(describe_model("private", file).text,
              HasSubstr("fitted under differential privacy: epsilon 0.5, delta 1e-06 for each sample"));
}

TEST(InspectModel, AMachineSaysWhatItPredicts) {
  const ModelDescription model = described("golden-format-3-machine.npz");
  EXPECT_THAT(model.text, HasSubstr("logistic loss; carries 4 training samples of 2 numbers each"));
  EXPECT_THAT(model.text, HasSubstr("predicts labels -1, 2 and 5, and how likely each is: choir predict"));
  EXPECT_EQ(answer_of(model, "shared").find("n_components"), nullptr);
}

TEST(InspectModel, PartsSayThatTheyNeedTheOthers) {
  EXPECT_THAT(described("golden-format-3.npz").text,
              HasSubstr("one party's part: its own coordinates alone (columns 0, 2 of the whole data)"));
  EXPECT_THAT(described("golden-format-3-kernel.npz").text,
              HasSubstr("has the components: scores are computed here"));
  EXPECT_THAT(described("golden-format-3-clusters.npz").text, HasSubstr("clusters of samples embedded in"));
}

}  // namespace
}  // namespace choir
