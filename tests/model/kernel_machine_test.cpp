#include "choir/model/kernel_machine.h"

#include "kernel/kernels.h"
#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

// f(x) = sum_n w_n k(p_n, x), a term at a time.
Matrix written_out(const KernelMachine& machine, const Samples& samples) {
  return plain_gram(machine.kernel, samples, machine.points) * machine.weights;
}

TEST(KernelMachine, DecidesByItsSumUnderEveryKernel) {
  const Samples fresh = normal_samples(3, 20, 1);
  for (const Kernel& kernel : test::every_kernel()) {
    KernelMachine machine = any_machine("hinge", {1, 2, 4});
    machine.kernel = kernel;
    EXPECT_LT(largest(machine.decide(fresh) - written_out(machine, fresh)), 1e-12) << describe(kernel);
  }
}

TEST(KernelMachine, PreprocessesSamplesAndNotItsPoints) {
  KernelMachine machine = any_machine("squared", {});
  const Samples fresh = normal_samples(3, 7, 2);
  const Matrix truth = written_out(machine, (fresh.array() + 1) * 2);
  machine.preprocessing = doubled_after_one_more();
  EXPECT_LT(largest(machine.decide(fresh) - truth), 1e-13);
}

TEST(KernelMachine, PredictsTheClassOfTheLargestScore) {
  const KernelMachine machine = any_machine("hinge", {-3, 0, 11});
  const Samples fresh = normal_samples(3, 50, 3);
  const Matrix scores = written_out(machine, fresh);
  const Vector predicted = machine.predict(fresh);
  for (Index n = 0; n < 50; ++n) {
    Index best = 0;
    scores.row(n).maxCoeff(&best);
    EXPECT_EQ(predicted[n], static_cast<double>(machine.classes[static_cast<std::size_t>(best)]));
  }
  EXPECT_EQ(any_machine("huber", {}).predict(fresh), any_machine("huber", {}).decide(fresh).col(0));
}

TEST(KernelMachine, ChancesAreTheSoftmaxOfItsScores) {
  const KernelMachine machine = any_machine("logistic", {0, 1, 2});
  const Samples fresh = normal_samples(3, 30, 4);
  const Matrix powers = written_out(machine, fresh).array().exp();
  const Matrix truth = powers.array().colwise() / powers.rowwise().sum().array();
  EXPECT_LT(largest(machine.probabilities(fresh) - truth), 1e-14);
}

TEST(KernelMachine, ChancesDoNotOverflow) {
  KernelMachine machine = any_machine("logistic", {0, 1});
  machine.weights *= 1e5;
  const Matrix chances = machine.probabilities(normal_samples(3, 30, 5));
  EXPECT_TRUE(chances.allFinite());
  EXPECT_LT(largest(chances.rowwise().sum() - Vector::Ones(30)), 1e-15);
}

TEST(KernelMachine, WithoutPointsEverythingIsZeroAndTheFirstClass) {
  const Samples fresh = normal_samples(3, 4, 6);
  const KernelMachine machine = any_machine("logistic", {7, 9}, 0);
  EXPECT_EQ(machine.decide(fresh), Matrix::Zero(4, 2));
  EXPECT_EQ(machine.predict(fresh), Vector::Constant(4, 7));
  EXPECT_EQ(machine.probabilities(fresh), Matrix::Constant(4, 2, 0.5));
  EXPECT_EQ(any_machine("squared", {}, 0).predict(fresh), Vector::Zero(4));
  KernelMachine constant = any_machine("squared", {}, 0);
  constant.intercept = Vector::Constant(1, 2.5);
  EXPECT_EQ(constant.predict(fresh), Vector::Constant(4, 2.5));
  EXPECT_EQ(machine.decide(Samples(3, 0)).rows(), 0);
}

TEST(KernelMachine, AddsItsIntercept) {
  KernelMachine machine = any_machine("hinge", {0, 1, 2});
  const Samples samples = normal_samples(3, 5, 33);
  const Matrix before = machine.decide(samples);
  machine.intercept = Vector{{1, -2, 0.5}};
  EXPECT_LT(largest(machine.decide(samples) - (before.rowwise() + machine.intercept.transpose())), 1e-14);
}

TEST(KernelMachine, DecidesByRandomFeaturesWithoutAPoint) {
  KernelMachine machine = any_machine("squared", {}, 0);
  machine.random_features = RandomFeaturesOptions{.count = 7, .seed = 3};
  machine.weights = normal_samples(7, 1, 34);
  const Samples samples = normal_samples(3, 5, 33);
  const Matrix psi = features_of(machine.kernel, *machine.random_features, samples);
  EXPECT_LT(largest(machine.decide(samples) - psi.transpose() * machine.weights), 1e-13);
}

TEST(KernelMachine, LargeInputsAreDecidedInPiecesWithTheSameBits) {
  const KernelMachine machine = any_machine("logistic", {0, 1}, 40);
  const Samples many = normal_samples(3, 20'000, 7);  // more than two pieces
  const Matrix together = machine.decide(many);
  EXPECT_EQ(machine.decide(many, 3), together);
  for (const Index first : {0, 8190, 19'990})
    EXPECT_LT(largest(machine.decide(many.middleCols(first, 10)) - together.middleRows(first, 10)), 1e-13);
}

TEST(KernelMachine, OnlyLogisticLossHasProbabilities) {
  const Samples fresh = normal_samples(3, 4, 8);
  for (const auto& [loss, classes] :
       {std::pair<const char*, std::vector<std::int64_t>>{"hinge", {0, 1}}, {"squared", {}}, {"huber", {}}}) {
    const KernelMachine machine = any_machine(loss, classes);
    EXPECT_FALSE(machine.has_probabilities());
    EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { machine.probabilities(fresh); }),
                AllOf(HasSubstr(loss), HasSubstr("no probabilities")));
  }
}

TEST(KernelMachine, RefusesSamplesOfAnotherWidth) {
  const KernelMachine machine = any_machine("logistic", {0, 1}, 0);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { machine.decide(Samples::Zero(2, 1)); }),
              HasSubstr("2 features but the model was fitted on 3"));
}

TEST(KernelMachine, ClassesHaveNames) {
  KernelMachine machine = any_machine("logistic", {-3, 0, 11});
  EXPECT_EQ(machine.name_of(11), "11");
  machine.class_names = {"cat", "dog", "emu"};
  EXPECT_EQ(machine.name_of(-3), "cat");
  EXPECT_EQ(machine.name_of(11), "emu");
}

}  // namespace
}  // namespace choir
