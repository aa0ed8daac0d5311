#include "choir/learn/online_kernel/expansion.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "choir/kernel/gram.h"
#include "choir/learn/online_kernel/atom_index.h"
#include "choir/learn/online_kernel/komp.h"
#include "choir/learn/online_kernel/newcomers.h"

namespace choir::online_kernel {
namespace {

// The kernel matrix with samples appended to the atoms, from its three parts.
Matrix bordered(const Matrix& old, const Matrix& cross, const Matrix& corner) {
  const Index before = old.rows();
  const Index after = before + corner.rows();
  Matrix gram(after, after);
  gram.topLeftCorner(before, before) = old;
  gram.topRightCorner(before, corner.rows()) = cross;
  gram.bottomLeftCorner(corner.rows(), before) = cross.transpose();
  gram.bottomRightCorner(corner.rows(), corner.rows()) = corner;
  return gram;
}

Matrix beside(const MatrixView<double>& left, const MatrixView<double>& right) {
  Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

Matrix above(const Matrix& top, const Matrix& bottom) {
  Matrix both(top.rows() + bottom.rows(), top.cols());
  both << top, bottom;
  return both;
}

Matrix cross_gram(const Kernel& kernel, const Samples& atoms, const Samples& samples) {
  if (atoms.cols() == 0 || samples.cols() == 0) return Matrix(atoms.cols(), samples.cols());
  return gram<double>(kernel, atoms, samples);
}

void append(Expansion& f, const Samples& samples, const Matrix& weights, const Matrix& cross,
            const Matrix& corner) {
  f.gram = bordered(f.gram, cross, corner);
  f.atoms = beside(f.atoms, samples);
  f.weights = above(f.weights, weights);
}

// What one sample of so many may change, squared, and still be approximated by the atoms.
double allowance(const Expansion& f, Index samples, const PruneRule& rule) {
  const double each = rule.epsilon * rule.epsilon / (4 * static_cast<double>(samples));
  if (!rule.screens) return 0;
  if (f.size() + rule.spare < rule.most || f.size() == 0) return each;
  return std::max(each, removal_costs(f.inverse, f.weights).minCoeff());
}

}  // namespace

Matrix own_gram(const Kernel& kernel, const Samples& samples) {
  if (samples.cols() == 0) return Matrix(0, 0);
  return TriangularGram<double>::compute(kernel, samples).dense();
}

Expansion empty_expansion(Index features, Index outputs) {
  return {.atoms = Samples(features, 0),
          .weights = Matrix(0, outputs),
          .gram = Matrix(0, 0),
          .inverse = {.values = Matrix(0, 0)}};
}

ExpansionView view_of(const Expansion& f) {
  return {.atoms = {f.atoms.data(), f.atoms.rows(), f.atoms.cols()},
          .weights = {f.weights.data(), f.weights.rows(), f.weights.cols()}};
}

Matrix evaluate(const Kernel& kernel, const ExpansionView& f, const MatrixView<double>& samples) {
  if (f.atoms.cols() == 0 || samples.cols() == 0) return Matrix::Zero(samples.cols(), f.weights.cols());
  return gram<double>(kernel, samples, f.atoms) * f.weights;
}

Matrix evaluate(const Kernel& kernel, const Expansion& f, const MatrixView<double>& samples) {
  return evaluate(kernel, view_of(f), samples);
}

void mix_in(const Kernel& kernel, Expansion& f, const ExpansionView& g, double factor) {
  const AtomIndex known(f.atoms);
  std::vector<Index> fresh;
  for (Index n = 0; n < g.atoms.cols(); ++n) {
    const Index place = known.find(g.atoms.col(n).data());
    if (place < 0) {
      fresh.push_back(n);
    } else {
      f.weights.row(place) += factor * g.weights.row(n);
    }
  }
  if (fresh.empty()) return;
  const Samples atoms = g.atoms(Eigen::all, fresh);
  append(f, atoms, factor * g.weights(fresh, Eigen::all), cross_gram(kernel, f.atoms, atoms),
         own_gram(kernel, atoms));
}

double add(const Kernel& kernel, Expansion& f, const Samples& samples, const Matrix& coefficients,
           const PruneRule& rule) {
  if (samples.cols() == 0) return 0;
  cover(f.inverse, f.gram);
  const Matrix cross = cross_gram(kernel, f.atoms, samples);
  const Matrix corner = own_gram(kernel, samples);
  const Newcomers newcomers =
      explain(f.inverse, cross, corner, coefficients, allowance(f, samples.cols(), rule));
  const std::vector<Index>& fresh = newcomers.fresh;
  f.weights += newcomers.for_atoms;
  if (!fresh.empty()) {
    append(f, samples(Eigen::all, fresh), newcomers.weights, cross(Eigen::all, fresh), corner(fresh, fresh));
    extend(f.inverse, newcomers.images, newcomers.lower);
  }
  return std::sqrt(newcomers.squared_error);
}

double compress(Expansion& f, const PruneRule& rule) {
  cover(f.inverse, f.gram);
  const bool few = f.size() <= rule.most;
  if (f.size() == 0 || (few && removal_costs(f.inverse, f.weights).minCoeff() > rule.epsilon * rule.epsilon))
    return 0;
  Pursuit kept = prune(f.inverse, f.gram.diagonal(), f.weights, rule);
  if (static_cast<Index>(kept.atoms.size()) < f.size()) {
    f.atoms = f.atoms(Eigen::all, kept.atoms).eval();
    f.gram = f.gram(kept.atoms, kept.atoms).eval();
    f.weights = std::move(kept.weights);
    f.inverse.values = std::move(kept.inverse);
  }
  return kept.error;
}

double squared_distance(const Kernel& kernel, const Expansion& f, const Expansion& g) {
  Expansion difference = f;
  mix_in(kernel, difference, view_of(g), -1);
  const Matrix images = difference.gram * difference.weights;
  return std::max(0.0, images.cwiseProduct(difference.weights).sum());
}

}  // namespace choir::online_kernel
