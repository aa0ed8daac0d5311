#include "choir/model/model_arrays.h"

#include <algorithm>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

KernelModel small_model() {
  KernelModel model = fit_kpca({.gamma = 0.4}, normal_samples(3, 7, 1), 2).model;
  model.preprocessing = {
      .standardize = Standardize::zscore, .mean = Vector::Ones(3), .scale = Vector::Ones(3) * 2};
  return model;
}

LinearPart small_part() {
  return cut_into_parts(fit_pca(normal_samples(5, 9, 1), 2), {{1, 2, 4}, {0, 3}})[0];
}

NpyView find_in(const Archive& archive, const std::string& name) {
  return view_npy(std::ranges::find(archive, name, &ArchiveEntry::name)->bytes, name);
}

TEST(ModelArrays, HaveNumpysShapes) {
  Archive archive;
  append_arrays(archive, "own", small_model());
  EXPECT_THAT(find_in(archive, "own/points.npy").shape, ElementsAre(7, 3));
  EXPECT_THAT(find_in(archive, "own/coefficients.npy").shape, ElementsAre(7, 2));
  EXPECT_THAT(find_in(archive, "own/mean_weights.npy").shape, ElementsAre(7));
  EXPECT_THAT(find_in(archive, "own/preprocessing_scale.npy").shape, ElementsAre(3));
  archive.clear();
  append_arrays(archive, "own", fit_pca(normal_samples(3, 7, 1), 2));
  EXPECT_THAT(find_in(archive, "own/components.npy").shape, ElementsAre(2, 3));
  archive.clear();
  append_arrays(archive, "own", fit_features({.gamma = 1}, {.count = 5}, normal_samples(3, 7, 1), 2));
  EXPECT_THAT(find_in(archive, "own/directions.npy").shape, ElementsAre(5, 2));
  EXPECT_THAT(find_in(archive, "own/sample_slopes.npy").shape, ElementsAre(2, 3));
  archive.clear();
  append_arrays(archive, "own", small_part());
  EXPECT_THAT(find_in(archive, "own/loadings.npy").shape, ElementsAre(2, 3));
  EXPECT_THAT(find_in(archive, "own/columns.npy").shape, ElementsAre(3));
}

TEST(ModelArrays, ColumnsAreWholeNumbersAndMayBeUnknown) {
  Archive archive;
  append_arrays(archive, "own", small_part());
  EXPECT_EQ(find_in(archive, "own/columns.npy").type, ElementType::int64);
  Model back = LinearPart{.columns = {0}};
  fill_arrays(back, "own", "m.npz", [&](const std::string& entry) { return find_in(archive, entry); });
  EXPECT_THAT(std::get<LinearPart>(back).columns, ElementsAre(1, 2, 4));
  EXPECT_EQ(std::get<LinearPart>(back).loadings, small_part().loadings);
  const auto as_doubles = [&](const std::string& entry) {
    NpyView view = find_in(archive, entry);
    if (entry == "own/columns.npy") view.type = ElementType::float64;
    return view;
  };
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { fill_arrays(back, "own", "m.npz", as_doubles); }),
              HasSubstr("'own/columns.npy' is a 1-dimensional array of float64; int64 in 1 is needed"));
  LinearPart unknown = small_part();
  unknown.columns.clear();
  archive.clear();
  append_arrays(archive, "own", unknown);
  EXPECT_EQ(std::ranges::count(archive, "own/columns.npy", &ArchiveEntry::name), 0);
}

TEST(ModelArrays, AKernelPartHasWhatItsPartyKnows) {
  const auto names = [](const KernelPart& part) {
    Archive archive;
    append_arrays(archive, "own", part);
    std::vector<std::string> result;
    for (const ArchiveEntry& entry : archive) result.push_back(entry.name);
    return result;
  };
  const Samples samples = normal_samples(5, 9, 1);
  auto parts = cut_into_parts(fit_kpca({.kind = KernelKind::cosine}, samples, 2).model, {{1, 2, 4}, {0, 3}});
  EXPECT_THAT(names(parts[0]), ElementsAre("own/points.npy", "own/columns.npy", "own/coefficients.npy",
                                           "own/row_means.npy", "own/lengths.npy", "own/eigenvalues.npy"));
  EXPECT_THAT(names(parts[1]), ElementsAre("own/points.npy", "own/columns.npy"));
  parts[1].columns.clear();
  parts[1].mean = Vector::Ones(2);
  EXPECT_THAT(names(parts[1]), ElementsAre("own/points.npy", "own/mean.npy"));
  parts = cut_into_parts(fit_kpca({.gamma = 0.4}, samples, 2).model, {{1, 2, 4}, {0, 3}});
  EXPECT_THAT(names(parts[0]), ElementsAre("own/points.npy", "own/columns.npy", "own/coefficients.npy",
                                           "own/row_means.npy", "own/eigenvalues.npy"));
  Archive archive;
  append_arrays(archive, "own", parts[0]);
  EXPECT_THAT(find_in(archive, "own/points.npy").shape, ElementsAre(9, 3));
  EXPECT_THAT(find_in(archive, "own/coefficients.npy").shape, ElementsAre(9, 2));
}

TEST(ModelArrays, OfAKernelMachineMayLackPoints) {
  for (const Index points : {0, 4}) {
    const KernelMachine machine = any_machine("logistic", {1, 2}, points);
    Archive archive;
    append_arrays(archive, "own", machine);
    EXPECT_THAT(find_in(archive, "own/points.npy").shape, ElementsAre(points, 3));
    EXPECT_THAT(find_in(archive, "own/weights.npy").shape, ElementsAre(points, 2));
    KernelMachine bare;
    bare.classes = {0};
    Model back = bare;
    fill_arrays(back, "own", "m.npz", [&](const std::string& entry) { return find_in(archive, entry); });
    const auto& read = std::get<KernelMachine>(back);
    EXPECT_EQ(read.points, machine.points);
    EXPECT_EQ(read.weights, machine.weights);
    EXPECT_EQ(read.classes, machine.classes);
  }
}

TEST(ModelArrays, OfAKernelMachineHaveFeatures) {
  Model machine = KernelMachine{};
  const NpyArray narrow = from_doubles({}, {4, 0});
  EXPECT_THAT(
      sentence(
          ErrorCategory::BadData,
          [&] { fill_arrays(machine, "own", "m.npz", [&](const std::string&) { return narrow.view(); }); }),
      HasSubstr("'own/points.npy' is empty"));
}

TEST(ModelArrays, OnlyDirectionsThatAreNotOrthonormalHaveAnOverlap) {
  Archive archive;
  append_arrays(archive, "own", small_model());
  append_arrays(archive, "other", oblique(small_model(), Matrix{{0.5, 0.1}, {0.1, 0.5}}));
  EXPECT_EQ(std::ranges::count(archive, "own/overlap.npy", &ArchiveEntry::name), 0);
  EXPECT_THAT(find_in(archive, "other/overlap.npy").shape, ElementsAre(2, 2));
}

TEST(ModelArrays, ComeBackInEitherOrder) {
  const KernelModel model = small_model();
  Archive archive;
  append_arrays(archive, "own", model);
  for (const bool other_order : {false, true}) {
    std::vector<NpyArray> turned;
    turned.reserve(archive.size());
    Model back = KernelModel{.kernel = {}, .preprocessing = {.standardize = Standardize::zscore}};
    fill_arrays(back, "own", "m.npz", [&](const std::string& entry) {
      NpyView view = find_in(archive, entry);
      if (!other_order || view.shape.size() < 2) return view;
      // The same array stored the other way round: Fortran order becomes C order and the reverse.
      const Index rows = view.shape[0], columns = view.shape[1];
      std::vector<double> c_order(static_cast<std::size_t>(rows * columns));
      copy_doubles(view, c_order);
      turned.push_back(from_doubles(c_order, {rows, columns}));
      if (!view.fortran_order) {
        const Eigen::Map<const Matrix> transposed(c_order.data(), columns, rows);
        const Matrix fortran = transposed.transpose();
        turned.back() = from_doubles({fortran.data(), c_order.size()}, {rows, columns});
        turned.back().fortran_order = true;
      }
      return turned.back().view();
    });
    const auto& read = std::get<KernelModel>(back);
    EXPECT_EQ(read.points, model.points);
    EXPECT_EQ(read.coefficients, model.coefficients);
    EXPECT_EQ(read.mean_weights, model.mean_weights);
    EXPECT_EQ(read.offset, model.offset);
    EXPECT_EQ(read.eigenvalues, model.eigenvalues);
    EXPECT_EQ(read.preprocessing.scale, model.preprocessing.scale);
  }
}

TEST(ModelArrays, MustBeDoublesOfTheRightDimension) {
  Model model = LinearModel{};
  const std::vector<double> values = {1, 2};
  const NpyArray matrix = from_doubles(values, {1, 2});
  EXPECT_THAT(
      sentence(
          ErrorCategory::BadData,
          [&] { fill_arrays(model, "own", "m.npz", [&](const std::string&) { return matrix.view(); }); }),
      HasSubstr("m.npz: 'own/mean.npy' is a 2-dimensional array of float64; float64 in 1 is needed"));
  const NpyArray integers{ElementType::int64, {2}, false, matrix.bytes};
  EXPECT_THAT(
      sentence(
          ErrorCategory::BadData,
          [&] { fill_arrays(model, "own", "m.npz", [&](const std::string&) { return integers.view(); }); }),
      HasSubstr("array of int64"));
  const NpyArray empty = from_doubles({}, {0});
  EXPECT_THAT(
      sentence(ErrorCategory::BadData,
               [&] { fill_arrays(model, "own", "m.npz", [&](const std::string&) { return empty.view(); }); }),
      HasSubstr("'own/mean.npy' is empty"));
}

}  // namespace
}  // namespace choir
